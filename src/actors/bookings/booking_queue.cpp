#include "actors/bookings/booking_queue.hpp"

#include "actors/bookings/decision_group.hpp"
#include "actors/bookings/housekeeping.hpp"
#include "actors/bookings/left_out_requests.hpp"
#include "actors/bookings/locked_group.hpp"
#include "actors/bookings/outdated_accounts.hpp"
#include "actors/bookings/queue_metrics.hpp"
#include "log/log.hpp"

#include <deque>
#include <iterator>

namespace roost::actors {

namespace {

constexpr std::size_t group_size = 500;
constexpr std::chrono::milliseconds store_retry{500};
constexpr std::chrono::milliseconds lock_poll{5};
constexpr std::chrono::milliseconds portfolio_retry{20}; // until memory has followed the change

class queue_state : public actor_state<booking_queue> {
public:
  static constexpr const char* name = "booking_queue";
  using actor_state::actor_state;

  behavior open(booking_queue_setup setup) {
    setup_ = std::move(setup);
    decider_.emplace(setup_.decisions);
    metrics_.emplace(*setup_.registry, *setup_.decisions.platforms);
    changes_.emplace(setup_.changes, *setup_.registry);
    if (!setup_.on_hold) self_->delayed_send(self_, setup_.cycle, run_queue{});
    return {[this](const run_queue&) { run(); }, [this](const run_to_end&) { return run_to_the_end(); },
            [this](const resume_queue& later) { resume(later); },
            [this](const look_up_group&) { look_up_outcomes(); },
            [this](const stop_queue&) { return stop(); }};
  }

  void run() {
    self_->delayed_send(self_, setup_.cycle, run_queue{});
    begin_run();
  }

  caf::result<run_ended> run_to_the_end() {
    auto caller = callers_.await_run(self_);
    begin_run();
    if (!running_) callers_.report_run_ended();
    return caller;
  }

  void resume(const resume_queue& later) {
    if (later.run != run_) return;
    if (stopping_) return finish_run();
    if (!locked_) return start_over();
    await_lock();
  }

  caf::result<void> stop() {
    stopping_ = true;
    auto caller = callers_.await_stop(self_);
    if (!writing_) finish_run();
    return caller;
  }

private:
  // The run

  void begin_run() {
    if (stopping_) return;
    const auto lease = setup_.lease->current();
    if (lease) housekeeping_.run(self_, setup_, *lease); // also during a run, which may last long
    if (running_) return;
    setup_.heartbeat->beat(); // also on a standby, which may take over at any moment
    if (!lease) return left_out_.stand_by();
    running_ = true;
    left_out_.begin_run();
    changes_->begin_run();
    start_over();
  }

  /// Starts again at the oldest request and discards all decisions that are not written.
  void start_over() {
    abandon_building();
    references_.clear_written();
    outdated_.start_over();
    left_out_.start_over();
    changes_->start_over();
    after_seq_ = 0;
    input_ended_ = false;
    if (one_by_one_ == 0 && outdated_.need_lock()) return load_locked();
    load();
  }

  /// Reads the oldest requests in the transaction that will write their decisions.
  void load_locked() {
    const auto lease = setup_.lease->current();
    if (!lease) return finish_run();
    loaded_during_write_ = false;
    locked_ = begin_locked_group(
        self_, setup_, *lease, {0, group_size, changes_->postponed(), left_out_.ids()},
        [this] { outdated_.lock_ended(); },
        [this](const store::recorded_decisions& outcome) { recorded(outcome); },
        [this](storage_error error) { not_written(error); });
    await_lock();
  }

  /// Decides without the lock if it does not help.
  void await_lock() {
    if (auto next = locked_->take_requests()) return take_batch(std::move(*next));
    if (!locked_->has_ended()) return void(self_->delayed_send(self_, lock_poll, resume_queue{run_}));
    locked_.reset();
    load();
  }

  void load() {
    if (loading_) return;
    if (stopping_) return finish_if_idle();
    loading_ = true;
    loaded_during_write_ = writing_.has_value();
    load_group_in_storage(
        self_, setup_, {after_seq_, one_by_one_ > 0 ? 1 : group_size, changes_->postponed(), left_out_.ids()},
        [this, run = run_](next_group& next) {
          if (run == run_) take_batch(std::move(next));
        },
        [this, run = run_](storage_error) {
          if (run != run_) return;
          outdated_.clear(); // the next cycle tries again
          end_input();
        });
  }

  void take_batch(next_group next) {
    loading_ = false;
    if (next.requests.empty()) {
      abandon_lock();
      return next.change ? decide(*std::move(next.change)) : end_input();
    }
    after_seq_ = next.requests.back().pending->seq;
    left_out_.remove_from(next, outdated_, changes_->postponed());
    std::ranges::move(next.requests, std::back_inserter(batch_));
    building_ = std::move(next.group);
    decide_next();
  }

