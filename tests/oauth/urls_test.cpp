#include "oauth/urls.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace roost::oauth::urls_test {

TEST(ResourceName, IsTheSameWithAndWithoutTheSlashOfAnEmptyPath) {
  EXPECT_EQ(normalized_resource("https://tools.example/"), "https://tools.example");
  EXPECT_EQ(normalized_resource("https://tools.example"), "https://tools.example");
  EXPECT_EQ(normalized_resource("https://tools.example/?a"), "https://tools.example?a");
}

TEST(ResourceName, KeepsItsPathAndOmitsTheDefaultPort) {
  EXPECT_EQ(normalized_resource("HTTPS://Tools.Example:443/MCP/"), "https://tools.example/MCP/");
  EXPECT_EQ(normalized_resource("http://127.0.0.1:9000/mcp"), "http://127.0.0.1:9000/mcp");
}

TEST(ResourceName, IsAnAbsoluteUrlWithoutAFragment) {
  for (const auto* bad :
       {"", "mcp", "/mcp", "urn:tools", "https://tools.example/mcp#x", "https://u@tools.example/"})
    EXPECT_FALSE(normalized_resource(bad)) << bad;
}

TEST(ResourceOfAKey, IsTheConfiguredOneAsItIsWrittenThere) {
  const std::string configured = "http://Tools.example/";
  for (const auto* same : {"", "http://Tools.example/", "http://tools.example:80"})
    EXPECT_EQ(resource_of_key(same, configured), configured) << same;
}

TEST(ResourceOfAKey, IsHttpsOrOnThisMachineIfItIsAnother) {
  EXPECT_EQ(resource_of_key("https://Other.example/", "https://tools.example"), "https://other.example");
  EXPECT_EQ(resource_of_key("http://localhost:1/mcp", "https://tools.example"), "http://localhost:1/mcp");
  for (const auto* bad : {"http://other.example", "other", "https://other.example#x"})
    EXPECT_FALSE(resource_of_key(bad, "https://tools.example")) << bad;
  EXPECT_FALSE(resource_of_key("", "")) << "none is configured";
}

TEST(Address, IsProtectedFromTheNetworkIfItIsHttpsOrOnTheSameMachine) {
  for (const auto* good : {"https://tools.example/mcp", "http://localhost:1/", "http://127.0.0.1",
                           "http://127.0.0.2:9000/mcp", "http://[::1]:9999/mcp", "http://[0:0::1]/"})
    EXPECT_TRUE(is_https_or_on_this_machine(*parse_web_address(good))) << good;
  for (const auto* bad :
       {"http://tools.example/mcp", "http://128.0.0.1/", "http://127.1/", "http://localhost.evil.example/",
        "http://127.0.0.1.evil.example/", "http://[::2]/", "http://[::]/"}) {
    const auto address = parse_web_address(bad);
    EXPECT_FALSE(address && is_https_or_on_this_machine(*address)) << bad;
  }
}

const redirect_policy& policy() {
  static const redirect_policy instance{{"https://one.example/api/callback", "https://two.example/cb?kind=a"},
                                        {"https://two.example/connector/", "https://three.example/c"}};
  return instance;
}

TEST(RedirectPolicy, AllowsTheConfiguredCallbacks) {
  for (const auto* good : {"https://one.example/api/callback", "https://ONE.example:443/api/callback",
                           "https://two.example/cb?kind=a"})
    EXPECT_TRUE(policy().allows(good)) << good;
}

TEST(RedirectPolicy, AllowsEveryPathBelowAPrefix) {
  for (const auto* good : {"https://two.example/connector/a", "https://two.example/connector/a/b?x=1",
                           "https://two.example/connector/", "https://two.example/connector",
                           "https://three.example/c", "https://three.example/c/d"})
    EXPECT_TRUE(policy().allows(good)) << good;
}

TEST(RedirectPolicy, AllowsTheUsersOwnMachineOnAnyPortAndPath) {
  for (const auto* good : {"http://localhost", "http://localhost/", "http://localhost:1/x?y=z",
                           "http://127.0.0.1:65535/callback", "http://LOCALHOST:33418/"})
    EXPECT_TRUE(policy().allows(good)) << good;
}

