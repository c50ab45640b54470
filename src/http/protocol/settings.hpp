#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace roost::http {

/// What a listener keeps to.
struct settings {
  std::string name = "public"; ///< the label `listener` of its metrics and the field of its log lines
  std::string listen = "127.0.0.1:8080"; ///< address:port, [address]:port for IPv6; port 0 takes a free one
  std::string tls_certificate; ///< PEM file with the chain; with tls_key the listener speaks HTTPS only
  std::string tls_key;         ///< PEM file
  std::vector<std::string> trusted_proxies; ///< addresses or networks (10.0.0.0/8)
  std::size_t max_in_flight = 4096; ///< whole requests that are being handled (workload); above it 503 busy
  /// Requests whose body is still coming, of one prefix and of one client; above it 503 busy and close.
  std::size_t max_bodies_per_prefix = 256, max_bodies_per_address = 64;
  std::size_t max_connections = 10000; ///< above it 503 busy and close
  std::size_t max_body = 1 << 20;      ///< bytes; above it 413

  std::chrono::milliseconds header_timeout{10'000}; ///< also the TLS handshake's
  std::chrono::milliseconds body_timeout{30'000};
  std::chrono::milliseconds idle_timeout{60'000};  ///< between two requests
  std::chrono::milliseconds write_timeout{30'000}; ///< without a byte taken by the reader of an answer
};

} // namespace roost::http
