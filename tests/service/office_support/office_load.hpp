#pragma once

#include "service/office_support/office_user.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace roost::testing {

/// Concurrent office_users over HTTP.
class office_load {
public:
  explicit office_load(office_settings settings);
  ~office_load();
  office_load(const office_load&) = delete;
  office_load& operator=(const office_load&) = delete;

  /// Makes the users connect to this port from now on, after they have compared what was acknowledged with
  /// the responses of the server; 0 makes them wait.
  void set_port(std::uint16_t port);

  /// Returns whether all users have made this comparison.
  bool has_checked() const;

  office_counts acknowledged() const;

  /// Stops the users.
  void finish();

  /// Compares what was acknowledged with a server, once the users are stopped.
  bool check_reads(std::uint16_t port);

  /// Returns the unexpected responses so far, and how the store differs from what was acknowledged. While a
  /// server runs, the users must not have its port.
  std::vector<std::string> differences(store::session& db) const;

private:
  struct member {
    member(const office_settings& settings, unsigned number) : user(settings, number) {}

    office_user user;
    std::atomic<unsigned> checked_run = 0;
  };

  void run(member& self);

  office_settings settings_;
  std::atomic<std::uint16_t> port_ = 0;
  std::atomic<unsigned> run_ = 0; ///< the number of ports so far
  std::atomic<bool> stopped_ = false;
  std::vector<std::unique_ptr<member>> members_;
  std::vector<std::thread> threads_;
};

std::string to_string(const office_counts& counts);

} // namespace roost::testing
