#include "actors/bookings/booking_queue.hpp"

#include "actors/bookings/booking_decider.hpp"
#include "actors/bookings/decision_group.hpp"
#include "actors/bookings/queue_metrics.hpp"
#include "log/log.hpp"
#include "store/bookings/decisions.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace roost::actors {

namespace {

constexpr std::size_t group_size = 500;
constexpr std::chrono::milliseconds store_retry{500};
constexpr std::chrono::hours erase_interval{1};
constexpr std::chrono::milliseconds portfolio_retry{20}; // until memory has followed the change

class queue_state {
public:
  static constexpr const char* name = "booking_queue";
  using self_pointer = booking_queue::stateful_pointer<queue_state>;

  void open(self_pointer self, booking_queue_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    decider_.emplace(setup_.decisions);
    metrics_.emplace(*setup_.registry, *setup_.decisions.platforms);
    if (!setup_.on_hold) self_->delayed_send(self_, setup_.cycle, run_queue{});
  }

  void run() {
    self_->delayed_send(self_, setup_.cycle, run_queue{});
    begin_run();
  }

  caf::result<run_ended> run_to_the_end() {
    auto answer = self_->make_response_promise<run_ended>();
    end_asked_.push_back(answer);
    begin_run();
    if (!running_) tell_the_end();
    return answer;
  }

  void resume(const resume_queue& later) {
    if (later.run != run_) return;
    if (stopping_)
      finish_run();
    else
      start_over();
  }

  caf::result<void> stop() {
    stopping_ = true;
    auto answer = self_->make_response_promise<void>();
    stop_asked_.push_back(answer);
    if (!writing_) finish_run();
    return answer;
  }

  void look_up_again() {
    if (writing_) look_up_outcomes();
  }

private:
  // The run

  void begin_run() {
    if (running_ || stopping_) return;
    setup_.pulse->beat(); // also while another server decides: this one may take over at any moment
    const auto lease = setup_.lease->current();
    if (!lease) return;
    running_ = true;
    skipped_.clear();
    advance_stays(self_, setup_.writing, *lease, setup_.decisions.now(), setup_.clock_tolerance);
    erase_guests(*lease);
    start_over();
  }

  void erase_guests(const store::lease& lease) {
    const auto now = std::chrono::steady_clock::now();
    if (!setup_.keep_guests || now < erase_at_) return;
    erase_at_ = now + erase_interval;
    erase_old_guests(self_, setup_.reading, lease, setup_.decisions.now(), setup_.clock_tolerance,
                     *setup_.keep_guests, [this](std::int64_t erased) {
                       if (erased > 0) erase_at_ = {}; // perhaps there are more
                     });
  }

  /// From the oldest request again: nothing that was decided but not written counts.
  void start_over() {
    abandon_building();
    written_keys_.clear();
    after_seq_ = 0;
    input_ended_ = false;
    load();
  }

  /// What is decided next, and what the decisions rest on.
  struct next_group {
    decision_group group;
    std::vector<meant_request> requests;
  };

  void load() {
    if (loading_) return;
    if (stopping_) return finish_if_idle();
    loading_ = true;
    in_storage(
        self_, setup_.reading, "pending_requests",
        [followed = setup_.followed, directory = setup_.directory, platforms = setup_.decisions.platforms,
         after = after_seq_, limit = one_by_one_ > 0 ? std::size_t{1} : group_size](store::session& db) {
          auto requests = store::pending_requests(db, after, limit);
          // After the requests were read: to none of them a unit is unknown that was shown before it came.
          auto group = decision_group::upon(*followed, *directory);
          if (!group.based_on) return next_group{};
          auto meant = meanings_of(db, *group.based_on, platforms, std::move(requests));
          return next_group{std::move(group), std::move(meant)};
        },
        [this, run = run_](next_group& next) {
          if (run == run_) take_batch(std::move(next));
        },
        [this, run = run_](storage_error) {
          if (run == run_) end_input(); // the next cycle tries again
        });
  }

