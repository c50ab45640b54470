#include "http/protocol/browser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace roost::http::testing::cookies_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;

request with_cookies(std::initializer_list<std::string_view> headers) {
  request req;
  for (const auto header : headers) req.fields.push_back({"cookie", header});
  return req;
}

TEST(Cookies, AreFoundAmongOthersByTheirWholeName) {
  const auto req = with_cookies({"a=1; session=abc.DEF-_; xsession=2; session2=3"});
  EXPECT_EQ(cookie_of(req, "session"), "abc.DEF-_");
  EXPECT_EQ(cookie_of(req, "a"), "1");
  EXPECT_EQ(cookie_of(req, "essio"), std::nullopt);
  EXPECT_EQ(cookie_of(req, "Session"), std::nullopt); // names have a case
  EXPECT_EQ(cookie_of(request{}, "session"), std::nullopt);
}

TEST(Cookies, MayBeEmptyAndHoldEqualsSigns) {
  EXPECT_EQ(cookie_of(with_cookies({"session="}), "session"), "");
  EXPECT_EQ(cookie_of(with_cookies({"session=a=b=="}), "session"), "a=b==");
  EXPECT_EQ(cookie_of(with_cookies({"session"}), "session"), std::nullopt);
}

TEST(Cookies, AreReadWhateverSpaceIsAroundThem) {
  EXPECT_EQ(cookie_of(with_cookies({" ;; a=1;session=x ;b=2"}), "session"), "x");
}

TEST(Cookies, MayComeInSeveralHeaders) {
  EXPECT_EQ(cookie_of(with_cookies({"a=1", "session=x"}), "session"), "x");
}

TEST(Cookies, OfOneNameAndDifferentValuesSayNothing) {
  EXPECT_EQ(cookie_of(with_cookies({"session=x; session=y"}), "session"), std::nullopt);
  EXPECT_EQ(cookie_of(with_cookies({"session=x", "session=y"}), "session"), std::nullopt);
  EXPECT_EQ(cookie_of(with_cookies({"session=x; session="}), "session"), std::nullopt);
  EXPECT_EQ(cookie_of(with_cookies({"session=x; a=1; session=x"}), "session"), "x");
}

TEST(Cookies, AreFoundInAFlood) {
  std::string flood;
  for (int i = 0; i < 100'000; ++i) flood += "a" + std::to_string(i) + "=1;";
  const auto with_ours = flood + "session=x";
  EXPECT_EQ(cookie_of(with_cookies({with_ours}), "session"), "x");
  EXPECT_EQ(cookie_of(with_cookies({flood}), "session"), std::nullopt);
  const std::string separators(100'000, ';');
  EXPECT_EQ(cookie_of(with_cookies({separators}), "session"), std::nullopt);
}

TEST(OwnCookie, IsKeptFromScriptsAndOtherSites) {
  response answer;
  own_cookie("refresh", "http://127.0.0.1:8080").set(answer, "abc-_.D", 30s);
  EXPECT_THAT(answer.fields,
              ElementsAre(Pair("Set-Cookie", "refresh=abc-_.D; Max-Age=30; Path=/; HttpOnly; SameSite=Lax")));
}

TEST(OwnCookie, IsBoundToTheHostAndToTlsUnderHttps) {
  const own_cookie cookie("refresh", "https://roost.example");
  EXPECT_EQ(cookie.name(), "__Host-refresh");
  response answer;
  cookie.set(answer, "abc", 24h * 30);
  EXPECT_THAT(
      answer.fields,
      ElementsAre(
          Pair("Set-Cookie", "__Host-refresh=abc; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure")));
}

TEST(OwnCookie, IsReadUnderTheNameItWasSetBy) {
  const auto req = with_cookies({"refresh=plain; __Host-refresh=bound"});
  EXPECT_EQ(own_cookie("refresh", "http://roost.example").in(req), "plain");
  EXPECT_EQ(own_cookie("refresh", "https://roost.example").in(req), "bound");
}

TEST(OwnCookie, IsClearedByAnEmptyOneThatHasEnded) {
  response answer;
  own_cookie("refresh", "https://roost.example").clear(answer);
  EXPECT_THAT(
      answer.fields,
      ElementsAre(Pair("Set-Cookie", "__Host-refresh=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure")));
}

TEST(OwnCookie, TakesNoValueThatCouldBecomeSomethingElse) {
  const own_cookie cookie("refresh", "http://roost.example");
  response answer;
  for (const auto* value : {"a;b", "a b", "a\r\nX: y", "a,b", "\"a\"", "\x7f", "\xc3\xa4"})
    EXPECT_THROW(cookie.set(answer, value, 1s), std::invalid_argument) << value;
  EXPECT_TRUE(answer.fields.empty());
  EXPECT_THROW(own_cookie("a=b", "http://roost.example"), std::invalid_argument);
}

} // namespace roost::http::testing::cookies_test
