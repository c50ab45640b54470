#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "config/text.hpp"
#include "domain/text.hpp"
#include "oauth/urls.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"
#include "security/secrets.hpp"
#include "security/token.hpp"
#include "store/credentials/credentials.hpp"
#include "store/database/error.hpp"

#include <algorithm>
#include <cstdio>
#include <unordered_map>

namespace roost::cli {

namespace {

using last_use_times = std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash>;

/// `created 2026-…`
list_cell time_cell(const char* event, domain::timestamp time) {
  return cell_as(time, std::string(event).append(" ").append(domain::to_string(time)));
}

/// Returns --label. Throws usage_error if it is too long for a list, or has more than one line.
std::string checked_label(const arguments& args) {
  constexpr std::size_t max_size = 200;
  const auto is_control = [](unsigned char byte) { return byte < ' ' || byte == 0x7f; };
  if (args.label.size() > max_size || std::ranges::any_of(args.label, is_control))
    throw usage_error("--label must be one line of at most 200 bytes");
  return args.label;
}

/// Returns the time of a credential's last use, to the minute.
list_cell last_use_cell(const last_use_times& uses, const domain::uuid& credential) {
  const auto use = uses.find(credential);
  return use == uses.end() ? cell_as(std::optional<domain::timestamp>(), "never used")
                           : time_cell("last used", use->second);
}

std::chrono::seconds lifetime_of(const std::string& ttl) {
  const auto lifetime = config::parse_duration(ttl);
  if (!lifetime || *lifetime < std::chrono::seconds{1})
    throw usage_error("--ttl: '" + ttl +
                      "' is not a duration of at least one second; write for example 365d");
  return std::chrono::duration_cast<std::chrono::seconds>(*lifetime);
}

/// A column of a list of credentials.
struct credential_column {
  const char* name;
  list_cell cell;
};
using credential_columns = std::vector<credential_column>;

list_cell last4_cell(const std::string& last4) { return cell_as(last4, "…" + last4); }

template <typename Key>
credential_column created_column(const Key& key) {
  return {"created_at", time_cell("created", key.created_at)};
}

/// Return the columns between the id and the last use.
credential_columns columns_of(const store::partner_token& token) {
  return {{"platform", cell(token.platform)},
          {"label", cell(token.label)},
          {"issued_at", time_cell("issued", token.issued_at)},
          {"expires_at", time_cell("expires", token.expires_at)}};
}

credential_columns columns_of(const store::account_key& key) {
  return {{"account", cell_as(key.account_id, "account " + domain::to_string(key.account_id))},
          {"last4", last4_cell(key.last4)},
          {"label", cell(key.label)},
          created_column(key)};
}

/// The same for webhook_key and usage_key.
template <typename Key>
credential_columns columns_of(const Key& key) {
  return {{"last4", last4_cell(key.last4)}, {"label", cell(key.label)}, created_column(key)};
}

credential_columns columns_of(const store::tool_server_key& key) {
  return {{"last4", last4_cell(key.last4)},
          {"resource", cell(key.resource)},
          {"label", cell(key.label)},
          created_column(key)};
}

credential_columns columns_of(const store::api_key& key) {
  return {{"last4", last4_cell(key.last4)},
          {"user", cell_as(key.user_id, "user " + domain::to_string(key.user_id))},
          {"name", cell(key.label)},
          {"resource", cell(key.resource.value_or(""))},
          created_column(key)};
}

/// Returns the end of a credential; its text is `live` until then.
template <typename Record>
list_cell end_cell(const Record& record) {
  if (record.ended_at) return time_cell("ended", *record.ended_at);
  const char* text = "live";
  if constexpr (requires { record.expires_at; })
    if (record.expires_at <= current_time()) text = "expired";
  return cell_as(record.ended_at, text);
}

/// Calls `visit` with an empty credential of the kind that a group of commands is about, and with its noun.
template <typename Visit>
int visit_kind(const std::string& group, Visit visit) {
  if (group == "token") return visit(store::partner_token{}, "token");
  if (group == "key") return visit(store::account_key{}, "account key");
  if (group == "webhook-key") return visit(store::webhook_key{}, "webhook key");
  if (group == "usage-key") return visit(store::usage_key{}, "usage key");
  if (group == "tool-server-key") return visit(store::tool_server_key{}, "tool server key");
  if (group == "api-key") return visit(store::api_key{}, "API key");
  throw std::logic_error("no credentials belong to the group " + group);
}

/// Returns the account that a credential belongs to; nullopt if it belongs to none.
template <typename Record>
std::optional<domain::uuid> account_of(store::session& db, const Record& record) {
  if constexpr (requires { record.account_id; })
    return record.account_id;
  else if constexpr (requires { record.user_id; })
    return account_of_user(db, record.user_id);
  else
    return std::nullopt;
}

/// Returns the account of the credential with this id; nullopt if it belongs to none, or does not exist.
template <typename Record>
std::optional<domain::uuid> account_of_credential(store::session& db, const domain::uuid& id) {
  const auto record = store::credential_family<Record>::find(db, id);
  return record ? account_of(db, *record) : std::nullopt;
}

/// Completes the key with the issued one, stores and prints it. `owner` is for the audit log.
template <typename Key>
int issue_key(store::session& session, const arguments& args, const security::issued_key& issued, Key key,
              const std::string& owner = {}) {
  key.id = security::random_uuid();
  issued.store_in(key);
  key.created_at = current_time();
  audit_next_change(session, args, args.group + " issue", domain::to_string(key.id),
                    detail_of({"…" + issued.last4, owner, args.label}), account_of(session, key));
  const auto change = store::credential_family<Key>::insert(session, key);
  std::puts(issued.plaintext.c_str());
  return finish_change(session, change);
}

} // namespace

int list_credentials(const arguments& args) {
  return visit_kind(args.group, [&]<typename Record>(const Record& empty, const char*) {
    auto session = open_store(args);
    const auto uses = store::last_uses(session);
    std::vector<std::string> names{"id"};
    for (const auto& column : columns_of(empty)) names.emplace_back(column.name);
    names.insert(names.end(), {"last_used_at", "ended_at"});
    list_printer list(args.format, std::move(names));
    for (const auto& record : store::credential_family<Record>::all(session)) {
      std::vector<list_cell> row{cell(record.id)};
      for (const auto& column : columns_of(record)) row.push_back(column.cell);
      row.insert(row.end(), {last_use_cell(uses, record.id), end_cell(record)});
      list.add(row);
    }
    return 0;
  });
}

int revoke_credential(const arguments& args) {
  return visit_kind(args.group, [&]<typename Record>(const Record&, const std::string& noun) {
    auto session = open_store(args);
    const auto id = parse_id(args.id);
    audit_next_change(session, args, args.group + " revoke", args.id, {},
                      account_of_credential<Record>(session, id));
    const auto change = store::credential_family<Record>::end(session, id, current_time());
    if (!change) throw std::runtime_error("there is no live " + noun + " with the id " + args.id);
    return finish_change(session, *change);
  });
}

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

int issue_account_key(const arguments& args) {
  const auto account = parse_id(args.account);
  const store::account_key key{{.label = checked_label(args)}, account};
  auto session = open_store(args);
  try {
    return issue_key(session, args, security::issue_key(security::key_kind::account), key,
                     "account " + args.account);
  } catch (const store::constraint_violated& rejection) {
    if (rejection.kind() != store::violation::conflicting_row) throw;
    throw std::runtime_error("there is no account with the id " + args.account);
  }
}

int issue_webhook_key(const arguments& args) {
  const store::webhook_key key{{.label = checked_label(args)}};
  auto session = open_store(args);
  return issue_key(session, args, security::issue_key(security::key_kind::webhook), key);
}

int issue_usage_key(const arguments& args) {
  const store::usage_key key{{.label = checked_label(args)}};
  auto session = open_store(args);
  return issue_key(session, args, security::issue_key(security::key_kind::usage), key);
}

/// Returns the resource of a new key in the form that tokens contain; by default connector.tool_server.
std::string checked_resource(const arguments& args, const std::string& configured) {
  if (!oauth::normalized_resource(args.resource.empty() ? configured : args.resource))
    throw usage_error("--resource: '" + args.resource + "' is not an http or https URL without a fragment");
  auto resource = oauth::resource_of_key(args.resource, configured);
  if (!resource)
    throw usage_error("--resource: '" + args.resource +
                      "' is neither an https URL nor on this machine, so no tokens would be issued for it");
  return *std::move(resource);
}

int issue_tool_server_key(const arguments& args) {
  const auto label = checked_label(args);
  const auto settings = load_configuration(args).values;
  const auto resource = checked_resource(args, settings.connector.tool_server);
  auto session = open_store(settings);
  return issue_key(session, args, security::issue_key(security::key_kind::tool_server),
                   store::tool_server_key{{.label = label}, resource});
}

int issue_api_key(const arguments& args) {
  const auto name = checked_label(args);
  const auto settings = load_configuration(args).values;
  const auto resource = checked_resource(args, settings.connector.tool_server);
  auto session = open_store(settings);
  return issue_key(session, args, security::issue_key(security::key_kind::api),
                   store::api_key{{.label = name}, require_user(session, args.email), resource}, args.email);
}

} // namespace roost::cli
