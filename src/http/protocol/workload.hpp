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

/// Limits the load of a listener: complete requests that are being handled, those that wait for a change, and
/// incomplete bodies, which have their own limits per prefix and per client. Thread-safe.
///
/// No prefix can starve the others. Each may have as many requests in flight as the listener has capacity
/// left: half of `max_in_flight` if it is alone, a third each if two compete, so that there is always room
/// for another prefix. Requests that wait for a change are shared in the same way, by `max_waiting`.
class workload {
public:
  /// `prefixes` is the number of prefixes. The meter must outlive the workload.
  workload(const settings& limits, std::size_t prefixes, metrics::listener_meter& meter);

  /// Counts a complete request during its lifetime. Throws busy() above the limit and after stop().
  class request_in_flight {
  public:
    /// `writes`: whether the handler may change persistent data.
    request_in_flight(workload& load, std::size_t prefix, bool writes);
    ~request_in_flight();
    request_in_flight(const request_in_flight&) = delete;

  private:
    void release();

    workload& load_;
    const std::size_t prefix_;
    const bool writes_;
  };

  /// Counts a request in flight as a waiting one during its lifetime instead: it takes memory, but no work.
  /// Throws busy() above the limit. Afterwards the request is in flight again, even above that limit.
  class waiting_request {
  public:
    waiting_request(workload& load, std::size_t prefix);
    ~waiting_request();
    waiting_request(const waiting_request&) = delete;

  private:
    void release();

    workload& load_;
    const std::size_t prefix_;
  };

  /// Counts an incomplete body during its lifetime. The constructor throws busy() above a limit.
  class awaited_body {
  public:
    awaited_body(workload& load, std::size_t prefix, const boost::asio::ip::address& client);
    ~awaited_body();
    awaited_body(const awaited_body&) = delete;

  private:
    workload& load_;
    const std::size_t prefix_;
    const boost::asio::ip::address client_;
  };

  /// Refuses all further requests.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  std::size_t in_flight() const { return in_flight_; }
  /// The requests in flight that may write. After stop(), 0 means that no such request runs or will run.
  std::size_t writing() const { return writing_; }
  std::size_t waiting() const { return waiting_; }
  std::size_t awaited_bodies() const { return bodies_; }

private:
  struct share {
    std::atomic<std::size_t> in_flight = 0, waiting = 0, bodies = 0;
  };

  /// Counts another body of this client; false if its limit is reached.
  bool add_body_of(const boost::asio::ip::address& client);
  void remove_body_of(const boost::asio::ip::address& client);

  const std::size_t max_in_flight_, max_waiting_, max_bodies_per_prefix_, max_bodies_per_address_;
  metrics::listener_meter& meter_;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> in_flight_ = 0, writing_ = 0, waiting_ = 0, bodies_ = 0;
  std::vector<share> shares_; ///< by prefix
  std::mutex mutex_; ///< guards the next member; only bodies that do not arrive with their header lock it
  std::map<boost::asio::ip::address, std::size_t> bodies_by_client_;
};

} // namespace roost::http
