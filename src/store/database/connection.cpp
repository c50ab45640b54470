#include "store/database/connection.hpp"

#include "domain/text.hpp"
#include "store/address/store_url.hpp"
#include "store/database/connecting.hpp"
#include "store/database/native_error.hpp"
#include "store/database/postgresql_copy.hpp"

#include <soci/postgresql/soci-postgresql.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace roost::store {

namespace {

/// Longer than the server's own statement timeout, which ends a slow statement without ending its connection.
constexpr std::chrono::seconds answer_limit{12};
/// For closing the connection in good order, which is only a courtesy.
constexpr std::chrono::seconds farewell_limit{2};

void ignore_notice(void*, const char*) {}

} // namespace

session::connection::connection(const std::string& url) {
  if (const auto fault = store_url_fault(url)) throw std::invalid_argument("the URL " + *fault);
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
      throw unavailable("the store's file " + path + " cannot be looked at: " + unknown.message() +
                        "; run this as the server's user");
    throw no_store("there is no store at " + path);
  }
  connect();
}

void session::connection::ready() {
  if (in_transaction_ && (broken_ || !session_)) throw unavailable("the transaction was lost");
  if (!session_)
    open();
  else if (!in_transaction_ && dialect_ == dialect::sqlite)
    check_file();
}

/// SQLite goes on in a file that has lost its name, and what is written there is gone with the process.
void session::connection::check_file() {
  int moved = 0;
  sqlite_api::sqlite3_file_control(sqlite_handle(*session_), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved == 0) return wal_.note(file_);
  std::error_code ignored;
  if (!std::filesystem::exists(file_, ignored)) throw unavailable("the store's file " + file_ + " is gone");
  disconnect(); // the next use opens the new file
  throw another_history("another file is in the place of the store's");
}

void session::connection::open() {
  try {
    if (dialect_ == dialect::sqlite) {
      make_sqlite_file(file_);
      wal_.refuse_foreign(file_);
      session_ = open_sqlite(file_);
      wal_.note(file_);
    } else {
      session_ = connect_postgresql(target_);
      guard_ = std::make_unique<stall_guard>(PQsocket(postgresql_handle(*session_)));
      // DETAIL lines hold the values of rows.
      PQsetErrorVerbosity(postgresql_handle(*session_), PQERRORS_TERSE);
      PQsetNoticeProcessor(postgresql_handle(*session_), ignore_notice, nullptr);
    }
  } catch (const soci::soci_error& fault) {
    disconnect();
    throw unavailable("cannot connect to the store" + (file_.empty() ? "" : "'s file " + file_) + ": " +
                      domain::one_line(fault.get_error_message()));
  } catch (const std::system_error& fault) { // no thread to connect in, no timer
    disconnect();
    throw unavailable("cannot connect to the store: " + fault.code().message());
  } catch (const unavailable&) {
    disconnect();
    throw;
  }
}

void session::connection::disconnect() noexcept {
  {
    const stall_guard::time_limit limit{guard_.get(), farewell_limit};
    statements_.clear(); // before the session that they belong to
    session_.reset();
  }
  guard_.reset();
}

int session::connection::socket() const {
  return session_ && dialect_ == dialect::postgresql ? PQsocket(postgresql_handle(*session_)) : -1;
}

bool session::connection::lost() const {
  return session_ && dialect_ == dialect::postgresql &&
         PQstatus(postgresql_handle(*session_)) != CONNECTION_OK;
}

bool session::connection::execute(statement& what) {
  const stall_guard::time_limit limit{guard_.get(), answer_limit};
  return what.execute();
}

void session::connection::execute_natively(const std::string& text) {
  const stall_guard::time_limit limit{guard_.get(), answer_limit};
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
  const char* state = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  throw soci::postgresql_soci_error(PQerrorMessage(postgresql_handle(*session_)), state ? state : "     ");
}

statement& session::connection::prepared(const query& what) {
  const auto found = statements_.find(what.name);
  if (found != statements_.end()) {
    running_ = what.name;
    return *found->second;
  }
  const auto text = expand(what, dialect_);
  return prepared(what.name, text, parameter_names(text), what.columns);
}

statement& session::connection::prepared(const std::string& key, const std::string& text,
                                         const std::vector<std::string>& parameters, int columns) {
  running_ = key;
  const auto found = statements_.find(key);
  if (found != statements_.end()) return *found->second;
  const stall_guard::time_limit limit{guard_.get(), answer_limit};
  auto made = std::make_unique<statement>(*session_, text, parameters, columns);
  return *statements_.emplace(key, std::move(made)).first->second;
}

