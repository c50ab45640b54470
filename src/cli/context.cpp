#include "cli/context.hpp"

#include "cli/usage_error.hpp"
#include "config/text.hpp"
#include "security/random.hpp"
#include "store/audit/audit.hpp"
#include "store/credentials/credentials.hpp"
#include "store/credentials/signing_keys.hpp"
#include "store/database/error.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <pwd.h>
#include <thread>
#include <unistd.h>

namespace roost::cli {

namespace {

constexpr std::chrono::seconds apply_patience{10};
constexpr std::chrono::milliseconds apply_poll{20};

/// Relative paths start where a command is run.
constexpr const char* where_made =
    ". store.url names it: run the command where the server runs, or name the server's file with --config. "
    "`roost migrate` makes a new store";

} // namespace

domain::timestamp this_moment() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

config::loaded load_configuration(const common_options& options) {
  config::options from;
  if (!options.config_file.empty()) from.file = options.config_file;
  from.environment = config::process_environment();
  from.set = options.set;
  return config::load(from);
}

store::session open_store_of_any_keys(const config::settings& settings) {
  const auto shown = config::masked(settings.store.url);
  store::session session{settings.store.url};
  try {
    session.connect_to_existing();
    if (!store::has_schema(session)) throw store::no_store("there is no store in " + shown + " yet");
  } catch (const store::no_store& none) {
    throw std::runtime_error(std::string(none.what()) + where_made);
  }
  if (!store::schema_is_current(session))
    throw std::runtime_error("the schema of " + shown +
                             " is older than this program: run `roost migrate`, or start the server, which "
                             "does the same");
  return session;
}

store::session open_store(const config::settings& settings, unfinished_copies copies) {
  auto session = open_store_of_any_keys(settings);
  if (copies == unfinished_copies::refused) store::refuse_unfinished_copy(session);
  if (const auto keys = security::secrets::load(settings.secrets.file))
    store::check_signing_keys(session, keys->fingerprint());
  return session;
}

store::session make_store(const config::settings& settings) {
  store::session session{settings.store.url};
  session.connect();
  store::migrate(session);
  store::refuse_unfinished_copy(session);
  if (const auto keys = security::secrets::load(settings.secrets.file))
    store::check_signing_keys(session, keys->fingerprint());
  return session;
}

void refuse_lost_secrets(store::session& db, const config::settings& settings) {
  const auto& file = settings.secrets.file;
  const auto known = store::signing_keys_of(db);
  if (known && !security::secrets::load(file))
    throw std::runtime_error("secrets.file: there is no " + std::filesystem::absolute(file).string() +
                             ", and the store's tokens are signed with keys (" + *known +
                             ") that it should hold: restore it, or give up every token that was issued with "
                             "`roost secrets adopt`");
}

security::secrets secrets_of(store::session& db, const config::settings& settings) {
  refuse_lost_secrets(db, settings);
  if (!store::signing_keys_of(db) && !store::partner_tokens::all(db).empty())
    throw std::runtime_error("the store has no record yet of the keys that signed its tokens: start its "
                             "server once, which notes them");
  auto keys = security::secrets::load_or_create(settings.secrets.file);
  store::bind_signing_keys(db, keys.fingerprint());
  return keys;
}

bool wait_until_applied(store::session& db, const store::stream_point& change) {
  const auto give_up = std::chrono::steady_clock::now() + apply_patience;
  while (std::chrono::steady_clock::now() < give_up) {
    if (!store::has_active_server(db) || store::applied_position(db) >= change.position) return true;
    std::this_thread::sleep_for(apply_poll);
  }
  return false;
}

int finish_change(store::session& db, const store::stream_point& change) {
  if (wait_until_applied(db, change)) return 0;
  throw std::runtime_error("written, but the running server has not taken it up yet; its log tells why");
}

std::string actor_of(const common_options& common) {
  if (!common.by.empty()) return common.by;
  const char* const before_sudo = std::getenv("SUDO_USER");
  const passwd* const user = getpwuid(geteuid());
  const std::string name = before_sudo ? before_sudo : user ? user->pw_name : std::to_string(geteuid());
  char host[256] = "localhost";
  gethostname(host, sizeof host - 1);
  return name + "@" + host;
}

void record_audit(store::session& db, const common_options& common, const std::string& action,
                  const std::string& subject, const std::string& detail) {
  store::refuse_while_copied(db);
  const auto now = this_moment();
  store::record_audit(db, {security::time_ordered_uuid(now), now, actor_of(common), action, subject, detail});
}

void audit_next_change(store::session& db, const common_options& common, const std::string& action,
                       const std::string& subject, const std::string& detail) {
  db.run_with_next_commit(
      [&db, common, action, subject, detail] { record_audit(db, common, action, subject, detail); });
}

std::string detail_of(std::initializer_list<std::string> parts) {
  std::string detail;
  for (const auto& part : parts)
    if (!part.empty()) detail += (detail.empty() ? "" : ", ") + part;
  return detail;
}

domain::uuid id_of(const std::string& text) {
  const auto id = domain::parse_uuid(text);
  if (!id)
    throw usage_error("'" + text + "' is not an id; it looks like 0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  return *id;
}

void require_platform(const config::settings& settings, const std::string& name) {
  if (std::ranges::find(settings.platforms, name, &domain::platform::name) != settings.platforms.end())
    return;
  std::string known;
  for (const auto& platform : settings.platforms) known += (known.empty() ? "" : ", ") + platform.name;
  throw usage_error("no platform is called '" + name + "'; configured are: " + known);
}

security::password_cost password_cost_of(const config::settings& settings) {
  const auto& costs = settings.sessions;
  return {costs.password_memory, costs.password_passes, costs.password_lanes};
}

} // namespace roost::cli
