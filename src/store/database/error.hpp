#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// What can go wrong in the store. No message ever holds a value of a row: SQLSTATE, constraint and statement
/// names only.
namespace roost::store {

class error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The store cannot serve now: no connection, connection lost, locked beyond the busy timeout, statement
/// timeout, deadlock, disk full, read only, server shutting down. Trying again later may help.
class unavailable : public error {
public:
  explicit unavailable(const std::string& what, bool commit_uncertain = false)
      : error(what), commit_uncertain_(commit_uncertain) {}

  /// The failure came during COMMIT: the transaction may or may not be in the store. Read before trying
  /// again.
  bool commit_uncertain() const { return commit_uncertain_; }

private:
  bool commit_uncertain_;
};

enum class violation { overlapping_stay, duplicate_reference, other };

/// The database refused a row.
class constraint_violated : public error {
public:
  constraint_violated(violation kind, std::string constraint);

  violation kind() const { return kind_; }
  const std::string& constraint() const { return constraint_; } ///< its name, or the columns it is on

private:
  violation kind_;
  std::string constraint_;
};

/// Another server is the writer now, or the lease has run out: nothing was written.
class lease_lost : public error {
public:
  lease_lost() : error("the writer lease is not held") {}
};

/// The store is another one than this server knows: a backup was restored, a copy that lagged behind was made
/// the database, or another file lies in the place of SQLite's. Nothing was written, and what is in memory is
/// wrong.
class another_history : public error {
  using error::error;
};

/// One of the requests had been decided before: nothing was written. Ask find_request().
class already_decided : public error {
public:
  already_decided() : error("a request of the group was decided before") {}
};

/// The store's schema is newer than this program, or an applied migration differs from this program's.
class schema_mismatch : public error {
  using error::error;
};

/// The store is a copy that was begun and is not finished.
class unfinished_copy : public error {
  using error::error;
};

/// There is no store where the URL points to.
class no_store : public error {
  using error::error;
};

/// The store's tokens were signed with other keys than those of this program.
class other_signing_keys : public error {
  using error::error;
};

/// Anything else: a fault of this program, of the schema or of the data.
class failure : public error {
  using error::error;
};

} // namespace roost::store
