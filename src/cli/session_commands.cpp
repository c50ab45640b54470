#include "cli/argument_checks.hpp"
#include "cli/commands.hpp"
#include "security/secrets.hpp"
#include "store/credentials/credentials.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/database/store_state.hpp"
#include "store/sessions/sessions.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace roost::cli {

namespace {

constexpr const char* adoption_risks =
    "every partner token becomes invalid permanently, and with the old file every session and every "
    "assistant's "
    "connection. If you can restore the old file, restore it. Pass --confirm if it is lost or has leaked";

} // namespace

int list_sessions(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  list_printer list(common.format, {"id", "email", "created_at", "last_used_at", "address", "browser"});
  for (const auto& [each, email] : store::live_sessions(session, current_time()))
    list.add({cell(each.id), cell(email),
              cell_as(each.created_at, "since " + domain::to_string(each.created_at)),
              cell_as(each.rotated_at, "last used " + domain::to_string(each.rotated_at)),
              cell_as(each.address, "from " + each.address), cell(each.browser)});
  return 0;
}

int revoke_session(const common_options& common, const std::string& id) {
  const auto session_id = parse_id(id);
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "session revoke", id);
  const auto change = store::revoke_session(session, session_id, current_time());
  if (!change) throw std::runtime_error("there is no live session with the id " + id);
  return finish_change(session, *change);
}

int rotate_secrets(const common_options& common, bool sign_out) {
  const auto settings = load_configuration(common).values;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  auto session = open_store(settings);
  load_or_create_secrets(session, settings);
  const auto id = security::rotate_session_keys(settings.secrets.file, now, sign_out);
  audit_next_change(session, common, "secrets rotate", id, sign_out ? "all users are signed out" : "");
  std::printf("new session key: %s\n", id.c_str());
  return finish_change(session, store::record_change(session, {}));
}

int adopt_secrets(const common_options& common, bool confirmed) {
  const auto settings = load_configuration(common).values;
  const auto& file = settings.secrets.file;
  auto session = open_store_with_any_keys(settings);
  const auto existing = security::secrets::load(file);
  if (existing && store::signing_keys_of(session) == existing->fingerprint()) {
    std::printf("nothing to do: the store already uses the signing keys of %s\n", file.c_str());
    return 0;
  }
  if (!confirmed) throw usage_error(adoption_risks);
  if (store::has_active_server(session))
    throw std::runtime_error("a server serves this store and would keep using the old keys: stop it first. "
                             "After a crash, wait until "
                             "its lease has expired (`roost lease show`)");
  store::refuse_unfinished_copy(session);
  const auto keys = security::secrets::load_or_create(file).fingerprint();
  store::adopt_signing_keys(session, keys);
  record_audit(session, common, "secrets adopt", keys);
  if (!existing) std::printf("created %s with new keys\n", std::filesystem::absolute(file).c_str());
  std::printf("the store now uses the signing keys of %s (%s); start its servers and issue new tokens\n",
              file.c_str(), keys.c_str());
  return 0;
}

} // namespace roost::cli
