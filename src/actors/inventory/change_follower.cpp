#include "actors/inventory/change_follower.hpp"

#include "actors/inventory/read_model_loader.hpp"
#include "actors/runtime/storage.hpp"
#include "log/log.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <malloc.h>
#include <map>
#include <set>

namespace roost::actors {

namespace {

constexpr std::chrono::seconds import_patience{30}; ///< without a step, until an import counts as forsaken
constexpr std::chrono::seconds lists_built{3};      ///< after a load, even of the largest portfolio
constexpr std::chrono::seconds prune_interval{10};
constexpr std::size_t entries_a_read = 500, entries_a_prune = 1'000;

class follower_state {
public:
  static constexpr const char* name = "change_follower";
  using self_pointer = change_follower::stateful_pointer<follower_state>;
  using clock = std::chrono::steady_clock;

  void open(self_pointer self, runtime& rt, follower_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    session_.emplace(setup_.store_url);
    memory_.emplace(rt, setup_);
    if (setup_.registry)
      histories_ = setup_.registry->counter("roost_store_histories_total",
                                            "Times that the store was found to have another history");
  }

  void look() {
    if (follow()) tidy();
    const auto wait = std::exchange(at_once_, false) ? std::chrono::milliseconds{0} : setup_.interval;
    if (!ended_) self_->delayed_send(self_, wait, look_for_changes{});
  }

  void take(const own_change& made) {
    if (made.memory == setup_.followed->memory()) take(made.point);
  }

  caf::result<change_shown> show(const show_change& wanted) {
    if (ended_ || !setup_.lease->holds()) return make_error(storage_error::unavailable);
    auto answer = self_->make_response_promise<change_shown>();
    waiting_.push_back({wanted.point.position, answer});
    if (wanted.edit && point_ && wanted.point.position > point_->position) {
      memory_->apply(*wanted.edit);
      take(wanted.point);
    } else {
      advance();
    }
    if (!point_ || point_->position < wanted.point.position) follow();
    answer_shown();
    return answer;
  }

  void read_again(const domain::uuid& account) {
    again_.insert(account);
    follow();
  }

  void end() {
    ended_ = true;
    refuse_waiting();
    memory_->forget();
  }

private:
  /// A pending import at one of its steps.
  struct seen_import {
    std::int64_t step = 0;
    clock::time_point since;
  };

  struct waiting_change {
    std::int64_t position = 0;
    caf::typed_response_promise<change_shown> asker;
  };

  /// Memory holds this change.
  void take(const store::stream_point& made) {
    if (point_ && made.position <= point_->position) return;
    own_[made.position] = made.id;
    advance();
  }

  /// False when the store did not answer.
  bool follow() {
    if (ended_) return false;
    const auto doubts = setup_.lease->doubts();
    try {
      if (!point_ && !load()) return true;
      const auto seen = store::view_stream(*session_, *point_);
      if (seen.is_pruned) return start_after_pruning();
      if (!seen.has_known_point)
        throw store::another_history("the store's history is not the one that was followed");
      doubts_ = doubts; // not before the store was seen to go on from what memory holds
      if (!apply_until(seen.newest.position)) return start_after_pruning();
      seen_ = seen.newest.position;
      setup_.followed->see(seen.newest.position);
      setup_.lease->follow(point_->position, doubts_);
      mark_applied();
      if (!std::exchange(is_following_, true))
        log::info("changes_followed", {{"position", point_->position}});
      return true;
    } catch (const store::another_history& what) {
      log::error("another_history", {{"what", what.what()}, {"position", point_ ? point_->position : 0}});
      if (histories_) histories_.increment();
      start_anew();
      return true;
    } catch (const store::error& what) {
      if (std::exchange(is_following_, false)) log::warn("changes_not_followed", {{"what", what.what()}});
      return false;
    }
  }

  bool start_after_pruning() {
    log::warn("changes_pruned", {{"position", point_->position}});
    start_anew();
    return true;
  }

  /// False while there is nothing that can be loaded.
  bool load() {
    if (!store::schema_is_current(*session_) || !is_whole()) return false;
    const auto at = memory_->load(*session_);
    own_.clear();
    again_.clear();
    reach(at);
    trim_at_ = clock::now() + lists_built;
    is_applied_ = false; // a command may wait for what was there already
    return true;
  }

  /// The stays that this process has booked come by message a moment after they can be seen in the store.
  /// Only those that have not come until the next look are read.
  bool is_on_its_way(const store::stream_entry& entry) const {
    return entry.what.kind == store::change_kind::calendar && entry.at.position > seen_ &&
           setup_.lease->held();
  }

  /// False when entries that memory needs have been deleted meanwhile.
  bool apply_until(std::int64_t newest) {
    if (!again_.empty() && is_whole()) {
      const std::vector<domain::uuid> accounts(again_.begin(), again_.end());
      memory_->read_again(*session_, accounts);
      again_.clear();
    }
    for (advance(); point_->position < newest; advance()) {
      const auto entries = store::entries_after(*session_, point_->position, entries_a_read);
      if (!entries.empty() && entries.front().at.position != point_->position + 1) return false;
      const auto taken = apply(entries);
      if (taken < entries.size() || entries.empty()) break;
    }
    return true;
  }

  bool is_own(const store::stream_point& point) const {
    const auto known = own_.find(point.position);
    return known != own_.end() && known->second == point.id;
  }

