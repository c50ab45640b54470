#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

namespace roost::fetch {

/// The limits for fetching a document.
struct fetch_limits {
  std::chrono::milliseconds time{3'000}; ///< for the whole transfer
  std::size_t bytes = 16 * 1024;         ///< of the body
  std::string content_type;              ///< the only accepted one; empty: any
  std::string trusted_certificates;      ///< PEM file; empty: the system's
  /// Whether connections to private addresses are allowed. Must be false for URLs from untrusted sources:
  /// they could make this server send requests to its own network.
  bool private_addresses = false;
  /// `HOST:PORT:ADDRESS,…`: addresses to use for these names instead of DNS. For tests.
  std::vector<std::string> names;
};

enum class fetch_failure {
  unavailable,     ///< no connection, no trusted certificate, timeout, 429, or 5xx
  private_address, ///< the name resolves to no public address
  bad_response,    ///< a status other than 200, the wrong type, or too long
};

/// The error of a failed fetch; what() is one line.
class fetch_failed : public std::runtime_error {
public:
  fetch_failed(fetch_failure kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  fetch_failure kind() const { return kind_; }

private:
  fetch_failure kind_;
};

struct fetched {
  std::string body;
  std::chrono::seconds fresh{}; ///< how long it may be cached; 0: not specified, or not at all
};

/// Fetches a document from an https URL; blocks. Verifies the server's certificate and does not follow
/// redirects. Checks for private addresses immediately before each connection, so that neither an earlier DNS
/// answer nor an unusual notation of an address passes the check. Throws fetch_failed.
fetched https_get(const std::string& url, const fetch_limits& limits);

/// Returns how long a response with these values of Cache-Control and Age stays fresh (RFC 9111, 4.2), with
/// several Cache-Control lines joined by commas. 0 if that is not specified or the response must not be
/// cached.
std::chrono::seconds freshness_of(std::string_view cache_control, std::string_view age);

/// Whether an address belongs to a single host on the public internet: not to this machine or its networks,
/// not multicast or broadcast, and not embedding another address (RFC 6890, 2.2.2 and 2.2.3). False for
/// anything but IPv4 and IPv6.
bool is_public_address(const sockaddr* address, socklen_t length);

} // namespace roost::fetch
