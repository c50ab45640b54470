#pragma once

#include "top/view.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace roost::top {

/// Reads the operations listener of a server repeatedly, with a new connection for each request.
class ops_client {
public:
  /// `address` is an IP address without brackets; a wildcard address is replaced by the loopback address.
  ops_client(std::string address, std::uint16_t port);

  /// Throws std::runtime_error with a one-line message if no Roost responds there within two seconds.
  void read();

  /// Returns the figures between the last two readings.
  view figures() const { return view_of(server_, before_, now_, seconds_); }

private:
  std::string get(const std::string& path) const;

  std::string address_;
  std::uint16_t port_;
  std::string server_; ///< `127.0.0.1:9090`
  reading before_, now_;
  std::chrono::steady_clock::time_point read_at_ = std::chrono::steady_clock::now();
  double seconds_ = 0;
};

} // namespace roost::top
