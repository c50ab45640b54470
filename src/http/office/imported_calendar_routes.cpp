#include "actors/calendars/calendar_keeper.hpp"
#include "bytes/ascii.hpp"
#include "domain/entered_text.hpp"
#include "http/office/resource_routes.hpp"
#include "http/protocol/text_encoding.hpp"
#include "json/writer.hpp"
#include "portfolio/calendar.hpp"

#include <cstdint>

namespace roost::http {

namespace {

using portfolio::field, portfolio::optional, portfolio::read_only, portfolio::record, portfolio::secret;
using store::office_calendar;
namespace kind = portfolio::kind;

/// In bytes of UTF-8. Bodies may be larger, because JSON escapes line breaks.
constexpr std::size_t max_calendar_size = std::size_t{4} << 20U, max_calendar_body = std::size_t{5} << 20U;

/// The text of a calendar. check_upload() limits its size: that refusal is not one of the form.
struct calendar_text {
  constexpr json::facts schema_facts() const {
    return {.type = "string", .max_length = static_cast<std::int64_t>(max_calendar_size)};
  }
  template <typename V>
  bool read(portfolio::reader& in, V& to) const {
    constexpr kind::text text{.max_length = max_calendar_body, .may_be_blank = true, .may_have_lines = true};
    return text.read(in, to);
  }
};

/// Members that only the service writes.
struct reading_number {
  constexpr json::facts schema_facts() const { return {.type = "integer"}; }
  template <typename V>
  bool read(portfolio::reader&, V&) const {
    return true;
  }
};
struct reading_text {
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
  bool read(portfolio::reader&, std::string&) const { return true; }
};

constexpr auto imported_calendar_object = record<office_calendar>(
    field("id", kind::id, &office_calendar::id, "The calendar's UUID. Clients may choose it", optional),
    portfolio::objects::calendar_name<office_calendar>,
    field("url", portfolio::objects::calendar_url, &office_calendar::url,
          "Where the calendar is fetched; null: it is uploaded. It may contain a secret", optional,
          secret{"url"}),
    portfolio::objects::calendar_host<office_calendar>,
    portfolio::objects::calendar_interval<office_calendar>,
    field("ics", calendar_text{}, &office_calendar::upload,
          "In place of a URL: the text of the calendar (RFC 5545), at most 4 MiB", optional,
          portfolio::not_written, secret{"ics"}),
    field("fetchedAt", kind::moment, &office_calendar::fetched_at,
          "The last attempt to read it; null: none yet", optional, read_only, untagged),
    field("succeededAt", kind::moment, &office_calendar::succeeded_at,
          "The last time that it was read successfully; null: not yet", optional, read_only, untagged),
    field("failures", reading_number{}, &office_calendar::failures, "Failed attempts since then", optional,
          read_only, untagged),
    field("problem", reading_text{}, &office_calendar::problem,
          "Why the last attempt failed; empty: it did not", optional, read_only, untagged),
    field("hasVanished", kind::flag, &office_calendar::has_vanished,
          "It is suddenly empty. Its events stay until `acceptEmpty` says that this is right", optional,
          read_only, untagged),
    field("events", reading_number{}, &office_calendar::events, "In its last good version", optional,
          read_only, untagged),
    field("createdAt", kind::moment, &office_calendar::created_at, "", optional, read_only, untagged),
    field("updatedAt", kind::moment, &office_calendar::updated_at, "", optional, read_only, untagged));

error no_unit_of_calendar() { return not_found("There is no such unit"); }

struct calendar_kind {
  using resource = office_calendar;
  static constexpr const auto &object = imported_calendar_object, &creation = imported_calendar_object;
  static constexpr const char *noun = "calendar", *plural = "calendars";
  static constexpr std::size_t id_parameter = 1;
  static constexpr bool has_parts_without_tag = true; // what became of the last reading

  static domain::uuid& id_of(office_calendar& calendar) { return calendar.id; }
  static office_calendar blank() { return {}; }
  static store::office_scope scope_of(const request& req) {
    auto scope = http::scope_of(req);
    scope.unit_id = id_in_path(req, 0);
    if (!scope.unit_id) throw no_unit_of_calendar();
    return scope;
  }
  static std::string path_of(const office_calendar& calendar) {
    return "/api/units/" + domain::to_string(calendar.unit_id) + "/calendars/" +
           domain::to_string(calendar.id);
  }

