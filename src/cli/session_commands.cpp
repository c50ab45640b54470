#include "actors/sessions/password_gate.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "domain/assistant.hpp"
#include "domain/entered_text.hpp"
#include "domain/text.hpp"
#include "security/common_password.hpp"
#include "security/password.hpp"
#include "service/conversions.hpp"
#include "store/connector/connections.hpp"
#include "store/sessions/ai_settings.hpp"
#include "store/sessions/passwords.hpp"
#include "store/sessions/sessions.hpp"
#include "store/sessions/users.hpp"

#include <cstdio>

namespace roost::cli {

namespace {

constexpr std::size_t min_password_size = 6;

std::string client_text(const store::connection& connection) {
  return connection.client_name ? *connection.client_name + " (" + connection.client_id + ")"
                                : connection.client_id;
}

std::size_t parse_area(const std::string& name) {
  const auto area = domain::find_tool_area(domain::lower_case(name));
  if (area) return *area;
  std::string known;
  for (const auto& each : domain::tool_areas) known += (known.empty() ? "" : ", ") + std::string(each.name);
  throw usage_error("unknown area '" + name + "'; areas: " + known);
}

domain::tool_level parse_level(const std::string& text) {
  const auto level = domain::parse_name<domain::tool_level>(domain::lower_case(text));
  if (!level) throw usage_error("'" + text + "' is not a level; write edit, read-only or off");
  return *level;
}

void print_line(const char* name, const std::string& value) {
  std::printf("%-10s %s\n", name, value.c_str());
}

/// Prints which assistants a new password left connected, or whose connections it ended.
void print_assistants(const store::connected_assistants& assistants, const std::string& email) {
  if (assistants.connections.empty()) return;
  std::puts(assistants.ended ? "The connections of these assistants were ended:"
                             : "These assistants are still connected and act for the user:");
  for (const auto& each : assistants.connections)
    std::printf("  %s  %s  since %s\n", domain::to_string(each.id).c_str(),
                domain::one_line(client_text(each)).c_str(), domain::to_string(each.created_at).c_str());
  if (!assistants.ended)
    std::printf("End one with `roost connector revoke ID`, or all of them, with another new password, with "
                "`roost user password %s --end-connections`.\n",
                email.c_str());
}

} // namespace

int set_password(const arguments& args) {
  const auto password = read_hidden_line("New password: ");
  if (domain::character_count(domain::composed(password)) < min_password_size)
    throw usage_error("the password must have at least 6 characters");
  if (security::is_common_password(password))
    throw usage_error("the password is one of the most common ones");
  const auto settings = load_configuration(args).values;
  auto session = open_store(settings);
  audit_next_change(session, args, "user password", args.email,
                    args.end_connections ? "all connections are ended" : "",
                    account_of_user(session, args.email));
  const auto result = store::set_user_password(
      session, args.email, security::hash_password(password, to_password_cost(settings.sessions)),
      current_time(), actors::budgets_of, args.end_connections);
  if (!result) throw std::runtime_error("no user has the address " + args.email);
  print_assistants(result->assistants, args.email);
  return finish_change(session, result->change);
}

int list_connections(const arguments& args) {
  auto session = open_store(args);
  const auto user = args.email.empty() ? std::nullopt : std::optional{require_user(session, args.email)};
  list_printer list(args.format, {"id", "email", "client_id", "created_at", "last_used_at"});
  for (const auto& [each, email] : store::live_connections(session, current_time(), user))
    list.add({cell(each.id), cell(email), cell_as(each.client_id, client_text(each)),
              cell_as(each.created_at, "since " + domain::to_string(each.created_at)),
              cell_as(each.used_at, "last used " + domain::to_string(each.used_at))});
  return 0;
}

int show_connection(const arguments& args) {
  auto session = open_store(args);
  const auto match = store::find_connection(session, parse_id(args.id));
  if (!match) throw std::runtime_error("there is no connection with the id " + args.id);
  const auto& connection = match->connection;
  print_line("id", domain::to_string(connection.id));
  print_line("client", client_text(connection));
  print_line("user", match->email.empty() ? domain::to_string(connection.user_id) : match->email);
  print_line("resource", connection.resource);
  print_line("refreshes", std::to_string(connection.generation - 1));
  print_line("since", domain::to_string(connection.created_at));
  print_line("last used", domain::to_string(connection.used_at));
  print_line("expires", domain::to_string(connection.expires_at));
  if (connection.ended_at)
    print_line("ended",
               domain::to_string(*connection.ended_at) + " by " + connection.ended_by.value_or("unknown"));
  return 0;
}

int revoke_connection(const arguments& args) {
  const auto connection = parse_id(args.id);
  auto session = open_store(args);
  const auto match = store::find_connection(session, connection);
  audit_next_change(session, args, "connector revoke", args.id, {},
                    match ? account_of_user(session, match->connection.user_id) : std::nullopt);
  const auto change = store::revoke_connection(session, connection, current_time());
  if (!change) throw std::runtime_error("there is no live connection with the id " + args.id);
  return finish_change(session, *change);
}

int set_ai_area(const arguments& args) {
  const auto area = parse_area(args.area);
  const auto level = parse_level(args.level);
  auto session = open_store(args);
  const auto account = parse_id(args.account);
  audit_next_change(session, args, store::ai_area_set, args.account,
                    std::string(domain::tool_areas.at(area).name) + ' ' + std::string(to_string(level)),
                    account);
  const auto change = store::set_ai_area(session, account, area, level);
  if (!change) throw std::runtime_error("there is no account with the id " + args.account);
  return finish_change(session, *change);
}

int list_ai_areas(const arguments& args) {
  auto session = open_store(args);
  const auto settings = store::find_ai_settings(session, parse_id(args.account));
  if (!settings) throw std::runtime_error("there is no account with the id " + args.account);
  const domain::tool_access access(settings->areas);
  list_printer list(args.format, {"area", "level"});
  for (std::size_t area = 0; area < domain::tool_areas.size(); ++area)
    list.add({cell(std::string(domain::tool_areas.at(area).name)),
              cell(std::string(to_string(access.level(area))))});
  return 0;
}

int list_sessions(const arguments& args) {
  auto session = open_store(args);
  list_printer list(args.format, {"id", "email", "created_at", "last_used_at", "address", "browser"});
  for (const auto& [each, email] : store::live_sessions(session, current_time()))
    list.add({cell(each.id), cell(email),
              cell_as(each.created_at, "since " + domain::to_string(each.created_at)),
              cell_as(each.rotated_at, "last used " + domain::to_string(each.rotated_at)),
              cell_as(each.address, "from " + each.address), cell(each.browser)});
  return 0;
}

int revoke_session(const arguments& args) {
  const auto session_id = parse_id(args.id);
  auto session = open_store(args);
  audit_next_change(session, args, "session revoke", args.id, {},
                    store::account_of_session(session, session_id));
  const auto change = store::revoke_session(session, session_id, current_time());
  if (!change) throw std::runtime_error("there is no live session with the id " + args.id);
  return finish_change(session, *change);
}

} // namespace roost::cli
