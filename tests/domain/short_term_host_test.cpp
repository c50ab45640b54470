#include "domain/short_term_host.hpp"

#include <gtest/gtest.h>

namespace roost::domain::short_term_host_test {
const std::vector<short_term_host> hosts{
    {"one", {"host-one.example", "one-stays.example"}, {"HostOne-Importer"}},
    {"two", {"host-two.example"}, {"two_sync", "TwoBot"}}};

std::string_view by_origin(std::string_view value) { return recognized_host(hosts, {.origin = value}); }
std::string_view by_referer(std::string_view value) { return recognized_host(hosts, {.referer = value}); }
std::string_view by_agent(std::string_view value) { return recognized_host(hosts, {.user_agent = value}); }

TEST(RecognizedHost, IsReadFromTheOrigin) {
  EXPECT_EQ(by_origin("https://host-one.example"), "one");
  EXPECT_EQ(by_origin("https://host-two.example"), "two");
  EXPECT_EQ(by_origin("http://host-one.example:8080"), "one");
  EXPECT_EQ(by_origin("HTTPS://Host-One.Example"), "one");
}

TEST(RecognizedHost, IncludesItsDomainsAndTheirSubdomains) {
  EXPECT_EQ(by_origin("https://one-stays.example"), "one");
  EXPECT_EQ(by_origin("https://www.host-one.example"), "one");
  EXPECT_EQ(by_origin("https://a.b.c.one-stays.example"), "one");
  EXPECT_EQ(by_origin("https://host-one.example."), "one"); // the same name
}

TEST(RecognizedHost, IsReadFromTheRefererIfThereIsNoOrigin) {
  EXPECT_EQ(by_referer("https://www.host-two.example/hosting/calendar?listing=1#sync"), "two");
  EXPECT_EQ(by_referer("https://host-two.example"), "two");
}

TEST(RecognizedHost, IsNamedByAProductInTheUserAgent) {
  for (const auto* agent : {"HostOne-Importer", "HostOne-Importer/2.1", "hostone-importer/2.1 (Linux)",
                            "Mozilla/5.0 (compatible; HostOne-Importer/1.0; +https://elsewhere.example/bot)"})
    EXPECT_EQ(by_agent(agent), "one") << agent;
  EXPECT_EQ(by_agent("TwoBot/3"), "two");
}

TEST(RecognizedHost, IgnoresPartsOfAProductName) {
  for (const auto* agent : {"HostOne-Importers/1", "My-HostOne-Importer", "HostOne", "Importer/1.0",
                            "Bot/HostOne-Importer", "HostOne-Importer.evil.example"})
    EXPECT_EQ(by_agent(agent), "") << agent;
}

TEST(RecognizedHost, IgnoresProductsOutsideTheUserAgent) {
  EXPECT_EQ(by_origin("HostOne-Importer"), "");
  EXPECT_EQ(recognized_host(hosts, {.origin = "https://elsewhere.example", .user_agent = "HostOne-Importer"}),
            "");
}

TEST(RecognizedHost, IsNamedByAnAddressInTheUserAgent) {
  for (const auto* agent :
       {"host-one.example", "Host-One.example/1.0", "Calendar/2.1 (+https://www.host-one.example/bot)",
        "Mozilla/5.0 (compatible; host-one.example; importer)", "fetcher/1 (bot@host-one.example)",
        "Java/17 import.host-one.example/3", "sync/1.0 (https://host-one.example:443/a?b, build 7)",
        "sync \"host-one.example\"", "See host-one.example."})
    EXPECT_EQ(by_agent(agent), "one") << agent;
}

TEST(RecognizedHost, IsEmptyForALookAlikeDomain) {
  for (const auto* look_alike :
       {"nothost-one.example", "host-one.example.evil.test", "host-one.exampleevil", "host-one-example",
        "hostone.example", "example", "xhost-one.example", "host-one.example-evil.test"}) {
    EXPECT_EQ(by_origin("https://" + std::string{look_alike}), "") << look_alike;
    EXPECT_EQ(by_referer("https://" + std::string{look_alike} + "/"), "") << look_alike;
    EXPECT_EQ(by_agent(look_alike), "") << look_alike;
    EXPECT_EQ(by_agent("Mozilla/5.0 (+https://" + std::string{look_alike} + "/)"), "") << look_alike;
  }
}

TEST(RecognizedHost, IgnoresOtherPartsOfAUrl) {
  for (const auto* url :
       {"https://evil.test/host-one.example", "https://evil.test/?from=host-one.example",
        "https://evil.test/#host-one.example", "https://host-one.example@evil.test/",
        "https://host-one.example:pw@evil.test/", "https://evil.test\\host-one.example", "host-one.example",
        "ftp://host-one.example", "null", "//host-one.example", "https://"}) {
    EXPECT_EQ(by_origin(url), "") << url;
    EXPECT_EQ(by_referer(url), "") << url;
  }
  for (const auto* agent : {"x/1 (+https://evil.test/host-one.example)", "evil.test/host-one.example",
                            "host-one.example@evil.test", "x/1 (+https://host-one.example@evil.test/)",
                            "evil.test/a@host-one.example", "a@evil.test@host-one.example",
                            "x/host-one.example", "ftp://host-one.example"})
    EXPECT_EQ(by_agent(agent), "") << agent;
}

TEST(RecognizedHost, IsDecidedByTheFirstFieldPresent) {
  constexpr auto one = "https://host-one.example", two = "https://host-two.example";
  EXPECT_EQ(recognized_host(hosts, {.origin = one, .referer = two, .user_agent = "host-two.example"}), "one");
  EXPECT_EQ(recognized_host(hosts, {.referer = two, .user_agent = "host-one.example"}), "two");
  EXPECT_EQ(recognized_host(hosts, {.origin = "null", .referer = one, .user_agent = "host-one.example"}), "");
  EXPECT_EQ(recognized_host(hosts, {.referer = "https://other.example/", .user_agent = "host-one.example"}),
            "");
}

TEST(RecognizedHost, IsTheFirstOneInTheUserAgent) {
  EXPECT_EQ(by_agent("host-two.example/1 (host-one.example)"), "two");
}

TEST(RecognizedHost, IsEmptyWithoutHeaderFields) {
  EXPECT_EQ(recognized_host(hosts, {}), "");
  EXPECT_EQ(by_agent("Mozilla/5.0 (X11; Linux x86_64)"), "");
  EXPECT_EQ(by_agent(" ;;( ) "), "");
  EXPECT_EQ(by_agent("/ @ + :// https:// a@"), "");
  EXPECT_EQ(recognized_host({}, {.origin = "https://host-one.example"}), "");
}

} // namespace roost::domain::short_term_host_test
