#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// The errors of the store. Messages never contain values of rows, only SQLSTATEs and the names of
/// constraints and statements.
namespace roost::store {

class error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The store is temporarily unavailable: no connection, connection lost, locked beyond the busy timeout,
/// statement timeout, deadlock, disk full, read only, server shutting down. A later retry may succeed.
class unavailable : public error {
public:
  explicit unavailable(const std::string& message, bool commit_uncertain = false)
      : error(message), commit_uncertain_(commit_uncertain) {}

  /// Returns whether the error occurred during COMMIT: the transaction may or may not have been committed.
  /// Read the outcome before a retry.
  bool commit_uncertain() const { return commit_uncertain_; }

private:
  bool commit_uncertain_;
};

enum class violation {
  overlapping_stay, ///< with another stay, or with a block
  duplicate_reference,
  conflicting_row, ///< by another unique or foreign key: a later retry may succeed
  invalid_value,   ///< the database cannot hold a value, whatever its other rows are
};

/// The database rejected a row.
class constraint_violated : public error {
public:
  constraint_violated(violation kind, std::string constraint);

  violation kind() const { return kind_; }
  /// Returns its name or its columns; the SQLSTATE if the value violates none, such as text in an unknown
  /// encoding.
  const std::string& constraint() const { return constraint_; }

private:
  violation kind_;
  std::string constraint_;
};

/// Another server is the writer, or the lease has expired. Nothing was written.
class lease_lost : public error {
public:
  lease_lost() : error("the writer lease is not held") {}
};

/// The history of the store is not the one that this server followed: a backup was restored, a lagging
/// replica was promoted, or the SQLite file was replaced. Nothing was written; the state in memory is stale.
class another_history : public error {
  using error::error;
};

/// One of the requests had already been decided. Nothing was written; find_request() returns the decision.
class already_decided : public error {
public:
  already_decided() : error("a request of the group was already decided") {}
};

/// The store's schema is newer than this program, or an applied migration differs from this program's.
class schema_mismatch : public error {
  using error::error;
};

/// The store is an unfinished copy of another one.
class unfinished_copy : public error {
  using error::error;
};

/// The store was copied into another one, which has replaced it.
class moved_store : public error {
  using error::error;
};

/// No store exists at the URL.
class no_store : public error {
  using error::error;
};

/// The store's tokens were signed with keys other than those of this program.
class other_signing_keys : public error {
  using error::error;
};

/// The stores cannot be copied in their current state; nothing was written.
class copy_refused : public error {
  using error::error;
};

/// The target rejected a row: another process wrote into it, or it cannot hold the source's data. The target
/// is marked so that the next copy starts over.
class target_rejected_row : public error {
  using error::error;
};

/// The database cannot hold a store: its encoding, schema or connection pooler is unsuitable. An operator has
/// to change that.
class unsuitable_database : public unavailable {
  using unavailable::unavailable;
};

/// Any other error: a defect of this program, of the schema or of the data.
class failure : public error {
  using error::error;
};

// Translations of the databases' own errors, for connections.

/// An error of PostgreSQL, without its message: the server writes that in the language of its `lc_messages`.
struct postgresql_fault {
  std::string sqlstate;
  std::string constraint; ///< the name of the violated one; may be empty
};

[[noreturn]] void throw_postgresql_error(const postgresql_fault& fault, const char* statement,
                                         bool connection_lost, bool committing);

/// A result code of SQLite and the file it concerns.
struct sqlite_fault {
  int code = 0;
  const std::string& file;
};

/// Returns the file, SQLite's description of the error, and advice where needed.
std::string describe_sqlite_error(const sqlite_fault& fault, const char* statement);

/// `message` ends with SQLite's own, which is always English.
[[noreturn]] void throw_sqlite_error(const sqlite_fault& fault, std::string_view message,
                                     const char* statement, bool committing);

/// Returns SQLite's description of a result code, which contains no values.
std::string sqlite_error_name(int code);

} // namespace roost::store
