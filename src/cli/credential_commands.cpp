#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "config/text.hpp"
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

/// Returns --label. Throws usage_error if it is too long for a list, or has more than one line.
std::string checked_label(const arguments& args) {
  constexpr std::size_t max_size = 200;
  const auto is_control = [](unsigned char byte) { return byte < ' ' || byte == 0x7f; };
  if (args.label.size() > max_size || std::ranges::any_of(args.label, is_control))
    throw usage_error("--label must be one line of at most 200 bytes");
  return args.label;
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

/// Completes the key with the issued one, stores and prints it. `kind` and `owner` are for the audit log.
template <typename Key>
int issue_key(store::session& session, const arguments& args, const std::string& kind,
              const security::issued_key& issued, Key key, const std::string& owner = {}) {
  key.id = security::random_uuid();
  key.hash = issued.hash;
  key.last4 = issued.last4;
  key.created_at = current_time();
  audit_next_change(session, args, kind + " issue", domain::to_string(key.id),
                    detail_of({"…" + issued.last4, owner, args.label}));
  const auto change = store::credential_family<Key>::insert(session, key);
  std::puts(issued.plaintext.c_str());
  return finish_change(session, change);
}

/// Issues a webhook_key or a usage_key, which belong to the whole service.
template <typename Key>
int issue_service_key(const arguments& args, const std::string& kind, const security::issued_key& issued) {
  Key key{{.label = checked_label(args)}};
  auto session = open_store(args);
  return issue_key(session, args, kind, issued, std::move(key));
}

/// Lists keys. `columns` are those between the id and the times; `cells` returns their cells.
template <typename Key, typename Cells>
int list_keys(const arguments& args, std::vector<std::string> columns, Cells cells) {
  auto session = open_store(args);
  const last_use_cells uses(session);
  columns.insert(columns.begin(), "id");
  columns.insert(columns.end(), {"created_at", "last_used_at", "ended_at"});
  list_printer list(args.format, std::move(columns));
  for (const auto& key : store::credential_family<Key>::all(session)) {
    std::vector<list_cell> row = cells(key, cell_as(key.last4, "…" + key.last4));
    row.insert(row.begin(), cell(key.id));
    row.insert(row.end(), {time_cell("created", key.created_at), uses.of(key.id), end_cell(key.ended_at)});
    list.add(row);
  }
  return 0;
}

template <typename Key>
int list_service_keys(const arguments& args) {
  return list_keys<Key>(args, {"last4", "label"}, [](const Key& key, const list_cell& last4) {
    return std::vector{last4, cell(key.label)};
  });
}

/// Ends a credential. `kind` names it in the audit log, `noun` in the error text.
template <typename Credential>
int revoke(const arguments& args, const std::string& kind, const std::string& noun) {
  auto session = open_store(args);
  audit_next_change(session, args, kind + " revoke", args.id);
  const auto change = store::credential_family<Credential>::end(session, parse_id(args.id), current_time());
  if (!change) throw std::runtime_error("there is no live " + noun + " with the id " + args.id);
  return finish_change(session, *change);
}

} // namespace

int issue_token(const arguments& args) {
  const auto settings = load_configuration(args).values;
  require_platform(settings, args.platform);
  const auto lifetime = lifetime_of(args.ttl);
  const auto label = checked_label(args);
  auto session = open_store(settings);
  const auto secrets = load_or_create_secrets(session, settings);
  const auto token = security::issue_token(secrets.token_key, args.platform, current_time(), lifetime);
  const store::partner_token entry{.id = token.claims.id,
                                   .platform = args.platform,
                                   .issued_at = token.claims.issued,
                                   .expires_at = token.claims.expires,
                                   .label = label};
  audit_next_change(session, args, "token issue", domain::to_string(entry.id),
                    detail_of({args.platform, label, args.replace ? "replacing the others" : ""}));
  const auto change = args.replace ? store::replace_partner_tokens(session, entry)
                                   : store::partner_tokens::insert(session, entry);
  std::puts(token.text.c_str());
  return finish_change(session, change);
}

int list_tokens(const arguments& args) {
  auto session = open_store(args);
  const last_use_cells uses(session);
  list_printer list(args.format,
                    {"id", "platform", "label", "issued_at", "expires_at", "last_used_at", "ended_at"});
  for (const auto& token : store::partner_tokens::all(session)) {
    auto end = end_cell(token.ended_at);
    if (!token.ended_at && token.expires_at <= current_time()) end.text = "expired";
    list.add({cell(token.id), cell(token.platform), cell(token.label), time_cell("issued", token.issued_at),
              time_cell("expires", token.expires_at), uses.of(token.id), end});
  }
  return 0;
}

