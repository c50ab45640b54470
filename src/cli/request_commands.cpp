#include "cli/commands.hpp"
#include "cli/facts.hpp"
#include "cli/usage_error.hpp"
#include "config/duration.hpp"
#include "domain/date.hpp"
#include "domain/text.hpp"
#include "store/bookings/request_records.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace roost::cli {

namespace {

using domain::one_line; // others wrote IDs and references

domain::timestamp moment_of_call() {
  return std::chrono::floor<domain::timestamp::duration>(std::chrono::system_clock::now());
}

std::optional<domain::request_state> state_if_given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  using enum domain::request_state;
  for (const auto state : {pending, success, failed, dropped})
    if (domain::lower_case(text) == domain::lower_case(to_string(state))) return state;
  throw usage_error("--status: '" + text + "' is none of new, success, failed, dropped");
}

/// A moment, or how long ago it was.
std::optional<domain::timestamp> moment_if_given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (const auto ago = config::parse_duration(text))
    return moment_of_call() - std::chrono::floor<domain::timestamp::duration>(*ago);
  if (const auto moment = domain::parse_iso_moment(text)) return moment;
  throw usage_error("--since: '" + text +
                    "' is neither a duration (24h, 7d) nor a date or time (2026-11-20)");
}

/// In its two largest units: `3d 4h`, `12m 5s`.
std::string age_of(const domain::booking_request& request) {
  auto left = std::max<std::int64_t>(
      std::chrono::floor<std::chrono::seconds>(moment_of_call() - request.received_at).count(), 0);
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

std::string words_for(const std::string& reason) {
  if (reason == "unit_not_linked") return "no unit is linked under this ID, or it is excluded or archived";
  if (reason == "overlapping_nights") return "at least one of the nights is taken";
  if (reason == "provider_payment_missing") return "no payment above 0";
  if (reason == "check_out_not_after_check_in") return "check-out is not after check-in";
  return reason;
}

std::vector<list_cell> line_of_request(const store::request_record& record) {
  const auto& request = record.request;
  auto state = std::string(to_string(record.state)), age = age_of(request);
  return {
      shown(request.id),
      shown_as(domain::lower_case(state), (state + "   ").substr(0, std::max(state.size(), std::size_t{7}))),
      shown_as(request.received_at, std::string(7 - std::min(age.size(), std::size_t{7}), ' ') + age),
      shown(request.platform),
      shown(request.external_id),
      shown_as(request.check_in,
               domain::to_string(request.check_in) + " to " + domain::to_string(request.check_out)),
      unshown(request.check_out),
      shown_as(request.reference, request.reference ? one_line(*request.reference) : "-"),
      shown(record.reason)};
}

} // namespace

int list_requests(const common_options& common, const request_list_options& options) {
  const store::request_filter wanted{.state = state_if_given(options.status),
                                     .platform = options.platform.empty() ? std::nullopt
                                                                          : std::optional{options.platform},
                                     .since = moment_if_given(options.since)};
  const auto settings = load_configuration(common).values;
  auto session = open_store(settings);
  if (wanted.platform && store::list_requests(session, {.platform = wanted.platform}, 1).empty())
    require_platform(settings,
                     *wanted.platform); // those of one that is not configured any more are still listed
  const auto read = [&](std::size_t most) { return store::list_requests(session, wanted, most); };
  printed_list list(common.format, {"id", "status", "received_at", "platform", "external_id", "check_in",
                                    "check_out", "reference", "reason"});
  for (const auto& record : list.first_of(options.limit, read)) list.add(line_of_request(record));
  return 0;
}

int show_request(const common_options& common, const std::string& id) {
  const auto wanted = id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto record = store::find_request(session, wanted);
  if (!record) throw std::runtime_error("there is no booking request with the id " + id);
  const auto& request = record->request;
  print_fact("Request", domain::to_string(request.id));
  print_fact("Status", std::string{to_string(record->state)});
  if (record->reason) print_fact("Reason", *record->reason + ": " + words_for(*record->reason));
  print_fact("Platform", request.platform);
  print_fact("External ID", one_line(request.external_id));
  print_fact("Reference", one_line(request.reference.value_or("")));
  print_fact("Check-in", domain::to_string(request.check_in));
  print_fact("Check-out", domain::to_string(request.check_out));
  print_fact("Occupants", std::to_string(request.occupants));
  print_fact("Received", domain::to_string(request.received_at) + ", " + age_of(request) + " ago");
  if (record->decided_at) print_fact("Decided", domain::to_string(*record->decided_at));
  if (record->booking_id) print_fact("Booking", domain::to_string(*record->booking_id));
  if (record->decided_at)
    print_fact("Landlord told", record->company_name ? one_line(*record->company_name) : "nobody");
  return 0;
}

} // namespace roost::cli
