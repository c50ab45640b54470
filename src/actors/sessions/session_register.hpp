#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace roost::actors {

/// The sessions that have ended although their access tokens have not expired. Every request checks it, so it
/// needs no store query. Tokens expire by the calendar's clock, which may step in both directions; so a
/// session is forgotten only when it has ended long enough ago by the monotonic clock, too. Thread-safe.
class session_register {
public:
  using clock = std::chrono::steady_clock;

  /// Records the end of a session for as long as its last access token may be valid. Returns false if the end
  /// was already known.
  bool end_session(const domain::uuid& id, std::chrono::milliseconds access_token, domain::timestamp now,
                   clock::time_point uptime = clock::now()) {
    auto& shard = shard_of(id);
    const std::lock_guard lock(shard.mutex);
    const auto [known, is_new] = shard.ended.try_emplace(id);
    auto& [expires, forgotten_at] = known->second;
    expires = std::max(expires, now + access_token);
    forgotten_at = std::max(forgotten_at, uptime + access_token);
    return is_new;
  }

  /// Records that all of the user's sessions of earlier epochs have ended. Needed until the user directory
  /// has the new epoch.
  void end_earlier_epochs(const domain::uuid& user, std::int64_t epoch) {
    auto& shard = shard_of(user);
    const std::lock_guard lock(shard.mutex);
    auto& known = shard.epochs[user];
    known = std::max(known, epoch);
  }

  /// Discards all epochs. Called before all users are reloaded, possibly from a different history in which
  /// their epochs are lower.
  void forget_epochs() {
    for (auto& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      shard.epochs.clear();
    }
  }

  bool has_ended(const domain::uuid& session, const domain::uuid& user, std::int64_t epoch) const {
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

  /// Removes sessions whose access tokens have all expired.
  void forget_old(domain::timestamp now, clock::time_point uptime = clock::now()) {
    for (auto& shard : shards_) {
      const std::lock_guard lock(shard.mutex);
      std::erase_if(shard.ended, [&](const auto& entry) {
        return entry.second.expires <= now && entry.second.forgotten_at <= uptime;
      });
    }
  }

private:
  struct end {
    domain::timestamp expires{}; ///< when its last access token does
    clock::time_point forgotten_at = clock::time_point::min();
  };
  struct shard {
    mutable std::mutex mutex;
    std::unordered_map<domain::uuid, end, domain::uuid_hash> ended;           ///< sessions
    std::unordered_map<domain::uuid, std::int64_t, domain::uuid_hash> epochs; ///< by user
  };
  static constexpr std::size_t shard_count = 16;

  shard& shard_of(const domain::uuid& id) { return shards_[domain::uuid_hash()(id) % shard_count]; }
  const shard& shard_of(const domain::uuid& id) const {
    return shards_[domain::uuid_hash()(id) % shard_count];
  }

  std::array<shard, shard_count> shards_;
};

} // namespace roost::actors
