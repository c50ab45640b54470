#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <utility>
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
  /// How many redirects are followed. Each must lead to https and, unless private addresses are allowed, to a
  /// public address. The limits of time and of header bytes apply to all requests together.
  long max_redirects = 0;
  /// An IPv4 address that counts as public. For tests.
  std::string public_address;
  /// `HOST:PORT:ADDRESS,…`: addresses to use for these names instead of DNS. For tests.
  std::vector<std::string> names;
};

enum class fetch_failure {
  unavailable,     ///< no connection, no trusted certificate, timeout, 429, or 5xx
  private_address, ///< the name resolves to no public address
  bad_response,    ///< a status other than 200, too many redirects, the wrong type, or too long
};

/// The error of a failed fetch; what() is one line with the URL. Where the URL is a secret, use reason(),
/// which does not contain it: "the response status is 404".
class fetch_failed : public std::runtime_error {
public:
  fetch_failed(fetch_failure kind, const std::string& text, std::string reason = {})
      : std::runtime_error(text), kind_(kind), reason_(std::move(reason)) {}
  fetch_failure kind() const { return kind_; }
  const std::string& reason() const { return reason_; }

private:
  fetch_failure kind_;
  std::string reason_;
};

/// The ETag and Last-Modified of a response (RFC 9110, 8.8); empty if missing or longer than 1,024 bytes.
struct validators {
  std::string etag;
  std::string last_modified;

  friend bool operator==(const validators&, const validators&) = default;
};

struct fetched {
  std::string body;
  std::chrono::seconds fresh{}; ///< how long it may be cached; 0: not specified, or not at all
  /// The document has not changed since the response with the given validators; `body` is empty.
  bool not_modified = false;
  validators current = {}; ///< to make the next request conditional
};

/// Fetches a document from an https URL; blocks. Verifies the server's certificate. Checks for private
/// addresses immediately before each connection, so that neither an earlier DNS answer nor an unusual
/// notation of an address passes the check. With the validators of an earlier response, the request is
/// conditional (If-None-Match, If-Modified-Since). URLs with a user name are refused, as they would appear in
/// logs. Throws fetch_failed.
fetched https_get(const std::string& url, const fetch_limits& limits, const validators& known = {});

/// Returns how long a response with these values of Cache-Control and Age stays fresh (RFC 9111, 4.2), with
/// several Cache-Control lines joined by commas. 0 if that is not specified or the response must not be
/// cached.
std::chrono::seconds freshness_of(std::string_view cache_control, std::string_view age);

/// Whether an address belongs to a single host on the public internet: not to this machine or its networks,
/// not multicast or broadcast, and not embedding another address (RFC 6890, 2.2.2 and 2.2.3). False for
/// anything but IPv4 and IPv6.
bool is_public_address(const sockaddr* address, socklen_t length);

} // namespace roost::fetch
