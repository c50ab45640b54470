#include "cli/argument_checks.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "config/duration.hpp"
#include "domain/web_address.hpp"
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
#include <stdexcept>
#include <unordered_map>

namespace roost::cli {

namespace {

constexpr std::size_t min_password_size = 6;

/// `created 2026-…`
list_cell time_cell(const char* event, domain::timestamp time) {
  return cell_as(time, std::string(event).append(" ").append(domain::to_string(time)));
}

/// Returns the end of a credential; its text is `live` until then.
list_cell end_cell(const std::optional<domain::timestamp>& ended_at) {
  return cell_as(ended_at, ended_at ? "ended " + domain::to_string(*ended_at) : "live");
}

/// Returns the last four characters of a key.
list_cell last4_cell(const std::string& last4) { return cell_as(last4, "…" + last4); }

/// Checks --label. Throws usage_error if it is too long for a list, or has more than one line.
std::string checked_label(const std::string& label) {
  constexpr std::size_t max_size = 200;
  const auto is_control = [](unsigned char byte) { return byte < ' ' || byte == 0x7f; };
  if (label.size() > max_size || std::ranges::any_of(label, is_control))
    throw usage_error("--label must be one line of at most 200 bytes");
  return label;
}

/// The times of the last uses of credentials, to the minute.
class last_use_cells {
public:
  explicit last_use_cells(store::session& db) : uses_(store::last_uses(db)) {}

  list_cell of(const domain::uuid& credential) const {
    const auto use = uses_.find(credential);
    if (use == uses_.end()) return cell_as(std::optional<domain::timestamp>(), "never used");
    return time_cell("last used", use->second);
  }

private:
  std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash> uses_;
};

std::chrono::seconds lifetime_of(const std::string& ttl) {
  const auto lifetime = config::parse_duration(ttl);
  if (!lifetime || *lifetime < std::chrono::seconds{1})
    throw usage_error("--ttl: '" + ttl +
                      "' is not a duration of at least one second; write for example 365d");
  return std::chrono::duration_cast<std::chrono::seconds>(*lifetime);
}

/// Issues a key that does not belong to an account: webhook_key or usage_key.
template <typename Key>
int issue_service_key(const common_options& common, const security::issued_key& key, const std::string& kind,
                      const std::string& label) {
  const auto name = checked_label(label);
  auto session = open_store(load_configuration(common).values);
  const auto id = security::random_uuid();
  audit_next_change(session, common, kind + "-key issue", domain::to_string(id),
                    detail_of({"…" + key.last4, name}));
  const auto change = store::credential_family<Key>::insert(
      session, {id, key.hash, key.last4, current_time(), std::nullopt, name});
  std::puts(key.plaintext.c_str());
  return finish_change(session, change);
}

template <typename Key>
int list_service_keys(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const last_use_cells uses(session);
  list_printer list(common.format, {"id", "last4", "label", "created_at", "last_used_at", "ended_at"});
  for (const auto& key : store::credential_family<Key>::all(session))
    list.add({cell(key.id), last4_cell(key.last4), cell(key.label), time_cell("created", key.created_at),
              uses.of(key.id), end_cell(key.ended_at)});
  return 0;
}

template <typename Key>
int revoke_service_key(const common_options& common, const std::string& id, const std::string& kind) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, kind + "-key revoke", id);
  const auto change = store::credential_family<Key>::end(session, parse_id(id), current_time());
  if (!change) throw std::runtime_error("there is no live " + kind + " key with the id " + id);
  return finish_change(session, *change);
}

} // namespace

int issue_token(const common_options& common, const token_options& options) {
  const auto settings = load_configuration(common).values;
  require_platform(settings, options.platform);
  const auto lifetime = lifetime_of(options.ttl);
  const auto label = checked_label(options.label);
  auto session = open_store(settings);
  const auto secrets = load_or_create_secrets(session, settings);
  const auto token = security::issue_token(secrets.token_key, options.platform, current_time(), lifetime);
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
  const last_use_cells uses(session);
  list_printer list(common.format,
                    {"id", "platform", "label", "issued_at", "expires_at", "last_used_at", "ended_at"});
  for (const auto& token : store::partner_tokens::all(session)) {
    auto end = end_cell(token.ended_at);
    if (!token.ended_at && token.expires_at <= current_time()) end.text = "expired";
    list.add({cell(token.id), cell(token.platform), cell(token.label), time_cell("issued", token.issued_at),
              time_cell("expires", token.expires_at), uses.of(token.id), end});
  }
  return 0;
}

int revoke_token(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "token revoke", id);
  const auto change = store::partner_tokens::end(session, parse_id(id), current_time());
  if (!change) throw std::runtime_error("there is no live token with the id " + id);
  return finish_change(session, *change);
}

