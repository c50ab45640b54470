#pragma once

#include "store/database/columns.hpp"
#include "store/database/dialect.hpp"
#include "store/database/error.hpp"
#include "store/database/postgresql_copy.hpp"
#include "store/database/session.hpp"
#include "store/database/sqlite_wal.hpp"
#include "store/database/stall_guard.hpp"

#include <soci/soci.h>

#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace soci {
class postgresql_soci_error;
}

namespace roost::store {

/// A named parameter of a statement; `name` must outlive it.
struct parameter {
  template <typename Value>
  parameter(std::string_view name, Value&& value) : name(name), value(to_cell(std::forward<Value>(value))) {}

  std::string_view name;
  cell value;
};
using parameters = std::vector<parameter>;

/// A prepared statement with its buffers. Parameters and columns are transferred as text.
class statement {
public:
  statement(soci::session& db, const std::string& text, std::vector<std::string> parameters, int columns);
  statement(const statement&) = delete;
  statement& operator=(const statement&) = delete;

  const std::vector<std::string>& parameters() const { return parameters_; }

  /// Sets the value of a parameter. Throws constraint_violated for text with a NUL byte: PostgreSQL cannot
  /// store one, and libpq would truncate the text there.
  void bind(std::size_t parameter, cell_view value);

  /// Runs the statement; returns whether there is a first row.
  bool execute() { return statement_.execute(true); }
  bool fetch() { return statement_.fetch(); }
  row current() const { return {columns_, column_indicators_}; }
  std::int64_t affected() { return statement_.get_affected_rows(); }
  /// PostgreSQL: returns the name of the constraint that the last execution violated; empty if none.
  std::string violated_constraint();

private:
  std::vector<std::string> parameters_, values_, columns_;
  std::vector<soci::indicator> value_indicators_, column_indicators_;
  soci::statement statement_;
};

/// The implementation of a session: the SOCI session, its prepared statements, and the translation of errors.
class session::connection {
public:
  explicit connection(const std::string& url);
  ~connection();

  store::dialect dialect() const { return dialect_; }
  const std::string& file() const { return file_; } ///< SQLite: the path of the store's file
  void connect();
  void connect_to_existing();
  void disconnect() noexcept;
  /// PostgreSQL: returns the socket of the connection, which keeps ownership; -1 if not connected.
  int socket() const;
  /// PostgreSQL: returns the process id of the database's session, as announced when the connection was made;
  /// 0 if not connected.
  int announced_process() const;

  /// Runs a statement; returns the number of rows written.
  std::int64_t write(const query& sql, const parameters& values = {});

  /// Diverts the rows of bulk writers to `sink` instead of the database, until called with an empty function.
  /// Used to write them later, on SQLite only, or not at all.
  using row_sink = std::function<void(const std::string& name, const std::string& text,
                                      const std::vector<std::string>& columns, const cell_list& cells)>;
  void divert_rows(row_sink sink) { row_sink_ = std::move(sink); }

  /// Runs a selection and calls `each` for every row, with one value for each part.
  template <typename... Parts, std::invocable<typename Parts::value...> Each>
  void read(const selection<Parts...>& sql, const parameters& values, Each each) {
    read_rows(sql.as_query(), values, [&](const row& current) { sql.pass(current, each); });
  }

  /// Returns all values that a selection of one part reads.
  template <typename Part>
  std::vector<selected<Part>> read_all(const selection<Part>& sql, const parameters& values = {}) {
    std::vector<selected<Part>> results;
    read(sql, values, [&](selected<Part>&& value) { results.push_back(std::move(value)); });
    return results;
  }

  /// Returns the only row of a selection of one part; nullopt if there is none, the last row if several.
  template <typename Part>
  std::optional<selected<Part>> read_one(const selection<Part>& sql, const parameters& values = {}) {
    std::optional<selected<Part>> result;
    read(sql, values, [&](selected<Part>&& value) { result = std::move(value); });
    return result;
  }

