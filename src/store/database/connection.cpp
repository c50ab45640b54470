#include "store/database/connection.hpp"

#include "domain/text.hpp"
#include "store/address/store_url.hpp"
#include "store/database/connecting.hpp"

#include <soci/postgresql/soci-postgresql.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

namespace roost::store {

namespace {

constexpr std::chrono::hours long_response_timeout{1};
/// Limits the orderly close of a connection, which is optional.
constexpr std::chrono::seconds close_timeout{2};

void ignore_notice(void*, const char*) {}

} // namespace

statement::statement(soci::session& db, const std::string& text, std::vector<std::string> parameters,
                     int columns)
    : parameters_(std::move(parameters)), values_(parameters_.size()),
      columns_(static_cast<std::size_t>(columns)), value_indicators_(parameters_.size(), soci::i_null),
      column_indicators_(columns_.size(), soci::i_null), statement_(db) {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    statement_.exchange(soci::use(values_[i], value_indicators_[i], parameters_[i]));
  for (std::size_t i = 0; i < columns_.size(); ++i)
    statement_.exchange(soci::into(columns_[i], column_indicators_[i]));
  statement_.alloc();
  statement_.prepare(text);
  statement_.define_and_bind();
}

void statement::bind(std::size_t parameter, cell_view value) {
  if (value && value->find('\0') != std::string_view::npos)
    throw constraint_violated(violation::invalid_value, "text_without_nul");
  value_indicators_[parameter] = value ? soci::i_ok : soci::i_null;
  if (value) values_[parameter] = *value;
}

std::string statement::violated_constraint() {
  return constraint_of(static_cast<soci::postgresql_statement_backend*>(statement_.get_backend())->result_);
}

session::connection::connection(const std::string& url) {
  if (const auto fault = store_url_error(url)) throw std::invalid_argument("the URL " + *fault);
  if (url.starts_with(sqlite_scheme)) {
    dialect_ = dialect::sqlite;
    file_ = url.substr(sqlite_scheme.size());
  } else {
    dialect_ = dialect::postgresql;
    target_ = postgresql_target(url);
  }
}

session::connection::~connection() { disconnect(); }

void session::connection::connect() {
  guarded("connect", [] {});
}

void session::connection::connect_to_existing() {
  std::error_code unknown, ignored;
  if (dialect_ == dialect::sqlite && !std::filesystem::exists(file_, unknown)) {
    const auto path = std::filesystem::absolute(file_, ignored).string();
    if (unknown)
      throw unavailable("the store's file " + path + " cannot be accessed: " + unknown.message() +
                        "; run this as the server's user");
    throw no_store("there is no store at " + path);
  }
  connect();
}

void session::connection::ensure_ready() {
  if (in_transaction_ && (broken_ || !session_)) throw unavailable("the transaction was lost");
  if (!session_)
    open();
  else if (!in_transaction_ && dialect_ == dialect::sqlite)
    check_file();
}

/// Detects a deleted or replaced file: SQLite would keep using the unlinked one, and its data would be lost.
void session::connection::check_file() {
  int moved = 0;
  sqlite_api::sqlite3_file_control(sqlite_handle(*session_), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved == 0) return wal_.remember(file_);
  std::error_code ignored;
  if (!std::filesystem::exists(file_, ignored)) throw unavailable("the store's file " + file_ + " is gone");
  disconnect(); // the next use opens the new file
  throw another_history("another file has replaced the store's");
}

void session::connection::open() {
  try {
    if (dialect_ == dialect::sqlite) {
      make_sqlite_file(file_);
      wal_.refuse_foreign(file_);
      session_ = open_sqlite(file_);
      wal_.remember(file_);
    } else {
      session_ = connect_postgresql(target_);
      guard_ = std::make_unique<stall_guard>(PQsocket(postgresql_handle(*session_)));
      // DETAIL lines contain the values of rows.
      PQsetErrorVerbosity(postgresql_handle(*session_), PQERRORS_TERSE);
      PQsetNoticeProcessor(postgresql_handle(*session_), ignore_notice, nullptr);
    }
  } catch (const soci::soci_error& fault) {
    disconnect();
    throw unavailable("cannot connect to the store" + (file_.empty() ? "" : "'s file " + file_) + ": " +
                      domain::one_line(fault.get_error_message()));
  } catch (const std::system_error& fault) { // thrown if no thread can be created
    disconnect();
    throw unavailable("cannot connect to the store: " + fault.code().message());
  } catch (const unavailable&) {
    disconnect();
    throw;
  }
}

void session::connection::disconnect() noexcept {
  {
    const stall_guard::time_limit limit{guard_.get(), close_timeout};
    statements_.clear(); // before the session that owns them
    session_.reset();
  }
  guard_.reset();
}

int session::connection::socket() const {
  return session_ && dialect_ == dialect::postgresql ? PQsocket(postgresql_handle(*session_)) : -1;
}

int session::connection::announced_process() const {
  return session_ && dialect_ == dialect::postgresql ? PQbackendPID(postgresql_handle(*session_)) : 0;
}

bool session::connection::is_lost() const {
  return session_ && dialect_ == dialect::postgresql &&
         PQstatus(postgresql_handle(*session_)) != CONNECTION_OK;
}

bool session::connection::execute(statement& prepared_statement) {
  const stall_guard::time_limit limit{guard_.get(), response_timeout};
  return prepared_statement.execute();
}

void session::connection::execute_natively(const std::string& text, std::chrono::seconds limit) {
  const stall_guard::time_limit limited{guard_.get(), limit};
  if (dialect_ == dialect::sqlite) {
    const int result =
        sqlite_api::sqlite3_exec(sqlite_handle(*session_), text.c_str(), nullptr, nullptr, nullptr);
    if (result != SQLITE_OK)
      throw soci::sqlite3_soci_error(sqlite_api::sqlite3_errmsg(sqlite_handle(*session_)), result);
    return;
  }
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(
      PQexec(postgresql_handle(*session_), text.c_str()), &PQclear);
  const auto status = PQresultStatus(result.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY) return;
  throw result_error(result.get());
}

statement& session::connection::prepared(const query& sql) {
  const auto it = statements_.find(sql.name);
  if (it != statements_.end()) {
    running_ = sql.name;
    return *it->second;
  }
  const auto text = expand(sql, dialect_);
  return prepared(sql.name, text, parameter_names(text), sql.columns);
}

statement& session::connection::prepared(const std::string& key, const std::string& text,
                                         const std::vector<std::string>& parameters, int columns) {
  running_ = key;
  const auto it = statements_.find(key);
  if (it != statements_.end()) return *it->second;
  const stall_guard::time_limit limit{guard_.get(), response_timeout};
  auto created = std::make_unique<statement>(*session_, text, parameters, columns);
  return *statements_.emplace(key, std::move(created)).first->second;
}

void session::connection::bind(statement& prepared_statement, const query& sql, const parameters& values) {
  const auto& names = prepared_statement.parameters();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto it = std::ranges::find(values, names[i], &parameter::name);
    if (it == values.end()) throw failure("no value for " + names[i] + " in " + sql.name);
    prepared_statement.bind(i, it->value);
  }
}

