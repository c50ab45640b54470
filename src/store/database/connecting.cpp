#include "store/database/connecting.hpp"

#include "domain/text.hpp"
#include "files/private_files.hpp"
#include "store/address/store_url.hpp"
#include "store/database/error.hpp"

#include <soci/postgresql/soci-postgresql.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <string_view>
#include <thread>
#include <vector>

namespace roost::store {

namespace {

/// The busy timeout comes first because switching to WAL takes a lock. With synchronous = full, a commit is
/// on disk when it returns.
constexpr const char* sqlite_settings = "pragma busy_timeout = 4000;"
                                        "pragma journal_mode = wal;"
                                        "pragma synchronous = full;"
                                        "pragma foreign_keys = on;"
                                        "pragma temp_store = memory;";

/// The timeouts keep sessions from hanging on a dead peer or on a lock, and a stopped server from keeping the
/// lease's row locked. The page cost is that of solid state disks: with the default, for spinning disks,
/// PostgreSQL scans whole tables for a few accounts.
constexpr std::string_view postgresql_settings =
    "connect_timeout=3&tcp_user_timeout=10000&keepalives=1&keepalives_idle=5&keepalives_interval=2"
    "&keepalives_count=3&application_name=roost&client_encoding=UTF8&options=";
constexpr std::string_view server_options =
    "-c%20timezone%3DUTC%20-c%20datestyle%3DISO%20-c%20statement_timeout%3D10s"
    "%20-c%20idle_in_transaction_session_timeout%3D5s%20-c%20random_page_cost%3D1.1";

/// Longer than connect_timeout.
constexpr std::chrono::seconds total_connect_timeout{5};

constexpr int max_wal_attempts = 100;
constexpr int max_pooler_attempts = 5; ///< each takes three round trips
constexpr std::chrono::milliseconds wal_retry_interval{20};

/// A session, or an error if there is none.
struct connect_result {
  std::unique_ptr<soci::session> session;
  std::string error;
  bool is_unsuitable = false;
};

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const unsigned char c : text)
    encoded.append(1, '%').append(1, digits[c >> 4]).append(1, digits[c & 15]);
  return encoded;
}

using query_result = std::unique_ptr<PGresult, decltype(&PQclear)>;

/// Returns the values of a query's only row; empty texts if it fails.
std::vector<std::string> row_of(PGconn* connection, const char* query, int columns) {
  const query_result result(PQexec(connection, query), &PQclear);
  std::vector<std::string> row(static_cast<std::size_t>(columns));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK || PQntuples(result.get()) != 1) return row;
  for (int column = 0; column < columns; ++column)
    row[static_cast<std::size_t>(column)] = PQgetvalue(result.get(), 0, column);
  return row;
}

/// Returns whether a connection shares its backend with another one, or changes it between transactions, as
/// through a pooler that lends backends to transactions. Another client of the pooler may use the backend
/// just now, which hides it from a single comparison. The transactions of the second connection take away the
/// backend that the first one would get again. Throws unavailable if one of them cannot be used.
bool shares_backend(PGconn* connection, const std::string& backend, const std::string& target) {
  constexpr const char* backend_query = "select pg_backend_pid()";
  const std::unique_ptr<PGconn, decltype(&PQfinish)> other(PQconnectdb(target.c_str()), &PQfinish);
  const auto backend_of = [&](PGconn* examined, const char* query) {
    auto row = PQstatus(examined) == CONNECTION_OK ? row_of(examined, query, 1) : std::vector<std::string>(1);
    if (row[0].empty())
      throw unavailable("cannot examine the connection pooler in front of the database: " +
                        domain::one_line(PQerrorMessage(examined)));
    return std::move(row[0]);
  };
  if (backend_of(other.get(), backend_query) == backend) return true;
  for (int attempt = 0; attempt < max_pooler_attempts; ++attempt) {
    if (backend_of(other.get(), "begin; select pg_backend_pid()") == backend) return true;
    if (backend_of(connection, backend_query) != backend) return true;
    const query_result ended(PQexec(other.get(), "commit"), &PQclear);
  }
  return false;
}

