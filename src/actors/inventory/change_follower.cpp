#include "actors/inventory/change_follower.hpp"

#include "actors/runtime/storage.hpp"
#include "log/log.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <array>
#include <malloc.h>
#include <map>
#include <set>

namespace roost::actors {

namespace {

constexpr std::chrono::seconds import_timeout{30}; ///< without a step, until an import counts as abandoned
constexpr std::chrono::seconds import_check_interval{5};
/// How long list building takes after a load, for typical and for the largest portfolios.
constexpr std::array<std::chrono::seconds, 3> trim_delays{std::chrono::seconds{3}, std::chrono::seconds{12},
                                                          std::chrono::seconds{45}};
constexpr std::chrono::seconds prune_interval{10};
constexpr std::int64_t no_epoch = -1;
constexpr std::size_t entries_per_read = 500, entries_per_prune = 1'000;

class follower_state : public actor_state<change_follower> {
public:
  static constexpr const char* name = "change_follower";
  using actor_state::actor_state;
  using clock = std::chrono::steady_clock;

  behavior open(runtime* rt, follower_setup setup) {
    setup_ = std::move(setup);
    session_.emplace(setup_.store_url);
    memory_.emplace(*rt, setup_);
    if (setup_.registry)
      histories_ = setup_.registry->counter(
          "roost_store_histories_total",
          "Number of times that the store had a different history, and everything was reloaded");
    return {[this](const poll_changes&) { poll(); }, [this](const end_calendars&) { end(); },
            [this](const own_change& change) { take(change); },
            [this](const reload_account& request) { reload(request.account_id); },
            [this](const show_change& change) { return show(change); }};
  }

  void poll() {
    if (follow()) {
      finish_abandoned_import();
      clean_up();
    }
    const auto wait =
        std::exchange(poll_immediately_, false) ? std::chrono::milliseconds{0} : setup_.interval;
    if (!ended_) self_->delayed_send(self_, wait, poll_changes{});
  }

  void take(const own_change& change) {
    if (change.generation == setup_.followed->generation()) take(change.point);
    if (!waiting_.empty()) follow(); // a later change of the office may have waited for this one
  }

  caf::result<change_shown> show(const show_change& change) {
    if (ended_ || !setup_.lease->holds()) return make_error(storage_error::unavailable);
    auto promise = self_->make_response_promise<change_shown>();
    waiting_.push_back({change.point.position, promise});
    if (change.edit && point_ && change.point.position > point_->position) {
      memory_->apply(*change.edit);
      take(change.point);
    } else {
      advance();
    }
    if (!point_ || point_->position < change.point.position) follow();
    respond_to_shown();
    return promise;
  }

  void reload(const domain::uuid& account) {
    to_reload_.insert(account);
    follow();
  }

  void end() {
    ended_ = true;
    fail_waiting();
    memory_->forget();
  }

private:
  /// The step of a pending import, and since when it has been at this step.
  struct import_progress {
    std::int64_t step = 0;
    clock::time_point since;
  };

  struct waiting_change {
    std::int64_t position = 0;
    caf::typed_response_promise<change_shown> promise;
  };

  /// Records that memory holds this change.
  void take(const store::stream_point& change) {
    if (point_ && change.position <= point_->position) return;
    own_[change.position] = change.id;
    advance();
  }

  /// Returns false if the store did not respond.
  bool follow() {
    if (ended_) return false;
    const auto lease_generation = setup_.lease->generation();
    try {
      if (!point_ && !load()) return true;
      const auto seen = store::view_stream(*session_, *point_);
      if (seen.is_pruned) return restart_after_pruning();
      if (!seen.has_known_point)
        throw store::another_history("the store's history is not the one that was followed");
      if (!apply_until(seen.newest.position)) return restart_after_pruning();
      // Not before: a change that still waits may be one that a command has reported as done, because this
      // server's lease had expired.
      if (point_->position >= seen.newest.position) lease_generation_ = lease_generation;
      seen_ = seen.newest.position;
      setup_.followed->see(seen.newest.position);
      setup_.lease->follow(point_->position, lease_generation_);
      note_takeover();
      mark_applied();
      if (!std::exchange(is_following_, true))
        log::info("changes_followed", {{"position", point_->position}});
      return true;
    } catch (const store::another_history& error) {
      log::error("another_history", {{"what", error.what()}, {"position", point_ ? point_->position : 0}});
      if (histories_) histories_.increment();
      restart();
      return true;
    } catch (const store::error& error) {
      if (std::exchange(is_following_, false)) log::warn("changes_not_followed", {{"what", error.what()}});
      return false;
    }
  }

  bool restart_after_pruning() {
    log::warn("changes_pruned", {{"position", point_->position}});
    restart();
    return true;
  }

  /// Returns false if the store cannot be loaded yet.
  bool load() {
    if (!store::schema_is_current(*session_) || !is_portfolio_complete()) return false;
    const auto at = memory_->load(*session_);
    own_.clear();
    to_reload_.clear();
    reach(at);
    trims_ = 0;
    trim_at_ = clock::now() + trim_delays.front();
    is_applied_ = false; // commands may wait for changes made before
    return true;
  }

  /// Whether the entry may be a booking of this process, whose message arrives shortly after it is visible in
  /// the store. It is only read if the message has not arrived by the next poll, or if it is a write of the
  /// office, which waits for it.
  bool may_be_own(const store::stream_entry& entry) const {
    return entry.change.kind == store::change_kind::calendar && !entry.change.subjects.empty() &&
           entry.at.position > seen_ && setup_.lease->held() &&
           std::ranges::find(waiting_, entry.at.position, &waiting_change::position) == waiting_.end();
  }

