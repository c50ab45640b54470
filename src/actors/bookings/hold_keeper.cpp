#include "actors/bookings/hold_keeper.hpp"

#include "log/log.hpp"

#include <deque>
#include <unordered_map>
#include <utility>

namespace roost::actors {

namespace {

using clock = deadline::clock;

constexpr std::size_t max_expired = 500; ///< that are ended in one transaction
/// A placement whose response failed may still become durable for some time.
constexpr std::chrono::seconds after_placement{60};
constexpr std::chrono::hours between_idle_looks{1};
constexpr std::chrono::seconds time_limit{10}; ///< of a look, and of ending holds

class hold_keeper_state : public actor_state<hold_keeper> {
public:
  static constexpr const char* name = "hold_keeper";
  using actor_state::actor_state;

  behavior open(hold_keeper_setup setup) {
    setup_ = std::move(setup);
    placed_ = counter_of("placed");
    refused_ = counter_of("refused");
    released_ = counter_of("released");
    expired_ = counter_of("expired");
    if (!setup_.on_hold) look_after(setup_.interval);
    return {[this](show_change& change) { return self_->delegate(setup_.follower, std::move(change)); },
            [this](place_hold& request) { return place(std::move(request)); },
            [this](release_hold& request) { return release(std::move(request)); },
            [this](const look_for_expired_holds&) { look(); }};
  }

private:
  struct placement {
    place_hold request;
    caf::typed_response_promise<store::hold_receipt> caller;
  };

  metrics::counter counter_of(const char* event) {
    return setup_.registry->counter("roost_holds_total", "Holds of nights, by what happened to them",
                                    {{"event", event}});
  }

  // Placing

  caf::result<store::hold_receipt> place(place_hold request) {
    auto caller = self_->make_response_promise<store::hold_receipt>();
    const auto unit = request.request.unit_id;
    idle_from_ = clock::now() + after_placement;
    auto& waiting = placements_[unit];
    waiting.push_back({std::move(request), caller});
    if (waiting.size() == 1) place_next(unit);
    return caller;
  }

  void place_next(const domain::uuid& unit) {
    const auto& request = placements_.at(unit).front().request;
    self_->request(setup_.writer, timeout_of(request.deadline), request)
        .then(
            [this, unit](store::hold_receipt& receipt) {
              auto& first = placements_.at(unit).front();
              report(first.request.request, receipt);
              first.caller.deliver(std::move(receipt));
              end_placement(unit);
            },
            [this, unit](caf::error& reason) {
              placements_.at(unit).front().caller.deliver(make_error(storage_error_of(reason)));
              end_placement(unit);
            });
  }

  void end_placement(const domain::uuid& unit) {
    auto& waiting = placements_.at(unit);
    idle_from_ = clock::now() + after_placement;
    waiting.pop_front();
    waiting.empty() ? void(placements_.erase(unit)) : place_next(unit);
  }

  void report(const store::hold& hold, const store::hold_receipt& receipt) const {
    using enum store::hold_receipt::kind;
    if (receipt.result == repeated) return;
    if (receipt.result != created) return refused_.increment();
    placed_.increment();
    log::info("hold_placed", {{"platform", hold.platform},
                              {"hold", hold.id},
                              {"unit", domain::to_string(hold.unit_id)},
                              {"from", domain::to_string(hold.check_in)},
                              {"to", domain::to_string(hold.check_out)},
                              {"until", domain::to_string(hold.expires_at)}});
  }

  // Ends

  caf::result<store::release_outcome> release(release_hold request) {
    auto caller = self_->make_response_promise<store::release_outcome>();
    const auto limit = timeout_of(request.deadline);
    self_->request(setup_.writer, limit, std::move(request))
        .then(
            [this, caller](const store::release_outcome& outcome) mutable {
              if (outcome.result == store::release_outcome::kind::released) released_.increment();
              caller.deliver(outcome);
            },
            [caller](caf::error& reason) mutable { caller.deliver(make_error(storage_error_of(reason))); });
    return caller;
  }

  void look_after(std::chrono::milliseconds wait) {
    self_->delayed_send(self_, wait, look_for_expired_holds{});
  }

  /// One look at a time: the next one begins after the end of this one.
  void look() {
    const auto generation = setup_.lease->generation();
    if (!setup_.lease->current() || is_idle(generation)) return look_after(setup_.interval);
    in_storage(
        self_, setup_.reading, "look_for_holds",
        [now = setup_.now(), is_trusted = setup_.is_time_trusted](store::session& db) {
          auto status = store::hold_status_at(db, now);
          status.have_old_rows = status.have_old_rows && is_trusted(db, now);
          return status;
        },
        [this, generation](const store::hold_status& status) {
          are_left_ = status.are_left;
          idle_until_ = clock::now() + between_idle_looks;
          looked_generation_ = generation;
          if (!status.have_expired && !status.have_old_rows) return look_after(setup_.interval);
          end_expired(status.have_old_rows);
        },
        [this](storage_error) { look_again(); }, deadline::in(time_limit));
  }

  void end_expired(bool deletes_old_rows) {
    end_expired_holds request{{}, {setup_.now(), max_expired, deletes_old_rows}, deadline::in(time_limit)};
    self_->request(setup_.writer, time_limit, std::move(request))
        .then(
            [this](const store::expired_holds& ended) {
              if (ended.count > 0) report(ended);
              look_after(ended.count < max_expired ? setup_.interval : std::chrono::milliseconds{0});
            },
            [this](const caf::error&) { look_again(); });
  }

  /// After a failure, it is unknown what is left.
  void look_again() {
    looked_generation_.reset();
    look_after(setup_.interval);
  }

  /// Whether this server has seen that there are no holds, and has placed none since. Another server may have
  /// placed some before this one got its lease, and a store that was restored may have some again.
  bool is_idle(std::uint64_t generation) const {
    const auto now = clock::now();
    return looked_generation_ == generation && !are_left_ && now >= idle_from_ && now < idle_until_;
  }

  void report(const store::expired_holds& ended) const {
    expired_.increment(static_cast<double>(ended.count));
    log::info("holds_expired", {{"holds", ended.count}});
  }

  hold_keeper_setup setup_;
  std::unordered_map<domain::uuid, std::deque<placement>, domain::uuid_hash> placements_; ///< by unit
  std::optional<std::uint64_t> looked_generation_; ///< of the lease, when the last look succeeded
  bool are_left_ = false;                          ///< the last look has found holds
  clock::time_point idle_from_{}, idle_until_{};   ///< no look is needed in between
  metrics::counter placed_, refused_, released_, expired_;
};

} // namespace

hold_keeper spawn_hold_keeper(runtime& rt, hold_keeper_setup setup) {
  return rt.spawn_at<hold_keeper_state>(0, std::move(setup));
}

asio::awaitable<positioned_hold> find_hold(storage_lane lane, std::string platform, std::string id) {
  return in_store(std::move(lane), "find_hold",
                  [platform = std::move(platform), id = std::move(id)](store::session& db) {
                    auto hold = store::find_hold(db, platform, id);
                    return positioned_hold{std::move(hold), store::newest_point(db)};
                  });
}

} // namespace roost::actors
