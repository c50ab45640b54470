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
            std::shared_ptr<store_health> health, lease_events events) {
    self_ = self;
    settings_ = std::move(settings);
    lease_ = std::move(lease);
    health_ = std::move(health);
    events_ = std::move(events);
    session_.emplace(settings_.store_url);
    self_->send(self_, keep_lease{});
  }

  void keep() {
    if (ended_) return; // the reminder was on its way when the lease was released
    auto wait = settings_.retry;
    try {
      if (held_ ? renew() : acquire()) wait = settings_.renewal;
      if (!health_->reachable.exchange(true)) log::info("store_reachable");
    } catch (const store::schema_mismatch& what) {
      health_->reachable = true;
      if (!std::exchange(mismatched_, true)) log::error("schema_mismatch", {{"what", what.what()}});
    } catch (const std::exception& what) { // the store is away; the held lease runs out by itself
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
  bool acquire() {
    if (!migrated_) {
      for (const auto& applied : store::migrate(*session_))
        log::info("schema_migrated", {{"migration", applied}});
      migrated_ = true;
      health_->schema_current = true;
    }
    const auto before = held_lease::clock::now();
    held_ = store::try_acquire(*session_, settings_.node, settings_.duration);
    if (!held_) {
      stand_by();
      return false;
    }
    health_->writer.set(nullptr);
    log::info("lease_acquired", {{"node", settings_.node}, {"epoch", held_->epoch}});
    lease_->hold(*held_, before + settings_.duration);
    events_.acquired();
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
    lease_->give_up();
    held_.reset();
    ended_ = true; // what is in memory is stale for good: only a new start may serve again
    events_.lost();
    return false;
  }

  self_pointer self_ = nullptr;
  lease_settings settings_;
  std::shared_ptr<held_lease> lease_;
  std::shared_ptr<store_health> health_;
  lease_events events_;
  std::optional<store::session> session_;
  std::optional<store::lease> held_;
  bool migrated_ = false, standing_by_ = false, complained_ = false, mismatched_ = false, ended_ = false;
};

lease_keeper::behavior_type lease_keeper_behavior(lease_keeper::stateful_pointer<lease_state> self,
                                                  lease_settings settings, std::shared_ptr<held_lease> lease,
                                                  std::shared_ptr<store_health> health, lease_events events) {
  auto& state = self->state;
  state.open(self, std::move(settings), std::move(lease), std::move(health), std::move(events));
  return {
      [&state](const keep_lease&) { state.keep(); },
      [&state](const release_lease&) { state.release(); },
  };
}

} // namespace

lease_keeper spawn_lease_keeper(runtime& rt, lease_settings settings, std::shared_ptr<held_lease> lease,
                                std::shared_ptr<store_health> health, lease_events events) {
  return rt.system().spawn<caf::detached>(lease_keeper_behavior, std::move(settings), std::move(lease),
                                          std::move(health), std::move(events));
}

} // namespace roost::actors
