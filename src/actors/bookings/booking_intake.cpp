#include "actors/bookings/booking_intake.hpp"

#include "actors/runtime/runtime.hpp"
#include "store/bookings/requests.hpp"

#include <caf/stateful_actor.hpp>

#include <algorithm>

namespace roost::actors {

namespace {

constexpr std::size_t largest_group = 500;

class intake_state {
public:
  static constexpr const char* name = "booking_intake";
  using self_pointer = booking_intake::stateful_pointer<intake_state>;
  using promise = caf::typed_response_promise<booking_accepted>;

  void open(self_pointer self, std::vector<storage_actor> storage, std::shared_ptr<const held_lease> lease,
            metrics::registry& registry) {
    self_ = self;
    idle_ = std::move(storage);
    lease_ = std::move(lease);
    group_sizes_ = registry.histogram("roost_intake_group_size", "Booking requests in one commit", {},
                                      {1, 2, 5, 10, 20, 50, 100, 200, 500});
    waiting_time_ = stage(registry, "waiting");
    committing_time_ = stage(registry, "committing");
    depth_ = registry.gauge("roost_mailbox_depth", "Messages waiting for an actor", {{"actor", name}});
  }

  caf::result<booking_accepted> submit(submit_booking& wanted) {
    auto answer = self_->make_response_promise<booking_accepted>();
    waiting_.push_back({std::move(wanted.request), wanted.deadline, answer, deadline::clock::now()});
    commit_when_worth_it();
    depth_->set(static_cast<double>(self_->mailbox().size()));
    return answer;
  }

private:
  struct submission {
    domain::booking_request request;
    actors::deadline deadline;
    promise asker;
    actors::deadline::clock::time_point came;
  };

  static metrics::histogram stage(metrics::registry& registry, const char* name) {
    return registry.histogram("roost_intake_stage_seconds",
                              "Parts of the time to a submission's acknowledgement", {{"stage", name}});
  }

  /// While one group is committed, the next one waits until it is as large as they usually are, or until that
  /// one is done. Else the first of many requests that arrive together would have a commit to itself, half of
  /// all commits.
  void commit_when_worth_it() {
    if (idle_.empty() || waiting_.empty()) return;
    if (under_way_ == 0 || static_cast<double>(waiting_.size()) >= usual_size_) commit_group();
  }

  void commit_group() {
    const auto lease = lease_->current();
    if (!lease) return refuse_all();
    refuse_expired();
    if (waiting_.empty()) return;
    std::vector<domain::booking_request> group;
    const auto shared = std::make_shared<std::vector<promise>>();
    const auto begun = deadline::clock::now();
    auto until = waiting_.front().deadline; // the latest: nobody waits for any of them any longer
    for (; !waiting_.empty() && group.size() < largest_group; waiting_.pop_front()) {
      until = std::max(until, waiting_.front().deadline);
      waiting_time_->observe(seconds_between(waiting_.front().came, begun));
      group.push_back(std::move(waiting_.front().request));
      shared->push_back(std::move(waiting_.front().asker));
    }
    const auto storage = std::move(idle_.back());
    idle_.pop_back();
    started(static_cast<double>(group.size()));
    in_storage(
        self_, storage, "insert_requests",
        [lease = *lease, group = std::move(group)](store::session& db) {
          store::insert_requests(db, lease, group);
        },
        [this, storage, shared, begun] {
          const auto took = seconds_between(begun, deadline::clock::now());
          for (std::size_t i = 0; i < shared->size(); ++i) committing_time_->observe(took);
          for (auto& asker : *shared) asker.deliver(booking_accepted{});
          committed(storage);
        },
        [this, storage, shared](storage_error why) {
          for (auto& asker : *shared) asker.deliver(make_error(why));
          committed(storage);
        },
        until);
  }

  static double seconds_between(deadline::clock::time_point from, deadline::clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  /// They need not come in the order of their deadlines.
  void refuse_expired() {
    std::erase_if(waiting_, [now = deadline::clock::now()](submission& each) {
      if (!each.deadline.is_over(now)) return false;
      each.asker.deliver(make_error(storage_error::unavailable));
      return true;
    });
  }

  void refuse_all() {
    for (auto& each : std::exchange(waiting_, {})) each.asker.deliver(make_error(storage_error::lease_lost));
  }

  void started(double size) {
    constexpr double weight = 1.0 / 8; // of the newest: a change of load counts within some groups
    usual_size_ += (size - usual_size_) * weight;
    group_sizes_->observe(size);
    ++under_way_;
  }

  void committed(const storage_actor& by) {
    idle_.push_back(by);
    --under_way_;
    commit_when_worth_it();
  }

  self_pointer self_ = nullptr;
  std::vector<storage_actor> idle_;
  std::shared_ptr<const held_lease> lease_;
  std::optional<metrics::histogram> group_sizes_, waiting_time_, committing_time_;
  std::optional<metrics::gauge> depth_;
  std::deque<submission> waiting_;
  std::size_t under_way_ = 0; ///< groups
  double usual_size_ = 0;     ///< of a group: the running mean
};

booking_intake::behavior_type booking_intake_behavior(booking_intake::stateful_pointer<intake_state> self,
                                                      std::vector<storage_actor> storage,
                                                      std::shared_ptr<const held_lease> lease,
                                                      metrics::registry* registry) {
  auto& state = self->state;
  state.open(self, std::move(storage), std::move(lease), *registry);
  return {[&state](submit_booking& wanted) { return state.submit(wanted); }};
}

} // namespace

booking_intake spawn_booking_intake(runtime& rt, std::vector<storage_actor> storage,
                                    std::shared_ptr<const held_lease> lease, metrics::registry& registry) {
  return rt.spawn_at(0, booking_intake_behavior, std::move(storage), std::move(lease), &registry);
}

} // namespace roost::actors
