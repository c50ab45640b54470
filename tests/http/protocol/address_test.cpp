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

TEST(ProxyList, ReturnsTheLastAddressThatIsNotAProxy) {
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

TEST(ProxyList, StopsAtInvalidAddresses) {
  EXPECT_EQ(client({"10.0.0.1"}, "10.0.0.1", {{"X-Forwarded-For", "1.1.1.1, unknown"}}), "10.0.0.1");
  EXPECT_EQ(client({"10.0.0.1"}, "10.0.0.1", {}), "10.0.0.1");
}

TEST(ProxyList, IgnoresPortsBracketsAndQuotesAroundAddresses) {
  const auto client_of = [](const std::string& node) {
    return client({"10.0.0.1"}, "10.0.0.1", {{"X-Forwarded-For", node}});
  };
  for (const auto* node : {"192.0.2.7:4711", "192.0.2.7", "\"192.0.2.7:4711\"", "::ffff:192.0.2.7",
                           "[192.0.2.7]", "[192.0.2.7]:4711", "\"192\\.0.2\\.7\""})
    EXPECT_EQ(client_of(node), "192.0.2.7") << node;
  for (const auto* node : {"[2001:db8::1]:4711", "[2001:db8::1]", "2001:db8::1", "\"[2001:db8::1]:4711\""})
    EXPECT_EQ(client_of(node), "2001:db8::1") << node;
  for (const auto* node : {"[192.0.2.7", "[192.0.2.7]x", "192\\.0.2.7", "[2001:db8::1", "[2001:db8::1]x",
                           "unknown", "_hidden", "[", "[]", ":1", "\"", "192.0.2.7 x"})
    EXPECT_EQ(client_of(node), "10.0.0.1") << node;
  EXPECT_EQ(client({"10.0.0.1", "10.0.0.2"}, "10.0.0.1",
                   {{"X-Forwarded-For", "1.1.1.1:80, [2001:db8::1]:443, 10.0.0.2:99"}}),
            "2001:db8::1");
}

TEST(ProxyList, ReadsForwarded) {
  const auto client_of = [](const std::string& value) {
    return client({"10.0.0.0/8"}, "10.0.0.1", {{"Forwarded", value}});
  };
  EXPECT_EQ(client_of("for=192.0.2.43"), "192.0.2.43");
  EXPECT_EQ(client_of("For=\"[2001:db8:cafe::17]:4711\""), "2001:db8:cafe::17");
  EXPECT_EQ(client_of("for=192.0.2.60;proto=http;by=203.0.113.43"), "192.0.2.60");
  EXPECT_EQ(client_of("proto=https ; FOR=\"192.0.2.60:_p1\";host=\"a,b\""), "192.0.2.60");
  EXPECT_EQ(client_of("for=1.1.1.1, for=192.0.2.43,for=10.9.9.9"), "192.0.2.43");
  EXPECT_EQ(client_of("for=\"x, for=192.0.2.43"), "192.0.2.43") << "a client's quote hides nothing";
  for (const auto* value :
       {"for=unknown", "for=_gazonk", "proto=http", "for=1.1.1.1;for=2.2.2.2", "for=", "for"})
    EXPECT_EQ(client_of(value), "10.0.0.1") << value;
  EXPECT_EQ(client({}, "10.0.0.1", {{"Forwarded", "for=192.0.2.43"}}), "10.0.0.1");
}

TEST(ProxyList, PrefersXForwardedForToForwarded) {
  EXPECT_EQ(
      client({"10.0.0.1"}, "10.0.0.1", {{"Forwarded", "for=1.1.1.1"}, {"X-Forwarded-For", "192.0.2.7"}}),
      "192.0.2.7");
}

TEST(ProxyList, RefusesInvalidEntries) {
  for (const std::string entry : {"", "proxy", "10.0.0.0/33", "10.0.0.0/", "::1/129", "1.2.3"})
    EXPECT_THROW(proxy_list({entry}), std::runtime_error) << entry;
}

} // namespace roost::http::address_test
