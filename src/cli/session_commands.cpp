#include "cli/commands.hpp"
#include "security/secrets.hpp"
#include "store/database/change_stream.hpp"
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
  for (const auto& each : store::live_sessions(session, present()))
    std::printf("%s  %s  since %s  last used %s  from %s  %s\n", domain::to_string(each.session.id).c_str(),
                each.email.c_str(), domain::to_string(each.session.created_at).c_str(),
                domain::to_string(each.session.rotated_at).c_str(), each.session.address.c_str(),
                each.session.browser.c_str());
  return 0;
}

int revoke_session(const common_options& common, const std::string& id) {
  const auto session_id = id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto change = store::revoke_session(session, session_id, present());
  if (!change) throw std::runtime_error("there is no live session with the id " + id);
  return finish_change(session, *change);
}

int rotate_secrets(const common_options& common, bool sign_out) {
  const auto settings = load_configuration(common).values;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  auto session = open_store(settings);
  const auto id = security::rotate_session_keys(settings.secrets.file, now, sign_out);
  std::printf("new session key: %s\n", id.c_str());
  return finish_change(session, store::note_change(session, {}));
}

} // namespace roost::cli