  static constexpr auto find = store::find_calendar;
  static constexpr auto create = store::create_calendar;
  static constexpr auto change = store::change_calendar;
  static constexpr auto erase = store::delete_calendar;
};
using calendar_handlers = resource_routes<calendar_kind>;

using calendar_outcome = store::office_outcome<office_calendar>;

asio::awaitable<response> list_calendars(const office_services& services, request& req) {
  query_reader query(req.query, {"limit", "after"});
  const auto page = read_list_parameters(query);
  query.throw_if_refused();
  const auto read = [lane = services.storage, scope = calendar_kind::scope_of(req)](
                        const std::optional<store::name_place>& after, std::size_t limit) {
    return actors::in_store(lane, "office_read", [=](store::session& db) {
      return store::list_calendars(db, scope, after, limit);
    });
  };
  const auto cursor_after = [](const office_calendar& last) {
    const auto place = place_of(last);
    return cursor_of({place.name, domain::to_string(place.id)});
  };
  if (!wants_csv(req)) {
    const auto items = co_await read(page.after, page.limit);
    if (!items) throw no_unit_of_calendar();
    co_return json(200, page_json(imported_calendar_object, *items, cursor_after));
  }
  page_reader<office_calendar> next_page = [&read](const office_calendar* last) {
    std::optional<store::name_place> after;
    if (last != nullptr) after = place_of(*last);
    return read(after, max_list_limit);
  };
  auto rows = rows_of(imported_calendar_object, tag_column::yes);
  auto table = co_await read_table(std::move(next_page), std::move(rows));
  if (!table) throw no_unit_of_calendar();
  co_return std::move(*table).to_response("calendars");
}

/// Returns text in UTF-8: text that is not is taken for Latin-1. Files of other systems may have any charset
/// that extends ASCII. It only matters that different texts, such as UIDs, remain different.
std::string in_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      converted += c;
    else
      converted.append(1, static_cast<char>(0xc0U | (byte >> 6U))) +=
          static_cast<char>(0x80U | (byte & 0x3fU));
  }
  return converted;
}

/// Replaces a body of the type text/calendar by the JSON that says the same. Its query has the other members.
void take_calendar_file(request& req) {
  if (!ascii::equal_ignoring_case(req.media_type(), "text/calendar")) return;
  query_reader query(req.query, {"id", "name", "host"});
  json::writer body;
  body.begin_object();
  for (const auto* const name : {"id", "name", "host"})
    if (const auto value = query.text(name)) {
      body.data_key(name);
      body.value(to_utf8(*value));
    }
  query.throw_if_refused();
  body.field("ics", in_utf8(domain::without_byte_order_mark(req.body)));
  body.end_object();
  req.body = body.text();
}

/// Throws bad_request for an upload that is no calendar, and payload_too_large().
asio::awaitable<void> check_upload(const office_services& services, std::optional<std::string> text) {
  if (!text) co_return;
  if (text->size() > max_calendar_size) throw payload_too_large();
  actors::calendar_job job{{}, std::move(text), services.management->now()};
  auto checking = actors::ask(services.calendars, std::move(job));
  const auto reading = co_await std::move(checking);
  if (reading.result == store::calendar_result::failed)
    throw bad_request("ics is not a calendar: " + reading.problem);
}

/// Asks the keeper to read a calendar now. Returns false if it could not: then it does so later.
asio::awaitable<bool> read_now(const office_services& services, request& req, const domain::uuid& id,
                               bool accepts_empty) {
  actors::read_calendar message{id, accepts_empty, std::nullopt, actors::response_deadline()};
  if (accepts_empty) {
    const auto scope = calendar_kind::scope_of(req);
    message.audit = author_of(services, req, "empty calendar acceptance", domain::to_string(id),
                              domain::to_string(*scope.unit_id))
                        .audit;
    message.audit->account_id = scope.account_id;
  }
  try {
    auto asked = actors::ask(services.calendars, std::move(message));
    co_await std::move(asked);
    co_return true;
  } catch (const actors::ask_error&) {
    co_return false;
  }
}

/// Returns the calendar as it is now; `stored` if it does not exist any more.
asio::awaitable<office_calendar> calendar_now(const office_services& services, request& req,
                                              office_calendar stored) {
  std::function<std::optional<office_calendar>(store::session&)> find = [scope = calendar_kind::scope_of(req),
                                                                         id = stored.id](store::session& db) {
    return store::find_calendar(db, scope, id);
  };
  auto read = actors::in_store(services.storage, "office_read", std::move(find));
  auto found = co_await std::move(read);
  if (found) co_return *std::move(found);
  co_return stored;
}