void session::connection::bind(statement& to, const query& what, const parameters& with) {
  const auto& names = to.parameters();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = std::ranges::find(with, names[i], &parameters::value_type::first);
    if (found == with.end()) throw failure("no value for " + names[i] + " in " + what.name);
    to.bind(i, found->second);
  }
}

std::int64_t session::connection::write(const query& what, const parameters& with) {
  std::int64_t affected = 0;
  guarded(what.name, [&] {
    statement& run = prepared(what);
    bind(run, what, with);
    execute(run);
    affected = run.affected();
  });
  return affected;
}

std::int64_t session::connection::write_rows(const std::string& name, const std::string& text,
                                             const std::vector<std::string>& columns,
                                             const cell_list& cells) {
  if (row_taker_) {
    row_taker_(name, text, columns, cells);
    return static_cast<std::int64_t>(cells.size() / columns.size());
  }
  std::int64_t affected = 0;
  guarded(name.c_str(), [&] {
    statement& run = prepared(text, text, columns, 0); // a name may stand for several texts
    for (std::size_t start = 0; start < cells.size(); start += columns.size()) {
      for (std::size_t i = 0; i < columns.size(); ++i) run.bind(i, cells[start + i]);
      execute(run);
      affected += run.affected();
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

std::int64_t session::connection::write_copy(const std::string& name, const std::string& text,
                                             std::span<const binary_type> types, const cell_list& cells) {
  if (row_taker_) {
    row_taker_(name, text, {}, cells);
    return static_cast<std::int64_t>(cells.size() / types.size());
  }
  std::int64_t written = 0;
  guarded(name.c_str(), [&] {
    const stall_guard::time_limit limit{guard_.get(), answer_limit};
    written = copy_in(postgresql_handle(*session_), text, types, cells);
  });
  return written;
}

std::int64_t session::connection::write_copy(const std::string& name, const std::string& text,
                                             std::string_view rows) {
  std::int64_t written = 0;
  guarded(name.c_str(), [&] {
    const stall_guard::time_limit limit{guard_.get(), answer_limit};
    written = copy_in(postgresql_handle(*session_), text, rows);
  });
  return written;
}

void session::connection::script(const char* name, const std::string& text) {
  guarded(name, [&] { execute_natively(text); });
}

void session::connection::begin(access wanted) {
  if (in_transaction_) throw failure("a transaction is open already");
  const char* text =
      dialect_ == dialect::sqlite
          ? (wanted == access::write ? "begin immediate" : "begin")
          : (wanted == access::write ? "begin" : "begin isolation level repeatable read read only");
  again_when_lost([&] { script("begin", text); });
  in_transaction_ = true;
  broken_ = false;
}

void session::connection::commit() {
  if (!in_transaction_ || broken_ || !session_) throw unavailable("the transaction was lost");
  try {
    execute_natively("commit");
    in_transaction_ = false;
  } catch (...) {
    failed("commit", true);
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
    disconnect(); // whatever state it is in, it must not be the next user's
  }
}

void session::connection::failed(const char* name, bool committing) {
  broken_ = in_transaction_;
  int sqlite_code = SQLITE_OK;
  if (dialect_ == dialect::sqlite && session_) {
    sqlite_code = sqlite_api::sqlite3_extended_errcode(sqlite_handle(*session_));
    // The statement may still be half way through its rows, which would hold its snapshot.
    statements_.erase(running_);
  }
  translate(name, committing, sqlite_code);
}

void session::connection::translate(const char* name, bool committing, int sqlite_code) {
  try {
    throw;
  } catch (const soci::postgresql_soci_error& fault) {
    const bool gone = lost();
    const auto message = fault.get_error_message();
    if (gone) disconnect();
    throw_postgresql_error(fault.sqlstate(), message, name, gone, committing);
  } catch (const soci::sqlite3_soci_error& fault) {
    throw_sqlite_error({sqlite_code == SQLITE_OK ? fault.result() : sqlite_code, file_},
                       fault.get_error_message(), name, committing);
  } catch (const soci::soci_error&) {
    if (lost()) {
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
  connection_->again_when_lost([this] { connection_->script("probe", "select 1"); });
}

void session::with_next_commit(std::function<void()> what) {
  connection_->set_with_next_commit(std::move(what));
}

bool session::awaits_commit() const { return static_cast<bool>(connection_->with_next_commit()); }

bool session::is_sqlite() const { return connection_->dialect() == dialect::sqlite; }

} // namespace roost::store
