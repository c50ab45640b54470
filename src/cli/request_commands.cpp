#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "config/text.hpp"
#include "domain/date.hpp"
#include "domain/text.hpp"
#include "store/bookings/requests.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace roost::cli {

namespace {

using domain::one_line; // IDs and references are untrusted

/// Parses a time, or an age.
std::optional<domain::timestamp> time_if_given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (const auto age = config::parse_duration(text))
    return current_time() - std::chrono::floor<domain::timestamp::duration>(*age);
  if (const auto time = domain::parse_iso_moment(text)) return time;
  throw usage_error("--since: '" + text +
                    "' is neither a duration (24h, 7d) nor a date or time (2026-11-20)");
}

/// Returns the age in its two largest units: `3d 4h`, `12m 5s`.
std::string age_of(const domain::booking_request& request) {
  auto left = std::max<std::int64_t>(
      std::chrono::floor<std::chrono::seconds>(current_time() - request.received_at).count(), 0);
  struct unit {
    char name;
    std::int64_t seconds;
  };
  std::string text;
  int parts = 0;
  for (const auto& [name, seconds] : {unit{'d', 86'400}, unit{'h', 3'600}, unit{'m', 60}, unit{'s', 1}}) {
    if (text.empty() && left < seconds && seconds > 1) continue;
    if (++parts > 2) break;
    text += (text.empty() ? "" : " ") + std::to_string(left / seconds) + name;
    left %= seconds;
  }
  return text;
}

std::string explanation_of(const std::string& reason) {
  if (reason == "unit_not_linked") return "no unit is linked to this ID, or it is excluded or archived";
  if (reason == "overlapping_nights") return "at least one of the nights is taken";
  if (reason == "provider_payment_missing") return "no payment above 0";
  if (reason == "check_out_not_after_check_in") return "check-out is not after check-in";
  return reason;
}

std::vector<list_cell> request_row(const store::request_record& record) {
  const auto& request = record.request;
  auto state = std::string(to_string(record.state)), age = age_of(request);
  return {
      cell(request.id),
      cell_as(domain::lower_case(state), (state + "   ").substr(0, std::max(state.size(), std::size_t{7}))),
      cell_as(request.received_at, std::string(7 - std::min(age.size(), std::size_t{7}), ' ') + age),
      cell(request.platform),
      cell(request.external_id),
      cell_as(request.check_in,
              domain::to_string(request.check_in) + " to " + domain::to_string(request.check_out)),
      data_cell(request.check_out),
      cell_as(request.reference, request.reference ? one_line(*request.reference) : "-"),
      cell(record.reason)};
}

} // namespace

int list_requests(const arguments& args) {
  using enum domain::request_state;
  const store::request_filter filter{
      .state = value_if_given("--status", args.status, {pending, success, failed, dropped}),
      .platform = text_if_given(args.platform),
      .since = time_if_given(args.since)};
  const auto settings = load_configuration(args).values;
  auto session = open_store(settings);
  if (filter.platform && store::list_requests(session, {.platform = filter.platform}, 1).empty())
    require_platform(settings, *filter.platform); // those of a removed platform are still listed
  list_printer list(args.format, {"id", "status", "received_at", "platform", "external_id", "check_in",
                                  "check_out", "reference", "reason"});
  for (const auto& record : list.limited(store::list_requests(session, filter, args.limit + 1), args.limit))
    list.add(request_row(record));
  return 0;
}

int show_request(const arguments& args) {
  const auto request_id = parse_id(args.id);
  auto session = open_store(args);
  const auto record = store::find_request(session, request_id);
  if (!record) throw std::runtime_error("there is no booking request with the id " + args.id);
  const auto& request = record->request;
  print_field("Request", domain::to_string(request.id));
  print_field("Status", std::string{to_string(record->state)});
  if (record->reason) print_field("Reason", *record->reason + ": " + explanation_of(*record->reason));
  print_field("Platform", request.platform);
  print_field("External ID", one_line(request.external_id));
  print_field("Reference", one_line(request.reference.value_or("")));
  print_field("Check-in", domain::to_string(request.check_in));
  print_field("Check-out", domain::to_string(request.check_out));
  print_field("Occupants", std::to_string(request.occupants));
  print_field("Received", domain::to_string(request.received_at) + ", " + age_of(request) + " ago");
  if (record->decided_at) print_field("Decided", domain::to_string(*record->decided_at));
  if (record->booking_id) print_field("Booking", domain::to_string(*record->booking_id));
  if (record->decided_at)
    print_field("Notified", record->company_name ? one_line(*record->company_name) : "no landlord");
  return 0;
}

} // namespace roost::cli
