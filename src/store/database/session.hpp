#pragma once

#include <functional>
#include <memory>
#include <string>

namespace roost::store {

/// One connection to the store, used by one thread at a time. Connects on first use and reconnects on the
/// first use after the connection was lost. Functions that use it throw the errors of
/// store/database/error.hpp.
class session {
public:
  /// `url` is `sqlite3://path` or `postgresql://user[:password]@host:port/database`. Throws
  /// std::invalid_argument for any other text. Does not connect.
  explicit session(const std::string& url);
  ~session();
  session(session&&) noexcept;
  session& operator=(session&&) noexcept;

  /// Connects unless connected. Creates a missing SQLite file and its folder, accessible to their owner only.
  /// Throws unavailable.
  void connect();

  /// Connects without creating anything. Throws no_store if the SQLite file does not exist.
  void connect_to_existing();

  /// Checks that the database responds; reconnects if the connection was lost. Throws unavailable.
  void probe();

  /// Runs `action` in the next write transaction, before its commit, so that both are committed or neither.
  /// If that transaction fails, the one after it runs the action.
  void run_with_next_commit(std::function<void()> action);
  /// Returns whether such an action has not been committed yet.
  bool awaits_commit() const;

  bool is_sqlite() const;

  class connection;
  connection& internals() { return *connection_; } ///< for the store components and their tests

private:
  std::unique_ptr<connection> connection_;
};

} // namespace roost::store
