#include "domain/web_address.hpp"

#include <gtest/gtest.h>

namespace roost::domain::web_address_test {

TEST(WebAddress, IsReadInItsParts) {
  const web_address expected{"https", "tools.example", 443, "/a/b%20c", "?x=1"};
  EXPECT_EQ(parse_web_address("https://tools.example/a/b%20c?x=1"), expected);
  EXPECT_EQ(parse_web_address("HTTPS://Tools.EXAMPLE:443/a/b%20c?x=1"), expected);
}

TEST(WebAddress, HasThePortOfItsScheme) {
  EXPECT_EQ(parse_web_address("http://a.example")->port, 80);
  EXPECT_EQ(parse_web_address("https://a.example:/")->port, 443);
  EXPECT_EQ(parse_web_address("http://a.example:8080")->port, 8080);
}

TEST(WebAddress, TellsItsOrigin) {
  EXPECT_EQ(parse_web_address("HTTPS://A.example:443/x")->origin(), "https://a.example");
  EXPECT_EQ(parse_web_address("http://localhost:3334/x")->origin(), "http://localhost:3334");
  EXPECT_EQ(parse_web_address("http://[::1]:1/")->origin(), "http://[::1]:1");
}

TEST(WebAddress, IsNothingThatCouldBeTakenForAnother) {
  for (const auto* bad : {"",
                          "a",
                          "/a",
                          "//a.example/",
                          "ftp://a.example/",
                          "javascript:alert(1)",
                          "data:text/html,x",
                          "https:",
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
                          "https://a.example/a%2fb",
                          "https://a.example/a%5cb",
                          "https://a.example/%252e%252e/b",
                          "https://a.example/%",
                          "https://a.example/%zz",
                          "https://[::1/",
                          "https://[v1.x]/"})
    EXPECT_FALSE(parse_web_address(bad)) << bad;
}

TEST(WebAddress, HasAnEnd) {
  const std::string start = "https://a.example/";
  EXPECT_TRUE(parse_web_address(start + std::string(2'048 - start.size(), 'a')));
  EXPECT_FALSE(parse_web_address(start + std::string(2'049 - start.size(), 'a')));
}

TEST(ResourceName, IsTheSameWithAndWithoutTheSlashOfAnEmptyPath) {
  EXPECT_EQ(normalised_resource("https://tools.example/"), "https://tools.example");
  EXPECT_EQ(normalised_resource("https://tools.example"), "https://tools.example");
  EXPECT_EQ(normalised_resource("https://tools.example/?a"), "https://tools.example?a");
}

TEST(ResourceName, KeepsItsPathAndLosesWhatGoesWithoutSaying) {
  EXPECT_EQ(normalised_resource("HTTPS://Tools.Example:443/MCP/"), "https://tools.example/MCP/");
  EXPECT_EQ(normalised_resource("http://127.0.0.1:9000/mcp"), "http://127.0.0.1:9000/mcp");
}

TEST(ResourceName, IsAnAbsoluteUrlWithoutAFragment) {
  for (const auto* bad :
       {"", "mcp", "/mcp", "urn:tools", "https://tools.example/mcp#x", "https://u@tools.example/"})
    EXPECT_FALSE(normalised_resource(bad)) << bad;
}

} // namespace roost::domain::web_address_test