std::int64_t session::connection::write(const query& sql, const parameters& values) {
  std::int64_t affected = 0;
  guarded(sql.name, [&] {
    statement& prepared_statement = prepared(sql);
    bind(prepared_statement, sql, values);
    execute(prepared_statement);
    affected = prepared_statement.affected();
  });
  return affected;
}

std::int64_t session::connection::write_rows(const std::string& name, const std::string& text,
                                             const std::vector<std::string>& columns,
                                             const cell_list& cells) {
  if (row_sink_) {
    row_sink_(name, text, columns, cells);
    return static_cast<std::int64_t>(cells.size() / columns.size());
  }
  std::int64_t affected = 0;
  guarded(name.c_str(), [&] {
    statement& prepared_statement = prepared(text, text, columns, 0); // names are not unique here
    for (std::size_t start = 0; start < cells.size(); start += columns.size()) {
      for (std::size_t i = 0; i < columns.size(); ++i) prepared_statement.bind(i, cells[start + i]);
      execute(prepared_statement);
      affected += prepared_statement.affected();
    }
  });
  return affected;
}

std::int64_t session::connection::write_arrays(const std::string& name, const std::string& text,
                                               const std::vector<std::string>& columns,
                                               const cell_list& cells) {
  cell_list arrays;
  for (const auto& array : arrays_of(cells, columns.size())) arrays.add(array);
  return write_rows(name, text, columns, arrays);
}

std::int64_t session::connection::copy_rows(const std::string& command, std::string_view rows) {
  const stall_guard::time_limit limit{guard_.get(), response_timeout};
  return copy_in(postgresql_handle(*session_), command, rows);
}

