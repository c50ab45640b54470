#include "http/protocol/address.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/message.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace roost::http {
namespace {

namespace ip = boost::asio::ip;

/// Converts an IPv4-mapped IPv6 address, as dual-stack sockets report IPv4 peers, to IPv4.
ip::address without_mapping(const ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped())
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  return address;
}

/// Returns a text without the quotes around it and its backslashes (RFC 9110, 5.6.4), which no address has.
std::string unquoted(std::string_view text) {
  if (text.size() < 2 || !text.starts_with('"') || !text.ends_with('"')) return std::string(text);
  std::string inner(text.substr(1, text.size() - 2));
  std::erase(inner, '\\');
  return inner;
}

/// Returns the address that a proxy names: bare, with a port, in brackets or quotes (RFC 7239, 6). Brackets
/// around an IPv4 address are accepted, too. nullopt for anything else, such as `unknown`.
std::optional<ip::address> address_in(std::string_view element) {
  const auto content = unquoted(element);
  const std::string_view node = content;
  const bool bracketed = node.starts_with('[');
  const bool bare_v6 = !bracketed && node.find(':') != node.rfind(':');
  const auto end = std::min(bare_v6 ? std::string_view::npos : node.find(bracketed ? ']' : ':'), node.size());
  auto text = node.substr(0, end), port = node.substr(end);
  if (bracketed) {
    text.remove_prefix(1);
    if (port.empty()) return std::nullopt;
    port.remove_prefix(1);
  }
  if (!port.empty() && port.front() != ':') return std::nullopt;
  boost::system::error_code failure;
  const auto address = ip::make_address(std::string(text), failure);
  return failure ? std::nullopt : std::optional(address);
}

/// Returns the node of `for` in an element of Forwarded (RFC 7239, 4); empty unless there is exactly one.
std::string_view forwarded_node(std::string_view element) {
  std::string_view node;
  while (!element.empty()) {
    auto value = ascii::trim(ascii::take_until(element, ';'));
    if (!ascii::equal_ignoring_case(ascii::take_until(value, '='), "for")) continue;
    if (!node.empty()) return {};
    node = value;
  }
  return node;
}

std::vector<std::string_view> x_forwarded_for(const request& req) {
  std::vector<std::string_view> hops;
  for (auto list : req.all("X-Forwarded-For"))
    for (auto hop = ascii::next_element(list); !hop.empty(); hop = ascii::next_element(list))
      hops.push_back(hop);
  return hops;
}

/// Returns the nodes in Forwarded. Splits it at quoted commas, too: no node has one, and an unmatched quote
/// from the client must not hide the elements that proxies added. The rest of a quoted host has no `=`.
std::vector<std::string_view> forwarded(const request& req) {
  std::vector<std::string_view> hops;
  for (auto list : req.all("Forwarded"))
    for (auto hop = ascii::next_element(list); !hop.empty(); hop = ascii::next_element(list))
      if (hop.find('=') != std::string_view::npos) hops.push_back(forwarded_node(hop));
  return hops;
}

template <class Network, class Address>
bool contains_address(const Network& network, const Address& address) {
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
  constexpr unsigned short network_bits = 64;
  auto unmapped = without_mapping(address);
  if (unmapped.is_v4()) return unmapped;
  return ip::network_v6(unmapped.to_v6(), network_bits).network();
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
  const auto unmapped = without_mapping(address);
  if (unmapped.is_v4())
    return std::ranges::any_of(
        v4_, [&](const auto& network) { return contains_address(network, unmapped.to_v4()); });
  return std::ranges::any_of(
      v6_, [&](const auto& network) { return contains_address(network, unmapped.to_v6()); });
}

ip::address proxy_list::client_of(const request& req, ip::address peer) const {
  ip::address client = without_mapping(peer);
  if (!contains(client)) return client;
  auto hops = x_forwarded_for(req);
  if (hops.empty()) hops = forwarded(req);
  for (auto hop = hops.rbegin(); hop != hops.rend() && contains(client); ++hop) {
    const auto address = address_in(*hop);
    if (!address) break;
    client = without_mapping(*address);
  }
  return client;
}

} // namespace roost::http
