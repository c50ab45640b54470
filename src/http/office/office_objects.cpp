#include "http/office/office_objects.hpp"

#include "http/office/office_api.hpp"

namespace roost::http {

namespace {

const portfolio::context nothing_configured;

json::schema without_required(json::schema resource) {
  for (auto& each : resource.members) each.schema_facts.required = false;
  return resource;
}

json::schema as_member(json::schema value, std::string_view name, std::string_view meaning) {
  value.member = name;
  value.schema_facts.meaning = meaning;
  return value;
}

} // namespace

std::string messages_of(const portfolio::body_problems& found) {
  if (found.broken) throw malformed_json(to_string(*found.broken));
  message_list messages;
  for (const auto& problem : found.problems) messages.refuse(portfolio::to_message(problem));
  return messages.text();
}

std::string cell_text(std::string_view json) {
  if (json == "null") return {};
  std::string text(json);
  if (json.starts_with('"'))
    portfolio::read_text(json, nothing_configured, [&](portfolio::reader& in) { text = in.node().text; });
  return text;
}

void add_resource_schemas(json::schemas& to, const json::schema& resource, std::string_view name) {
  const std::string item_name = std::string(name) + "Item", page_name = std::string(name) + "Page";
  to.add(name, resource);
  to.add(std::string(name) + "Change", without_required(resource));
  json::schema item{{.type = "object"}};
  item.bases = {name};
  item.members = {as_member({{.type = "string"}}, "etag", "The state, for If-Match")};
  to.add(item_name, item);
  json::schema page{{.type = "object"}};
  page.members = {
      as_member(json::array_of({{.reference = item_name}}), "items", "The items of this page"),
      as_member({{.type = "string", .nullable = true}}, "next", "The cursor of the next page; null: none"),
      as_member({{.type = "integer", .minimum = 0}}, "total", "The number of items of the whole list")};
  to.add(page_name, page);
}

void add_office_schemas(json::schemas& to) {
  to.add("ListLimit",
         json::schema{{.type = "integer", .minimum = 1, .maximum = max_list_limit, .initial = "50"}});
  to.add("ListCursor", json::schema{{.type = "string"}});
  json::schema error{{.type = "object"}};
  error.bases = {"Error"};
  auto outdated = error;
  outdated.members = {
      as_member({{.type = "string"}}, "changedBy", "A user's email address, a platform, or `import`"),
      as_member({{.type = "string", .format = "date-time"}}, "changedAt", "The time of the last change"),
      as_member(json::array_of({{.type = "string"}}), "changed", "The members that differ")};
  to.add("OutdatedState", outdated);
  json::schema nights{{.type = "object"}};
  nights.members = {as_member({{.type = "string", .format = "uuid"}}, "bookingId", ""),
                    as_member({{.type = "string", .format = "date"}}, "from", "The first night"),
                    as_member({{.type = "string", .format = "date"}}, "to", "The last night")};
  auto booked = error;
  booked.members = {
      as_member(json::array_of(nights), "bookings", "The bookings, and their nights among these")};
  to.add("NightsBooked", booked);
}

} // namespace roost::http
