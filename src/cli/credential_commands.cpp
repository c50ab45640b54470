#include "cli/commands.hpp"
#include "cli/credential_cells.hpp"
#include "cli/hidden_input.hpp"
#include "cli/usage_error.hpp"
#include "config/duration.hpp"
#include "security/live_keys.hpp"
#include "security/password.hpp"
#include "security/random.hpp"
#include "security/secrets.hpp"
#include "security/token.hpp"
#include "store/credentials/credentials.hpp"
#include "store/database/error.hpp"
#include "store/sessions/users.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace roost::cli {

namespace {

constexpr std::size_t shortest_password = 6;

std::chrono::seconds lifetime_of(const std::string& ttl) {
  const auto lifetime = config::parse_duration(ttl);
  if (!lifetime || *lifetime < std::chrono::seconds{1})
    throw usage_error("--ttl: '" + ttl + "' is not a duration of a second or more; write for example 365d");
  return std::chrono::duration_cast<std::chrono::seconds>(*lifetime);
}

/// Keys that are no account's: webhook_key, usage_key.
template <typename Key>
int issue_service_key(const common_options& common, const security::issued_key& key, const std::string& kind,
                      const std::string& label) {
  const auto called = label_of(label);
  auto session = open_store(load_configuration(common).values);
  const auto id = security::random_uuid();
  audit_next_change(session, common, kind + "-key issue", domain::to_string(id),
                    detail_of({"…" + key.last4, called}));
  const auto change = store::credential_family<Key>::insert(
      session, {id, key.hash, key.last4, this_moment(), std::nullopt, called});
  std::puts(key.plaintext.c_str());
  return finish_change(session, change);
}

template <typename Key>
int list_service_keys(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const use_cells uses(session);
  printed_list list(common.format, {"id", "last4", "label", "created_at", "last_used_at", "ended_at"});
  for (const auto& key : store::credential_family<Key>::all(session))
    list.add({shown(key.id), last4(key.last4), shown(key.label), after("created", key.created_at),
              uses.of(key.id), end_of(key.ended_at)});
  return 0;
}

template <typename Key>
int revoke_service_key(const common_options& common, const std::string& id, const std::string& kind) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, kind + "-key revoke", id);
  const auto change = store::credential_family<Key>::end(session, id_of(id), this_moment());
  if (!change) throw std::runtime_error("there is no live " + kind + " key with the id " + id);
  return finish_change(session, *change);
}

} // namespace

int issue_token(const common_options& common, const token_options& options) {
  const auto settings = load_configuration(common).values;
  require_platform(settings, options.platform);
  const auto lifetime = lifetime_of(options.ttl);
  const auto label = label_of(options.label);
  auto session = open_store(settings);
  const auto secrets = secrets_of(session, settings);
  const auto token = security::issue_token(secrets.token_key, options.platform, this_moment(), lifetime);
  store::partner_token entry;
  entry.id = token.claims.id;
  entry.platform = options.platform;
  entry.issued_at = token.claims.issued;
  entry.expires_at = token.claims.expires;
  entry.label = label;
  audit_next_change(session, common, "token issue", domain::to_string(entry.id),
                    detail_of({options.platform, label, options.replace ? "replacing the others" : ""}));
  const auto change = options.replace ? store::replace_partner_tokens(session, entry)
                                      : store::partner_tokens::insert(session, entry);
  std::puts(token.text.c_str());
  return finish_change(session, change);
}

int list_tokens(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const use_cells uses(session);
  printed_list list(common.format,
                    {"id", "platform", "label", "issued_at", "expires_at", "last_used_at", "ended_at"});
  for (const auto& token : store::partner_tokens::all(session)) {
    auto end = end_of(token.ended_at);
    if (!token.ended_at && token.expires_at <= this_moment()) end.shown = "expired";
    list.add({shown(token.id), shown(token.platform), shown(token.label), after("issued", token.issued_at),
              after("expires", token.expires_at), uses.of(token.id), end});
  }
  return 0;
}

int revoke_token(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "token revoke", id);
  const auto change = store::partner_tokens::end(session, id_of(id), this_moment());
  if (!change) throw std::runtime_error("there is no live token with the id " + id);
  return finish_change(session, *change);
}

int issue_account_key(const common_options& common, const std::string& account, const std::string& label) {
  const auto account_id = id_of(account);
  const auto called = label_of(label);
  auto session = open_store(load_configuration(common).values);
  const auto key = security::issue_account_key();
  try {
    const auto id = security::random_uuid();
    audit_next_change(session, common, "key issue", domain::to_string(id),
                      detail_of({"…" + key.last4, "account " + account, called}));
    const auto change = store::account_keys::insert(
        session, {id, account_id, key.hash, key.last4, this_moment(), std::nullopt, called});
    std::puts(key.plaintext.c_str());
    return finish_change(session, change);
  } catch (const store::constraint_violated&) {
    throw std::runtime_error("there is no account with the id " + account);
  }
}

int list_account_keys(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const use_cells uses(session);
  printed_list list(common.format,
                    {"id", "account", "last4", "label", "created_at", "last_used_at", "ended_at"});
  for (const auto& key : store::account_keys::all(session))
    list.add({shown(key.id), shown_as(key.account_id, "account " + domain::to_string(key.account_id)),
              last4(key.last4), shown(key.label), after("created", key.created_at), uses.of(key.id),
              end_of(key.ended_at)});
  return 0;
}

int revoke_account_key(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "key revoke", id);
  const auto change = store::account_keys::end(session, id_of(id), this_moment());
  if (!change) throw std::runtime_error("there is no live account key with the id " + id);
  return finish_change(session, *change);
}

int issue_webhook_key(const common_options& common, const std::string& label) {
  return issue_service_key<store::webhook_key>(common, security::issue_webhook_key(), "webhook", label);
}

int list_webhook_keys(const common_options& common) { return list_service_keys<store::webhook_key>(common); }

int revoke_webhook_key(const common_options& common, const std::string& id) {
  return revoke_service_key<store::webhook_key>(common, id, "webhook");
}

int issue_usage_key(const common_options& common, const std::string& label) {
  return issue_service_key<store::usage_key>(common, security::issue_usage_key(), "usage", label);
}

int list_usage_keys(const common_options& common) { return list_service_keys<store::usage_key>(common); }

int revoke_usage_key(const common_options& common, const std::string& id) {
  return revoke_service_key<store::usage_key>(common, id, "usage");
}

int set_password(const common_options& common, const std::string& email) {
  const auto password = read_hidden_line("New password: ");
  if (password.size() < shortest_password) throw usage_error("the password must have at least 6 characters");
  const auto settings = load_configuration(common).values;
  auto session = open_store(settings);
  audit_next_change(session, common, "user password", email);
  const auto change = store::set_user_password(
      session, email, security::hash_password(password, password_cost_of(settings)), this_moment());
  if (!change) throw std::runtime_error("no user has the address " + email);
  return finish_change(session, *change);
}

} // namespace roost::cli