  void take_batch(next_group next) {
    loading_ = false;
    auto& found = next.requests;
    if (found.empty()) return end_input();
    after_seq_ = found.back().pending->seq;
    std::erase_if(found, [this](const auto& each) { return skipped_.contains(each.pending->request.id); });
    batch_.assign(std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    building_ = std::move(next.group);
    building_->members.reserve(batch_.size());
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
    const auto meant = std::move(batch_.front());
    batch_.pop_front();
    deciding_ = true;
    const auto waited = setup_.decisions.now() - meant.pending->request.received_at;
    const auto begun = std::chrono::steady_clock::now();
    decider_->decide(
        self_, meant, building_->based_on,
        [this](const std::string& key) {
          return written_keys_.contains(key) || building_keys_.contains(key);
        },
        [this, run = run_, waited, begun](pending_decision decided) {
          decided.times = {waited, begun, std::chrono::steady_clock::now()};
          if (run != run_)
            return settle(self_, decided, hold_outcome::given_up); // the run was started over meanwhile
          deciding_ = false;
          if (decided.reference_key) building_keys_.insert(*decided.reference_key);
          building_->add(std::move(decided));
          decide_next();
        },
        [this, run = run_] {
          if (run == run_) start_over_later(portfolio_retry); // a unit was removed: the directory is old
        });
  }

  void write_when_free() {
    if (writing_ || !building_) return;
    if (building_->members.empty()) {
      building_.reset();
      return load();
    }
    writing_ = std::exchange(building_, std::nullopt);
    written_keys_ = std::exchange(building_keys_, {});
    write();
    if (writing_) load(); // the next group is decided while this one is written
  }

  // Writing

  void write() {
    const auto lease = setup_.lease->current();
    if (!lease) return step_down();
    in_storage(
        self_, setup_.writing, "record_decisions",
        [lease = *lease, basis = writing_->basis(),
         rows = std::shared_ptr<const store::decision_rows>(writing_->rows)](store::session& db) {
          return store::record_decisions(db, lease, basis, *rows);
        },
        [this](const store::recorded_decisions& outcome) {
          if (outcome.stale.empty())
            written(outcome.change);
          else
            set_aside(outcome.stale);
        },
        [this](storage_error why) { not_written(why); });
  }

  /// Another server may be deciding by now. Nothing of this group has been written.
  void step_down() {
    give_back(*std::exchange(writing_, std::nullopt));
    finish_run();
  }

  void written(const std::optional<store::stream_point>& change) {
    setup_.pulse->beat();
    const auto done = std::move(*std::exchange(writing_, std::nullopt));
    if (one_by_one_ > 0) --one_by_one_;
    for (const auto& member : done.members) settle(self_, member, hold_outcome::booked);
    if (change) self_->send(setup_.follower, own_change{*change, done.memory}); // after the calendars know it
    if (!stopping_) go_on(); // before the reports: the next group's writing takes longest
    report(done);
    if (stopping_) finish_run();
  }

  void report(const decision_group& written) {
    const auto now = setup_.decisions.now();
    const auto committed = std::chrono::steady_clock::now();
    bool mail = false;
    for (const auto& member : written.members) {
      const auto& request = member.request->request;
      metrics_->decided(request.platform, member.decision, now - request.received_at);
      metrics_->took(member.times, committed);
      mail |= !member.decision.mails.empty();
      log_decision(request, member.decision);
    }
    if (mail) self_->send(setup_.mailer, send_due_mail{});
  }

  void go_on() {
    if (std::exchange(restart_after_write_, false)) return start_over();
    if (building_ && !deciding_ && batch_.empty()) return write_when_free();
    finish_if_idle();
  }

  /// These accounts have changed since their requests were decided, and nothing is written yet: those are
  /// decided again, the others go on. What is being decided may rest on what was given back.
  void set_aside(const std::vector<domain::uuid>& stale) {
    for (const auto& member : writing_->take_out(stale)) settle(self_, member, hold_outcome::given_up);
    if (writing_->members.empty()) writing_.reset();
    start_over_later(portfolio_retry);
    if (writing_) write();
  }

  void not_written(storage_error why) {
    switch (why) {
    case storage_error::another_history:
      setup_.lease->invalidate(); // until the follower has loaded it
      return step_down();
    case storage_error::lease_lost:
      return step_down();
    case storage_error::unavailable:
      for (const auto& member : writing_->members) settle(self_, member, hold_outcome::in_doubt);
      return look_up_outcomes();
    default:
      break;
    }
    if (writing_->members.size() == 1) return resolve_single(why);
    one_by_one_ = writing_->members.size();
    log::warn("decision_group_refused", {{"reason", to_string(why)}, {"decisions", one_by_one_}});
    give_back(*writing_);
    writing_.reset();
    start_over_later(std::chrono::milliseconds{0});
  }

  /// The database refused a decision that the calendar had allowed. Its word counts, and memory does not know
  /// what it knows; what was decided after it may rest on its tenant and is decided again.
  void resolve_single(storage_error why) {
    abandon_building();
    auto& member = writing_->members.front();
    settle(self_, member, hold_outcome::given_up);
    if (const auto& booking = member.decision.booking)
      self_->send(setup_.follower, reload_account{booking->account_id});
    const auto id = member.decision.request_id;
    if (auto other = decider_->instead_of(member, *writing_->based_on, why)) {
      other->times = member.times;
      restart_after_write_ = true;
      writing_->instead(std::move(*other));
      return write();
    }
    if (why != storage_error::already_decided) {
      log::error("decision_not_recordable", {{"request", domain::to_string(id)}, {"reason", to_string(why)}});
      skipped_.insert(id); // it stays New: the next cycle tries again
    }
    writing_.reset();
    restart_after_write_ = false;
    if (one_by_one_ > 0) --one_by_one_;
    start_over_later(std::chrono::milliseconds{0});
  }

  /// After a lost connection nobody knows whether the commit went through: the store says, once it is back
  /// and the transaction is through. Until then the nights are taken.
  void look_up_outcomes() {
    in_storage(
        self_, setup_.reading, "settled_bookings",
        [requests = writing_->request_ids(), bookings = writing_->booking_ids()](store::session& db) {
          return store::settled_bookings(db, requests, bookings);
        },
        [this](const std::vector<domain::uuid>& stored) { settle_by(stored); },
        [this](storage_error) {
          if (stopping_) { // the store knows; the next start reads it
            writing_.reset();
            return finish_run();
          }
          self_->delayed_send(self_, store_retry, look_up_group{});
        });
  }

  /// That its request is a success does not say so: another server may have decided it since, for a tenant
  /// and perhaps a unit of its own choice.
  void settle_by(const std::vector<domain::uuid>& stored) {
    const std::unordered_set<domain::uuid, domain::uuid_hash> known(stored.begin(), stored.end());
    for (const auto& member : writing_->members) {
      const auto& booking = member.decision.booking;
      settle(self_, member,
             booking && known.contains(booking->id) ? hold_outcome::booked : hold_outcome::given_up);
    }
    writing_.reset();
    start_over_later(std::chrono::milliseconds{0});
  }

  // Ends

  /// Gives back what is being decided, too: it may rest on what was not written.
  void start_over_later(std::chrono::milliseconds wait) {
    abandon_building();
    if (stopping_) return finish_run();
    if (writing_)
      restart_after_write_ = true; // its requests look New until it is through
    else
      self_->delayed_send(self_, wait, resume_queue{run_});
  }

  void abandon_building() {
    ++run_; // what is still under way is given back when it comes
    if (building_) give_back(*std::exchange(building_, std::nullopt));
    building_keys_.clear();
    batch_.clear();
    deciding_ = loading_ = false;
  }

  void finish_if_idle() {
    if (input_ended_ && !writing_ && !building_) finish_run();
    if (stopping_ && !writing_) finish_run();
  }

  void finish_run() {
    if (writing_) return;
    abandon_building();
    setup_.pulse->beat();
    running_ = restart_after_write_ = false;
    written_keys_.clear();
    tell_the_end();
    for (auto& asked : std::exchange(stop_asked_, {}))
      static_cast<caf::response_promise&>(asked).deliver(caf::unit);
  }

  void tell_the_end() {
    for (auto& asked : std::exchange(end_asked_, {})) asked.deliver(run_ended{});
  }

  void give_back(const decision_group& group) {
    for (const auto& member : group.members) settle(self_, member, hold_outcome::given_up);
  }

  self_pointer self_ = nullptr;
  booking_queue_setup setup_;
  std::optional<booking_decider> decider_;
  std::optional<queue_metrics> metrics_;
  std::vector<caf::typed_response_promise<void>> stop_asked_;
  std::vector<caf::typed_response_promise<run_ended>> end_asked_;

  bool running_ = false, stopping_ = false, loading_ = false, deciding_ = false, input_ended_ = false;
  bool restart_after_write_ = false;
  std::uint64_t run_ = 0; ///< answers that belong to an earlier one are stale
  std::int64_t after_seq_ = 0;
  std::deque<meant_request> batch_;
  std::optional<decision_group> building_, writing_;
  std::unordered_set<std::string> building_keys_, written_keys_; ///< bookings that the store may not show yet
  std::size_t one_by_one_ = 0; ///< so many decisions go alone, to find the one that the database refuses
  std::unordered_set<domain::uuid, domain::uuid_hash> skipped_; ///< in this cycle
  std::chrono::steady_clock::time_point erase_at_{};
};

booking_queue::behavior_type booking_queue_behavior(booking_queue::stateful_pointer<queue_state> self,
                                                    booking_queue_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {
      [&state](const run_queue&) { state.run(); },
      [&state](const run_to_end&) { return state.run_to_the_end(); },
      [&state](const resume_queue& later) { state.resume(later); },
      [&state](const look_up_group&) { state.look_up_again(); },
      [&state](const stop_queue&) { return state.stop(); },
  };
}

} // namespace

booking_queue spawn_booking_queue(runtime& rt, booking_queue_setup setup) {
  return rt.spawn_at(0, booking_queue_behavior, std::move(setup));
}

} // namespace roost::actors
