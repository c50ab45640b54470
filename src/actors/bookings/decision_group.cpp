#include "actors/bookings/decision_group.hpp"

#include "log/log.hpp"

namespace roost::actors {

namespace {

/// Empty: nobody knows whose unit was meant.
std::string landlord_told(const domain::decision& decided) {
  if (decided.notifications.empty()) return {};
  return domain::to_string(decided.notifications.front().account_id);
}

} // namespace

void log_decision(const domain::booking_request& request, const domain::decision& decided) {
  const auto id = domain::to_string(request.id);
  const auto reference = request.reference ? std::string_view(*request.reference) : std::string_view();
  switch (decided.state) {
  case domain::request_state::success:
    return log::info("booking_created", {{"request", id},
                                         {"platform", request.platform},
                                         {"external_id", request.external_id},
                                         {"reference", reference},
                                         {"booking", domain::to_string(decided.booking->id)},
                                         {"unit", domain::to_string(decided.booking->unit_id)}});
  case domain::request_state::failed:
    return log::info("booking_refused", {{"request", id},
                                         {"platform", request.platform},
                                         {"external_id", request.external_id},
                                         {"reference", reference},
                                         {"landlord", landlord_told(decided)},
                                         {"reason", domain::to_string(*decided.why)}});
  case domain::request_state::dropped:
    return log::info("booking_dropped", {{"request", id},
                                         {"platform", request.platform},
                                         {"external_id", request.external_id},
                                         {"reference", reference}});
  case domain::request_state::pending:
    return;
  }
}

} // namespace roost::actors
