#include "http/protocol/browser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace roost::http::testing::browser_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;

request with_cookies(std::initializer_list<std::string_view> headers) {
  request req;
  for (const auto header : headers) req.fields.push_back({"cookie", header});
  return req;
}

TEST(Cookies, AreFoundByTheirFullName) {
  const auto req = with_cookies({"a=1; session=abc.DEF-_; xsession=2; session2=3"});
  EXPECT_EQ(cookie_of(req, "session"), "abc.DEF-_");
  EXPECT_EQ(cookie_of(req, "a"), "1");
  EXPECT_EQ(cookie_of(req, "essio"), std::nullopt);
  EXPECT_EQ(cookie_of(req, "Session"), std::nullopt); // names are case-sensitive
  EXPECT_EQ(cookie_of(request{}, "session"), std::nullopt);
}

TEST(Cookies, MayBeEmptyAndContainEqualsSigns) {
  EXPECT_EQ(cookie_of(with_cookies({"session="}), "session"), "");
  EXPECT_EQ(cookie_of(with_cookies({"session=a=b=="}), "session"), "a=b==");
  EXPECT_EQ(cookie_of(with_cookies({"session"}), "session"), std::nullopt);
}

TEST(Cookies, AreReadRegardlessOfWhiteSpace) {
  EXPECT_EQ(cookie_of(with_cookies({" ;; a=1;session=x ;b=2"}), "session"), "x");
}

TEST(Cookies, MayBeInSeveralHeaders) {
  EXPECT_EQ(cookie_of(with_cookies({"a=1", "session=x"}), "session"), "x");
}

TEST(Cookies, WithConflictingValuesAreIgnored) {
  EXPECT_EQ(cookie_of(with_cookies({"session=x; session=y"}), "session"), std::nullopt);
  EXPECT_EQ(cookie_of(with_cookies({"session=x", "session=y"}), "session"), std::nullopt);
  EXPECT_EQ(cookie_of(with_cookies({"session=x; session="}), "session"), std::nullopt);
  EXPECT_EQ(cookie_of(with_cookies({"session=x; a=1; session=x"}), "session"), "x");
}

TEST(Cookies, AreFoundAmongManyOthers) {
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "a" + std::to_string(i) + "=1;";
  const auto with_session = many + "session=x";
  EXPECT_EQ(cookie_of(with_cookies({with_session}), "session"), "x");
  EXPECT_EQ(cookie_of(with_cookies({many}), "session"), std::nullopt);
  const std::string separators(100'000, ';');
  EXPECT_EQ(cookie_of(with_cookies({separators}), "session"), std::nullopt);
}

TEST(OwnCookie, IsHiddenFromScriptsAndOtherSites) {
  response result;
  own_cookie("refresh", "http://127.0.0.1:8080").set(result, "abc-_.D", 30s);
  EXPECT_THAT(result.fields,
              ElementsAre(Pair("Set-Cookie", "refresh=abc-_.D; Max-Age=30; Path=/; HttpOnly; SameSite=Lax")));
}

TEST(OwnCookie, IsBoundToTheHostAndToTlsUnderHttps) {
  const own_cookie cookie("refresh", "https://roost.example");
  EXPECT_EQ(cookie.name(), "__Host-refresh");
  response result;
  cookie.set(result, "abc", 24h * 30);
  EXPECT_THAT(
      result.fields,
      ElementsAre(
          Pair("Set-Cookie", "__Host-refresh=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure")));
}

TEST(OwnCookie, IsReadByTheNameItWasSetWith) {
  const auto req = with_cookies({"refresh=plain; __Host-refresh=bound"});
  EXPECT_EQ(own_cookie("refresh", "http://roost.example").in(req), "plain");
  EXPECT_EQ(own_cookie("refresh", "https://roost.example").in(req), "bound");
}

TEST(OwnCookie, IsClearedByAnExpiredOne) {
  response result;
  own_cookie("refresh", "https://roost.example").clear(result);
  EXPECT_THAT(
      result.fields,
      ElementsAre(Pair("Set-Cookie", "__Host-refresh=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure")));
}

TEST(OwnCookie, RefusesInvalidValues) {
  const own_cookie cookie("refresh", "http://roost.example");
  response result;
  for (const auto* value : {"a;b", "a b", "a\r\nX: y", "a,b", "\"a\"", "\x7f", "\xc3\xa4"})
    EXPECT_THROW(cookie.set(result, value, 1s), std::invalid_argument) << value;
  EXPECT_TRUE(result.fields.empty());
  EXPECT_THROW(own_cookie("a=b", "http://roost.example"), std::invalid_argument);
}

using fields = std::vector<header_field>;

bool passes(fields headers, std::string_view base_url = "https://roost.example") {
  request req;
  req.fields = std::move(headers);
  try {
    origin_check(base_url)(req);
    return true;
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.status, 403U);
    EXPECT_EQ(refusal.message, "Forbidden resource");
    EXPECT_EQ(refusal.name, "ForbiddenException");
    return false;
  }
}

