#include "actors/bookings/queue_watch.hpp"

#include "actors/bookings/booking_decider.hpp"
#include "domain/date.hpp"
#include "log/log.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace roost::actors {

namespace {

constexpr std::chrono::seconds count_interval{2};

class watch_state : public actor_state<queue_watch> {
public:
  static constexpr const char* name = "queue_watch";
  using actor_state::actor_state;

  behavior open(queue_watch_setup setup) {
    setup_ = std::move(setup);
    const auto gauge = [&](domain::request_state state) {
      return setup_.registry->gauge("roost_queue_requests", "Booking requests by state",
                                    {{"state", std::string{to_string(state)}}});
    };
    pending_ = gauge(domain::request_state::pending);
    success_ = gauge(domain::request_state::success);
    failed_ = gauge(domain::request_state::failed);
    dropped_ = gauge(domain::request_state::dropped);
    changes_ = setup_.registry->gauge("roost_queue_oldest_stay_change_seconds",
                                      "Age of the oldest change of a stay that is not decided");
    undecidable_ =
        setup_.registry->gauge("roost_queue_unconfigured_requests",
                               "New booking requests of platforms that this server's configuration lacks");
    for (const auto& platform : *setup_.platforms) age_of(platform.name).set(0);
    self_->send(self_, count_requests{});
    return {[this](const count_requests&) { count(); }};
  }

  /// Runs one count at a time, so that counts do not pile up in front of other jobs while the store is down.
  void count() {
    if (!setup_.directory->get()) { // nothing is loaded yet, or any more
      show({});
      return wait();
    }
    in_storage(
        self_, setup_.reading, "count_requests",
        [](store::session& db) { return store::requests_by_state(db); },
        [this](const store::request_counts& counts) {
          const auto undecidable = select_undecidable(counts.backlog);
          const bool is_writer = setup_.lease->holds() && !setup_.on_hold;
          show(is_writer ? counts : store::request_counts{}); // a standby would repeat the writer
          report(undecidable);
          wait();
        },
        [this](storage_error) { wait(); });
  }

private:
  undecidable_requests select_undecidable(const std::vector<store::platform_backlog>& backlog) const {
    undecidable_requests requests;
    const auto known = setup_.directory->get();
    if (!known) return requests;
    for (const auto& each : backlog)
      if (!is_decidable(*known, setup_.platforms, each.platform))
        requests.push_back({each, index_of(setup_.platforms, each.platform).has_value()});
    return requests;
  }

  void show(const store::request_counts& counts) {
    pending_->set(static_cast<double>(counts.pending));
    const auto now = setup_.now();
    const std::chrono::duration<double> change_age = now - counts.oldest_change.value_or(now);
    changes_->set(std::max(change_age.count(), 0.0));
    success_->set(static_cast<double>(counts.success));
    failed_->set(static_cast<double>(counts.failed));
    dropped_->set(static_cast<double>(counts.dropped));
    for (const auto& [platform, age] : ages_) age.set(0);
    std::map<std::string, oldest_request> oldest;
    for (const auto& each : counts.backlog) {
      const auto known = oldest_.find(each.platform);
      const bool is_known = known != oldest_.end() && known->second.seq == each.oldest_seq;
      const auto first = is_known ? known->second : oldest_request{each.oldest_seq, each.oldest};
      const auto& request = oldest.emplace(each.platform, first).first->second;
      age_of(each.platform).set(age_of(request).count());
    }
    oldest_ = std::move(oldest);
    std::int64_t undecidable = 0;
    for (const auto& each : select_undecidable(counts.backlog)) undecidable += each.waiting.requests;
    undecidable_->set(static_cast<double>(undecidable));
  }

  /// The oldest New request of a platform.
  struct oldest_request {
    std::int64_t seq = 0;
    domain::timestamp received_at{};
    std::chrono::steady_clock::time_point seen_at = std::chrono::steady_clock::now(); ///< first
  };

  /// A request from the future, received while the clock was ahead, has waited since it was first seen.
  std::chrono::duration<double> age_of(const oldest_request& request) const {
    return std::max<std::chrono::duration<double>>(setup_.now() - request.received_at,
                                                   std::chrono::steady_clock::now() - request.seen_at);
  }

  /// Publishes the requests, and logs each platform once, until it has none any more.
  void report(const undecidable_requests& requests) {
    setup_.undecidable->set(std::make_shared<const undecidable_requests>(requests));
    std::set<std::string> platforms;
    for (const auto& each : requests) {
      const auto& waiting = each.waiting;
      platforms.insert(waiting.platform);
      if (!reported_.contains(waiting.platform))
        log::warn("requests_without_platform", {{"platform", waiting.platform},
                                                {"requests", waiting.requests},
                                                {"oldest", domain::to_string(waiting.oldest)}});
    }
    reported_ = std::move(platforms);
  }

  metrics::gauge& age_of(const std::string& platform) {
    const auto known = ages_.find(platform);
    if (known != ages_.end()) return known->second;
    return ages_
        .emplace(platform, setup_.registry->gauge("roost_queue_oldest_request_seconds",
                                                  "Time since the platform's oldest New request was received",
                                                  {{"platform", platform}}))
        .first->second;
  }

  void wait() { self_->delayed_send(self_, count_interval, count_requests{}); }

  queue_watch_setup setup_;
  std::optional<metrics::gauge> pending_, success_, failed_, dropped_, changes_, undecidable_;
  std::map<std::string, metrics::gauge> ages_;   ///< by platform
  std::map<std::string, oldest_request> oldest_; ///< by platform
  std::set<std::string> reported_;               ///< platforms whose undecidable requests were logged
};

} // namespace

std::string describe(const undecidable_requests& requests) {
  std::string text;
  for (const auto& [waiting, is_configured] : requests)
    text += (text.empty() ? "" : "; ") + waiting.platform +
            (is_configured ? " has no imported account here" : " is not configured here") +
            "; waiting: " + domain::counted(waiting.requests, "request", "requests") + ", the oldest since " +
            domain::to_string(waiting.oldest);
  return text;
}

queue_watch spawn_queue_watch(runtime& rt, queue_watch_setup setup) {
  return rt.spawn_at<watch_state>(0, std::move(setup));
}

} // namespace roost::actors
