#include "http/protocol/address.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/message.hpp"

#include <boost/asio/ip/address.hpp>

#include <charconv>
#include <stdexcept>

namespace roost::http {
namespace {

namespace ip = boost::asio::ip;

/// A dual-stack socket shows IPv4 peers as mapped IPv6 addresses; they are the same host.
ip::address without_mapping(const ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  return address;
}

template <class Network, class Address>
bool holds(const Network& network, const Address& address) {
  return Network(address, network.prefix_length()).canonical() == network;
}

} // namespace

ip::tcp::endpoint parse_listen_address(std::string_view text) {
  const auto fail = [&]() -> ip::tcp::endpoint {
    throw std::runtime_error("cannot listen on \"" + std::string(text) + "\": not address:port");
  };
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return fail();
  auto host = text.substr(0, colon);
  const auto digits = text.substr(colon + 1);
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);

  std::uint16_t port = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  boost::system::error_code failure;
  const auto address = ip::make_address(std::string(host), failure);
  if (failure || parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() ||
      address.is_v6() != bracketed)
    return fail();
  return {address, port};
}

ip::address network_of_client(const ip::address& address) {
  constexpr unsigned short bits_of_a_network = 64;
  auto plain = without_mapping(address);
  if (plain.is_v4()) return plain;
  return ip::network_v6(plain.to_v6(), bits_of_a_network).network();
}

proxy_list::proxy_list(const std::vector<std::string>& entries) {
  for (const auto& entry : entries) {
    boost::system::error_code failure;
    const bool network = entry.find('/') != std::string::npos;
    if (entry.find(':') == std::string::npos) {
      const auto v4 = ip::make_network_v4(network ? entry : entry + "/32", failure);
      if (!failure) v4_.push_back(v4.canonical());
    } else {
      const auto v6 = ip::make_network_v6(network ? entry : entry + "/128", failure);
      if (!failure) v6_.push_back(v6.canonical());
    }
    if (failure)
      throw std::runtime_error("trusted proxy \"" + entry + "\" is neither an address nor a network");
  }
}

bool proxy_list::contains(const ip::address& address) const {
  const auto plain = without_mapping(address);
  if (plain.is_v4())
    return std::ranges::any_of(v4_, [&](const auto& network) { return holds(network, plain.to_v4()); });
  return std::ranges::any_of(v6_, [&](const auto& network) { return holds(network, plain.to_v6()); });
}

ip::address proxy_list::client_of(const request& req, ip::address peer) const {
  std::vector<std::string_view> hops;
  for (auto list : req.all("X-Forwarded-For"))
    for (auto hop = ascii::next_element(list); !hop.empty(); hop = ascii::next_element(list))
      hops.push_back(hop);
  ip::address client = without_mapping(peer);
  for (auto hop = hops.rbegin(); hop != hops.rend() && contains(client); ++hop) {
    boost::system::error_code failure;
    const auto address = ip::make_address(std::string(*hop), failure);
    if (failure) break;
    client = without_mapping(address);
  }
  return client;
}

} // namespace roost::http
