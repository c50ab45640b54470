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

/// What a rate limiter remembers at most, over all its shards. Eight bytes a stamp: with these numbers it
/// takes some 20 MB while the whole world asks. Above a bound the clients that were not seen for the longest
/// time are forgotten.
struct rate_limiter_bounds {
  std::size_t clients = 64 * 1024; ///< pairs of a group and a client
  std::size_t stamps = 1024 * 1024;
  std::size_t shards = 16; ///< threads rarely meet in one
};

/// Counts requests by group of routes and client over a sliding minute, exactly: the moments of all requests
/// of the last minute are remembered (Management API, Limits). A client is an IPv4 address or the /64 network
/// of an IPv6 address. What is refused does not count, so that whoever waits as long as he was told is let
/// in. Any thread.
class rate_limiter {
public:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds window{60};

  explicit rate_limiter(std::function<clock::time_point()> now = &clock::now, rate_limiter_bounds most = {});
  ~rate_limiter();
  rate_limiter(const rate_limiter&) = delete;
  rate_limiter& operator=(const rate_limiter&) = delete;

  /// The number of a group; the same name has the same one.
  std::size_t group(std::string_view name);

  /// Lets a request in and counts it: nothing. Or refuses it: after how many whole seconds, at least one, the
  /// next one would be let in. `limit` is how many a minute may have, at least one.
  std::optional<std::chrono::seconds> refuse(std::size_t group, const boost::asio::ip::address& client,
                                             std::size_t limit);

  /// How many pairs of a group and a client are remembered.
  std::size_t clients() const;

private:
  struct key {
    std::uint64_t network;
    std::uint32_t group;
    bool v4;

    bool operator==(const key&) const = default;
  };
  class shard;

  static key key_of(std::size_t group, const boost::asio::ip::address& client);
  std::uint64_t hash_of(const key& of) const;

  const std::function<clock::time_point()> now_;
  const std::uint64_t seed_; ///< nobody outside can tell which clients share a bucket
  std::vector<std::unique_ptr<shard>> shards_;
  std::mutex mutex_; ///< guards the next one
  std::vector<std::string> groups_;
};

/// Refuses with 429 "ThrottlerException: Too Many Requests" and Retry-After the requests of a client above
/// `limit` in a minute; 0: there is no limit. Routes with the same group count together. The limiter must
/// outlive the check.
check rate_limit_check(rate_limiter& limiter, std::string_view group, std::size_t limit);

} // namespace roost::http
