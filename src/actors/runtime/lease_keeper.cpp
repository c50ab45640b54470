#include "actors/runtime/lease_keeper.hpp"

#include "log/log.hpp"
#include "store/database/error.hpp"
#include "store/database/lease_claim.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"

#include <algorithm>

namespace roost::actors {

namespace {

constexpr std::chrono::milliseconds trusted_time_interval{60'000};

class lease_state : public actor_state<lease_keeper> {
public:
  static constexpr const char* name = "lease_keeper";
  using actor_state::actor_state;

  behavior open(lease_settings settings, std::shared_ptr<held_lease> lease,
                std::shared_ptr<store_health> health, std::function<void()> acquired) {
    settings_ = std::move(settings);
    lease_ = std::move(lease);
    health_ = std::move(health);
    acquired_ = std::move(acquired);
    session_.emplace(settings_.store_url);
    claim_.emplace(settings_.store_url, settings_.node, settings_.duration, settings_.use);
    self_->send(self_, check_lease{});
    return {[this](const renew_lease&) { renew_now(); }, [this](const check_lease&) { check(); },
            [this](const release_lease&) { release(); }};
  }

  void check() {
    if (ended_) return; // the reminder was sent before the lease was released
    maintain([this] { return is_renewal_due(); });
    self_->delayed_send(self_, held_ ? std::min(settings_.renewal, settings_.retry) : wait_, check_lease{});
  }

  void renew_now() {
    if (!ended_) maintain([] { return true; });
  }

  void release() {
    ended_ = true;
    lease_->give_up();
    if (!held_ || !health_->reachable) return; // if the store does not respond, the lease expires
    try {
      claim_->release(*session_, *held_);
      log::info("lease_released", {{"epoch", held_->epoch}});
    } catch (const std::exception& error) {
      log::warn("lease_not_released", {{"what", error.what()}});
    }
  }

private:
  template <typename Due>
  void maintain(Due is_due) {
    wait_ = settings_.retry;
    try {
      if (held_ && !is_due()) return;
      if (held_)
        renew();
      else
        acquire();
      compare_clocks();
      compare_trusted_time();
      if (!health_->reachable.exchange(true)) log::info("store_reachable");
    } catch (const store::schema_mismatch& error) {
      health_->reachable = true;
      if (!std::exchange(logged_mismatch_, true)) log::error("schema_mismatch", {{"what", error.what()}});
    } catch (const store::other_signing_keys& error) {
      health_->reachable = true;
      if (!health_->has_other_keys.exchange(true)) log::error("other_signing_keys", {{"what", error.what()}});
    } catch (const store::another_history& error) {
      log::error("another_history", {{"what", error.what()}});
      become_standby();
      wait_ = {};
    } catch (const store::lease_lost&) {
      next_renewal_ = {};                 // which finds out who has it
    } catch (const store::error& error) { // the store is unreachable; the held lease expires by itself
      next_renewal_ = {};                 // users of the lock wait for a renewal once it can be taken again
      if (health_->reachable.exchange(false) || !std::exchange(logged_unreachable_, true))
        log::warn("store_unreachable", {{"what", error.what()}});
    }
  }

  /// Compares at most once per renewal, because clocks drift slowly.
  void compare_clocks() {
    const auto now = held_lease::clock::now();
    if (now < next_comparison_) return;
    health_->clock_ahead = settings_.now() - store::database_clock(*session_);
    next_comparison_ = now + settings_.renewal;
  }

  /// Advances the trusted time once a minute, and compares the clock with it; more often while it differs.
  void compare_trusted_time() {
    if (!held_ || held_lease::clock::now() < next_trusted_time_) return;
    const auto compared =
        store::advance_trusted_time(*session_, *held_, settings_.now(), settings_.machine_time());
    next_trusted_time_ =
        held_lease::clock::now() + (compared.agrees() ? trusted_time_interval : settings_.renewal);
    const bool was_trusted = health_->untrusted_time.get() == nullptr;
    health_->untrusted_time.set(compared.agrees() ? nullptr
                                                  : std::make_shared<const store::time_comparison>(compared));
    if (!compared.agrees() && was_trusted)
      log::error("time_not_trusted", {{"clock", domain::to_string(compared.now)},
                                      {"trusted", domain::to_string(compared.trusted)}});
    if (compared.agrees() && !was_trusted) log::info("time_trusted");
  }

  /// Makes this server a standby.
  void become_standby() {
    held_.reset();
    health_->untrusted_time.set(nullptr);
    lease_->give_up();
    standing_by_ = unlocked_ = admitted_ = false;
  }

  void acquire() {
    if (settings_.use == store::lease_use::inspect && (migrated_ || store::has_schema(*session_)) &&
        claim_->is_barred(*session_))
      return refuse_live_store();
    if (!migrated_) {
      for (const auto& applied : store::migrate(*session_))
        log::info("schema_migrated", {{"migration", applied}});
      migrated_ = true;
      health_->schema_current = true;
    }
    const auto before = held_lease::clock::now();
    const bool is_unfinished_copy = store::read_copy_marker(*session_).has_value();
    if (is_unfinished_copy || is_moved()) {
      admitted_ = false; // the copied tokens may have been signed with different keys
      return stand_by(is_unfinished_copy);
    }
    if (!admitted_) settings_.admit(*session_);
    admitted_ = true;
    health_->has_other_keys = false;
    const auto taken = claim_->try_take(*session_);
    if (!taken) return stand_by(false);
    held_ = taken->held;
    standing_by_ = false;
    health_->writer.set(nullptr);
    health_->is_unfinished_copy = false;
    log::info("lease_acquired", {{"node", settings_.node}, {"epoch", held_->epoch}});
    if (claim_->is_pooled() && !std::exchange(logged_pooler_, true))
      log::warn("lease_lock_pooled", {{"what", "a takeover after a crash waits for the lease's expiry"}});
    lease_->rest_on(claim_->certainty());
    next_trusted_time_ = {};
    lease_->take(*held_, before + settings_.duration, taken->position);
    next_renewal_ = before + settings_.renewal;
    acquired_();
  }

  /// Stands by for good, and does not even migrate the store.
  void refuse_live_store() {
    health_->schema_current = store::schema_is_current(*session_);
    const auto server = store::serving_server(*session_).value_or("");
    health_->writer.set(std::make_shared<const std::string>(server));
    if (!health_->is_live_store.exchange(true))
      log::error("hold_refused",
                 {{"writer", server}, {"what", "a server serves this store: copy the store"}});
  }

  /// Returns whether the store was moved to another one, and reports it for readiness.
  bool is_moved() {
    const auto moved = store::read_move_marker(*session_);
    const bool was_moved = health_->moved_to.get() != nullptr;
    health_->moved_to.set(moved ? std::make_shared<const std::string>(moved->target) : nullptr);
    if (moved && !was_moved)
      log::error("store_moved", {{"to", moved->target}, {"at", domain::to_string(moved->at)}});
    return moved.has_value();
  }

  void stand_by(bool is_unfinished_copy) {
    const auto other = store::current_lease(*session_);
    const auto holder = other ? other->holder.node : std::string{};
    if (!std::exchange(standing_by_, true)) log_standing_by(other);
    health_->writer.set(std::make_shared<const std::string>(holder));
    // A holder of the lease serves, or continues the copy.
    const bool is_free = !other || other->expired;
    const bool is_abandoned = is_unfinished_copy && is_free;
    if (!health_->is_unfinished_copy.exchange(is_abandoned) && is_abandoned)
      log::error("unfinished_copy", {{"what", "run roost copy again to continue it, or empty the database"}});
    if (!is_free) return;
    if (const auto ended = store::end_overdue_transactions(*session_); ended > 0)
      log::warn("overdue_transactions_ended", {{"writer", holder}, {"transactions", ended}});
  }

  static void log_standing_by(const std::optional<store::lease_state>& other) {
    if (!other) return log::info("standing_by", {{"writer", ""}});
    log::info("standing_by",
              {{"writer", other->holder.node}, {"until", domain::to_string(other->expires_at)}});
  }

  bool is_renewal_due() { return held_lease::clock::now() >= next_renewal_ || claim_->should_renew_now(); }

  void renew() {
    const auto before = held_lease::clock::now();
    switch (claim_->renew(*session_, *held_)) {
    case store::lease_claim::renewal::renewed:
      lease_->rest_on(claim_->certainty());
      lease_->hold(*held_, before + settings_.duration);
      next_renewal_ = before + settings_.renewal;
      if (std::exchange(unlocked_, false)) log::info("lease_locked_again", {{"epoch", held_->epoch}});
      return;
    case store::lease_claim::renewal::unlocked: // users of the lock have stopped by themselves
      if (!std::exchange(unlocked_, true)) log::warn("lease_lock_lost", {{"epoch", held_->epoch}});
      return;
    case store::lease_claim::renewal::lost:
      log::error("lease_lost", {{"node", settings_.node}, {"epoch", held_->epoch}});
      become_standby();
    }
  }

  lease_settings settings_;
  std::shared_ptr<held_lease> lease_;
  std::shared_ptr<store_health> health_;
  std::function<void()> acquired_;
  std::optional<store::session> session_;
  std::optional<store::lease_claim> claim_;
  std::optional<store::lease> held_;
  held_lease::clock::time_point next_renewal_{}, next_comparison_{}, next_trusted_time_{};
  std::chrono::milliseconds wait_{};
  bool migrated_ = false, standing_by_ = false, logged_unreachable_ = false, logged_mismatch_ = false,
       ended_ = false, unlocked_ = false, admitted_ = false, logged_pooler_ = false;
};

} // namespace

lease_keeper spawn_lease_keeper(runtime& rt, lease_settings settings, std::shared_ptr<held_lease> lease,
                                std::shared_ptr<store_health> health, std::function<void()> acquired) {
  return rt.spawn_detached<lease_state>(std::move(settings), std::move(lease), std::move(health),
                                        std::move(acquired));
}

} // namespace roost::actors
