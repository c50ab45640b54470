#pragma once

#include "top/view.hpp"

#include <cstdint>
#include <string>

namespace roost::top {

/// A client of a server's operations listener; it opens a new connection for each request.
class ops_client {
public:
  /// `address` is an IP address without brackets; a wildcard address is replaced by the loopback address.
  ops_client(std::string address, std::uint16_t port);

  /// `127.0.0.1:9090`
  std::string server() const;

  /// Throws std::runtime_error with a one-line message when no Roost answers there within two seconds.
  reading read() const;

private:
  std::string get(const std::string& path) const;

  std::string address_;
  std::uint16_t port_;
};

} // namespace roost::top
