#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"
#include "store/portfolio/portfolio_steps.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::store {

class account_overlay;

/// Adapts a file to what the office has written, and restores it at the end of its lifetime: adds what the
/// office created and the file omits, and drops what the office deleted. What the file would set back is a
/// conflict. With import_context::overwrite_office, the file brings back what the office deleted, too.
///
/// Blocks are not among it (block_step). Accounts without marks stay untouched.
class office_overlay {
public:
  /// Reads the marks of the file's accounts, and those accounts of the store that have any.
  office_overlay(session& db, domain::portfolio& file, const import_context& context);
  ~office_overlay();
  office_overlay(const office_overlay&) = delete;
  office_overlay& operator=(const office_overlay&) = delete;

  /// The conflicts with other objects in the store (portfolio_conflicts), with pointers into the file as it
  /// was.
  const std::vector<std::string>& problems() const { return problems_; }

  /// The stored units that it adds to the file.
  std::vector<domain::uuid> kept_units() const;

  /// Notes what these accounts of the file would set back.
  void note_conflicts(import_notes& notes, account_span accounts) const;

  /// Deletes the marks that no longer apply after the import. On PostgreSQL, the transaction must have taken
  /// its position in the change stream: the office locks marks after the stream.
  void forget_marks(session& db) const;

private:
  std::vector<std::unique_ptr<account_overlay>> accounts_;
  std::vector<std::string> problems_;
};

} // namespace roost::store
