#include "store/database/connecting.hpp"

#include "domain/text.hpp"
#include "files/private_files.hpp"
#include "store/database/error.hpp"

#include <soci/postgresql/soci-postgresql.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <thread>

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
constexpr const char* postgresql_settings =
    "connect_timeout=3&tcp_user_timeout=10000&keepalives=1&keepalives_idle=5&keepalives_interval=2"
    "&keepalives_count=3&application_name=roost&client_encoding=UTF8"
    "&options=-c%20timezone%3DUTC%20-c%20datestyle%3DISO%20-c%20statement_timeout%3D10s"
    "%20-c%20idle_in_transaction_session_timeout%3D5s%20-c%20random_page_cost%3D1.1";

/// Longer than connect_timeout.
constexpr std::chrono::seconds total_connect_timeout{5};

constexpr int max_wal_attempts = 100;
constexpr std::chrono::milliseconds wal_retry_interval{20};

/// A session, or an error if there is none.
struct connect_result {
  std::unique_ptr<soci::session> session;
  std::string error;
};

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

std::string postgresql_target(const std::string& url) {
  if (url.find('?') == std::string::npos) return url + '?' + postgresql_settings;
  return url + (url.ends_with('?') || url.ends_with('&') ? "" : "&") + postgresql_settings;
}

/// Connects on another thread, which is abandoned if the server stalls: neither libpq's connect timeout nor
/// the stall guard covers SOCI's first statements, which are sent before the socket is known here.
std::unique_ptr<soci::session> connect_postgresql(const std::string& target) {
  std::packaged_task<connect_result()> connect{[target]() -> connect_result {
    try {
      return {std::make_unique<soci::session>(soci::postgresql, target), {}};
    } catch (const soci::soci_error& fault) {
      return {nullptr, domain::one_line(fault.get_error_message())};
    }
  }};
  auto future = connect.get_future();
  std::thread{std::move(connect)}.detach();
  if (future.wait_for(total_connect_timeout) == std::future_status::timeout)
    throw unavailable("cannot connect to the store: the server does not respond");
  auto [session, error] = future.get();
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
