#include "store/database/connection.hpp"
#include "store/office/bookings.hpp"
#include "store/office/office_write.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace roost::store {

namespace {

const selection booking_to_cancel{"booking_to_cancel",
                                  "select {columns} from bookings where id = :id {for update}",
                                  named<domain::uuid>("id")};

std::string detail_of(const std::vector<domain::field_change>& changes, const std::string& reason) {
  return describe(changes) + (reason.empty() ? "" : "; reason: " + reason);
}

/// Cancellations that are not refused, with the bookings as they were before.
struct allowed_cancellation {
  std::size_t position = 0;
  const authored_cancellation* cancellation = nullptr;
  booking_record before;
};

authored_trace trace_of(const allowed_cancellation& allowed, const booking_record& after) {
  const auto& [request, author] = *allowed.cancellation;
  const auto& booking = after.booking;
  auto changes = request.describe(&allowed.before, after);
  authored_trace trace{booking.account_id, author, {change_kind::calendar, {booking.account_id}}, {}};
  trace.change.subjects = {booking.id};
  trace.author.audit.detail = detail_of(changes, request.reason);
  trace.entries.push_back({booking.unit_id, booking.id, std::move(changes)});
  return trace;
}

/// Sets the outcomes of those that are refused, and returns the others.
std::vector<allowed_cancellation> sort_out(session& db, std::span<const authored_cancellation> cancellations,
                                           std::span<booking_outcome> outcomes) {
  std::vector<allowed_cancellation> allowed;
  for (std::size_t i = 0; i < cancellations.size(); ++i) {
    const auto& [request, author] = cancellations[i];
    auto before = find_booking(db, request.id);
    if (!before) continue;
    outcomes[i].problem = obstacle_of(*before, domain::day_of(author.now));
    if (outcomes[i].problem.empty()) {
      allowed.push_back({i, &cancellations[i], *std::move(before)});
      continue;
    }
    outcomes[i].result = office_result::conflicting;
    outcomes[i].booking = *std::move(before);
  }
  return allowed;
}

} // namespace

std::string obstacle_of(const booking_record& booking, domain::date today) {
  if (booking.cancelled_by) return "The booking is already cancelled";
  const bool is_over = booking.booking.status == domain::booking_status::checked_out;
  return is_over || booking.booking.check_out <= today ? "The stay is over" : std::string{};
}

std::vector<booking_outcome> cancel_locked(session& db,
                                           std::span<const authored_cancellation> cancellations) {
  std::vector<booking_outcome> outcomes(cancellations.size());
  const auto allowed = sort_out(db, cancellations, outcomes);
  if (allowed.empty()) return outcomes;
  std::vector<domain::uuid> bookings;
  std::unordered_map<domain::uuid, const allowed_cancellation*, domain::uuid_hash> by_booking;
  for (const auto& each : allowed) {
    bookings.push_back(each.before.booking.id);
    by_booking.emplace(bookings.back(), &each);
  }
  auto cancelled =
      cancel_active(db, bookings, domain::cancelled_by::landlord,
                    [&](const booking_record& after) -> std::optional<domain::notification> {
                      const auto& each = *by_booking.at(after.booking.id);
                      const auto& notice = each.cancellation->request.notice;
                      return notice ? std::optional(notice(&each.before, after, {})) : std::nullopt;
                    });
  std::vector<authored_trace> traces;
  for (const auto& each : allowed) {
    auto& outcome = outcomes[each.position];
    outcome.result = office_result::changed;
    outcome.booking = find_booking(db, each.before.booking.id).value();
    traces.push_back(trace_of(each, outcome.booking));
  }
  cancelled.changes.pop_back(); // the cancellations, which have a position each
  const auto points = record_all(db, cancelled.changes, std::move(traces));
  for (std::size_t i = 0; i < points.size(); ++i) outcomes[allowed[i].position].point = points[i];
  return outcomes;
}

std::vector<booking_outcome> cancel_for_landlords(session& db,
                                                  std::span<const authored_cancellation> cancellations) {
  transaction txn(db, transaction::purpose::write);
  refuse_while_copied(db);
  // In the order of all transactions that cancel several bookings, so that two of them never deadlock.
  std::vector<domain::uuid> ids;
  ids.reserve(cancellations.size());
  for (const auto& each : cancellations) ids.push_back(each.request.id);
  std::ranges::sort(ids);
  for (const auto& id : ids) db.internals().read_one(booking_to_cancel, {{"id", id}});
  auto outcomes = cancel_locked(db, cancellations);
  const auto is_done = [](const booking_outcome& each) { return each.result == office_result::changed; };
  if (std::ranges::any_of(outcomes, is_done)) txn.commit();
  return outcomes;
}

} // namespace roost::store
