#pragma once

#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace roost::contention {

/// A statement failed, or the connection was lost.
class sql_error : public std::runtime_error {
public:
  sql_error(std::string state, const std::string& message)
      : std::runtime_error(message), state_(std::move(state)) {}

  const std::string& state() const { return state_; } ///< SQLSTATE; empty if the connection was lost
  bool is_connection_lost() const { return state_.empty(); }

private:
  std::string state_;
};

using sql_value = std::optional<std::string>;

/// The result of a statement: its first row as texts, and the number of rows written.
struct sql_result {
  std::vector<std::string> row;
  long affected_rows = 0;
};

/// A connection to PostgreSQL in libpq's pipeline mode, which sends statements together: a decision takes no
/// more round trips than necessary. Statements are prepared once and identified by name.
class pipeline {
public:
  /// Throws sql_error.
  explicit pipeline(const std::string& url);

  void prepare(const char* name, const char* text);

  /// Queues a prepared statement.
  void send(const char* name, std::span<const sql_value> parameters = {});

  /// Requests the results of the statements sent so far, without ending the transaction.
  void flush();

  /// Requests the results and ends an implicit transaction. Statements after it run again after an error.
  void sync();

  /// Returns the next result, in the order of the statements. Throws sql_error; after an error, the other
  /// statements sent before the next sync() have no result.
  sql_result next();

  /// Discards the results up to the last sync(), so that the connection can be used again.
  void finish();

  /// After an error of next(): rolls back an open transaction and makes the connection usable again.
  void recover();

private:
  struct closer {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };

  void require(bool succeeded);
  [[noreturn]] void throw_connection_lost();

  std::unique_ptr<PGconn, closer> connection_;
  bool sync_sent_ = false; ///< and its result not yet read by finish()
};

} // namespace roost::contention
