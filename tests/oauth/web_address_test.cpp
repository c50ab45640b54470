#include "oauth/web_address.hpp"

#include <gtest/gtest.h>

namespace roost::oauth::web_address_test {

TEST(WebAddress, IsSplitIntoItsParts) {
  const web_address expected{"https", "tools.example", 443, "/a/b%20c", "?x=1"};
  EXPECT_EQ(parse_web_address("https://tools.example/a/b%20c?x=1"), expected);
  EXPECT_EQ(parse_web_address("HTTPS://Tools.EXAMPLE:443/a/b%20c?x=1"), expected);
}

TEST(WebAddress, HasThePortOfItsScheme) {
  EXPECT_EQ(parse_web_address("http://a.example")->port, 80);
  EXPECT_EQ(parse_web_address("https://a.example:/")->port, 443);
  EXPECT_EQ(parse_web_address("http://a.example:8080")->port, 8080);
}

TEST(WebAddress, HasAnOrigin) {
  EXPECT_EQ(parse_web_address("HTTPS://A.example:443/x")->origin(), "https://a.example");
  EXPECT_EQ(parse_web_address("http://localhost:3334/x")->origin(), "http://localhost:3334");
  EXPECT_EQ(parse_web_address("http://[::1]:1/")->origin(), "http://[::1]:1");
}

TEST(WebAddress, RejectsAmbiguousUrls) {
  for (const auto* bad : {"",
                          "a",
                          "/a",
                          "//a.example/",
                          "ftp://a.example/",
                          "javascript:alert(1)",
                          "data:text/html,x",
                          "https:",
                          "http:|",
                          "https:|",
                          "http:/|",
                          "http://|",
                          "https://a.example/|",
                          "https://",
                          "https:///a",
                          "https:a.example",
                          "https://a.example#",
                          "https://a.example/#x",
                          "https://user@a.example/",
                          "https://:pw@a.example/",
                          "https://@a.example/",
                          "https://a.example@evil.example/",
                          "https://a.example\\@evil.example/",
                          "https://a.example\\.evil.example/",
                          "https://a.example:65536/",
                          "https://a.example:65537/",
                          "https://a.example:84186/",
                          "https://a.example:131152/",
                          "https://a.example:4295032912/",
                          "https://a.example:18446744073709551696/",
                          "https://a.example:99999999999999999999999999/",
                          "https://a.example:0/",
                          "https://a.example:x/",
                          "https://a.example/a b",
                          " https://a.example/",
                          "https://a.example/\n",
                          "https://a.example/\r\nX: y",
                          "https://a.example/\xc3\xbc",
                          "https://a.ex%61mple/",
                          "https://a.example/.",
                          "https://a.example/..",
                          "https://a.example/a/../b",
                          "https://a.example/%2e%2E/b",
                          "https://a.example/a/.%2e",
                          "https://a.example/a/..;/b",
                          "https://a.example/a/..;x=1/b",
                          "https://a.example/a/.;",
                          "https://a.example/a/..;..",
                          "https://a.example/a/%2e%2E;/b",
                          "https://a.example/a/..%3b/b",
                          "https://a.example/a/..%3Bx",
                          "https://a.example/a/..%00/b",
                          "https://a.example/a/..%20/b",
                          "https://a.example/a/..%20;x/b",
                          "https://a.example/a/..%c0%af/b",
                          "https://a.example/a/%ff",
                          "https://a.example/a/%c3",
                          "https://a.example/a%0d%0ab",
                          "https://a.example/a%7f",
                          "https://a.example/a%2fb",
                          "https://a.example/a%5cb",
                          "https://a.example/%252e%252e/b",
                          "https://a.example/%",
                          "https://a.example/%zz",
                          "https://[::1/",
                          "https://[v1.x]/"})
    EXPECT_FALSE(parse_web_address(bad)) << bad;
}

TEST(WebAddress, MayHaveDotsAndParametersThatFormNoDotSegment) {
  for (const auto* good : {"https://a.example/a;b=1/c", "https://a.example/..a", "https://a.example/.../b",
                           "https://a.example/a..;/b", "https://a.example/a?..;/", "https://a.example/%c3%bc",
                           "https://a.example/a%20"})
    EXPECT_TRUE(parse_web_address(good)) << good;
  EXPECT_EQ(parse_web_address("https://a.example:65535/")->port, 65535);
  EXPECT_EQ(parse_web_address("https://a.example:00080/")->port, 80);
}

TEST(WebAddress, HasAMaximumLength) {
  const std::string start = "https://a.example/";
  EXPECT_TRUE(parse_web_address(start + std::string(2'048 - start.size(), 'a')));
  EXPECT_FALSE(parse_web_address(start + std::string(2'049 - start.size(), 'a')));
}

} // namespace roost::oauth::web_address_test
