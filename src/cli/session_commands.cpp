#include "cli/commands.hpp"
#include "security/secrets.hpp"
#include "store/credentials/signing_keys.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/migrations.hpp"
#include "store/sessions/sessions.hpp"

#include <chrono>
#include <cstdio>
#include <stdexcept>

namespace roost::cli {

namespace {

domain::timestamp present() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

} // namespace

int list_sessions(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  printed_list list(common.format, {"id", "email", "created_at", "last_used_at", "address", "browser"});
  for (const auto& [each, email] : store::live_sessions(session, present()))
    list.add({shown(each.id), shown(email),
              shown_as(each.created_at, "since " + domain::to_string(each.created_at)),
              shown_as(each.rotated_at, "last used " + domain::to_string(each.rotated_at)),
              shown_as(each.address, "from " + each.address), shown(each.browser)});
  return 0;
}

int revoke_session(const common_options& common, const std::string& id) {
  const auto session_id = id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto change = store::revoke_session(session, session_id, present());
  if (!change) throw std::runtime_error("there is no live session with the id " + id);
  note_audit(session, common, "session revoke", id);
  return finish_change(session, *change);
}

int rotate_secrets(const common_options& common, bool sign_out) {
  const auto settings = load_configuration(common).values;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  auto session = open_store(settings);
  secrets_of(session, settings);
  const auto id = security::rotate_session_keys(settings.secrets.file, now, sign_out);
  note_audit(session, common, "secrets rotate", id, sign_out ? "everybody is signed out" : "");
  std::printf("new session key: %s\n", id.c_str());
  return finish_change(session, store::note_change(session, {}));
}

int adopt_secrets(const common_options& common) {
  const auto settings = load_configuration(common).values;
  store::session session{settings.store.url};
  session.connect_to_existing();
  store::migrate(session);
  const auto keys = security::secrets::load_or_create(settings.secrets.file).fingerprint();
  store::adopt_signing_keys(session, keys);
  note_audit(session, common, "secrets adopt", keys);
  std::printf(
      "the store's signing keys are those of %s now (%s); restart its servers, and issue the tokens anew\n",
      settings.secrets.file.c_str(), keys.c_str());
  return 0;
}

} // namespace roost::cli
