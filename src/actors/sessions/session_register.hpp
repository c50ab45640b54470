#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <unordered_map>

namespace roost::actors {

/// Which sessions have ended although access tokens of them are still good: what every request asks, so it
/// costs no store query. Safe to use from every thread at once.
class session_register {
public:
  /// A session that ended is remembered until `until`, when its last access token has expired. False: it was
  /// known already that it has ended.
  bool end_session(const domain::uuid& id, domain::timestamp until);

  /// All sessions of the user that began in an earlier epoch have ended. It counts until the user is known
  /// with that epoch.
  void end_earlier(const domain::uuid& user, std::int64_t epoch);

  /// All users are about to be read anew, perhaps from another history, in which they have earlier epochs.
  void forget_epochs();

  bool has_ended(const domain::uuid& session, const domain::uuid& user, std::int64_t epoch) const;

  /// Forgets the sessions whose access tokens have all expired.
  void forget_old(domain::timestamp now);

private:
  struct shard {
    mutable std::mutex mutex;
    std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash> ended; ///< sessions
    std::unordered_map<domain::uuid, std::int64_t, domain::uuid_hash> epochs;     ///< by user
  };
  static constexpr std::size_t shard_count = 16;

  shard& shard_of(const domain::uuid& id) { return shards_[domain::uuid_hash()(id) % shard_count]; }
  const shard& shard_of(const domain::uuid& id) const {
    return shards_[domain::uuid_hash()(id) % shard_count];
  }

  std::array<shard, shard_count> shards_;
};

} // namespace roost::actors