  void end_input() {
    loading_ = false;
    input_ended_ = true;
    finish_if_idle();
  }

  // Deciding

  void decide_next() {
    if (batch_.empty()) return write_when_free();
    const auto candidates = std::move(batch_.front());
    batch_.pop_front();
    deciding_ = true;
    const auto waited = setup_.decisions.now() - candidates.pending->request.received_at;
    const auto started_at = std::chrono::steady_clock::now();
    decider_->decide(
        self_, candidates, building_->based_on,
        [this](const std::string& key) { return references_.contain(key); },
        [this, run = run_, waited, started_at](pending_decision decided) {
          decided.times = {waited, started_at, std::chrono::steady_clock::now()};
          if (run != run_)
            return settle(self_, decided, hold_outcome::given_up); // the run has restarted since
          deciding_ = false;
          if (decided.reference_key) references_.add(*decided.reference_key);
          building_->add(std::move(decided));
          decide_next();
        },
        [this, run = run_] {
          if (run == run_) start_over_later(portfolio_retry); // a unit was removed: the directory is outdated
        });
  }

  void write_when_free() {
    if (writing_ || !building_) return;
    if (building_->members.empty()) {
      building_.reset();
      abandon_lock();
      return load();
    }
    writing_ = std::exchange(building_, std::nullopt);
    writing_end_seq_ = after_seq_;
    references_.write();
    write();
    if (writing_) load(); // the next group is decided while this one is written
  }

  /// Decides a change whose earlier requests are decided and written. One that was read during a write is
  /// read again afterwards: the write may have made its booking.
  void decide(store::pending_stay_change change) {
    load_after_write_ = loaded_during_write_ && writing_;
    if (load_after_write_) return;
    if (loaded_during_write_) return load();
    if (!outdated_.empty()) return start_over_later(portfolio_retry); // they have requests that are earlier
    if (left_out_.has_one_ahead_of_memory(change)) {
      changes_->postpone(change, "an earlier request waits");
      return load();
    }
    changes_->decide(self_, std::move(change), [this, run = run_](bool has_lease) {
      setup_.heartbeat->beat();
      if (run == run_) has_lease ? load() : finish_run();
    });
  }

  // Writing

  void write() {
    if (locked_ && std::exchange(locked_, nullptr)->submit({writing_->basis(), writing_->rows})) return;
    const auto lease = setup_.lease->current();
    if (!lease) return step_down();
    write_in_storage(
        self_, setup_.writing, *lease, *writing_,
        [this](const store::recorded_decisions& outcome) { recorded(outcome); },
        [this](storage_error error) { not_written(error); });
  }

  void recorded(const store::recorded_decisions& outcome) {
    outcome.stale.empty() ? written(outcome.change) : set_aside(outcome.stale);
  }

  /// Ends the run because another server may be deciding by now; nothing of this group has been written.
  void step_down() {
    settle_all(self_, *std::exchange(writing_, std::nullopt), hold_outcome::given_up);
    finish_run();
  }

  void written(const std::optional<store::stream_point>& change) {
    setup_.heartbeat->beat();
    const auto done = std::move(*std::exchange(writing_, std::nullopt));
    if (one_by_one_ > 0) --one_by_one_;
    for (const auto& member : done.members) outdated_.remove(member.accounts);
    settle_all(self_, done, hold_outcome::booked);
    if (change) self_->send(setup_.follower, own_change{*change, done.memory}); // after the calendars know it
    if (!stopping_) go_on(); // before the reports: the next group's writing takes longest
    if (metrics_->report(done, setup_.decisions.now())) self_->send(setup_.mailer, send_due_mail{});
    if (stopping_) finish_run();
  }

  void go_on() {
    if (std::exchange(restart_after_write_, false)) return start_over();
    if (std::exchange(load_after_write_, false)) return load();
    if (building_ && !deciding_ && batch_.empty()) return write_when_free();
    finish_if_idle();
  }

  /// Removes the requests of accounts that have changed since the decision, and writes the rest. Continues
  /// with the later requests of other accounts; those of the changed accounts follow when all are read. The
  /// group being decided may depend on the removed decisions, so it is decided again.
  void set_aside(const std::vector<domain::uuid>& stale) {
    setup_.heartbeat->beat();
    for (const auto& member : writing_->remove_members_of(stale))
      settle(self_, member, hold_outcome::given_up);
    outdated_.add(stale);
    abandon_building();
    after_seq_ = writing_end_seq_;
    input_ended_ = false;
    if (writing_->members.empty()) writing_.reset();
    load();
    if (writing_) write();
  }