  /// Runs a query and calls `each(const row&)` for every row.
  template <typename Each>
  void read_rows(const query& sql, const parameters& values, Each each) {
    guarded(sql.name, [&] {
      statement& prepared_statement = prepared(sql);
      bind(prepared_statement, sql, values);
      for (bool more = execute(prepared_statement); more; more = prepared_statement.fetch())
        each(prepared_statement.current());
    });
  }

  /// For cell_writer, which generates its texts: runs the statement once for each row of cells, or once with
  /// an array for each column. `columns` names the parameters of a row; `name` is used in errors only.
  std::int64_t write_rows(const std::string& name, const std::string& text,
                          const std::vector<std::string>& columns, const cell_list& cells);
  std::int64_t write_arrays(const std::string& name, const std::string& text,
                            const std::vector<std::string>& columns, const cell_list& cells);
  /// Writes the cells with a `copy … from stdin` of PostgreSQL.
  std::int64_t write_copy(const std::string& name, const std::string& text,
                          std::span<const append_binary> types, const cell_list& cells);

  /// Copies rows that are already encoded in the format that the command names.
  std::int64_t write_copy(const std::string& name, const std::string& text, std::string_view rows);

  /// Runs one or more statements without parameters.
  void script(const char* name, const std::string& text);
  /// Runs statements whose duration grows with the store, such as a migration's, within an hour.
  void long_script(const char* name, const std::string& text);

  /// Runs the start of a transaction, or a whole idempotent one, and retries it once if the connection was
  /// lost: the server may have restarted since the last use.
  template <typename Run>
  void retry_when_lost(Run run) {
    for (bool may_retry = session_ != nullptr;; may_retry = false) {
      try {
        return run();
      } catch (const unavailable&) {
        if (!may_retry || session_) throw;
      }
    }
  }

  enum class access { write, snapshot };
  void begin(access mode);
  void commit();
  void rollback() noexcept;

  const std::function<void()>& commit_action() const { return commit_action_; }
  void set_commit_action(std::function<void()> action) { commit_action_ = std::move(action); }

  std::string list(std::span<const domain::uuid> values) const { return list_of(values, dialect_); }
  std::string list(std::span<const std::string> values) const { return list_of(values, dialect_); }

private:
  /// Longer than the server's own statement timeout, which ends a slow statement but keeps the connection.
  static constexpr std::chrono::seconds response_timeout{12};

  template <typename Run>
  void guarded(const char* name, Run run) {
    try {
      ensure_ready();
      run();
    } catch (...) {
      handle_failure(name);
    }
  }

  void ensure_ready();
  void check_file();
  void open();
  void execute_natively(const std::string& text, std::chrono::seconds limit = response_timeout);
  std::int64_t copy_rows(const std::string& command, std::string_view rows);
  bool execute(statement& prepared_statement); ///< returns whether there is a first row
  statement& prepared(const query& sql);
  statement& prepared(const std::string& key, const std::string& text,
                      const std::vector<std::string>& parameters, int columns);
  void bind(statement& prepared_statement, const query& sql, const parameters& values);
  [[noreturn]] void handle_failure(const char* name, bool committing = false);
  std::string violated_constraint(const soci::postgresql_soci_error& error) const;
  [[noreturn]] void rethrow_translated(const char* name, bool committing, int sqlite_code);
  bool is_lost() const;

  store::dialect dialect_;
  std::string target_; ///< PostgreSQL: SOCI's connection string
  std::string file_;   ///< SQLite: the path of the store's file
  sqlite_wal wal_;     ///< SQLite: the write-ahead log of the file
  std::unique_ptr<soci::session> session_;
  std::unique_ptr<stall_guard> guard_; ///< PostgreSQL only: SQLite has no server
  std::unordered_map<std::string, std::unique_ptr<statement>> statements_;
  std::string running_; ///< the key of the current statement, which is discarded when it fails
  row_sink row_sink_;
  std::function<void()> commit_action_; ///< runs in the next write transaction, before its commit
  bool in_transaction_ = false;
  bool broken_ = false; ///< the open transaction can only be rolled back
};

} // namespace roost::store
