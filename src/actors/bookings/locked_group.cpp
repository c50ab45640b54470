#include "actors/bookings/locked_group.hpp"

#include <chrono>
#include <utility>

namespace roost::actors {

namespace {

// Meanwhile, all other transactions that change the portfolio or bookings wait.
constexpr std::chrono::milliseconds max_memory_wait{500};
constexpr std::chrono::milliseconds max_decision_time{1000};

/// Abandons a group at the end of its scope.
class abandoning {
public:
  explicit abandoning(locked_group& group) : group_(group) {}
  ~abandoning() { group_.abandon(); }
  abandoning(const abandoning&) = delete;
  abandoning& operator=(const abandoning&) = delete;

private:
  locked_group& group_;
};

} // namespace

std::optional<store::recorded_decisions>
locked_group::write(store::session& db, const store::lease& held, const replication_position& followed,
                    const std::function<next_group(store::session&)>& load) {
  const abandoning end(*this);
  const replication_position::waiter memory(followed);
  return store::record_locked_decisions(
      db, held, [&](std::int64_t newest) -> std::optional<store::decided_group> {
        if (!memory.wait(newest, max_memory_wait)) return std::nullopt;
        auto requests = load(db);
        std::unique_lock lock(mutex_);
        if (ended_) return std::nullopt;
        requests_ = std::move(requests);
        changed_.wait_for(lock, max_decision_time, [this] { return ended_; });
        ended_ = true;
        return std::exchange(decisions_, std::nullopt);
      });
}

std::optional<next_group> locked_group::take_requests() {
  const std::lock_guard lock(mutex_);
  return std::exchange(requests_, std::nullopt);
}

bool locked_group::submit(store::decided_group decisions) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    decisions_ = std::move(decisions);
    submitted_ = ended_ = true;
  }
  changed_.notify_one();
  return true;
}

void locked_group::abandon() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
}

bool locked_group::has_ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

bool locked_group::was_submitted() const {
  const std::lock_guard lock(mutex_);
  return submitted_;
}

} // namespace roost::actors
