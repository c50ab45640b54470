#pragma once

#include "http/protocol/router.hpp"

#include <boost/asio/ip/address.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// The limits of a rate limiter's memory, over all its shards. With 8 bytes per timestamp, the defaults limit
/// it to about 20 MB under any load. Above a limit, the least recently seen clients are evicted.
struct rate_limiter_bounds {
  std::size_t clients = 64 * 1024; ///< pairs of a group and a client
  std::size_t stamps = 1024 * 1024;
  std::size_t shards = 16; ///< rarely contended
};

/// Limits requests by group of routes and client (network_of_client) over a sliding minute, exactly: it keeps
/// the times of all requests of the last minute (Management API, Limits). Refused requests do not count, so
/// that a client that waits for Retry-After is admitted. Thread-safe.
class rate_limiter {
public:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds window{60};

  explicit rate_limiter(std::function<clock::time_point()> now = &clock::now,
                        rate_limiter_bounds bounds = {});
  ~rate_limiter();
  rate_limiter(const rate_limiter&) = delete;

  /// Returns the number of a group; the same name always has the same number.
  std::size_t group(std::string_view name);

  /// Admits and counts a request, returning nullopt, or refuses it, returning after how many whole seconds,
  /// at least one, the next one is admitted. `limit` is the number per minute, at least one.
  std::optional<std::chrono::seconds> admit(std::size_t group, const boost::asio::ip::address& client,
                                            std::size_t limit);

  /// Returns the number of pairs of a group and a client in memory.
  std::size_t clients() const;

private:
  /// A group and a client, with their hash.
  struct hashed_key {
    std::uint64_t network;
    std::uint32_t group;
    bool v4;
    std::uint64_t hash = 0;

    bool operator==(const hashed_key&) const = default;
  };
  class shard;

  hashed_key key_of(std::size_t group, const boost::asio::ip::address& client) const;

  const std::function<clock::time_point()> now_;
  const std::uint64_t seed_; ///< unpredictable, so that clients cannot be chosen to share a bucket
  std::vector<std::unique_ptr<shard>> shards_;
  std::mutex mutex_; ///< guards the next member
  std::vector<std::string> groups_;
};

/// Returns a check that refuses requests of a client above `limit` per minute (0: none) with
/// too_many_requests(). Routes of a group are counted together. The limiter must outlive the check.
check rate_limit_check(rate_limiter& limiter, std::string_view group, std::size_t limit);

} // namespace roost::http
