#pragma once

#include "top/view.hpp"

#include <cstdint>
#include <string>

namespace roost::top {

/// Reads from a server's operations listener, over a connection of its own each time.
class ops_client {
public:
  /// `address` is an IP address without brackets. One that stands for all addresses is taken for this
  /// machine's own.
  ops_client(std::string address, std::uint16_t port);

  /// `127.0.0.1:9090`
  std::string server() const;

  /// Throws std::runtime_error with one line when no Roost answers there within two seconds.
  reading read() const;

private:
  std::string get(const std::string& path) const;

  std::string address_;
  std::uint16_t port_;
};

} // namespace roost::top