TEST(Origin, IsSchemeHostAndNonDefaultPort) {
  EXPECT_EQ(origin_of("https://Roost.Example"), "https://roost.example");
  EXPECT_EQ(origin_of("https://roost.example:443/app"), "https://roost.example");
  EXPECT_EQ(origin_of("http://roost.example:80"), "http://roost.example");
  EXPECT_EQ(origin_of("http://roost.example:443"), "http://roost.example:443");
  EXPECT_EQ(origin_of("http://[::1]:8080"), "http://[::1]:8080");
}

TEST(OriginCheck, AllowsClientsOtherThanBrowsers) {
  EXPECT_TRUE(passes({}));
  EXPECT_TRUE(passes({{"User-Agent", "curl/8"}}));
}

TEST(OriginCheck, AllowsItsOwnPages) {
  EXPECT_TRUE(passes({{"Origin", "https://roost.example"}, {"Sec-Fetch-Site", "same-origin"}}));
  EXPECT_TRUE(passes({{"Sec-Fetch-Site", "same-origin"}}));
  EXPECT_TRUE(passes({{"Sec-Fetch-Site", "none"}}));
  EXPECT_TRUE(passes({{"Referer", "https://roost.example/sign-in?a=b"}}));
  EXPECT_TRUE(passes({{"Referer", "https://roost.example"}}));
  EXPECT_TRUE(passes({{"Origin", "http://127.0.0.1:8080"}}, "http://127.0.0.1:8080/roost"));
}

TEST(OriginCheck, RefusesRequestsFromOtherSites) {
  for (const auto* origin : {"https://evil.example", "null", "", "http://roost.example",
                             "https://roost.example:8443", "https://roost.example.evil.example",
                             "https://sub.roost.example", "https://roost.example@evil.example"})
    EXPECT_FALSE(passes({{"Origin", origin}})) << origin;
  for (const auto* site : {"cross-site", "same-site", "", "something-new"})
    EXPECT_FALSE(passes({{"Sec-Fetch-Site", site}})) << site;
  for (const auto* page : {"https://evil.example/", "https://roost.example.evil.example/",
                           "https://roost.examples/", "https://evil.example/https://roost.example/", "",
                           "/sign-in", "https://roost.example@evil.example/", "https://roost.example:8443/"})
    EXPECT_FALSE(passes({{"Referer", page}})) << page;
}

TEST(OriginCheck, PrefersOriginToTheOtherFields) {
  EXPECT_FALSE(passes({{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "same-origin"}}));
  EXPECT_FALSE(passes({{"Sec-Fetch-Site", "cross-site"}, {"Referer", "https://roost.example/"}}));
}

TEST(OriginCheck, RefusesARepeatedField) {
  EXPECT_FALSE(passes({{"Origin", "https://roost.example"}, {"Origin", "https://roost.example"}}));
  EXPECT_FALSE(passes({{"Referer", "https://roost.example/"}, {"Referer", "https://evil.example/"}}));
}

} // namespace roost::http::testing::browser_test