std::int64_t session::connection::write_copy(const std::string& name, const std::string& text,
                                             std::span<const append_binary> types, const cell_list& cells) {
  if (row_sink_) {
    row_sink_(name, text, {}, cells);
    return static_cast<std::int64_t>(cells.size() / types.size());
  }
  std::int64_t written = 0;
  guarded(name.c_str(), [&] { written = copy_rows(text, encode_rows(types, cells)); });
  return written;
}

std::int64_t session::connection::write_copy(const std::string& name, const std::string& text,
                                             std::string_view rows) {
  std::int64_t written = 0;
  guarded(name.c_str(), [&] { written = copy_rows(text, rows); });
  return written;
}

void session::connection::script(const char* name, const std::string& text) {
  guarded(name, [&] { execute_natively(text); });
}

void session::connection::long_script(const char* name, const std::string& text) {
  const auto set_timeout = [this](const std::string& value) {
    if (dialect_ == dialect::postgresql) execute_natively("set local statement_timeout = " + value);
  };
  guarded(name, [&] {
    set_timeout("0");
    execute_natively(text, long_response_timeout);
    set_timeout("default");
  });
}

void session::connection::begin(access mode) {
  if (in_transaction_) throw failure("a transaction is open already");
  const char* text =
      dialect_ == dialect::sqlite
          ? (mode == access::write ? "begin immediate" : "begin")
          : (mode == access::write ? "begin" : "begin isolation level repeatable read read only");
  retry_when_lost([&] { script("begin", text); });
  in_transaction_ = true;
  broken_ = false;
}

void session::connection::commit() {
  if (!in_transaction_ || broken_ || !session_) throw unavailable("the transaction was lost");
  try {
    execute_natively("commit");
    in_transaction_ = false;
  } catch (...) {
    handle_failure("commit", true);
  }
}

void session::connection::rollback() noexcept {
  if (!in_transaction_) return;
  in_transaction_ = broken_ = false;
  if (!session_) return;
  try {
    // SQLite ends a transaction itself on some errors.
    if (dialect_ == dialect::sqlite && sqlite_api::sqlite3_get_autocommit(sqlite_handle(*session_))) return;
    execute_natively("rollback");
  } catch (...) {
    disconnect(); // so that the next user does not inherit an unknown state
  }
}

void session::connection::handle_failure(const char* name, bool committing) {
  broken_ = in_transaction_;
  int sqlite_code = SQLITE_OK;
  if (dialect_ == dialect::sqlite && session_) {
    sqlite_code = sqlite_api::sqlite3_extended_errcode(sqlite_handle(*session_));
    // The statement may not have been read to its end, which would keep its snapshot open.
    statements_.erase(running_);
  }
  rethrow_translated(name, committing, sqlite_code);
}

std::string session::connection::violated_constraint(const soci::postgresql_soci_error& error) const {
  if (const auto* with_name = dynamic_cast<const result_error*>(&error)) return with_name->constraint();
  const auto failed = statements_.find(running_);
  return failed == statements_.end() ? std::string() : failed->second->violated_constraint();
}

void session::connection::rethrow_translated(const char* name, bool committing, int sqlite_code) {
  try {
    throw;
  } catch (const soci::postgresql_soci_error& error) {
    const bool connection_lost = is_lost();
    const postgresql_fault fault{error.sqlstate(), violated_constraint(error)};
    if (connection_lost) disconnect();
    throw_postgresql_error(fault, name, connection_lost, committing);
  } catch (const soci::sqlite3_soci_error& fault) {
    throw_sqlite_error({sqlite_code == SQLITE_OK ? fault.result() : sqlite_code, file_},
                       fault.get_error_message(), name, committing);
  } catch (const soci::soci_error&) {
    if (is_lost()) {
      disconnect();
      throw unavailable("connection lost (" + std::string(name) + ")", committing);
    }
    throw failure(std::string("statement failed: ") + name);
  }
}

session::session(const std::string& url) : connection_(std::make_unique<connection>(url)) {}
session::~session() = default;
session::session(session&&) noexcept = default;
session& session::operator=(session&&) noexcept = default;

void session::connect() { connection_->connect(); }

void session::connect_to_existing() { connection_->connect_to_existing(); }

void session::probe() {
  connection_->retry_when_lost([this] { connection_->script("probe", "select 1"); });
}

void session::run_with_next_commit(std::function<void()> action) {
  connection_->set_commit_action(std::move(action));
}

bool session::awaits_commit() const { return static_cast<bool>(connection_->commit_action()); }

bool session::is_sqlite() const { return connection_->dialect() == dialect::sqlite; }

} // namespace roost::store
