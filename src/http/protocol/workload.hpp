#pragma once

#include "http/protocol/settings.hpp"
#include "metrics/http_metrics.hpp"

#include <boost/asio/ip/address.hpp>

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace roost::http {

/// What a listener has taken on: whole requests that are being handled, and bodies that are still coming.
/// Any thread.
///
/// No prefix shuts out the others. It may have as many requests in flight as the listener could still take:
/// half of `max_in_flight` when it is alone, a third each when two want all of it, and something is always
/// left for one more. Bodies that are still coming do not count there. They have limits of their own, by
/// prefix and by client.
class workload {
public:
  /// `prefixes`: how many there are. The meter must outlive this.
  workload(const settings& limits, std::size_t prefixes, metrics::listener_meter& meter);

  /// Counts a whole request for as long as it lives. Its constructor throws busy() above the limit, and once
  /// stop() was called.
  class request_in_flight {
  public:
    /// `writes`: whether its handler may change something that lasts.
    request_in_flight(workload& load, std::size_t prefix, bool writes);
    ~request_in_flight();
    request_in_flight(const request_in_flight&) = delete;
    request_in_flight& operator=(const request_in_flight&) = delete;

  private:
    void give_back();

    workload& load_;
    const std::size_t prefix_;
    const bool writes_;
  };

  /// Counts a body that is still coming for as long as it lives. Its constructor throws busy() above a limit.
  class awaited_body {
  public:
    awaited_body(workload& load, std::size_t prefix, const boost::asio::ip::address& client);
    ~awaited_body();
    awaited_body(const awaited_body&) = delete;
    awaited_body& operator=(const awaited_body&) = delete;

  private:
    workload& load_;
    const std::size_t prefix_;
    const boost::asio::ip::address client_;
  };

  /// No further request is taken on.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  std::size_t in_flight() const { return in_flight_; }
  /// Of them, those that may write. Once this is 0 after stop(), none is being handled and none will be.
  std::size_t writing() const { return writing_; }
  std::size_t awaited_bodies() const { return bodies_; }

private:
  struct share {
    std::atomic<std::size_t> in_flight = 0, bodies = 0;
  };

  /// Whether there was room for one more of this client's bodies; it is counted then.
  bool add_body_of(const boost::asio::ip::address& client);
  void remove_body_of(const boost::asio::ip::address& client);

  const std::size_t max_in_flight_, max_bodies_per_prefix_, max_bodies_per_address_;
  metrics::listener_meter& meter_;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> in_flight_ = 0, writing_ = 0, bodies_ = 0;
  std::vector<share> shares_; ///< by prefix
  std::mutex mutex_;          ///< guards the next one; only bodies that do not come with their header take it
  std::map<boost::asio::ip::address, std::size_t> bodies_by_client_;
};

} // namespace roost::http