  /// Returns how many of the entries memory holds now.
  std::size_t apply(const std::vector<store::stream_entry>& entries) {
    std::vector<store::stream_entry> others;
    std::size_t taken = 0;
    for (; taken < entries.size(); ++taken) {
      const auto& entry = entries[taken];
      if (is_own(entry.at)) continue;
      if (is_on_its_way(entry)) break;
      if (entry.what.kind == store::change_kind::account && !is_whole()) break;
      others.push_back(entry);
    }
    if (taken == 0) return 0;
    if (!others.empty()) {
      memory_->apply(*session_, others);
      is_applied_ = false;
    }
    reach(entries[taken - 1].at);
    return taken;
  }

  /// What this process has told about itself.
  void advance() {
    if (!point_) return;
    auto at = *point_;
    for (auto next = own_.find(at.position + 1); next != own_.end(); next = own_.find(at.position + 1))
      at = {next->first, next->second};
    if (at.position > point_->position) reach(at);
  }

  void reach(const store::stream_point& point) {
    point_ = point;
    own_.erase(own_.begin(), own_.upper_bound(point.position));
    setup_.followed->reach(point);
    setup_.lease->follow(point.position, doubts_);
    answer_shown();
  }

  /// Whoever imported or issued a token waits for it.
  void mark_applied() {
    const auto lease = setup_.lease->held();
    if (is_applied_ || !lease) return;
    store::mark_applied(*session_, *lease, point_->position);
    is_applied_ = true;
  }

  /// Nothing that is in memory counts any more, nor what anybody waits for.
  void start_anew() {
    setup_.lease->invalidate();
    setup_.followed->forget();
    at_once_ = point_.has_value();
    point_.reset();
    own_.clear();
    again_.clear();
    seen_ = 0;
    refuse_waiting();
    memory_->forget();
    setup_.history_forgotten();
  }

  void refuse_waiting() {
    for (auto& each : std::exchange(waiting_, {})) each.asker.deliver(make_error(storage_error::unavailable));
  }

  void answer_shown() {
    std::erase_if(waiting_, [this](waiting_change& each) {
      if (!point_ || point_->position < each.position) return false;
      each.asker.deliver(change_shown{});
      return true;
    });
  }

  /// Whether the tables of the portfolio hold no half of an import, which SQLite takes in pieces. Its own
  /// process writes it; one that has ended left the rest to be written by the writer.
  bool is_whole() {
    const auto step = store::next_import_step(*session_);
    if (!step) {
      import_seen_.reset();
      return true;
    }
    if (!import_seen_ || import_seen_->step != *step) import_seen_ = {*step, clock::now()};
    const bool is_forsaken = !point_ || clock::now() - import_seen_->since >= import_patience;
    if (!is_forsaken || !setup_.lease->held()) return false;
    log::info("import_finished_here");
    store::write_pending_import(*session_);
    return false; // the next look finds it written
  }

  void tidy() {
    if (trim_at_ && clock::now() >= *trim_at_) {
      ::malloc_trim(0);
      trim_at_.reset();
    }
    const auto lease = setup_.lease->current();
    if (setup_.on_hold || !lease || clock::now() < prune_at_) return;
    prune_at_ = clock::now() + prune_interval;
    try {
      if (store::prune_changes(*session_, *lease, setup_.keep, entries_a_prune) == entries_a_prune)
        prune_at_ = {};
    } catch (const store::error& what) {
      log::warn("changes_not_pruned", {{"what", what.what()}});
    }
  }

  self_pointer self_ = nullptr;
  follower_setup setup_;
  std::optional<store::session> session_;
  std::optional<read_model_loader> memory_;
  metrics::counter histories_;
  std::optional<store::stream_point> point_; // memory holds every change up to it
  std::map<std::int64_t, domain::uuid> own_; // later ones of this process that memory holds
  std::uint64_t doubts_ = 0;                 // the lease's, at the last look
  std::int64_t seen_ = 0;                    // where the stream stood at the last look
  bool is_applied_ = false;                  // the store knows that what others did is in memory
  std::set<domain::uuid> again_;             // accounts of whose bookings some were missed
  std::vector<waiting_change> waiting_;
  std::optional<seen_import> import_seen_;
  /// What reading and the first lists leave behind, 0.1 KB a unit, then goes back to the system.
  std::optional<clock::time_point> trim_at_;
  clock::time_point prune_at_{};
  bool is_following_ = true; // as far as the log tells
  bool at_once_ = false;     // the next look comes at once
  bool ended_ = false;
};

change_follower::behavior_type
change_follower_behavior(change_follower::stateful_pointer<follower_state> self, runtime* rt,
                         follower_setup setup) {
  auto& state = self->state;
  state.open(self, *rt, std::move(setup));
  return {
      [&state](const look_for_changes&) { state.look(); },
      [&state](const end_calendars&) { state.end(); },
      [&state](const own_change& made) { state.take(made); },
      [&state](const read_account_again& wanted) { state.read_again(wanted.account_id); },
      [&state](const show_change& wanted) { return state.show(wanted); },
  };
}

} // namespace

change_follower spawn_change_follower(runtime& rt, follower_setup setup) {
  setup.lease->invalidate(); // at once: memory is empty
  return rt.spawn_detached(change_follower_behavior, &rt, std::move(setup));
}

} // namespace roost::actors
