#include "simulation/story.hpp"

#include "domain/booking.hpp"
#include "domain/date.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/requests.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace roost::testing {

namespace {

constexpr std::size_t all_rows = 1'000'000;

std::string decision_of(const store::request_record& record) {
  const auto& request = record.request;
  auto text = request.platform + " " + request.reference.value_or("without a reference") + " for " +
              request.external_id + ", " + domain::to_string(request.check_in) + " to " +
              domain::to_string(request.check_out) + ": " + std::string(domain::to_string(record.state));
  if (record.reason) text += ", " + *record.reason;
  return text;
}

} // namespace

std::string story_line(std::int64_t microseconds, const std::string& text) {
  std::array<char, 32> time{};
  std::snprintf(time.data(), time.size(), "%10.6f s  ", static_cast<double>(microseconds) / 1e6);
  return time.data() + text + '\n';
}

std::string decisions_since(store::session& db, std::chrono::system_clock::time_point begin) {
  const auto since = [begin](const auto& time) {
    return std::chrono::duration_cast<std::chrono::microseconds>(time - begin).count();
  };
  auto requests = store::list_requests(db, {}, all_rows);
  std::ranges::stable_sort(requests, {}, &store::request_record::decided_at);
  std::string text = "The store's requests and when they were decided:\n";
  for (const auto& each : requests)
    text += story_line(each.decided_at ? since(*each.decided_at) : 0, decision_of(each));
  text += "The store's bookings and when they were made:\n";
  auto bookings = store::list_bookings(db, {}, all_rows);
  std::ranges::reverse(bookings);
  for (const auto& record : bookings) {
    const auto& booking = record.booking;
    text += story_line(
        since(booking.created_at),
        booking.platform.value_or("by hand") + " " + booking.reference.value_or("without a reference") +
            " in " + record.unit_name + ", " + domain::to_string(booking.check_in) + " to " +
            domain::to_string(booking.check_out) + ": " + std::string(domain::to_string(booking.status)));
  }
  return text;
}

} // namespace roost::testing