int revoke_token(const arguments& args) { return revoke<store::partner_token>(args, "token", "token"); }

int issue_account_key(const arguments& args) {
  const auto account = parse_id(args.account);
  const store::account_key key{{.label = checked_label(args)}, account};
  auto session = open_store(args);
  try {
    return issue_key(session, args, "key", security::issue_key(security::key_kind::account), key,
                     "account " + args.account);
  } catch (const store::constraint_violated&) {
    throw std::runtime_error("there is no account with the id " + args.account);
  }
}

int list_account_keys(const arguments& args) {
  return list_keys<store::account_key>(
      args, {"account", "last4", "label"}, [](const store::account_key& key, const list_cell& last4) {
        return std::vector{cell_as(key.account_id, "account " + domain::to_string(key.account_id)), last4,
                           cell(key.label)};
      });
}

int revoke_account_key(const arguments& args) {
  return revoke<store::account_key>(args, "key", "account key");
}

int issue_webhook_key(const arguments& args) {
  return issue_service_key<store::webhook_key>(args, "webhook-key",
                                               security::issue_key(security::key_kind::webhook));
}

int list_webhook_keys(const arguments& args) { return list_service_keys<store::webhook_key>(args); }

int revoke_webhook_key(const arguments& args) {
  return revoke<store::webhook_key>(args, "webhook-key", "webhook key");
}

int issue_usage_key(const arguments& args) {
  return issue_service_key<store::usage_key>(args, "usage-key",
                                             security::issue_key(security::key_kind::usage));
}

int list_usage_keys(const arguments& args) { return list_service_keys<store::usage_key>(args); }

int revoke_usage_key(const arguments& args) {
  return revoke<store::usage_key>(args, "usage-key", "usage key");
}

int issue_tool_server_key(const arguments& args) {
  const auto label = checked_label(args);
  const auto settings = load_configuration(args).values;
  const auto& configured = settings.connector.tool_server;
  const auto resource = domain::normalised_resource(args.resource.empty() ? configured : args.resource);
  if (!resource)
    throw usage_error("--resource: '" + args.resource + "' is not an http or https URL without a fragment");
  const bool is_configured = resource == domain::normalised_resource(configured);
  auto session = open_store(settings);
  return issue_key(session, args, "tool-server-key", security::issue_key(security::key_kind::tool_server),
                   store::tool_server_key{{.label = label}, is_configured ? configured : *resource});
}

int list_tool_server_keys(const arguments& args) {
  return list_keys<store::tool_server_key>(args, {"last4", "resource", "label"},
                                           [](const store::tool_server_key& key, const list_cell& last4) {
                                             return std::vector{last4, cell(key.resource), cell(key.label)};
                                           });
}

int revoke_tool_server_key(const arguments& args) {
  return revoke<store::tool_server_key>(args, "tool-server-key", "tool server key");
}

int issue_api_key(const arguments& args) {
  const auto name = checked_label(args);
  auto session = open_store(args);
  return issue_key(session, args, "api-key", security::issue_key(security::key_kind::api),
                   store::api_key{{.label = name}, require_user(session, args.email)}, args.email);
}

int list_api_keys(const arguments& args) {
  return list_keys<store::api_key>(
      args, {"last4", "user", "name"}, [](const store::api_key& key, const list_cell& last4) {
        return std::vector{last4, cell_as(key.user_id, "user " + domain::to_string(key.user_id)),
                           cell(key.label)};
      });
}

int revoke_api_key(const arguments& args) { return revoke<store::api_key>(args, "api-key", "API key"); }

int set_password(const arguments& args) {
  const auto password = read_hidden_line("New password: ");
  if (password.size() < min_password_size) throw usage_error("the password must have at least 6 characters");
  const auto settings = load_configuration(args).values;
  auto session = open_store(settings);
  audit_next_change(session, args, "user password", args.email);
  const auto change = store::set_user_password(
      session, args.email, security::hash_password(password, password_cost_of(settings)), current_time());
  if (!change) throw std::runtime_error("no user has the address " + args.email);
  return finish_change(session, *change);
}

} // namespace roost::cli
