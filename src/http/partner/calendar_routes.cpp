#include "actors/runtime/ask.hpp"
#include "http/partner/partner_api.hpp"
#include "http/protocol/entity_tags.hpp"

namespace roost::http {

namespace {

constexpr const char* calendar_prefix = "ical-integration";
constexpr const char* not_a_unit_id = "Validation failed (uuid is expected)";

error calendar_not_found(std::string_view id) {
  return not_found("Listing not found for ical-integration with listingId " + std::string{id});
}

std::string reader_of(const partner_services& services, const request& req) {
  return std::string{domain::recognized_host(
      services.short_term_hosts,
      {.origin = req.only("origin"), .referer = req.only("referer"), .user_agent = req.only("user-agent")})};
}

/// Allows private caches to keep the calendar, and requires revalidation before each use.
response calendar_response(const request& req, std::string text) {
  auto tag = entity_tag_of(text);
  const bool known = not_modified(req, tag);
  response result = empty(known ? 304 : 200);
  result.fields = {{"ETag", std::move(tag)},
                   {"Vary", "Origin, Referer, User-Agent"},
                   {"Cache-Control", "private, no-cache"}};
  if (known) return result;
  result.content_type = "text/calendar; charset=utf-8";
  result.fields.emplace_back("Content-Disposition", "attachment; filename=calendar.ics");
  result.body = std::move(text);
  return result;
}

asio::awaitable<response> calendar_of(const partner_services& services, request& req) {
  const auto& id = req.parameters.front();
  const auto address = domain::parse_uuid(id);
  if (!address) throw bad_request(not_a_unit_id);
  const auto directory = require_directory(services);
  const auto* unit = directory->find_exported(*address);
  if (!unit) throw calendar_not_found(id);
  actors::read_ical message{reader_of(services, req)};
  actors::ical_response calendar;
  try {
    calendar = co_await actors::ask(unit->calendar, std::move(message));
  } catch (const actors::ask_error& failed) {
    if (failed.kind() == actors::ask_failure::receiver_down)
      throw calendar_not_found(id); // the unit was just removed
    throw;
  }
  if (!calendar.text) throw calendar_not_found(id);
  co_return calendar_response(req, std::move(*calendar.text));
}

operation calendar_operation(std::string_view id, std::string_view summary) {
  return {
      .id = id,
      .summary = summary,
      .responses = {
          {.description = "The nights that are taken (RFC 5545)", .text_type = "text/calendar"},
          unchanged,
          refusal(400, "The listingId is not a UUID", not_a_unit_id),
          refusal(
              404, "There is no such unit, or it is archived",
              "Listing not found for ical-integration with listingId 11111111-1111-4111-8111-111111111111")}};
}

const operation read_operation = calendar_operation("readCalendar", "A unit's calendar, live");
const operation file_operation =
    calendar_operation("readCalendarFile", "The same calendar under a path with the file extension .ics");

} // namespace

std::vector<route> calendar_routes(const partner_services& services) {
  const handler read = [&services](request& req) { return calendar_of(services, req); };
  const check serves = [&services](request&) { require_directory(services); };
  return {
      {"GET", "/listings/{listingId}/iCal", body_policy::none, {serves}, read, &read_operation},
      {"GET", "/listings/{listingId}/iCal.ics", body_policy::none, {serves}, read, &file_operation},
  };
}

std::string calendar_url(const std::string& base_url, const domain::uuid& address) {
  return base_url + '/' + calendar_prefix + "/listings/" + domain::to_string(address) + "/iCal.ics";
}

documented_api calendar_api(const std::string& base_url) {
  const std::string prefix = calendar_prefix;
  return {.prefix = prefix,
          .title = "Roost's calendar export",
          .description = "A unit's calendar; the URL is the only credential. The listingId is the unit's "
                         "UUID, or the one that the landlord replaced it with. Keep the URL secret: anyone "
                         "who has it can read the calendar.",
          .wants_token = false,
          .server_url = base_url,
          .examples = demo_examples(prefix),
          .parameters = {{"listingId", "The unit's UUID or its renewed address, not its ID on a platform"}}};
}

} // namespace roost::http
