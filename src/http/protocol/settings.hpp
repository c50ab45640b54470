#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace roost::http {

/// The configuration of a listener.
struct settings {
  std::string name = "public"; ///< the label `listener` of its metrics and the field of its log lines
  std::string listen = "127.0.0.1:8080"; ///< address:port, [address]:port for IPv6; port 0 picks a free one
  std::string tls_certificate; ///< PEM file with the chain; with tls_key the listener accepts HTTPS only
  std::string tls_key;         ///< PEM file
  bool https_only = false;     ///< sends Strict-Transport-Security (RFC 6797)
  std::vector<std::string> trusted_proxies; ///< addresses or networks (10.0.0.0/8)
  std::size_t max_in_flight = 4096;         ///< complete requests being handled (workload); above it 503 busy
  std::size_t max_waiting = 1000;           ///< requests that wait for a change; above it 503 busy
  /// Requests with an incomplete body, per prefix and per client; above it 503 busy and close.
  std::size_t max_bodies_per_prefix = 256, max_bodies_per_address = 64;
  std::size_t max_connections = 10000; ///< above it 503 busy and close
  std::size_t max_body = 1 << 20;      ///< bytes; above it 413, except for routes with a limit of their own

  std::chrono::milliseconds header_timeout{10'000}; ///< also for the TLS handshake
  std::chrono::milliseconds body_timeout{30'000};
  std::chrono::milliseconds idle_timeout{75'000};  ///< between two requests
  std::chrono::milliseconds write_timeout{30'000}; ///< without the client accepting a byte of a response
};

/// Facts about a listener's certificate and its chain. Clients accept it only while every certificate is
/// valid.
struct certificate_facts {
  std::string file;
  std::string names;  ///< hosts and addresses of the first one, separated by commas; else its subject
  std::string sha256; ///< of all of them, in hexadecimal digits; identifies them
  std::chrono::sys_seconds from;  ///< when the last of them becomes valid
  std::chrono::sys_seconds until; ///< when the first of them expires

  bool operator==(const certificate_facts&) const = default;
};

} // namespace roost::http
