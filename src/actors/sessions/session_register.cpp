#include "actors/sessions/session_register.hpp"

#include <algorithm>

namespace roost::actors {

bool session_register::end_session(const domain::uuid& id, domain::timestamp until) {
  auto& shard = shard_of(id);
  const std::lock_guard lock(shard.mutex);
  const auto [known, is_new] = shard.ended.try_emplace(id, until);
  known->second = std::max(known->second, until);
  return is_new;
}

void session_register::end_earlier_epochs(const domain::uuid& user, std::int64_t epoch) {
  auto& shard = shard_of(user);
  const std::lock_guard lock(shard.mutex);
  auto& known = shard.epochs[user];
  known = std::max(known, epoch);
}

void session_register::forget_epochs() {
  for (auto& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    shard.epochs.clear();
  }
}

bool session_register::has_ended(const domain::uuid& session, const domain::uuid& user,
                                 std::int64_t epoch) const {
  {
    const auto& shard = shard_of(session);
    const std::lock_guard lock(shard.mutex);
    if (shard.ended.contains(session)) return true;
  }
  const auto& shard = shard_of(user);
  const std::lock_guard lock(shard.mutex);
  const auto current = shard.epochs.find(user);
  return current != shard.epochs.end() && epoch < current->second;
}

void session_register::forget_old(domain::timestamp now) {
  for (auto& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    std::erase_if(shard.ended, [now](const auto& entry) { return entry.second <= now; });
  }
}

} // namespace roost::actors
