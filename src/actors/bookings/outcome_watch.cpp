#include "actors/bookings/outcome_watch.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace roost::actors {

namespace {

/// Above this many changes, reading their references costs more than waking all waiting requests.
constexpr std::int64_t max_changes_read = 1'000;

/// The changes on a platform since the oldest position of its waiting requests.
struct platform_changes {
  std::int64_t position = 0;
  std::optional<std::set<std::string>> references; ///< whose outcomes have changed; nullopt: any
};
using changes_by_platform = std::map<std::string, platform_changes>;

/// `after`: the positions after which changes are needed, by platform.
changes_by_platform read_changes(store::session& db, const std::map<std::string, std::int64_t>& after) {
  changes_by_platform changes;
  for (const auto& [platform, position] : store::newest_outcomes(db)) {
    const auto known = after.find(platform);
    if (known == after.end() || position <= known->second) continue;
    auto& changed = changes[platform];
    changed.position = position;
    if (position - known->second <= max_changes_read)
      changed.references = store::references_changed(db, platform, known->second, position);
  }
  return changes;
}

class outcome_watch_state : public actor_state<outcome_watch> {
public:
  static constexpr const char* name = "outcome_watch";
  using actor_state::actor_state;

  behavior open(outcome_watch_setup setup) {
    setup_ = std::move(setup);
    return {[this](const read_outcome_positions&) {
              is_due_ = false;
              read();
            },
            [this](const end_outcome_waits&) {
              ended_ = true;
              fail_all();
            },
            [this](await_outcomes& request) { return wait(std::move(request)); }};
  }

private:
  using clock = std::chrono::steady_clock;

  struct waiting_request {
    await_outcomes request;
    caf::typed_response_promise<outcomes_reached> caller;
    clock::time_point until;
    bool is_read = false; ///< the running read covers the changes after its position
  };

  caf::result<outcomes_reached> wait(await_outcomes request) {
    if (ended_) return make_error(storage_error::unavailable);
    auto caller = self_->make_response_promise<outcomes_reached>();
    const auto until = clock::now() + std::min(request.max_wait, setup_.max_wait);
    waiting_.push_back({std::move(request), caller, until});
    read();
    return caller;
  }

  /// Runs one read at a time. A failed one is repeated, until the waits have timed out.
  void read() {
    if (is_reading_ || waiting_.empty()) return;
    if (!setup_.lease->holds()) return fail_all();
    is_reading_ = true;
    std::map<std::string, std::int64_t> after;
    for (auto& each : waiting_) {
      each.is_read = true;
      auto& from = after.emplace(each.request.platform, each.request.after).first->second;
      from = std::min(from, each.request.after);
    }
    in_storage(
        self_, setup_.storage, "newest_outcomes",
        [after = std::move(after)](store::session& db) { return read_changes(db, after); },
        [this](const changes_by_platform& changes) { respond(changes); },
        [this](storage_error) { respond({}); });
  }

  void respond(const changes_by_platform& changes) {
    is_reading_ = false;
    const auto now = clock::now();
    std::erase_if(waiting_, [&](waiting_request& each) {
      if (!has_changed(each, changes) && now < each.until) return false;
      each.caller.deliver(outcomes_reached{each.request.after});
      return true;
    });
    if (waiting_.empty() || std::exchange(is_due_, true)) return;
    self_->delayed_send(self_, setup_.interval, read_outcome_positions{});
  }

  /// Advances the request's position if the changes do not concern it.
  static bool has_changed(waiting_request& waiting, const changes_by_platform& changes) {
    if (!std::exchange(waiting.is_read, false)) return false;
    auto& request = waiting.request;
    const auto found = changes.find(request.platform);
    if (found == changes.end() || found->second.position <= request.after) return false;
    request.after = found->second.position;
    const auto& references = found->second.references;
    return request.reference.empty() || !references || references->contains(request.reference);
  }

  void fail_all() {
    for (auto& each : std::exchange(waiting_, {}))
      each.caller.deliver(make_error(storage_error::unavailable));
  }

  outcome_watch_setup setup_;
  std::vector<waiting_request> waiting_;
  bool is_reading_ = false;
  bool is_due_ = false; ///< a message will read again
  bool ended_ = false;
};

} // namespace

outcome_watch spawn_outcome_watch(runtime& rt, outcome_watch_setup setup) {
  return rt.spawn_at<outcome_watch_state>(0, std::move(setup));
}

asio::awaitable<positioned_outcome> find_outcome(storage_lane lane, const std::string& platform,
                                                 const std::string& reference) {
  auto work = [platform, reference](store::session& db) {
    const auto position = store::newest_outcome(db, platform); // first, so that no later change is missed
    return positioned_outcome{position, store::find_outcome(db, platform, reference)};
  };
  return in_store(std::move(lane), "find_outcome", std::move(work));
}

namespace {

std::optional<outcome_list> list_after(store::session& db, const std::string& platform,
                                       const std::optional<outcome_cursor>& after, std::size_t limit) {
  const auto mark_of = [&](std::int64_t position) {
    return position == 0 ? std::string() : store::mark_of_outcome(db, platform, position).value_or("");
  };
  if (after && mark_of(after->position) != after->mark) return std::nullopt;
  auto page = after ? store::outcomes_after(db, platform, after->position, limit)
                    : store::outcome_page{{}, store::newest_outcome(db, platform), false};
  return outcome_list{std::move(page.outcomes), {page.cursor, mark_of(page.cursor)}, page.more};
}

} // namespace

asio::awaitable<std::optional<outcome_list>> read_outcomes(storage_lane lane, const std::string& platform,
                                                           std::optional<outcome_cursor> after,
                                                           std::size_t limit) {
  auto work = [platform, after = std::move(after), limit](store::session& db) {
    return list_after(db, platform, after, limit);
  };
  return in_store(std::move(lane), "outcomes_after", std::move(work));
}

} // namespace roost::actors
