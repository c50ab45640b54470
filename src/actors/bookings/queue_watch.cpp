#include "actors/bookings/booking_queue.hpp"
#include "store/bookings/requests.hpp"

namespace roost::actors {

namespace {

constexpr std::chrono::seconds count_interval{2};

class watch_state : public actor_state<queue_watch> {
public:
  static constexpr const char* name = "queue_watch";
  using actor_state::actor_state;

  behavior open(storage_actor reading, std::shared_ptr<const held_lease> lease, metrics::registry* registry) {
    reading_ = std::move(reading);
    lease_ = std::move(lease);
    const auto gauge = [&](domain::request_state state) {
      return registry->gauge("roost_queue_requests", "Booking requests by state",
                             {{"state", std::string{to_string(state)}}});
    };
    pending_ = gauge(domain::request_state::pending);
    success_ = gauge(domain::request_state::success);
    failed_ = gauge(domain::request_state::failed);
    dropped_ = gauge(domain::request_state::dropped);
    self_->send(self_, count_requests{});
    return {[this](const count_requests&) { count(); }};
  }

  /// Runs one count at a time, so that counts do not pile up in front of other jobs while the store is down.
  void count() {
    if (!lease_->holds()) {
      show({}); // the server that holds the lease reports the counts
      return wait();
    }
    in_storage(
        self_, reading_, "count_requests", [](store::session& db) { return store::requests_by_state(db); },
        [this](const store::request_counts& counts) {
          show(counts);
          wait();
        },
        [this](storage_error) { wait(); });
  }

private:
  void show(const store::request_counts& counts) const {
    pending_->set(static_cast<double>(counts.pending));
    success_->set(static_cast<double>(counts.success));
    failed_->set(static_cast<double>(counts.failed));
    dropped_->set(static_cast<double>(counts.dropped));
  }

  void wait() { self_->delayed_send(self_, count_interval, count_requests{}); }

  storage_actor reading_;
  std::shared_ptr<const held_lease> lease_;
  std::optional<metrics::gauge> pending_, success_, failed_, dropped_;
};

} // namespace

queue_watch spawn_queue_watch(runtime& rt, storage_actor reading, std::shared_ptr<const held_lease> lease,
                              metrics::registry& registry) {
  return rt.spawn_at<watch_state>(0, std::move(reading), std::move(lease), &registry);
}

} // namespace roost::actors