  /// Returns false if needed entries have been deleted in the meantime.
  bool apply_until(std::int64_t newest) {
    if (!to_reload_.empty() && is_portfolio_complete()) {
      const std::vector<domain::uuid> accounts(to_reload_.begin(), to_reload_.end());
      memory_->reload(*session_, accounts);
      to_reload_.clear();
    }
    for (advance(); point_->position < newest; advance()) {
      const auto entries = store::entries_after(*session_, point_->position, entries_per_read);
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

  /// A cancellation may change a unit's blocks while an import is pending.
  static bool reads_portfolio(store::change_kind kind) {
    return kind == store::change_kind::account || kind == store::change_kind::unit;
  }

  /// Returns how many of the entries memory holds afterwards.
  std::size_t apply(const std::vector<store::stream_entry>& entries) {
    std::vector<store::stream_entry> others;
    std::size_t taken = 0;
    for (; taken < entries.size(); ++taken) {
      const auto& entry = entries[taken];
      if (is_own(entry.at)) continue;
      if (may_be_own(entry)) break;
      if (reads_portfolio(entry.change.kind) && !is_portfolio_complete()) break;
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

  /// Advances over changes of this process that memory already holds.
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
    setup_.lease->follow(point.position, lease_generation_);
    respond_to_shown();
  }

  void note_takeover() {
    const auto lease = setup_.lease->current();
    if (!lease || lease->epoch == usable_epoch_) return;
    usable_epoch_ = lease->epoch;
    setup_.took_over();
  }

  /// Records the position in the store, for commands that wait for it.
  void mark_applied() {
    const auto lease = setup_.lease->held();
    if (is_applied_ || !lease || setup_.followed->has_waiters()) return;
    store::mark_applied(*session_, *lease, point_->position);
    is_applied_ = true;
  }

  /// Drops memory and fails waiting requests.
  void restart() {
    setup_.lease->invalidate();
    setup_.followed->forget();
    poll_immediately_ = point_.has_value();
    point_.reset();
    own_.clear();
    to_reload_.clear();
    seen_ = 0;
    usable_epoch_ = no_epoch;
    fail_waiting();
    memory_->forget();
    setup_.history_forgotten();
  }

  void fail_waiting() {
    for (auto& each : std::exchange(waiting_, {}))
      each.promise.deliver(make_error(storage_error::unavailable));
  }

  void respond_to_shown() {
    std::erase_if(waiting_, [this](waiting_change& each) {
      if (!point_ || point_->position < each.position) return false;
      each.promise.deliver(change_shown{});
      return true;
    });
  }

  /// Whether no import is half written to the tables of the portfolio (on SQLite, imports are written in
  /// pieces). If the import's process has ended, the writer completes it.
  bool is_portfolio_complete() {
    const auto step = store::next_import_step(*session_);
    if (!step) {
      import_progress_.reset();
      return true;
    }
    if (!import_progress_ || import_progress_->step != *step) import_progress_ = {*step, clock::now()};
    const bool is_abandoned = !point_ || clock::now() - import_progress_->since >= import_timeout;
    if (!is_abandoned || !setup_.lease->held()) return false;
    log::info("import_finished_here");
    store::write_pending_import(*session_);
    return false; // the next poll finds it complete
  }

  /// Completes an import that no change in the stream waits for: the store refuses erasures and exports until
  /// then.
  void finish_abandoned_import() {
    if (clock::now() < import_check_at_ || !setup_.lease->held()) return;
    import_check_at_ = clock::now() + import_check_interval;
    try {
      is_portfolio_complete();
    } catch (const store::error& error) {
      log::warn("import_not_finished", {{"what", error.what()}});
    }
  }

  void clean_up() {
    if (trim_at_ && clock::now() >= *trim_at_) {
      ::malloc_trim(0);
      trim_at_.reset();
      if (++trims_ < trim_delays.size()) trim_at_ = clock::now() + trim_delays[trims_];
    }
    const auto lease = setup_.lease->current();
    if (setup_.on_hold || !lease || clock::now() < prune_at_ || setup_.followed->has_waiters()) return;
    prune_at_ = clock::now() + prune_interval;
    try {
      if (!setup_.is_time_trusted(*session_, setup_.actor_registry.now())) return;
      if (store::prune_changes(*session_, *lease, setup_.keep, entries_per_prune) == entries_per_prune)
        prune_at_ = {};
    } catch (const store::error& error) {
      log::warn("changes_not_pruned", {{"what", error.what()}});
    }
  }

  follower_setup setup_;
  std::optional<store::session> session_;
  std::optional<read_model_loader> memory_;
  metrics::counter histories_;
  std::optional<store::stream_point> point_; // memory holds all changes up to it
  std::map<std::int64_t, domain::uuid> own_; // later changes of this process that memory holds
  std::uint64_t lease_generation_ = 0;       // the lease's, when memory was last complete
  std::int64_t usable_epoch_ = no_epoch;     // of the last lease that was usable
  std::int64_t seen_ = 0;                    // newest position at the last poll
  bool is_applied_ = false;                  // mark_applied() has recorded the position
  std::set<domain::uuid> to_reload_;         // accounts with missing bookings
  std::vector<waiting_change> waiting_;
  std::optional<import_progress> import_progress_;
  clock::time_point import_check_at_{};
  /// When to return free memory to the system: loading and building lists leave 0.1 KB per unit.
  std::optional<clock::time_point> trim_at_;
  std::size_t trims_ = 0; // since the load
  clock::time_point prune_at_{};
  bool is_following_ = true; // as last logged
  bool poll_immediately_ = false;
  bool ended_ = false;
};

} // namespace

change_follower spawn_change_follower(runtime& rt, follower_setup setup) {
  setup.lease->invalidate(); // memory is empty
  return rt.spawn_detached<follower_state>(&rt, std::move(setup));
}

} // namespace roost::actors
