#pragma once

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

struct request;

/// Parses address:port or [address]:port. Throws std::runtime_error with one line.
boost::asio::ip::tcp::endpoint parse_listen_address(std::string_view text);

/// Returns the network that counts as one client: an IPv4 address, or the /64 network of an IPv6 address,
/// which may belong to a single host.
boost::asio::ip::address network_of_client(const boost::asio::ip::address& address);

/// The trusted proxies: addresses and networks whose X-Forwarded-For or Forwarded (RFC 7239) is used.
class proxy_list {
public:
  /// Throws std::runtime_error with one line if an entry is neither an address nor a network.
  explicit proxy_list(const std::vector<std::string>& entries);

  bool contains(const boost::asio::ip::address& address) const;

  /// Returns the address of the client: the first one that is not a trusted proxy, from the peer backwards
  /// through X-Forwarded-For, or through Forwarded if that is missing. An entry that is not an address ends
  /// the search; ports, brackets and quotes around one do not count.
  boost::asio::ip::address client_of(const request& req, boost::asio::ip::address peer) const;

private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

} // namespace roost::http