  void not_written(storage_error error) {
    switch (error) {
    case storage_error::another_history:
      setup_.lease->invalidate(); // until the follower has loaded it
      return step_down();
    case storage_error::lease_lost:
      return step_down();
    case storage_error::unavailable:
      settle_all(self_, *writing_, hold_outcome::in_doubt);
      return look_up_outcomes();
    default:
      break;
    }
    if (writing_->members.size() == 1) return resolve_single(error);
    one_by_one_ = writing_->members.size();
    log::warn("decision_group_refused", {{"reason", to_string(error)}, {"decisions", one_by_one_}});
    settle_all(self_, *writing_, hold_outcome::given_up);
    writing_.reset();
    start_over_later(std::chrono::milliseconds{0});
  }

  /// Handles a decision that the calendar had allowed but the database rejected. The database prevails, and
  /// the account is reloaded. Later decisions may depend on this one's tenant and are made again.
  void resolve_single(storage_error error) {
    abandon_building();
    auto& member = writing_->members.front();
    settle(self_, member, hold_outcome::given_up);
    if (const auto& booking = member.decision.booking)
      self_->send(setup_.follower, reload_account{booking->account_id});
    const auto id = member.decision.request_id;
    if (auto replacement = decider_->replacement_for(member, *writing_->based_on, error)) {
      replacement->times = member.times;
      restart_after_write_ = true;
      writing_->replace_all(std::move(*replacement));
      return write();
    }
    if (error != storage_error::already_decided) {
      log::error("decision_not_recordable",
                 {{"request", domain::to_string(id)}, {"reason", to_string(error)}});
      left_out_.skip(id); // it stays New: the next cycle tries again
    }
    writing_.reset();
    restart_after_write_ = false;
    if (one_by_one_ > 0) --one_by_one_;
    start_over_later(std::chrono::milliseconds{0});
  }

  /// Reads from the store whether a commit in doubt succeeded, once the store is reachable and the
  /// transaction has ended. Until then, the nights stay held.
  void look_up_outcomes() {
    if (!writing_) return;
    look_up_in_storage(
        self_, setup_.reading, *writing_,
        [this](const std::vector<domain::uuid>& stored) {
          settle_by(self_, *std::exchange(writing_, std::nullopt), stored);
          start_over_later(std::chrono::milliseconds{0});
        },
        [this](storage_error) {
          if (stopping_) { // the next start reads the outcome from the store
            writing_.reset();
            return finish_run();
          }
          self_->delayed_send(self_, store_retry, look_up_group{});
        });
  }

  // Ends

  /// Discards the group being decided, too: it may depend on decisions that were not written.
  void start_over_later(std::chrono::milliseconds wait) {
    abandon_building();
    if (stopping_) return finish_run();
    if (writing_)
      restart_after_write_ = true; // its requests appear New until it is written
    else
      self_->delayed_send(self_, wait, resume_queue{run_});
  }

  void abandon_building() {
    abandon_lock();
    ++run_; // decisions in progress are discarded when they arrive
    if (building_) settle_all(self_, *std::exchange(building_, std::nullopt), hold_outcome::given_up);
    references_.abandon_building();
    batch_.clear();
    deciding_ = loading_ = load_after_write_ = false;
  }

  void abandon_lock() {
    if (locked_) std::exchange(locked_, nullptr)->abandon();
  }

  void finish_if_idle() {
    if (stopping_ && !writing_) return finish_run();
    if (!input_ended_ || writing_ || building_) return;
    outdated_.empty() ? finish_run() : start_over_later(portfolio_retry);
  }

  void finish_run() {
    if (writing_) return;
    abandon_building();
    setup_.heartbeat->beat();
    running_ = restart_after_write_ = false;
    outdated_.clear();
    references_.clear_written();
    callers_.report_end();
  }

  booking_queue_setup setup_;
  std::optional<booking_decider> decider_;
  std::optional<queue_metrics> metrics_;
  queue_callers callers_;

  bool running_ = false, stopping_ = false, loading_ = false, deciding_ = false, input_ended_ = false;
  bool restart_after_write_ = false, load_after_write_ = false, loaded_during_write_ = false;
  std::uint64_t run_ = 0; ///< responses to an earlier run are discarded
  std::int64_t after_seq_ = 0;
  std::int64_t writing_end_seq_ = 0; ///< after_seq_ when the group that is being written was complete
  std::deque<request_candidates> batch_;
  std::optional<stay_change_decider> changes_;
  std::optional<decision_group> building_, writing_;
  recent_references references_;
  std::size_t one_by_one_ = 0; ///< how many decisions to write one by one, to find the rejected one
  left_out_requests left_out_;
  outdated_accounts outdated_;
  std::shared_ptr<locked_group> locked_; ///< if the group being built is decided under a lock
  housekeeping housekeeping_;
};

} // namespace

booking_queue spawn_booking_queue(runtime& rt, booking_queue_setup setup) {
  return rt.spawn_at<queue_state>(0, std::move(setup));
}

} // namespace roost::actors
