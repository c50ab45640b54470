#include "cli/commands.hpp"
#include "cli/credential_cells.hpp"
#include "cli/usage_error.hpp"
#include "domain/text.hpp"
#include "domain/web_address.hpp"
#include "security/key.hpp"
#include "security/random.hpp"
#include "store/connector/ai_areas.hpp"
#include "store/connector/connections.hpp"
#include "store/credentials/credentials.hpp"
#include "store/sessions/users.hpp"

#include <chrono>
#include <cstdio>
#include <stdexcept>

namespace roost::cli {

namespace {

std::string client_of(const store::connection& connection) {
  return connection.client_name ? *connection.client_name + " (" + connection.client_id + ")"
                                : connection.client_id;
}

std::size_t area_of(const std::string& name) {
  const auto area = domain::find_tool_area(domain::lower_case(name));
  if (area) return *area;
  std::string known;
  for (const auto& each : domain::tool_areas) known += (known.empty() ? "" : ", ") + std::string(each.name);
  throw usage_error("no area is called '" + name + "'; there are: " + known);
}

domain::tool_level level_of(const std::string& text) {
  const auto level = domain::parse_tool_level(domain::lower_case(text));
  if (!level) throw usage_error("'" + text + "' is not a level; write edit, read-only or off");
  return *level;
}

domain::uuid user_of(store::session& db, const std::string& email) {
  const auto user = store::find_user(db, email);
  if (!user) throw std::runtime_error("no user has the address " + email);
  return user->id;
}

void print_line(const char* name, const std::string& value) {
  std::printf("%-10s %s\n", name, value.c_str());
}

} // namespace

int list_connections(const common_options& common, const std::string& email) {
  auto session = open_store(load_configuration(common).values);
  const auto user = email.empty() ? std::nullopt : std::optional{user_of(session, email)};
  printed_list list(common.format, {"id", "email", "client_id", "created_at", "last_used_at"});
  for (const auto& [each, email] : store::live_connections(session, this_moment(), user))
    list.add({shown(each.id), shown(email), shown_as(each.client_id, client_of(each)),
              after("since", each.created_at), after("last used", each.used_at)});
  return 0;
}

int show_connection(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  const auto found = store::find_connection(session, id_of(id));
  if (!found) throw std::runtime_error("there is no connection with the id " + id);
  const auto& connection = found->connection;
  print_line("id", domain::to_string(connection.id));
  print_line("client", client_of(connection));
  print_line("user", found->email.empty() ? domain::to_string(connection.user_id) : found->email);
  print_line("resource", connection.resource);
  print_line("refreshes", std::to_string(connection.generation - 1));
  print_line("since", domain::to_string(connection.created_at));
  print_line("last used", domain::to_string(connection.used_at));
  print_line("expires", domain::to_string(connection.expires_at));
  if (connection.ended_at)
    print_line("ended",
               domain::to_string(*connection.ended_at) + " by " + connection.ended_by.value_or("nobody"));
  return 0;
}

int revoke_connection(const common_options& common, const std::string& id) {
  const auto connection = id_of(id);
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "connector revoke", id);
  const auto change = store::revoke_connection(session, connection, this_moment());
  if (!change) throw std::runtime_error("there is no live connection with the id " + id);
  return finish_change(session, *change);
}

int issue_tool_server_key(const common_options& common, const std::string& resource,
                          const std::string& label) {
  const auto called = label_of(label);
  const auto settings = load_configuration(common).values;
  const auto normal =
      domain::normalised_resource(resource.empty() ? settings.connector.tool_server : resource);
  if (!normal)
    throw usage_error("--resource: '" + resource + "' is not an http or https URL without a fragment");
  const bool is_tool_server = normal == domain::normalised_resource(settings.connector.tool_server);
  auto session = open_store(settings);
  const auto key = security::issue_tool_server_key();
  const auto id = security::random_uuid();
  audit_next_change(session, common, "tool-server-key issue", domain::to_string(id),
                    detail_of({"…" + key.last4, called}));
  const auto change =
      store::tool_server_keys::insert(session, {id, is_tool_server ? settings.connector.tool_server : *normal,
                                                key.hash, key.last4, this_moment(), std::nullopt, called});
  std::puts(key.plaintext.c_str());
  return finish_change(session, change);
}

int list_tool_server_keys(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const use_cells uses(session);
  printed_list list(common.format,
                    {"id", "last4", "resource", "label", "created_at", "last_used_at", "ended_at"});
  for (const auto& key : store::tool_server_keys::all(session))
    list.add({shown(key.id), last4(key.last4), shown(key.resource), shown(key.label),
              after("created", key.created_at), uses.of(key.id), end_of(key.ended_at)});
  return 0;
}

int revoke_tool_server_key(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "tool-server-key revoke", id);
  const auto change = store::tool_server_keys::end(session, id_of(id), this_moment());
  if (!change) throw std::runtime_error("there is no live tool server key with the id " + id);
  return finish_change(session, *change);
}

int issue_api_key(const common_options& common, const std::string& email, const std::string& label) {
  const auto name = label_of(label);
  auto session = open_store(load_configuration(common).values);
  const auto user = user_of(session, email);
  const auto key = security::issue_api_key();
  const auto id = security::random_uuid();
  audit_next_change(session, common, "api-key issue", domain::to_string(id),
                    detail_of({"…" + key.last4, email, name}));
  const auto change =
      store::api_keys::insert(session, {id, user, name, key.hash, key.last4, this_moment(), std::nullopt});
  std::puts(key.plaintext.c_str());
  return finish_change(session, change);
}

int list_api_keys(const common_options& common) {
  auto session = open_store(load_configuration(common).values);
  const use_cells uses(session);
  printed_list list(common.format, {"id", "last4", "user", "name", "created_at", "last_used_at", "ended_at"});
  for (const auto& key : store::api_keys::all(session))
    list.add({shown(key.id), last4(key.last4),
              shown_as(key.user_id, "user " + domain::to_string(key.user_id)), shown(key.name),
              after("created", key.created_at), uses.of(key.id), end_of(key.ended_at)});
  return 0;
}

int revoke_api_key(const common_options& common, const std::string& id) {
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "api-key revoke", id);
  const auto change = store::api_keys::end(session, id_of(id), this_moment());
  if (!change) throw std::runtime_error("there is no live API key with the id " + id);
  return finish_change(session, *change);
}

int set_ai_area(const common_options& common, const ai_area_options& options) {
  const auto area = area_of(options.area);
  const auto level = level_of(options.level);
  auto session = open_store(load_configuration(common).values);
  audit_next_change(session, common, "ai-area set", options.account,
                    std::string(domain::tool_areas.at(area).name) + ' ' + std::string(to_string(level)));
  const auto change = store::set_ai_area(session, id_of(options.account), area, level);
  if (!change) throw std::runtime_error("there is no account with the id " + options.account);
  return finish_change(session, *change);
}

int list_ai_areas(const common_options& common, const std::string& account) {
  auto session = open_store(load_configuration(common).values);
  const auto access = store::ai_areas_of(session, id_of(account));
  if (!access) throw std::runtime_error("there is no account with the id " + account);
  printed_list list(common.format, {"area", "level"});
  for (std::size_t area = 0; area < domain::tool_areas.size(); ++area)
    list.add({shown(std::string(domain::tool_areas.at(area).name)),
              shown(std::string(to_string(access->level(area))))});
  return 0;
}

} // namespace roost::cli
