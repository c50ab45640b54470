#include "actors/bookings/decision_log.hpp"

#include "log/log.hpp"

namespace roost::actors {

void log_decision(const domain::decision& decided) {
  const auto request = domain::to_string(decided.request_id);
  switch (decided.state) {
  case domain::request_state::success:
    return log::info("booking_created", {{"request", request},
                                         {"booking", domain::to_string(decided.booking->id)},
                                         {"unit", domain::to_string(decided.booking->unit_id)}});
  case domain::request_state::failed:
    return log::info("booking_refused", {{"request", request}, {"reason", domain::to_string(*decided.why)}});
  case domain::request_state::dropped:
    return log::info("booking_dropped", {{"request", request}});
  case domain::request_state::pending:
    return;
  }
}

} // namespace roost::actors
