#include "domain/calendar.hpp"
#include "http/access/access.hpp"
#include "http/office/block_object.hpp"
#include "http/office/lists.hpp"
#include "http/office/office_api.hpp"
#include "portfolio/record_around.hpp"

namespace roost::http {

namespace {

using domain::night_conflict;
using portfolio::field, portfolio::record, portfolio::via;
using store::calendar_booking, store::calendar_unit;
namespace kind = portfolio::kind;

/// Two years and a few weeks: what the timeline of a console shows.
constexpr domain::days longest_window{800};

struct shown_booking : calendar_booking {
  std::optional<domain::nights> preparation;
  std::optional<std::string> tenant_name; ///< nullopt: the caller may not see tenants
};

/// A unit as the caller may see it.
struct shown_unit {
  calendar_unit unit;
  std::vector<shown_booking> bookings;
  std::vector<night_conflict> conflicts;
};

constexpr auto nights_object =
    record<domain::nights>(field("from", kind::day, &domain::nights::first, "The first night"),
                           field("to", kind::day, &domain::nights::last, "The last one"));

constexpr auto booking_object = record<shown_booking>(
    field("id", kind::id, &calendar_booking::id, "The booking's UUID"),
    field("platform", kind::name, &calendar_booking::platform,
          "Which platform booked; null: made by hand, without a platform"),
    field("status", kind::choice{domain::booking_status_names}, &calendar_booking::status, ""),
    field("checkInDate", kind::day, &calendar_booking::check_in, ""),
    field("checkOutDate", kind::day, &calendar_booking::check_out, ""),
    field("occupants", kind::whole{1, domain::max_capacity}, &calendar_booking::occupants, ""),
    field("tenantName", kind::name, &shown_booking::tenant_name,
          "The lead tenant's; null: the role lacks tenants.view"),
    field("preparation", kind::object{nights_object}, &shown_booking::preparation,
          "Blocked nights after the stay; null: none"));

struct tag_text {
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
};
std::string tag_of_block(const store::office_block& block) { return tag_of(block_object, block); }

constexpr auto calendar_block_object = portfolio::record_around<block_object>(
    portfolio::hooks<store::office_block>{}, domain::pack_of(),
    domain::pack_of(field("etag", tag_text{}, tag_of_block, "For If-Match")));

constexpr auto event_object = record<store::imported_event>(
    field("calendarId", kind::id, &store::imported_event::calendar_id, "The imported calendar's UUID"),
    field("calendarName", kind::name, &store::imported_event::calendar_name, ""),
    field("host", portfolio::objects::none_is_null{kind::name, std::string_view{}},
          &store::imported_event::host, "The short-term host that the calendar comes from; or null"),
    field("from", kind::day, via(&store::imported_event::nights, &domain::nights::first), "The first night"),
    field("to", kind::day, via(&store::imported_event::nights, &domain::nights::last), "The last one"));

constexpr auto hold_object = record<store::held_nights>(
    field("platform", kind::name, &store::held_nights::platform, "Which platform holds the nights"),
    field("checkInDate", kind::day, &store::held_nights::check_in, ""),
    field("checkOutDate", kind::day, &store::held_nights::check_out, ""),
    field("lastNight", kind::day, &store::held_nights::last_night,
          "The last night that is taken: the unit is prepared after the stay"),
    field("expiresAt", kind::moment, &store::held_nights::expires_at,
          "When it ends by itself; null: a booking request has taken it over, whose decision ends it"));

constexpr auto conflict_object = record<night_conflict>(
    field("from", kind::day, via(&night_conflict::nights, &domain::nights::first), "The first night"),
    field("to", kind::day, via(&night_conflict::nights, &domain::nights::last), "The last one"),
    field("firstId", kind::id, &night_conflict::first,
          "A booking or a block of the unit, or an imported calendar that has an event"),
    field("secondId", kind::id, &night_conflict::second, "Another one that claims the same nights"));

template <auto Member>
constexpr auto of_unit = via(&shown_unit::unit, Member);

constexpr auto calendar_object = record<shown_unit>(
    field("id", kind::id, of_unit<&calendar_unit::id>, "The unit's UUID"),
    field("internalName", kind::name, of_unit<&calendar_unit::name>, ""),
    field("propertyId", kind::id, of_unit<&calendar_unit::property_id>, ""),
    field("propertyName", kind::name, of_unit<&calendar_unit::property_name>, ""),
    field("archived", kind::flag, of_unit<&calendar_unit::archived>, "It or its property is"),
    field("bookings", kind::list{booking_object}, &shown_unit::bookings,
          "Those that are not cancelled, by check-in"),
    field("blocks", kind::list{calendar_block_object}, of_unit<&calendar_unit::blocks>,
          "As `/api/units/{unitId}/blocks` returns them"),
    field("events", kind::list{event_object}, of_unit<&calendar_unit::events>,
          "Of imported calendars, also on nights that bookings have, by first night"),
    field("holds", kind::list{hold_object}, of_unit<&calendar_unit::holds>,
          "Nights that platforms hold for guests who are about to book, by first night"),
    field("conflicts", kind::list{conflict_object}, &shown_unit::conflicts,
          "Nights of a stay that a block or an event covers, or that different hosts have sold"));

std::vector<night_conflict> conflicts_in(const calendar_unit& unit) {
  std::vector<domain::claimed_nights> claims;
  for (const auto& each : unit.bookings)
    claims.push_back({each.id, domain::stay_nights(each.check_in, each.check_out), std::nullopt, {}});
  for (const auto& each : unit.blocks)
    if (!each.calendar_id)
      claims.push_back({each.block.id, each.block.nights, each.block.source, each.block.host.view()});
  std::vector<std::string> hosts; // calendars without one come from different places
  for (const auto& each : unit.events)
    hosts.push_back(each.host.empty() ? domain::to_string(each.calendar_id) : each.host);
  for (std::size_t i = 0; i < hosts.size(); ++i)
    claims.push_back(
        {unit.events[i].calendar_id, unit.events[i].nights, domain::block_source::channel, hosts[i]});
  return domain::conflicts_among(std::move(claims));
}

shown_unit shown(calendar_unit unit, bool shows_tenants) {
  shown_unit result{std::move(unit), {}, {}};
  for (auto& booking : result.unit.bookings) {
    shown_booking each{std::move(booking), {}, {}};
    if (each.last_night >= each.check_out) each.preparation = {each.check_out, each.last_night};
    if (shows_tenants)
      each.tenant_name = each.first_name + (each.last_name ? " " + *each.last_name : std::string{});
    result.bookings.push_back(std::move(each));
  }
  result.conflicts = conflicts_in(result.unit);
  return result;
}

std::string cursor_after(const shown_unit& last) {
  const auto place = place_of(last.unit);
  return cursor_of({place.name, domain::to_string(place.id)});
}

std::optional<domain::uuid> parse_id(std::string_view text) { return domain::parse_uuid(text); }

/// Throws bad_request.
store::calendar_filter read_filter(query_reader& query) {
  constexpr std::string_view rule = " must be a real date written YYYY-MM-DD";
  const auto from = query.required_value("from", domain::parse_date, rule),
             to = query.required_value("to", domain::parse_date, rule);
  store::calendar_filter filter;
  filter.property_id = query.value("property", parse_id, " must be a UUID");
  filter.text = query.text("q").value_or("");
  if (from && to) filter.window = {*from, *to};
  if (filter.window.last < filter.window.first) query.refuse("to must not be before from");
  if (filter.window.last - filter.window.first >= longest_window)
    query.refuse("to must be less than " + std::to_string(longest_window.count()) + " days after from");
  query.throw_if_refused();
  return filter;
}

asio::awaitable<response> show_calendar(const office_services& services, request& req) {
  query_reader query(req.query, {"from", "to", "property", "q", "limit", "after"});
  const auto page = read_list_parameters(query);
  const auto filter = read_filter(query);
  const bool shows_tenants =
      has_permission(services.management->roles, caller_of(req).user->role, "tenants.view");
  const auto read = [lane = services.storage, scope = scope_of(req),
                     filter](const std::optional<store::name_place>& after, std::size_t limit) {
    return optional_page<calendar_unit>(
        lane, [=](store::session& db) { return store::list_calendar(db, scope, filter, after, limit); });
  };
  if (!wants_csv(req)) {
    auto stored = co_await read(page.after, page.limit);
    store::office_page<shown_unit> units{{}, stored->has_more, stored->total};
    for (auto& each : stored->items) units.items.push_back(shown(std::move(each), shows_tenants));
    co_return json(200, page_json(calendar_object, units, cursor_after));
  }
  page_reader<calendar_unit> next_page = [&read](const calendar_unit* last) {
    std::optional<store::name_place> after;
    if (last != nullptr) after = place_of(*last);
    return read(after, max_list_limit);
  };
  row_writer<calendar_unit> add =
      [shows_tenants, rows = rows_of(calendar_object)](csv_table& table, const calendar_unit* unit) {
        if (unit == nullptr) return rows(table, nullptr);
        const auto whole = shown(*unit, shows_tenants);
        rows(table, &whole);
      };
  auto table = co_await read_table(std::move(next_page), std::move(add));
  co_return std::move(*table).to_response("calendar");
}

const operation calendar_operation{
    .id = "getCalendar",
    .summary = "Returns units by name, each with what takes its nights in a range of dates",
    .responses = {{200, "A page of units, or all units as CSV", "CalendarUnitPage"},
                  {403, "The role lacks bookings.view", "Error"}},
    .queries = {{"from", "The first night", "ListDay"},
                {"to", "The last night, less than 800 days later", "ListDay"},
                {"property", "Only units of this property", "ListId"},
                {"q", "Only units whose name, or whose property's name, contains this", "ListText"},
                limit_query,
                after_query}};

} // namespace

std::vector<route> calendar_window_routes(const office_services& services) {
  return routes_for(services, {{"GET", "/api/calendar", body_policy::none, "bookings.view", show_calendar,
                                &calendar_operation}});
}

void add_calendar_window_schemas(json::schemas& to) {
  add_list_schemas(to, json::schema_of(calendar_object), "CalendarUnit");
}

} // namespace roost::http
