#include "fetch/https_get.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>

namespace roost::fetch {

namespace {

/// A network: the addresses that share their first `bits` with `start`.
struct range {
  std::uint32_t start;
  unsigned bits;

  constexpr bool contains(std::uint32_t address) const { return ((address ^ start) >> (32 - bits)) == 0; }
};

constexpr std::uint32_t ipv4(unsigned a, unsigned b = 0, unsigned c = 0) {
  return a << 24 | b << 16 | c << 8;
}
/// The first 32 bits of an IPv6 address, which are enough to distinguish the networks below.
constexpr std::uint32_t ipv6(unsigned first, unsigned second = 0) { return first << 16 | second; }

constexpr std::array special_ipv4{
    range{ipv4(0), 8},         // this host
    range{ipv4(10), 8},        // private
    range{ipv4(100, 64), 10},  // shared by providers and their customers
    range{ipv4(127), 8},       // loopback
    range{ipv4(169, 254), 16}, // link-local; clouds serve machine secrets here
    range{ipv4(172, 16), 12},  // private
    range{ipv4(192), 24},      // protocol assignments
    range{ipv4(192, 0, 2), 24},
    range{ipv4(192, 88, 99), 24}, // 6to4 relays
    range{ipv4(192, 168), 16},    // private
    range{ipv4(198, 18), 15},     // benchmarks
    range{ipv4(198, 51, 100), 24},
    range{ipv4(203, 0, 113), 24},
    range{ipv4(224), 4}, // multicast
    range{ipv4(240), 4}, // reserved, broadcast
};

/// Excludes loopback, unique-local, link-local, multicast, IPv4-mapped and NAT64 addresses.
constexpr range global_ipv6{ipv6(0x2000), 3};
constexpr std::array special_ipv6{
    range{ipv6(0x2001), 23}, // protocol assignments; Teredo, which embeds an IPv4 address
    range{ipv6(0x2001, 0xdb8), 32},
    range{ipv6(0x2002), 16}, // 6to4, which embeds one as well
    range{ipv6(0x3fff), 20},
};

template <std::size_t Count>
bool is_in(const std::array<range, Count>& ranges, std::uint32_t address) {
  return std::ranges::any_of(ranges, [&](const auto& range) { return range.contains(address); });
}

/// Copies the address, which may be unaligned.
template <typename Address>
Address as(const sockaddr* address) {
  Address copy{};
  std::memcpy(&copy, address, sizeof copy);
  return copy;
}

} // namespace

bool is_public_address(const sockaddr* address, socklen_t length) {
  if (length >= sizeof(sockaddr_in) && address->sa_family == AF_INET)
    return !is_in(special_ipv4, ntohl(as<sockaddr_in>(address).sin_addr.s_addr));
  if (length < sizeof(sockaddr_in6) || address->sa_family != AF_INET6) return false;
  const auto whole = as<sockaddr_in6>(address);
  std::uint32_t start = 0;
  std::memcpy(&start, &whole.sin6_addr, sizeof start);
  start = ntohl(start);
  return global_ipv6.contains(start) && !is_in(special_ipv6, start);
}

} // namespace roost::fetch
