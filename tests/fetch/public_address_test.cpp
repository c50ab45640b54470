#include "fetch/https_get.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <sys/un.h>

namespace roost::fetch::public_address_test {

template <typename Address>
bool is_public_socket(const Address& address) {
  return is_public_address(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

bool is_public(const std::string& text) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  if (::inet_pton(AF_INET, text.c_str(), &four.sin_addr) == 1) return is_public_socket(four);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  if (::inet_pton(AF_INET6, text.c_str(), &six.sin6_addr) == 1) return is_public_socket(six);
  throw std::invalid_argument(text);
}

TEST(PublicAddress, IsAHostOnTheInternet) {
  for (const auto* each :
       {"1.1.1.1", "8.8.8.8", "93.184.216.34", "193.0.14.129", "223.255.255.255", "2606:4700:4700::1111",
        "2a00:1450:4001::1", "2001:200::1", "2001:4860:4860::8888"})
    EXPECT_TRUE(is_public(each)) << each;
}

TEST(PublicAddress, IsNotTheMachineItself) {
  for (const auto* each : {"127.0.0.1", "127.0.0.0", "127.255.255.255", "0.0.0.0", "0.1.2.3", "::1", "::"})
    EXPECT_FALSE(is_public(each)) << each;
}

TEST(PublicAddress, IsNotInAPrivateNetwork) {
  for (const auto* each :
       {"10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255",
        "100.64.0.0", "100.127.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::1",
        "febf::1", "fec0::1", "fc00::1", "fd00:ec2::254", "fdff:ffff::1"})
    EXPECT_FALSE(is_public(each)) << each;
}

TEST(PublicAddress, StartsRightOutsideThePrivateNetworks) {
  for (const auto* each : {"1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
                           "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255",
                           "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0"})
    EXPECT_TRUE(is_public(each)) << each;
}

TEST(PublicAddress, IsNotMulticastOrBroadcast) {
  for (const auto* each : {"224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1", "ff0e::1"})
    EXPECT_FALSE(is_public(each)) << each;
}

TEST(PublicAddress, EmbedsNoOtherAddress) {
  for (const auto* each :
       {"::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b::8.8.8.8", "64:ff9b:1::1", "2002:7f00:1::", "2002:808:808::", "2001::1", "192.88.99.1"})
    EXPECT_FALSE(is_public(each)) << each;
}

TEST(PublicAddress, IsNotReserved) {
  for (const auto* each : {"192.0.0.8", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
                           "203.0.113.1", "240.0.0.1", "2001:db8::1", "3fff::1", "100::1", "4000::1"})
    EXPECT_FALSE(is_public(each)) << each;
}

TEST(PublicAddress, IsIpv4OrIpv6) {
  sockaddr_un file{};
  file.sun_family = AF_UNIX;
  EXPECT_FALSE(is_public_socket(file));
}

TEST(PublicAddress, IsComplete) {
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  ::inet_pton(AF_INET6, "2606:4700:4700::1111", &six.sin6_addr);
  const auto* address = reinterpret_cast<const sockaddr*>(&six);
  EXPECT_TRUE(is_public_address(address, sizeof six));
  EXPECT_FALSE(is_public_address(address, sizeof six - 1));
}

} // namespace roost::fetch::public_address_test
