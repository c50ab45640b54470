#pragma once

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

struct request;

/// Reads address:port or [address]:port; throws std::runtime_error with one line.
boost::asio::ip::tcp::endpoint parse_listen_address(std::string_view text);

/// What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which one host may have
/// to itself.
boost::asio::ip::address network_of_client(const boost::asio::ip::address& address);

/// Addresses and networks whose X-Forwarded-For is believed.
class proxy_list {
public:
  /// Throws std::runtime_error with one line for an entry that is neither an address nor a network.
  explicit proxy_list(const std::vector<std::string>& entries);

  bool contains(const boost::asio::ip::address& address) const;

  /// The address of the client: going from the peer back through X-Forwarded-For, the first one that is not a
  /// trusted proxy. An entry that is no address ends the search.
  boost::asio::ip::address client_of(const request& req, boost::asio::ip::address peer) const;

private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

} // namespace roost::http