asio::awaitable<response> create_calendar(const office_services& services, request& req) {
  take_calendar_file(req);
  office_calendar requested;
  read_whole(req.body, imported_calendar_object, requested, services.configured);
  const auto scope = calendar_kind::scope_of(req);
  const auto upload = requested.upload;
  co_await check_upload(services, upload);
  const auto request_text = domain::to_string(*scope.unit_id) +
                            object_json(imported_calendar_object, requested) + upload.value_or("");
  auto writing = calendar_handlers::store_new(services, req, std::move(requested), request_text);
  auto done = co_await std::move(writing);
  if (done.result == store::office_result::not_found) throw no_unit_of_calendar();
  if (done.result == store::office_result::created && upload) {
    co_await read_now(services, req, done.resource.id, false);
    auto reading = calendar_now(services, req, done.resource);
    done.resource = co_await std::move(reading);
  }
  co_return calendar_handlers::created(services, req, std::move(done));
}

asio::awaitable<response> change_calendar(const office_services& services, request& req) {
  take_calendar_file(req);
  office_calendar changed;
  if (auto problems = read_some(req.body, imported_calendar_object, changed, services.configured);
      !problems.empty())
    throw bad_request(problems);
  co_await check_upload(services, changed.upload);
  auto changing = calendar_handlers::change(services, req);
  auto result = co_await std::move(changing);
  if (!changed.upload) co_return result;
  const auto id = calendar_handlers::id_of(req);
  co_await read_now(services, req, id, false);
  auto showing = calendar_handlers::show(services, req);
  co_return co_await std::move(showing);
}

struct fetch_body {
  bool accept_empty = false;
};
constexpr auto fetch_object =
    record<fetch_body>(field("acceptEmpty", kind::flag, &fetch_body::accept_empty,
                             "An empty calendar is right, although it had nights to come", optional));

asio::awaitable<response> fetch_calendar(const office_services& services, request& req) {
  fetch_body body;
  if (!req.body.empty()) read_whole(req.body, fetch_object, body, services.configured);
  auto finding = calendar_handlers::show(services, req);
  co_await std::move(finding); // refuses calendars of others
  const auto id = calendar_handlers::id_of(req);
  auto reading = read_now(services, req, id, body.accept_empty);
  if (const bool was_read = co_await std::move(reading); !was_read) throw busy();
  auto showing = calendar_handlers::show(services, req);
  co_return co_await std::move(showing);
}

const documented_resource documented_calendars{
    "ImportedCalendar", "calendar", "imported calendars of a unit", "channels.view", "channels.edit", {}};

} // namespace

std::vector<route> imported_calendar_routes(const office_services& services) {
  static const auto operations = [] {
    auto all = operations_of(documented_calendars);
    const documented_response no_unit{404, "There is no such unit", "Error", false,
                                      {},  "There is no such unit"};
    all.list.responses.push_back(no_unit);
    all.create.responses.push_back(no_unit);
    for (auto* each : {&all.create, &all.change}) {
      each->body_text = "text/calendar";
      each->responses.push_back({413, "The calendar has more than 4 MiB", "Error"});
      each->queries = {
          {"name", "With text/calendar: the calendar's name", "ListText"},
          {"host", "With text/calendar: the name of the short-term host that it comes from", "ListText"}};
    }
    all.create.queries.push_back({"id", "With text/calendar: the calendar's UUID", "ListId"});
    return all;
  }();
  static const operation fetch{
      .id = "fetchImportedCalendar",
      .summary = "Fetches the calendar now, and returns it once its events are in the unit's calendar",
      .body_schema = "CalendarFetch",
      .responses = {{200, "The calendar; `problem` says why it could not be read", "ImportedCalendar"},
                    {403, "The role lacks channels.edit", "Error"},
                    {404, "There is no such calendar", "Error", false, {}, "There is no such calendar"}}};
  constexpr auto all = "/api/units/{unitId}/calendars", one = "/api/units/{unitId}/calendars/{calendarId}";
  constexpr auto may_view = "channels.view", may_edit = "channels.edit";
  using enum body_policy;
  return routes_for(
      services, {{"GET", all, none, may_view, list_calendars, &operations.list},
                 {"POST", all, calendar, may_edit, create_calendar, &operations.create, max_calendar_body},
                 {"GET", one, none, may_view, calendar_handlers::show, &operations.show},
                 {"PATCH", one, calendar, may_edit, change_calendar, &operations.change, max_calendar_body},
                 {"DELETE", one, none, may_edit, calendar_handlers::erase, &operations.erase},
                 {"POST", "/api/units/{unitId}/calendars/{calendarId}/fetch", body_policy::json, may_edit,
                  fetch_calendar, &fetch}});
}

void add_imported_calendar_schemas(json::schemas& to) {
  add_resource_schemas(to, imported_calendar_object, "ImportedCalendar");
  to.add("CalendarFetch", json::schema_of(fetch_object));
}

} // namespace roost::http
