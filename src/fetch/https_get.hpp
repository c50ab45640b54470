#pragma once

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace roost::fetch {

/// What fetching a document is bound to.
struct fetch_limits {
  std::chrono::milliseconds time{3'000}; ///< in all
  std::size_t bytes = 16 * 1024;         ///< of the body
  std::string content_type;              ///< the only one that is taken; empty: any
  std::string trusted_certificates;      ///< PEM file; empty: those of the system
  /// Whether hosts may be asked that are not on the internet. False for addresses that strangers name: they
  /// would have this server ask its own network.
  bool private_addresses = false;
  /// `HOST:PORT:ADDRESS,…`: what these names stand for, instead of what DNS says. For tests.
  std::vector<std::string> names;
};

enum class fetch_failure {
  unavailable,     ///< no connection, no certificate that is trusted, no time left, 429, or 5xx
  private_address, ///< the name stands for no address on the internet
  bad_response,    ///< another status than 200, another type, or too long
};

/// Its text is one line.
class fetch_failed : public std::runtime_error {
public:
  fetch_failed(fetch_failure kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  fetch_failure kind() const { return kind_; }

private:
  fetch_failure kind_;
};

struct fetched {
  std::string body;
  std::chrono::seconds fresh{}; ///< how long it may be kept; 0: nothing is said, or not at all
};

/// Fetches a document from an https URL; blocks. The server's certificate is checked, and redirects are not
/// followed. Private addresses are refused when a connection to one is about to be made, whatever the name
/// stood for before, and however the URL writes the address. Throws fetch_failed.
fetched https_get(const std::string& url, const fetch_limits& limits);

} // namespace roost::fetch
