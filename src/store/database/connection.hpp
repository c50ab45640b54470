#pragma once

#include "store/database/connection.hpp"
#include "store/database/dialect.hpp"
#include "store/database/error.hpp"
#include "store/database/postgresql_copy.hpp"
#include "store/database/selection.hpp"
#include "store/database/session.hpp"
#include "store/database/sqlite_wal.hpp"
#include "store/database/stall_guard.hpp"

#include <soci/soci.h>

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

namespace roost::store {

using parameters = std::vector<std::pair<std::string_view, cell>>;

/// What a session is made of: the SOCI session, its prepared statements, and the translation of errors.
class session::connection {
public:
  explicit connection(const std::string& url);
  ~connection();

  store::dialect dialect() const { return dialect_; }
  const std::string& file() const { return file_; } ///< SQLite: its path
  void connect();
  void connect_to_existing();
  void disconnect() noexcept;
  /// PostgreSQL: the descriptor of the connection, which stays the connection's; -1 without one.
  int socket() const;

  /// Runs a statement; the number of rows that it wrote.
  std::int64_t write(const query& what, const parameters& with = {});

  /// Takes the rows of bulk writers in the database's place until it is called with nothing. For those who
  /// write them later, in SQLite only, or not at all.
  using row_taker = std::function<void(const std::string& name, const std::string& text,
                                       const std::vector<std::string>& columns, const cell_list& cells)>;
  void divert_rows(row_taker to) { row_taker_ = std::move(to); }

  /// Runs a selection and calls `each` for every row, with a value for each of its parts.
  template <typename... Parts, std::invocable<typename Parts::value...> Each>
  void read(const selection<Parts...>& what, const parameters& with, Each each) {
    read_rows(what.as_query(), with, [&](const row& current) { what.pass(current, each); });
  }

  /// All that a selection of one part reads.
  template <typename Part>
  std::vector<selected<Part>> read_all(const selection<Part>& what, const parameters& with = {}) {
    std::vector<selected<Part>> found;
    read(what, with, [&](selected<Part>&& each) { found.push_back(std::move(each)); });
    return found;
  }

  /// The one row of a selection of one part, if there is one; the last where there are more.
  template <typename Part>
  std::optional<selected<Part>> read_one(const selection<Part>& what, const parameters& with = {}) {
    std::optional<selected<Part>> found;
    read(what, with, [&](selected<Part>&& each) { found = std::move(each); });
    return found;
  }

  /// Runs a query and calls `each(const row&)` for every row.
  template <typename Each>
  void read_rows(const query& what, const parameters& with, Each each) {
    guarded(what.name, [&] {
      statement& run = prepared(what);
      bind(run, what, with);
      for (bool more = execute(run); more; more = run.fetch()) each(run.current());
    });
  }

  /// For cell_writer, whose texts are made at run time: runs the statement once for each row of cells, or
  /// once with an array for each column. `columns` names a row's parameters; `name` is for errors only.
  std::int64_t write_rows(const std::string& name, const std::string& text,
                          const std::vector<std::string>& columns, const cell_list& cells);
  std::int64_t write_arrays(const std::string& name, const std::string& text,
                            const std::vector<std::string>& columns, const cell_list& cells);
  /// The same with a `copy … from stdin` of PostgreSQL.
  std::int64_t write_copy(const std::string& name, const std::string& text,
                          std::span<const binary_type> types, const cell_list& cells);

  /// The same with rows that are ready, in the format that the command names.
  std::int64_t write_copy(const std::string& name, const std::string& text, std::string_view rows);

  /// Runs several statements at once, without parameters.
  void script(const char* name, const std::string& text);

  /// Runs what begins a transaction, or is a whole one that may be repeated. When the connection turns out to
  /// be lost it runs once more: the server may have gone and come back since the last use.
  template <typename Run>
  void again_when_lost(Run run) {
    for (bool again = session_ != nullptr;; again = false) {
      try {
        return run();
      } catch (const unavailable&) {
        if (!again || session_) throw;
      }
    }
  }

  enum class access { write, snapshot };
  void begin(access wanted);
  void commit();
  void rollback() noexcept;
  bool in_transaction() const { return in_transaction_; }

  const std::function<void()>& run_with_next_commit() const { return with_next_commit_; }
  void set_with_next_commit(std::function<void()> what) { with_next_commit_ = std::move(what); }

  std::string list(std::span<const domain::uuid> values) const { return list_of(values, dialect_); }
  std::string list(std::span<const std::string> values) const { return list_of(values, dialect_); }

private:
  template <typename Run>
  void guarded(const char* name, Run run) {
    try {
      ready();
      run();
    } catch (...) {
      failed(name);
    }
  }

  void ready();
  void check_file();
  void open();
  void execute_natively(const std::string& text);
  bool execute(statement& what); ///< true when there is a first row
  statement& prepared(const query& what);
  statement& prepared(const std::string& key, const std::string& text,
                      const std::vector<std::string>& parameters, int columns);
  void bind(statement& to, const query& what, const parameters& with);
  [[noreturn]] void failed(const char* name, bool committing = false);
  [[noreturn]] void translate(const char* name, bool committing, int sqlite_code);
  bool lost() const;

  store::dialect dialect_;
  std::string target_; ///< PostgreSQL: SOCI's connection text
  std::string file_;   ///< SQLite: its path
  sqlite_wal wal_;     ///< SQLite: the log beside it
  std::unique_ptr<soci::session> session_;
  std::unique_ptr<stall_guard> guard_; ///< PostgreSQL only: SQLite has no server that could stall
  std::unordered_map<std::string, std::unique_ptr<statement>> statements_;
  std::string running_; ///< the statement under way, whose preparation is dropped when it fails
  row_taker row_taker_;
  std::function<void()> with_next_commit_;
  bool in_transaction_ = false;
  bool broken_ = false; ///< the open transaction can only be rolled back
};

} // namespace roost::store
