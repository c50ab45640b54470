#pragma once

#include <functional>
#include <memory>
#include <string>

namespace roost::store {

/// One connection to the store, for one thread at a time. Connects on first use, and again on the first use
/// after a lost connection. Its users throw the errors of store/database/error.hpp.
class session {
public:
  /// `sqlite3://path` or `postgresql://user[:password]@host:port/database`. Throws std::invalid_argument for
  /// any other text; does not connect.
  explicit session(const std::string& url);
  ~session();
  session(session&&) noexcept;
  session& operator=(session&&) noexcept;

  /// Connects unless connected. Makes SQLite's file and its folder where there are none, for their owner
  /// alone. Throws unavailable.
  void connect();

  /// The same, but makes nothing. Throws no_store when there is no such file.
  void connect_to_existing();

  /// Asks for a sign of life, on a new connection where the old one is lost. Throws unavailable.
  void probe();

  /// The next transaction that writes does this as well, before it commits, so that both are there or none.
  /// It is asked for once: when that transaction fails, the one after it does it.
  void run_with_next_commit(std::function<void()> what);
  /// Whether no transaction has done it yet.
  bool awaits_commit() const;

  bool is_sqlite() const;

  class connection;
  connection& internals() { return *connection_; } ///< for this room and its tests

private:
  std::unique_ptr<connection> connection_;
};

} // namespace roost::store
