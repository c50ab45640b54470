#include "http/protocol/workload.hpp"

#include "http/protocol/address.hpp"
#include "http/protocol/error.hpp"

namespace roost::http {

workload::workload(const settings& limits, std::size_t prefixes, metrics::listener_meter& meter)
    : max_in_flight_(limits.max_in_flight), max_waiting_(limits.max_waiting),
      max_bodies_per_prefix_(limits.max_bodies_per_prefix),
      max_bodies_per_address_(limits.max_bodies_per_address), meter_(meter), shares_(prefixes) {}

workload::request_in_flight::request_in_flight(workload& load, std::size_t prefix, bool writes)
    : load_(load), prefix_(prefix), writes_(writes) {
  const auto all = load_.in_flight_++;
  const auto of_prefix = load_.shares_[prefix_].in_flight++;
  if (writes_) ++load_.writing_;
  // Counts before it checks, sequentially consistent: after stop(), writing() == 0 misses no request.
  const bool stopped = load_.stopped_;
  const bool fits = all + of_prefix < load_.max_in_flight_;
  if (!stopped && fits) return;
  release();
  if (!stopped) load_.meter_.refused_in_flight.increment();
  throw busy();
}

workload::request_in_flight::~request_in_flight() { release(); }

void workload::request_in_flight::release() {
  if (writes_) --load_.writing_;
  --load_.shares_[prefix_].in_flight;
  --load_.in_flight_;
}

workload::waiting_request::waiting_request(workload& load, std::size_t prefix)
    : load_(load), prefix_(prefix) {
  const auto all = load_.waiting_++;
  const auto of_prefix = load_.shares_[prefix_].waiting++;
  if (all + of_prefix >= load_.max_waiting_) {
    release();
    load_.meter_.refused_waiting.increment();
    throw busy();
  }
  --load_.shares_[prefix_].in_flight;
  --load_.in_flight_;
}

workload::waiting_request::~waiting_request() {
  ++load_.in_flight_;
  ++load_.shares_[prefix_].in_flight;
  release();
}

void workload::waiting_request::release() {
  --load_.shares_[prefix_].waiting;
  --load_.waiting_;
}

workload::awaited_body::awaited_body(workload& load, std::size_t prefix,
                                     const boost::asio::ip::address& client)
    : load_(load), prefix_(prefix), client_(network_of_client(client)) {
  auto& of_prefix = load_.shares_[prefix_].bodies;
  if (of_prefix++ >= load_.max_bodies_per_prefix_) {
    --of_prefix;
    load_.meter_.refused_bodies_of_prefix.increment();
    throw busy();
  }
  if (!load_.add_body_of(client_)) {
    --of_prefix;
    load_.meter_.refused_bodies_of_address.increment();
    throw busy();
  }
  ++load_.bodies_;
}

workload::awaited_body::~awaited_body() {
  --load_.bodies_;
  --load_.shares_[prefix_].bodies;
  load_.remove_body_of(client_);
}

bool workload::add_body_of(const boost::asio::ip::address& client) {
  const std::lock_guard lock{mutex_};
  const auto known = bodies_by_client_.try_emplace(client, 0).first;
  if (known->second >= max_bodies_per_address_) return false;
  ++known->second;
  return true;
}

void workload::remove_body_of(const boost::asio::ip::address& client) {
  const std::lock_guard lock{mutex_};
  const auto known = bodies_by_client_.find(client);
  if (--known->second == 0) bodies_by_client_.erase(known);
}

} // namespace roost::http
