#include "service/management_access_data.hpp"

#include "log/log.hpp"
#include "store/connector/connections.hpp"
#include "store/sessions/sessions.hpp"
#include "store/sessions/users.hpp"

#include <utility>

namespace roost {

namespace {

security::jwt_algorithm algorithm_of(config::connector_signing signing) {
  return signing == config::connector_signing::es256 ? security::jwt_algorithm::es256
                                                     : security::jwt_algorithm::hs256;
}

} // namespace

management_access_data::management_access_data(const config::settings& settings, actors::wall_clock now,
                                               metrics::registry& registry)
    : secrets_file_(settings.secrets.file),
      access_token_(security::max_validity(settings.sessions.access_token)), now_(std::move(now)),
      access_tokens_(settings.server.base_url, ""),
      connector_tokens_(settings.server.base_url, algorithm_of(settings.connector.signing)),
      revoked_sessions_(registry.counter("roost_sessions_revoked_total", "Sessions that a command revoked")),
      revoked_connections_(
          registry.counter("roost_connections_revoked_total", "Connections that a command revoked")) {
  take_keys(security::secrets::load_or_create(secrets_file_).session_keys);
}

void management_access_data::take_keys(security::key_ring keys) {
  auto shared = std::make_shared<const security::key_ring>(std::move(keys));
  access_tokens_.replace_keys(shared);
  connector_tokens_.replace_keys(shared);
  keys_.set(std::move(shared));
}

void management_access_data::reload_keys() {
  try {
    auto keys = security::secrets::load_or_create(secrets_file_).session_keys;
    const auto current = keys_.get();
    if (keys.newest().id == current->newest().id && keys.all().size() == current->all().size()) return;
    log::info("session_keys_taken_up", {{"newest", keys.newest().id}});
    take_keys(std::move(keys));
  } catch (const security::secrets_error& error) {
    log::error("secrets_file_unusable", {{"reason", error.what()}});
  }
}

/// Logs only what commands revoked: this server has logged the sessions that it ended itself.
void management_access_data::apply_ends(store::session& db, const std::vector<domain::uuid>& ended) {
  if (ended.empty()) return;
  for (const auto& id : ended) ended_->end_session(id, access_token_, now_());
  for (const auto& id : store::revoked_sessions(db, ended)) {
    revoked_sessions_.increment();
    log::info("session_revoked", {{"session", domain::to_string(id)}});
  }
  for (const auto& id : store::revoked_connections(db, ended)) {
    revoked_connections_.increment();
    log::info("connection_revoked", {{"connection", domain::to_string(id)}});
  }
}

void management_access_data::apply_users(store::session& db, const std::vector<domain::uuid>& accounts) {
  if (accounts.empty()) return;
  users_.set(std::make_shared<const actors::user_directory>(
      users_.get()->with(accounts, store::user_access_of(db, accounts))));
}

/// Loads ended sessions and connections before the users: a known user is accepted immediately.
void management_access_data::load(store::session& db) {
  reload_keys();
  const auto now = now_();
  const auto since = store::earlier_time(db, now) - access_token_;
  for (const auto& id : store::sessions_ended_since(db, since)) ended_->end_session(id, access_token_, now);
  for (const auto& id : store::connections_ended_since(db, since))
    ended_->end_session(id, access_token_, now);
  ended_->forget_epochs();
  users_.set(std::make_shared<const actors::user_directory>(store::all_user_access(db)));
}

void management_access_data::apply(store::session& db, const actors::credential_changes& changes) {
  if (changes.keys) reload_keys();
  apply_ends(db, changes.ended);
  apply_users(db, changes.accounts);
}

} // namespace roost
