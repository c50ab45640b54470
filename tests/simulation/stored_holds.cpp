#include "simulation/stored_holds.hpp"

#include "service/support/mixed_requests.hpp"
#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::testing {

std::vector<std::string> contradicting_holds(store::session& db) {
  static const store::selection booked{
      "test_booked_holds",
      "select {columns} from holds h join bookings b on b.unit_id = h.unit_id"
      " where h.ended_at is null and b.status <> 'cancelled'"
      " and b.check_in < h.check_out and b.check_out > h.check_in",
      store::named<std::string>("'the hold ' || h.id || ' has nights of the booking ' || b.id")};
  static const store::selection overlapping{
      "test_overlapping_holds",
      "select {columns} from holds h join holds o on o.unit_id = h.unit_id and o.block_id > h.block_id"
      " where h.ended_at is null and o.ended_at is null and o.check_in < h.check_out"
      " and o.check_out > h.check_in",
      store::named<std::string>("'the hold ' || h.id || ' has nights of the hold ' || o.id")};
  static const store::selection decided{
      "test_decided_holds",
      "select {columns} from holds h join booking_requests r on r.id = h.request_id"
      " where h.ended_at is null and r.state <> 'New'",
      store::named<std::string>(
          "'the hold ' || h.id || ' has not ended, but its booking request is decided'")};
  static const store::selection expired{
      "test_expired_claims",
      "select {columns} from holds h join booking_requests r on r.id = h.request_id"
      " where h.ended_at is not null and (r.state = 'New' or h.ended_at < r.decided_at)",
      store::named<std::string>(
          "'the hold ' || h.id || ' ended before the decision of the request that has claimed it'")};
  std::vector<std::string> found;
  for (const auto* each : {&booked, &overlapping, &decided, &expired})
    for (auto& text : db.internals().read_all(*each)) found.push_back(std::move(text));
  return found;
}

std::vector<std::string> refusals_without_reason(store::session& db) {
  static const store::selection held{
      "test_held_requests",
      "select distinct {columns} from booking_requests r join holds h on h.external_id = r.external_id"
      " where r.state = 'Failed' and h.check_in < r.check_out and h.check_out > r.check_in",
      store::named<std::string>("r.id")};
  auto unfounded = unfounded_refusals(db);
  if (unfounded.empty()) return unfounded;
  for (const auto& id : db.internals().read_all(held))
    std::erase_if(unfounded, [&](const auto& each) { return each.starts_with("request " + id + ' '); });
  return unfounded;
}

} // namespace roost::testing
