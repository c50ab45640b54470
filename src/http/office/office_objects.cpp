#include "http/office/office_objects.hpp"

#include "http/office/office_api.hpp"

#include <mutex>
#include <set>

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

namespace {

/// Keeps a text for as long as the program runs: documentation refers to texts without owning them.
std::string_view kept(std::string text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard lock(mutex);
  return *texts.insert(std::move(text)).first;
}

std::string text_of(std::string_view first, std::string_view second, std::string_view third = {}) {
  return std::string(first).append(second).append(third);
}

documented_response lacks(std::string_view permission) {
  return {403, kept(text_of("The role lacks ", permission)), "Error"};
}

documented_response unknown(const documented_resource& of) {
  const auto text = kept(text_of("There is no such ", of.noun));
  return {404, text, "Error", false, {}, text};
}

} // namespace

const documented_header if_match_header{"If-Match", "The ETag of the state that the client has read"};
const documented_query limit_query{"limit", "The maximum number of items, 1 to 200", "ListLimit"},
    after_query{"after", "The `next` of the page before", "ListCursor"};

std::vector<documented_response> change_responses(const documented_resource& of) {
  return {{200, kept(text_of("The ", of.noun, " as it is now")), of.name},
          lacks(of.may_edit),
          unknown(of),
          {409, "Other resources contradict the values", "Error"},
          {428, "If-Match is missing", "Error"},
          {412, kept(text_of("The ", of.noun, " has changed: who changed which members, and when")),
           "OutdatedState"}};
}

operation with_creation(operation put) {
  put.headers = {{if_match_header.name,
                  "The ETag of the state that the client has read. Required without If-None-Match", false},
                 {"If-None-Match", "`*`: only if there is none yet. Required without If-Match", false}};
  for (auto& each : put.responses)
    if (each.status == 428) each.description = "Both If-Match and If-None-Match are missing";
  return put;
}

resource_operations operations_of(const documented_resource& of) {
  resource_operations all;
  all.list = {.id = kept(text_of("list", of.name, of.name.ends_with('y') ? "List" : "s")),
              .summary = kept(text_of("Returns the ", of.plural, " by ") + std::string(of.order)),
              .responses = {{200, kept(text_of("A page of ", of.plural, ", or all of them as CSV")),
                             kept(text_of(of.name, "Page"))},
                            lacks(of.may_view)},
              .queries = {limit_query, after_query}};
  all.list.queries.insert(all.list.queries.end(), of.filters.begin(), of.filters.end());
  all.show = {.id = kept(text_of("get", of.name)),
              .summary = kept(text_of("Returns the ", of.noun, ", with its ETag")),
              .responses = {{200, kept(text_of("The ", of.noun)), of.name}, lacks(of.may_view), unknown(of)}};
  all.create = {
      .id = kept(text_of("create", of.name)),
      .summary = kept(text_of("Creates a ", of.noun, ". Repeating a request with the same id is safe")),
      .body_schema = of.name,
      .responses = {{201, kept(text_of("The ", of.noun, "; Location is its URL")), of.name},
                    {200, kept(text_of("The same request created this ", of.noun, " before")), of.name},
                    lacks(of.may_edit),
                    {409, "Other resources contradict the values, or have the id", "Error"}}};
  all.change = {.id = kept(text_of("change", of.name)),
                .summary = "Changes the members that the body has",
                .body_schema = kept(text_of(of.name, "Change")),
                .responses = change_responses(of),
                .headers = {if_match_header}};
  all.erase = {.id = kept(text_of("delete", of.name)),
               .summary = kept(text_of("Deletes the ", of.noun,
                                       of.can_be_archived ? ", or archives it if it has bookings" : "")),
               .responses = {{204, kept(text_of("The ", of.noun, " is deleted")), ""},
                             lacks(of.may_edit),
                             unknown(of),
                             {428, "If-Match is missing", "Error"},
                             {412, kept(text_of("The ", of.noun, " has changed")), "OutdatedState"}},
               .headers = {if_match_header}};
  if (of.can_be_archived)
    all.erase.responses.push_back({200, "It is archived, because it has bookings", of.name});
  return all;
}

list_parameters read_list_parameters(query_reader& query) {
  constexpr std::size_t texts_of_place = 2; // a name and an id
  list_parameters page{read_list_limit(query), std::nullopt};
  const auto texts = read_cursor(query, texts_of_place);
  if (!texts) return page;
  const auto id = domain::parse_uuid(texts->back());
  if (id)
    page.after = {texts->front(), *id};
  else
    refuse_cursor(query);
  return page;
}

void add_resource_schemas(json::schemas& to, const json::schema& resource, std::string_view name) {
  add_list_schemas(to, resource, name);
  to.add(std::string(name) + "Change", without_required(resource));
}

void add_list_schemas(json::schemas& to, const json::schema& resource, std::string_view name) {
  const std::string item_name = std::string(name) + "Item", page_name = std::string(name) + "Page";
  to.add(name, resource);
  json::schema item{{.type = "object"}};
  item.bases = {name};
  item.members = {as_member({{.type = "string"}}, "etag", "The state, for If-Match")};
  to.add(item_name, item);
  add_page_schema(to, item_name, page_name);
}

void add_page_schema(json::schemas& to, std::string_view item_name, std::string_view page_name) {
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
  to.add("ListText", json::schema{{.type = "string"}});
  to.add("ListFlag", json::schema{{.type = "boolean"}});
  to.add("ListMoment", json::schema{{.type = "string", .format = "date-time"}});
  to.add("ListDay", json::schema{{.type = "string", .format = "date"}});
  to.add("ListId", json::schema{{.type = "string", .format = "uuid"}});
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
