#pragma once

#include "domain/date.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace roost::store {

struct parameter;

/// Deletes and corrects old rows step by step, each step in transactions of its own. A row that the database
/// rejects keeps neither other rows nor later steps from being written; finish() reports the first one.
class old_rows {
public:
  old_rows(session& db, const lease& held) : db_(db), held_(held) {}

  /// A table with the column `id` of this type. `kind` distinguishes old rows of one table.
  struct table {
    const char* name;
    const char* id_type = "uuid";
    const char* kind = "old";
  };

  /// Deletes the rows whose `column` is before that time: the oldest, at most `limit`.
  void remove(const table& from, const std::string& column, domain::timestamp before, std::size_t limit);

  /// Deletes the first `limit` rows in this order that meet the condition, if they still do when they are
  /// deleted.
  void remove(const table& from, const std::string& condition, const std::string& order,
              const std::vector<parameter>& values, std::size_t limit);

  /// Calls `write` with the session in a transaction. It returns the number of rows that it has written.
  template <typename Write>
  void write(const Write& write) {
    try {
      in_transaction(write);
    } catch (const constraint_violated&) {
      note_rejection();
    } catch (const failure&) {
      note_rejection();
    }
  }

  std::int64_t written() const { return written_; }

  /// Returns the number of rows written. Throws the first rejection.
  std::int64_t finish() const {
    if (rejection_) std::rethrow_exception(rejection_);
    return written_;
  }

private:
  template <typename Write>
  void in_transaction(const Write& write) {
    write_transaction txn(db_, held_);
    const std::int64_t count = write(db_);
    txn.commit();
    written_ += count;
  }

  void note_rejection() {
    if (!rejection_) rejection_ = std::current_exception();
  }

  session& db_;
  const lease& held_;
  std::int64_t written_ = 0;
  std::exception_ptr rejection_;
};

} // namespace roost::store