TEST(RedirectPolicy, RejectsLookAlikes) {
  for (const auto* bad : {"https://one.example/api/callback/",
                          "https://one.example/api/callbackx",
                          "https://one.example/api/Callback",
                          "https://one.example/api/callback?x",
                          "https://one.example/api/callback#",
                          "http://one.example/api/callback",
                          "https://one.example:8443/api/callback",
                          "https://one.example./api/callback",
                          "https://one.example.evil.example/api/callback",
                          "https://evil.example/https://one.example/api/callback",
                          "https://one.example@evil.example/api/callback",
                          "https://one.example%2eevil.example/api/callback",
                          "https://two.example/connectors/a",
                          "https://two.example/connector/../evil",
                          "https://two.example/connector/%2e%2e/evil",
                          "https://two.example/connector/..%2fevil",
                          "https://two.example/connector%2fa",
                          "https://two.example/connector/%252e%252e/evil",
                          "https://two.example/connector/..;/evil",
                          "https://two.example/connector/a/..;x/../evil",
                          "https://two.example:65979/connector/a",
                          "http://localhost:84186/cb",
                          "http://127.0.0.1:84186/cb",
                          "https://two.example/connector/\\evil",
                          "https://three.example/cd",
                          "https://evil.example/connector/a",
                          "https://localhost/x",
                          "http://localhost.evil.example/",
                          "http://localhost./",
                          "http://127.0.0.1.evil.example/",
                          "http://127.0.0.1./",
                          "http://127.1/",
                          "http://2130706433/",
                          "http://0x7f000001/",
                          "http://127.0.0.2/",
                          "http://0.0.0.0/",
                          "http://[::1]/",
                          "http://[::ffff:127.0.0.1]/",
                          "http://user@localhost/",
                          "http://localhost@evil.example/",
                          "http://localhost#@evil.example/",
                          "http://localhost\\.evil.example/",
                          "http://evil.example/",
                          "custom://x",
                          "javascript:alert(1)",
                          "data:text/html,x",
                          "com.example.app:/cb",
                          "",
                          "/"})
    EXPECT_FALSE(policy().allows(bad)) << bad;
}

TEST(RedirectPolicy, IgnoresInvalidConfiguration) {
  const redirect_policy odd{{"http://one.example/", "one.example"}, {"https://two.example/a/../"}};
  for (const auto* bad : {"http://one.example/", "https://one.example/", "https://two.example/"})
    EXPECT_FALSE(odd.allows(bad)) << bad;
}

/// No allowed URI can be parsed as having a host that is not allowed.
TEST(RedirectPolicy, AllowsOnlyKnownHosts) {
  static constexpr std::array<std::string_view, 22> parts{
      "https://",  "http://",   "one.example",  "two.example", "three.example",
      "localhost", "127.0.0.1", "evil.example", "/",           "\\",
      "@",         ":",         "80",           "#",           "?",
      ".",         "%2e",       "%2f",          "connector",   "c",
      "%00",       "//"};
  domain::for_random_cases(20'000, [](std::mt19937& random) {
    std::string uri = domain::int_between(random, 0, 1) == 0 ? "https://" : "http://";
    for (int i = domain::int_between(random, 1, 6); i > 0; --i)
      uri += parts.at(
          static_cast<std::size_t>(domain::int_between(random, 0, static_cast<int>(parts.size()) - 1)));
    if (!policy().allows(uri)) return;
    const auto rest = std::string_view(uri).substr(uri.find("//") + 2);
    const auto host = rest.substr(0, rest.find_first_of("/:?"));
    EXPECT_TRUE(host == "one.example" || host == "two.example" || host == "three.example" ||
                host == "localhost" || host == "127.0.0.1")
        << uri;
  });
}

TEST(RegisteredRedirect, IsTheSameByteForByte) {
  EXPECT_TRUE(is_registered_redirect("https://one.example/cb", "https://one.example/cb"));
  for (const auto* other : {"https://one.example/cb/", "https://ONE.example/cb", "https://one.example:443/cb",
                            "https://one.example/cb?a", "https://one.example/", ""})
    EXPECT_FALSE(is_registered_redirect("https://one.example/cb", other)) << other;
}

TEST(RegisteredRedirect, HasAnyPortOnTheUsersOwnMachine) {
  for (const auto* registered : {"http://localhost/cb", "http://localhost:3334/cb"}) {
    EXPECT_TRUE(is_registered_redirect(registered, "http://localhost:51234/cb")) << registered;
    EXPECT_TRUE(is_registered_redirect(registered, "http://localhost/cb")) << registered;
    for (const auto* other :
         {"http://localhost:3334/other", "http://127.0.0.1:3334/cb", "https://localhost:3334/cb",
          "http://localhost:3334/cb?x", "http://localhost.evil.example:3334/cb"})
      EXPECT_FALSE(is_registered_redirect(registered, other)) << other;
  }
}

} // namespace roost::oauth::urls_test
