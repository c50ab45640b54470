#include "actors/sessions/session_register.hpp"

#include <algorithm>

namespace roost::actors {

bool session_register::end_session(const domain::uuid& id, domain::timestamp until) {
  auto& at = shard_of(id);
  const std::lock_guard lock(at.mutex);
  const auto [known, is_new] = at.ended.try_emplace(id, until);
  known->second = std::max(known->second, until);
  return is_new;
}

void session_register::end_earlier(const domain::uuid& user, std::int64_t epoch) {
  auto& at = shard_of(user);
  const std::lock_guard lock(at.mutex);
  auto& known = at.epochs[user];
  known = std::max(known, epoch);
}

void session_register::forget_epochs() {
  for (auto& each : shards_) {
    const std::lock_guard lock(each.mutex);
    each.epochs.clear();
  }
}

bool session_register::has_ended(const domain::uuid& session, const domain::uuid& user,
                                 std::int64_t epoch) const {
  {
    const auto& at = shard_of(session);
    const std::lock_guard lock(at.mutex);
    if (at.ended.contains(session)) return true;
  }
  const auto& at = shard_of(user);
  const std::lock_guard lock(at.mutex);
  const auto found = at.epochs.find(user);
  return found != at.epochs.end() && epoch < found->second;
}

void session_register::forget_old(domain::timestamp now) {
  for (auto& each : shards_) {
    const std::lock_guard lock(each.mutex);
    std::erase_if(each.ended, [now](const auto& entry) { return entry.second <= now; });
  }
}

} // namespace roost::actors
