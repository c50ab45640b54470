#include "store/database/connecting.hpp"

#include "domain/text.hpp"
#include "files/private_files.hpp"
#include "store/database/error.hpp"
#include "store/database/native_error.hpp"

#include <soci/postgresql/soci-postgresql.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <thread>

namespace roost::store {

namespace {

/// The busy timeout comes first: switching to WAL takes a lock too. FULL: a commit is on the disk when it
/// returns.
constexpr const char* sqlite_settings = "pragma busy_timeout = 4000;"
                                        "pragma journal_mode = wal;"
                                        "pragma synchronous = full;"
                                        "pragma foreign_keys = on;"
                                        "pragma temp_store = memory;";

/// Nothing may hang, neither on a dead peer nor on a lock, and no stopped server may keep the lease's row
/// locked. The cost of a page is that of solid state disks: with the default, which is for spinning disks,
/// PostgreSQL reads whole tables for a few accounts.
constexpr const char* postgresql_settings =
    "connect_timeout=3&tcp_user_timeout=10000&keepalives=1&keepalives_idle=5&keepalives_interval=2"
    "&keepalives_count=3&application_name=roost&client_encoding=UTF8"
    "&options=-c%20timezone%3DUTC%20-c%20datestyle%3DISO%20-c%20statement_timeout%3D10s"
    "%20-c%20idle_in_transaction_session_timeout%3D5s%20-c%20random_page_cost%3D1.1";

/// Longer than connect_timeout.
constexpr std::chrono::seconds connect_limit{5};

constexpr int wal_tries = 100;
constexpr std::chrono::milliseconds wal_pause{20};

/// A session, or why there is none.
struct connecting_outcome {
  std::unique_ptr<soci::session> session;
  std::string why;
};

} // namespace

/// The library makes what is beside the file with the file's own mode.
void make_sqlite_file(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  if (const auto failed = files::make_private_folder(folder))
    throw unavailable("cannot make the store's folder " + folder.string() + ": " + failed.message());
  if (const auto failed = files::make_private_file(file))
    throw unavailable("cannot make the store's file " + file + ": " + failed.message());
}

std::unique_ptr<soci::session> open_sqlite(const std::string& file) {
  // A session is one thread's at a time, so SQLite's own locks would cost a tenth of every read for nothing.
  static const int unlocked = sqlite_api::sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  static_cast<void>(unlocked);
  auto session = std::make_unique<soci::session>(soci::sqlite3, "db=\"" + file + '"');
  int result = SQLITE_BUSY;
  // A second process that opens the same new file may find it locked in a way that the busy timeout does not
  // wait for.
  for (int tries = 0; result == SQLITE_BUSY && tries < wal_tries; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(wal_pause);
    result = sqlite_api::sqlite3_exec(sqlite_handle(*session), sqlite_settings, nullptr, nullptr, nullptr);
  }
  if (result != SQLITE_OK)
    throw unavailable("cannot open the store's file " + words_of({result, file}, "open"));
  return session;
}

std::string postgresql_target(const std::string& url) {
  if (url.find('?') == std::string::npos) return url + '?' + postgresql_settings;
  return url + (url.ends_with('?') || url.ends_with('&') ? "" : "&") + postgresql_settings;
}

/// The client library's own limit to connecting does not cover SOCI's first statements, and neither does the
/// guard: they are sent before the socket is known here. So another thread connects, and is abandoned when
/// the server stalls at that point.
std::unique_ptr<soci::session> connect_postgresql(const std::string& target) {
  std::packaged_task<connecting_outcome()> connect{[target]() -> connecting_outcome {
    try {
      return {std::make_unique<soci::session>(soci::postgresql, target), {}};
    } catch (const soci::soci_error& fault) {
      return {nullptr, domain::one_line(fault.get_error_message())};
    }
  }};
  auto outcome = connect.get_future();
  std::thread{std::move(connect)}.detach();
  if (outcome.wait_for(connect_limit) == std::future_status::timeout)
    throw unavailable("cannot connect to the store: it does not answer");
  auto [session, why] = outcome.get();
  if (!session) throw unavailable("cannot connect to the store: " + why);
  return std::move(session);
}

sqlite_api::sqlite3* sqlite_handle(soci::session& of) {
  return static_cast<soci::sqlite3_session_backend*>(of.get_backend())->conn_;
}

PGconn* postgresql_handle(soci::session& of) {
  return static_cast<soci::postgresql_session_backend*>(of.get_backend())->conn_;
}

} // namespace roost::store
