#include "http/protocol/address.hpp"
#include "http/protocol/message.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace roost::http::address_test {
namespace ip = boost::asio::ip;

TEST(ListenAddress, IsAnAddressAndAPort) {
  EXPECT_EQ(parse_listen_address("127.0.0.1:8080"), ip::tcp::endpoint(ip::make_address("127.0.0.1"), 8080));
  EXPECT_EQ(parse_listen_address("[::]:0"), ip::tcp::endpoint(ip::make_address("::"), 0));
}

TEST(ListenAddress, RefusesAnythingElse) {
  for (const std::string text : {"", "8080", "127.0.0.1", "127.0.0.1:", ":8080", "127.0.0.1:65536",
                                 "127.0.0.1:80x", "::1:80", "[127.0.0.1]:80", "roost.example:80"})
    EXPECT_THROW(parse_listen_address(text), std::runtime_error) << text;
}

std::string client(const std::vector<std::string>& trusted, const std::string& peer,
                   const std::vector<header_field>& fields) {
  request req;
  req.fields = fields;
  return proxy_list(trusted).client_of(req, ip::make_address(peer)).to_string();
}

TEST(ProxyList, GoesBackToTheFirstAddressThatIsNoProxy) {
  const std::vector<std::string> trusted{"10.0.0.0/8", "::1", "fd00::/8"};
  const std::vector<header_field> chain{{"X-Forwarded-For", "1.1.1.1, 2.2.2.2"},
                                        {"x-forwarded-for", "10.9.9.9"}};
  EXPECT_EQ(client(trusted, "10.1.2.3", chain), "2.2.2.2");
  EXPECT_EQ(client(trusted, "::ffff:10.1.2.3", chain), "2.2.2.2");
  EXPECT_EQ(client(trusted, "fd12::1", chain), "2.2.2.2");
  EXPECT_EQ(client(trusted, "9.9.9.9", chain), "9.9.9.9");
  EXPECT_EQ(client(trusted, "fe80::1", chain), "fe80::1");
  EXPECT_EQ(client({}, "10.1.2.3", chain), "10.1.2.3");
}

TEST(ProxyList, StopsAtWhatIsNoAddress) {
  EXPECT_EQ(client({"10.0.0.1"}, "10.0.0.1", {{"X-Forwarded-For", "1.1.1.1, unknown"}}), "10.0.0.1");
  EXPECT_EQ(client({"10.0.0.1"}, "10.0.0.1", {}), "10.0.0.1");
}

TEST(ProxyList, RefusesEntriesThatAreNoAddress) {
  for (const std::string entry : {"", "proxy", "10.0.0.0/33", "10.0.0.0/", "::1/129", "1.2.3"})
    EXPECT_THROW(proxy_list({entry}), std::runtime_error) << entry;
}

} // namespace roost::http::address_test
