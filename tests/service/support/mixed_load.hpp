#pragma once

#include "service/support/mixed_requests.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace roost::testing {

/// Concurrent mixed_clients over HTTP.
class mixed_load {
public:
  explicit mixed_load(mixed_settings settings);
  ~mixed_load();
  mixed_load(const mixed_load&) = delete;
  mixed_load& operator=(const mixed_load&) = delete;

  /// Makes the clients connect to this port from now on; 0 makes them wait.
  void set_port(std::uint16_t port) { port_ = port; }

  std::size_t succeeded() const { return succeeded_; }

  /// Stops the clients and returns all their requests.
  std::vector<client_event> finish();

private:
  class client;

  mixed_settings settings_;
  std::atomic<std::uint16_t> port_ = 0;
  std::atomic<std::size_t> succeeded_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::vector<client_event> events_;
  std::vector<std::thread> threads_;
};

} // namespace roost::testing
