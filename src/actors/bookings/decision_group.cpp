#include "actors/bookings/decision_group.hpp"

#include "log/log.hpp"

namespace roost::actors {

namespace {

/// Returns the id of the notified account; empty if the unit's owner is unknown.
std::string notified_landlord(const domain::decision& decided) {
  if (decided.notifications.empty()) return {};
  return domain::to_string(decided.notifications.front().account_id);
}

} // namespace

next_group load_group(store::session& db, const replication_position& followed,
                      const published<directory>& in, const platform_list& platforms, std::int64_t after_seq,
                      std::size_t limit) {
  auto requests = store::pending_requests(db, after_seq, limit);
  // After reading the requests, so that the directory has every unit that was visible before they arrived.
  auto group = decision_group::based_on_memory(followed, in);
  if (!group.based_on) return {};
  auto candidates = find_candidates(db, *group.based_on, platforms, std::move(requests));
  return {std::move(group), std::move(candidates)};
}

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
                                         {"landlord", notified_landlord(decided)},
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
