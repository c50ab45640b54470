#pragma once

#include "service/support/manual_bookings.hpp"
#include "support/raw_client.hpp"

#include <atomic>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace roost::testing {

struct office_load_settings {
  std::string token; ///< of a session
  std::uint32_t seed = 1;
  unsigned units = 3;
};

/// A user of an office who books stays by hand over HTTP, moves and cancels them.
class office_load {
public:
  explicit office_load(office_load_settings settings);
  ~office_load();
  office_load(const office_load&) = delete;
  office_load& operator=(const office_load&) = delete;

  /// Makes the user connect to this port from now on; 0 makes the user wait.
  void set_port(std::uint16_t port) { port_ = port; }

  /// Stops the user.
  void finish();

  std::size_t succeeded() const { return succeeded_; }

  /// Compares what was acknowledged with the store, after finish(). Returns descriptions of differences.
  std::vector<std::string> differences(store::session& db) const;

private:
  void run();
  void book();
  void change();
  stay_placement random_place();
  manual_booking* any_certain();
  /// Returns the response; status 0 if there was none.
  raw_response send(const std::string& method, const std::string& path, const std::string& body,
                    header_fields fields);
  void report(const std::string& text, const raw_response& response);
  int between(int min, int max) { return std::uniform_int_distribution<int>{min, max}(random_); }

  const office_load_settings settings_;
  std::mt19937 random_;
  std::atomic<std::uint16_t> port_ = 0;
  std::atomic<std::size_t> succeeded_ = 0;
  std::atomic<bool> stopped_ = false;
  std::vector<manual_booking> bookings_;
  std::set<std::string> cancellations_sent_; ///< ids of bookings
  std::vector<std::string> errors_;          ///< unexpected responses
  std::thread thread_;
};

} // namespace roost::testing
