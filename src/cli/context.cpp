#include "cli/context.hpp"

#include "config/text.hpp"
#include "security/random.hpp"
#include "store/audit/audit.hpp"
#include "store/credentials/credentials.hpp"
#include "store/database/error.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <pwd.h>
#include <thread>
#include <unistd.h>

namespace roost::cli {

namespace {

constexpr std::chrono::seconds apply_timeout{10};
constexpr std::chrono::milliseconds apply_poll_interval{20};

/// A relative path in store.url is relative to the current folder.
constexpr const char* store_advice =
    ". store.url names it: run the command in the server's folder, or pass the server's file with --config. "
    "`roost migrate` creates a new store";

/// Throws if `secrets.file` exists and its signing keys are not the store's.
void check_signing_keys(store::session& db, const config::settings& settings) {
  if (const auto keys = security::secrets::load(settings.secrets.file))
    store::check_signing_keys(db, keys->fingerprint());
}

} // namespace

domain::timestamp current_time() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

config::loaded load_configuration(const arguments& args) {
  config::options sources;
  if (!args.config_file.empty()) sources.file = args.config_file;
  sources.environment = config::process_environment();
  sources.set = args.set;
  return config::load(sources);
}

store::session open_store_with_any_keys(const config::settings& settings) {
  const auto name = config::masked(settings.store.url);
  store::session session{settings.store.url};
  try {
    session.connect_to_existing();
    if (!store::has_schema(session)) throw store::no_store("there is no store in " + name + " yet");
  } catch (const store::no_store& none) {
    throw std::runtime_error(std::string(none.what()) + store_advice);
  }
  if (!store::schema_is_current(session))
    throw std::runtime_error(
        "the schema of " + name +
        " is older than this program: run `roost migrate` or start the server to update it");
  return session;
}

void refuse_unserved_store(store::session& db) {
  store::refuse_unfinished_copy(db);
  store::refuse_moved_store(db);
}

store::session open_store(const config::settings& settings, usable_stores which) {
  auto session = open_store_with_any_keys(settings);
  if (which == usable_stores::served) refuse_unserved_store(session);
  check_signing_keys(session, settings);
  return session;
}

store::session open_store(const arguments& args) { return open_store(load_configuration(args).values); }

store::session open_or_create_store(const config::settings& settings) {
  store::session session{settings.store.url};
  session.connect();
  store::migrate(session);
  refuse_unserved_store(session);
  check_signing_keys(session, settings);
  return session;
}

void require_secrets_file(store::session& db, const config::settings& settings) {
  const auto& file = settings.secrets.file;
  const auto known = store::signing_keys_of(db);
  if (known && !security::secrets::load(file))
    throw std::runtime_error("secrets.file: there is no " + std::filesystem::absolute(file).string() +
                             ", but the store's tokens are signed with its keys (" + *known +
                             "): restore the file, or revoke every issued token with `roost secrets adopt`");
}

security::secrets load_or_create_secrets(store::session& db, const config::settings& settings) {
  require_secrets_file(db, settings);
  if (!store::signing_keys_of(db) && !store::partner_tokens::all(db).empty())
    throw std::runtime_error(
        "the store has no record yet of the keys that signed its tokens: start its server "
        "once to record them");
  auto keys = security::secrets::load_or_create(settings.secrets.file);
  store::bind_signing_keys(db, keys.fingerprint());
  return keys;
}

bool wait_until_applied(store::session& db, const store::stream_point& change) {
  const auto deadline = std::chrono::steady_clock::now() + apply_timeout;
  while (std::chrono::steady_clock::now() < deadline) {
    if (!store::has_active_server(db) || store::applied_position(db) >= change.position) return true;
    std::this_thread::sleep_for(apply_poll_interval);
  }
  return false;
}

int finish_change(store::session& db, const store::stream_point& change) {
  if (wait_until_applied(db, change)) return 0;
  throw std::runtime_error(
      "the change is stored, but the running server has not applied it yet; see its log for the reason");
}

std::string actor_of(const arguments& args) {
  if (!args.by.empty()) return args.by;
  const char* const sudo_user = std::getenv("SUDO_USER");
  const passwd* const user = getpwuid(geteuid());
  const std::string name = sudo_user ? sudo_user : user ? user->pw_name : std::to_string(geteuid());
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  return name + "@" + host;
}

void record_audit(store::session& db, const arguments& args, const std::string& action,
                  const std::string& subject, const std::string& detail,
                  const std::optional<domain::uuid>& account) {
  store::refuse_while_copied(db);
  const auto now = current_time();
  store::record_audit(
      db, {security::time_ordered_uuid(now), now, actor_of(args), action, subject, detail, account});
}

void audit_next_change(store::session& db, const arguments& args, const std::string& action,
                       const std::string& subject, const std::string& detail,
                       const std::optional<domain::uuid>& account) {
  db.run_with_next_commit([&db, args, action, subject, detail, account] {
    record_audit(db, args, action, subject, detail, account);
  });
}

std::string detail_of(std::initializer_list<std::string> parts) {
  std::string detail;
  for (const auto& part : parts)
    if (!part.empty()) detail += (detail.empty() ? "" : ", ") + part;
  return detail;
}

} // namespace roost::cli
