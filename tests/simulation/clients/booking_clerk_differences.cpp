#include "service/support/mixed_requests.hpp"
#include "service/support/portfolio.hpp"
#include "simulation/clients/booking_clerk.hpp"
#include "simulation/clients/tenant_keeper.hpp"

#include <algorithm>
#include <chrono>

/// Compares what a booking clerk knows with the store, at the end of a history.
namespace roost::testing {

using namespace std::chrono_literals;

std::vector<std::string> booking_clerk::differences(store::session& db) const {
  const auto stored = read_bookings(db);
  std::vector<std::string> errors;
  for (const auto& [id, record] : stored)
    if (record.cancelled_by == domain::cancelled_by::landlord && !cancellations_sent_.contains(id) &&
        !tenant_keeper::owns(id))
      errors.push_back(name() + ": the booking " + id + " was cancelled without a request");
  for (const auto& each : bookings_)
    if (const auto difference = difference_of(*each, stored)) errors.push_back(name() + ": " + *difference);
  compare_refusals(db, errors);
  compare_quotes(db, stored, errors);
  return errors;
}

/// A booking, which may have been moved or cancelled since, or a block, which may have been deleted since,
/// must have been the reason of each refusal.
void booking_clerk::compare_refusals(store::session& db, std::vector<std::string>& errors) const {
  const auto ever_taken = ever_taken_nights(db);
  for (const auto& each : refusals_) {
    const auto taken = ever_taken.find(unit_id(each.place.unit));
    const auto is_reason = [&](const taken_range& range) {
      return domain::to_string(range.id) != each.moved && overlap(range.nights, each.place.nights());
    };
    if (taken == ever_taken.end() || std::ranges::none_of(taken->second, is_reason))
      errors.push_back(name() + ": " + to_string(each.place) +
                       " was refused, but no booking or block ever had its nights");
  }
}

/// At the end nothing is cancelled any more, so a booking must still have the nights that a quote reports as
/// taken, apart from cancellations that were sent before; or a block, which may just have been deleted.
void booking_clerk::compare_quotes(store::session& db, const booking_records& stored,
                                   std::vector<std::string>& errors) const {
  constexpr auto tolerance = 2s;
  const auto ever_taken = ever_taken_nights(db);
  for (const auto& quote : final_quotes_) {
    const auto unit = unit_id(quote.place.unit);
    const auto is_reason = [&](const auto& entry) {
      const auto& record = entry.second;
      return domain::to_string(record.booking.unit_id) == unit &&
             overlap(domain::stay_nights(record.booking.check_in, record.booking.check_out),
                     quote.place.nights()) &&
             (!record.cancelled_at || *record.cancelled_at > quote.at - tolerance);
    };
    const auto ranges = ever_taken.find(unit);
    const auto is_block = [&](const taken_range& range) {
      return overlap(range.nights, quote.place.nights()) && !stored.contains(domain::to_string(range.id));
    };
    if (std::ranges::none_of(stored, is_reason) &&
        (ranges == ever_taken.end() || std::ranges::none_of(ranges->second, is_block)))
      errors.push_back(name() + ": a quote of " + to_string(quote.place) +
                       " says that free nights are taken");
  }
}

} // namespace roost::testing