/// Returns why the database cannot hold a store; empty if it can.
std::string unsuitability_of(PGconn* connection, const std::string& target) {
  const auto* encoding = PQparameterStatus(connection, "server_encoding");
  if (encoding != nullptr && std::string_view(encoding) != "UTF8")
    return "the database's encoding is " + std::string(encoding) +
           ", which cannot hold all names: create one with `create database … encoding 'UTF8' template "
           "template0`";
  const auto row = row_of(connection, "select pg_backend_pid(), coalesce(current_schema(), '')", 2);
  if (row[0].empty()) return {}; // the first real statement reports the error
  if (row[1].empty())
    return "the role's search_path names no schema that exists: create one, or `alter role … set "
           "search_path`";
  // A pooler invents the process id of its connections.
  if (row[0] != std::to_string(PQbackendPID(connection)) && shares_backend(connection, row[0], target))
    return "a connection pooler shares one backend between sessions, which breaks locks and prepared "
           "statements: connect to PostgreSQL directly, or set PgBouncer's pool_mode to session";
  return {};
}

} // namespace

/// SQLite creates the files next to the store's file with the same mode.
void make_sqlite_file(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  if (const auto failed = files::make_private_folder(folder))
    throw unavailable("cannot create the store's folder " + folder.string() + ": " + failed.message());
  if (const auto failed = files::make_private_file(file))
    throw unavailable("cannot create the store's file " + file + ": " + failed.message());
}

std::unique_ptr<soci::session> open_sqlite(const std::string& file) {
  // One thread at a time uses a session, so SQLite's mutexes would only cost a tenth of every read.
  static const int configured = sqlite_api::sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  static_cast<void>(configured);
  auto session = std::make_unique<soci::session>(soci::sqlite3, "db=\"" + file + '"');
  int result = SQLITE_BUSY;
  // A second process that opens the same new file can get SQLITE_BUSY without the busy timeout.
  for (int attempt = 0; result == SQLITE_BUSY && attempt < max_wal_attempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(wal_retry_interval);
    result = sqlite_api::sqlite3_exec(sqlite_handle(*session), sqlite_settings, nullptr, nullptr, nullptr);
  }
  if (result != SQLITE_OK)
    throw unavailable("cannot open the store's file " + describe_sqlite_error({result, file}, "open"));
  return session;
}

/// libpq uses the last one of repeated parameters, and the server the last one of repeated options.
std::string postgresql_target(const std::string& url) {
  auto target = url;
  if (url.find('?') == std::string::npos)
    target += '?';
  else if (!url.ends_with('?') && !url.ends_with('&'))
    target += '&';
  target += postgresql_settings;
  if (const auto own = postgresql_options(url); !own.empty()) target += percent_encoded(own + ' ');
  target += server_options;
  return target;
}

/// Connects on another thread, which is abandoned if the server stalls: neither libpq's connect timeout nor
/// the stall guard covers SOCI's first statements, which are sent before the socket is known here.
std::unique_ptr<soci::session> connect_postgresql(const std::string& target) {
  std::packaged_task<connect_result()> connect{[target]() -> connect_result {
    try {
      auto session = std::make_unique<soci::session>(soci::postgresql, target);
      auto unsuitability = unsuitability_of(postgresql_handle(*session), target);
      if (unsuitability.empty()) return {std::move(session), {}};
      return {nullptr, std::move(unsuitability), true};
    } catch (const soci::soci_error& fault) {
      return {nullptr, domain::one_line(fault.get_error_message())};
    }
  }};
  auto future = connect.get_future();
  std::thread{std::move(connect)}.detach();
  if (future.wait_for(total_connect_timeout) == std::future_status::timeout)
    throw unavailable("cannot connect to the store: the server does not respond");
  auto [session, error, is_unsuitable] = future.get();
  if (is_unsuitable) throw unsuitable_database("the database is unsuitable: " + error);
  if (!session) throw unavailable("cannot connect to the store: " + error);
  return std::move(session);
}

sqlite_api::sqlite3* sqlite_handle(soci::session& session) {
  return static_cast<soci::sqlite3_session_backend*>(session.get_backend())->conn_;
}

PGconn* postgresql_handle(soci::session& session) {
  return static_cast<soci::postgresql_session_backend*>(session.get_backend())->conn_;
}

} // namespace roost::store