int issue_account_key(const common_options& common, const std::string& account, const std::string& label) {
  const auto account_id = parse_id(account);
  const auto name = checked_label(label);
  auto session = open_store(load_configuration(common).values);
  const auto key = security::issue_account_key();
  try {
    const auto id = security::random_uuid();
    audit_next_change(session, common, "key issue", domain::to_string(id),
                      detail_of({"…" + key.last4, "account " + account, name}));
    const auto change = store::account_keys::insert(
        session, {{id, key.hash, key.last4, current_time(), std::nullopt, name}, account_id});
    std::puts(key.plaintext.c_str());
    return finish_change(session, change);
  } catch (const store::constraint_violated&) {
    throw std::runtime_error("there is no account with the id " + account);
  }
}

int list_account_keys(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const last_use_cells uses(session);
  list_printer list(common.format,
                    {"id", "account", "last4", "label", "created_at", "last_used_at", "ended_at"});
  for (const auto& key : store::account_keys::all(session))
    list.add({cell(key.id), cell_as(key.account_id, "account " + domain::to_string(key.account_id)),
              last4_cell(key.last4), cell(key.label), time_cell("created", key.created_at), uses.of(key.id),
              end_cell(key.ended_at)});
  return 0;
}

int revoke_account_key(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "key revoke", id);
  const auto change = store::account_keys::end(session, parse_id(id), current_time());
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

int issue_tool_server_key(const common_options& common, const std::string& resource,
                          const std::string& label) {
  const auto name = checked_label(label);
  const auto settings = load_configuration(common).values;
  const auto normalised =
      domain::normalised_resource(resource.empty() ? settings.connector.tool_server : resource);
  if (!normalised)
    throw usage_error("--resource: '" + resource + "' is not an http or https URL without a fragment");
  const bool is_tool_server = normalised == domain::normalised_resource(settings.connector.tool_server);
  auto session = open_store(settings);
  const auto key = security::issue_tool_server_key();
  const auto id = security::random_uuid();
  audit_next_change(session, common, "tool-server-key issue", domain::to_string(id),
                    detail_of({"…" + key.last4, name}));
  const auto change = store::tool_server_keys::insert(
      session, {{id, key.hash, key.last4, current_time(), std::nullopt, name},
                is_tool_server ? settings.connector.tool_server : *normalised});
  std::puts(key.plaintext.c_str());
  return finish_change(session, change);
}

int list_tool_server_keys(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const last_use_cells uses(session);
  list_printer list(common.format,
                    {"id", "last4", "resource", "label", "created_at", "last_used_at", "ended_at"});
  for (const auto& key : store::tool_server_keys::all(session))
    list.add({cell(key.id), last4_cell(key.last4), cell(key.resource), cell(key.label),
              time_cell("created", key.created_at), uses.of(key.id), end_cell(key.ended_at)});
  return 0;
}

int revoke_tool_server_key(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "tool-server-key revoke", id);
  const auto change = store::tool_server_keys::end(session, parse_id(id), current_time());
  if (!change) throw std::runtime_error("there is no live tool server key with the id " + id);
  return finish_change(session, *change);
}

int issue_api_key(const common_options& common, const std::string& email, const std::string& label) {
  const auto name = checked_label(label);
  auto session = open_store(load_configuration(common).values);
  const auto user = require_user(session, email);
  const auto key = security::issue_api_key();
  const auto id = security::random_uuid();
  audit_next_change(session, common, "api-key issue", domain::to_string(id),
                    detail_of({"…" + key.last4, email, name}));
  const auto change =
      store::api_keys::insert(session, {{id, key.hash, key.last4, current_time(), std::nullopt, name}, user});
  std::puts(key.plaintext.c_str());
  return finish_change(session, change);
}

int list_api_keys(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const last_use_cells uses(session);
  list_printer list(common.format, {"id", "last4", "user", "name", "created_at", "last_used_at", "ended_at"});
  for (const auto& key : store::api_keys::all(session))
    list.add({cell(key.id), last4_cell(key.last4),
              cell_as(key.user_id, "user " + domain::to_string(key.user_id)), cell(key.label),
              time_cell("created", key.created_at), uses.of(key.id), end_cell(key.ended_at)});
  return 0;
}

int revoke_api_key(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "api-key revoke", id);
  const auto change = store::api_keys::end(session, parse_id(id), current_time());
  if (!change) throw std::runtime_error("there is no live API key with the id " + id);
  return finish_change(session, *change);
}

int set_password(const common_options& common, const std::string& email) {
  const auto password = read_hidden_line("New password: ");
  if (password.size() < min_password_size) throw usage_error("the password must have at least 6 characters");
  const auto settings = load_configuration(common).values;
  auto session = open_store(settings);
  audit_next_change(session, common, "user password", email);
  const auto change = store::set_user_password(
      session, email, security::hash_password(password, password_cost_of(settings)), current_time());
  if (!change) throw std::runtime_error("no user has the address " + email);
  return finish_change(session, *change);
}

} // namespace roost::cli
