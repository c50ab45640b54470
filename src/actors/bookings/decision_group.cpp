#include "actors/bookings/decision_group.hpp"

#include "log/log.hpp"
#include "store/database/change_stream.hpp"

namespace roost::actors {

namespace {

/// Returns the id of the notified account; empty if the unit's owner is unknown.
std::string notified_landlord(const domain::decision& decided) {
  if (decided.notifications.empty()) return {};
  return domain::to_string(decided.notifications.front().account_id);
}

/// Returns the names of the platforms whose requests this process may decide.
std::vector<std::string> decidable_platforms(const directory& in, const platform_list& platforms) {
  std::vector<std::string> names;
  for (const auto& platform : *platforms)
    if (is_decidable(in, platforms, platform.name)) names.push_back(platform.name);
  return names;
}

std::optional<store::pending_stay_change> first_change(store::session& db,
                                                       const std::vector<std::string>& platforms,
                                                       const postponed_changes& postponed) {
  return store::first_pending_change(
      db, platforms, [&](const auto& each) { return !postponed.include_booking_of(each); },
      [&](const auto& each) { return !postponed.include_account_of(each); });
}

/// Returns the oldest New requests, without those that the queue leaves out.
std::vector<store::pending_request>
not_left_out(store::session& db, const std::vector<std::string>& platforms, const group_limits& limits) {
  const auto enough = limits.left_out.size() + limits.max_requests;
  auto requests = store::pending_requests(db, 0, enough, platforms);
  std::erase_if(requests, [&](const auto& each) { return limits.left_out.contains(each.request.id); });
  if (requests.size() > limits.max_requests) requests.resize(limits.max_requests);
  return requests;
}

} // namespace

next_group load_group(store::session& db, const replication_position& followed,
                      const published<directory>& in, const platform_list& platforms,
                      const group_limits& limits) {
  const auto known = in.get();
  if (!known) return {};
  const auto decidable = decidable_platforms(*known, platforms);
  auto requests = store::pending_requests(db, limits.after_seq, limits.max_requests, decidable);
  // After reading the requests, so that no request is read without a change that arrived before it.
  auto change = first_change(db, decidable, limits.postponed);
  if (change) {
    const auto is_later = [&](const auto& each) { return each.seq > change->after_seq; };
    std::erase_if(requests, is_later);
    // Requests may have become visible since, and out of order.
    if (requests.empty()) requests = not_left_out(db, decidable, limits);
    std::erase_if(requests, is_later);
  }
  // After reading the requests, so that the directory has every unit that was visible before they arrived.
  auto group = decision_group::based_on_memory(followed, in);
  if (!group.based_on) return {};
  auto candidates = find_candidates(db, *group.based_on, platforms, std::move(requests));
  const bool has_unknown =
      std::ranges::any_of(candidates, [](const auto& each) { return each.units.empty(); });
  const auto position = has_unknown ? store::newest_portfolio_change(db) : 0;
  return {std::move(group), std::move(candidates), position, std::move(change)};
}

std::vector<request_pointer> requests_ahead_of_memory::remove_from(next_group& next) {
  std::vector<request_pointer> removed;
  if (next.portfolio_position == 0) return removed;
  if (std::exchange(memory_, next.group.memory) != next.group.memory) clear();
  std::erase_if(next.requests, [&](const request_candidates& request) {
    if (!request.units.empty()) return false;
    const auto first_read =
        positions_.try_emplace(request.pending->request.id, next.portfolio_position).first;
    const bool is_ahead = next.group.followed.position < first_read->second;
    if (is_ahead)
      removed.push_back(request.pending);
    else
      positions_.erase(first_read);
    return is_ahead;
  });
  return removed;
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
                                         {"reason", domain::to_string(*decided.reason)}});
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
