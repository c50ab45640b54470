#include "actors/runtime/lease_keeper.hpp"

#include "log/log.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace roost::actors {

namespace {

class lease_state {
public:
  static constexpr const char* name = "lease_keeper";
  using self_pointer = lease_keeper::stateful_pointer<lease_state>;

  void open(self_pointer self, lease_settings settings, std::shared_ptr<held_lease> lease,
            std::shared_ptr<store_health> health, std::function<void()> acquired) {
    self_ = self;
    settings_ = std::move(settings);
    lease_ = std::move(lease);
    health_ = std::move(health);
    acquired_ = std::move(acquired);
    session_.emplace(settings_.store_url);
    self_->send(self_, keep_lease{});
  }

  void keep() {
    if (ended_) return; // the reminder was on its way when the lease was released
    auto wait = settings_.retry;
    try {
      if (held_ ? renew() : acquire()) wait = settings_.renewal;
      health_->clock_ahead = settings_.now() - store::database_clock(*session_);
      if (!health_->reachable.exchange(true)) log::info("store_reachable");
    } catch (const store::schema_mismatch& what) {
      health_->reachable = true;
      if (!std::exchange(mismatched_, true)) log::error("schema_mismatch", {{"what", what.what()}});
    } catch (const store::another_history& what) {
      log::error("another_history", {{"what", what.what()}});
      lose();
      wait = {};
    } catch (const store::error& what) { // the store is away; the held lease runs out by itself
      if (health_->reachable.exchange(false) || !std::exchange(complained_, true))
        log::warn("store_unreachable", {{"what", what.what()}});
    }
    if (!ended_) self_->delayed_send(self_, wait, keep_lease{});
  }

  void release() {
    ended_ = true;
    lease_->give_up();
    if (!held_ || !health_->reachable) return; // a store that does not answer lets it run out
    try {
      store::release(*session_, *held_);
      log::info("lease_released", {{"epoch", held_->epoch}});
    } catch (const std::exception& what) {
      log::warn("lease_not_released", {{"what", what.what()}});
    }
  }

private:
  /// From now on this server stands by, like any other.
  void lose() {
    held_.reset();
    lease_->give_up();
    standing_by_ = false;
  }

  bool acquire() {
    if (!migrated_) {
      for (const auto& applied : store::migrate(*session_))
        log::info("schema_migrated", {{"migration", applied}});
      migrated_ = true;
      health_->schema_current = true;
    }
    const auto before = held_lease::clock::now();
    const auto taken = store::try_acquire(*session_, settings_.node, settings_.duration);
    if (!taken) {
      stand_by();
      return false;
    }
    held_ = taken->held;
    standing_by_ = false;
    health_->writer.set(nullptr);
    log::info("lease_acquired", {{"node", settings_.node}, {"epoch", held_->epoch}});
    lease_->take(*held_, before + settings_.duration, taken->position);
    acquired_();
    return true;
  }

  void stand_by() {
    const auto other = store::current_lease(*session_);
    const auto holder = other ? other->holder.node : std::string{};
    if (!std::exchange(standing_by_, true)) log::info("standing_by", {{"writer", holder}});
    health_->writer.set(std::make_shared<const std::string>(holder));
    if (other && !other->expired) return;
    if (const auto ended = store::end_overdue_transactions(*session_); ended > 0)
      log::warn("overdue_transactions_ended", {{"writer", holder}, {"transactions", ended}});
  }

  bool renew() {
    const auto before = held_lease::clock::now();
    if (store::renew(*session_, *held_, settings_.duration)) {
      lease_->hold(*held_, before + settings_.duration);
      return true;
    }
    log::error("lease_lost", {{"node", settings_.node}, {"epoch", held_->epoch}});
    lose();
    return false;
  }

  self_pointer self_ = nullptr;
  lease_settings settings_;
  std::shared_ptr<held_lease> lease_;
  std::shared_ptr<store_health> health_;
  std::function<void()> acquired_;
  std::optional<store::session> session_;
  std::optional<store::lease> held_;
  bool migrated_ = false, standing_by_ = false, complained_ = false, mismatched_ = false, ended_ = false;
};

lease_keeper::behavior_type lease_keeper_behavior(lease_keeper::stateful_pointer<lease_state> self,
                                                  lease_settings settings, std::shared_ptr<held_lease> lease,
                                                  std::shared_ptr<store_health> health,
                                                  std::function<void()> acquired) {
  auto& state = self->state;
  state.open(self, std::move(settings), std::move(lease), std::move(health), std::move(acquired));
  return {
      [&state](const keep_lease&) { state.keep(); },
      [&state](const release_lease&) { state.release(); },
  };
}

} // namespace

lease_keeper spawn_lease_keeper(runtime& rt, lease_settings settings, std::shared_ptr<held_lease> lease,
                                std::shared_ptr<store_health> health, std::function<void()> acquired) {
  return rt.spawn_detached(lease_keeper_behavior, std::move(settings), std::move(lease), std::move(health),
                           std::move(acquired));
}

} // namespace roost::actors
