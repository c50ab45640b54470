#pragma once

#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace roost::contention {

/// A statement ended with an error, or the connection did.
class sql_error : public std::runtime_error {
public:
  sql_error(std::string state, const std::string& what)
      : std::runtime_error(what), state_(std::move(state)) {}

  const std::string& state() const { return state_; } ///< SQLSTATE; empty when the connection was lost
  bool is_connection_lost() const { return state_.empty(); }

private:
  std::string state_;
};

using sql_value = std::optional<std::string>;

/// What a statement gave: its first row, as texts, and the number of rows that it wrote.
struct sql_result {
  std::vector<std::string> row;
  long affected = 0;
};

/// A connection to PostgreSQL on which statements travel together (libpq's pipeline mode): so a peer pays for
/// no more round trips than its decisions need. Statements are prepared once, under their names.
class pipeline {
public:
  /// Throws sql_error.
  explicit pipeline(const std::string& url);

  void prepare(const char* name, const char* text);

  /// Queues a prepared statement.
  void send(const char* name, std::span<const sql_value> with = {});

  /// Asks for the results of what was sent so far, within a transaction that goes on.
  void flush();

  /// The same, and ends what is a transaction by itself. An error that was thrown is over with the next one.
  void sync();

  /// The result of the oldest statement without one. Throws sql_error; after an error those that were sent
  /// before the next sync() have none.
  sql_result next();

  /// After sync(): takes what is left up to it, so that the connection can be used again.
  void finish();

  /// After an error of next(): ends the transaction, if one is open, and makes the connection usable again.
  void recover();

private:
  struct closer {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };

  void require(bool holds);
  [[noreturn]] void lost();

  std::unique_ptr<PGconn, closer> connection_;
  bool sync_sent_ = false; ///< and not reached by finish()
};

} // namespace roost::contention
