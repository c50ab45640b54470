#include "http/protocol/browser.hpp"
#include "http/protocol/error.hpp"

#include <gtest/gtest.h>

namespace roost::http::testing::origin_test {

using fields = std::vector<header_field>;

bool passes(fields sent, std::string_view base_url = "https://roost.example") {
  request req;
  req.fields = std::move(sent);
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

TEST(Origin, IsSchemeHostAndAPortOfItsOwn) {
  EXPECT_EQ(origin_of("https://Roost.Example"), "https://roost.example");
  EXPECT_EQ(origin_of("https://roost.example:443/app"), "https://roost.example");
  EXPECT_EQ(origin_of("http://roost.example:80"), "http://roost.example");
  EXPECT_EQ(origin_of("http://roost.example:443"), "http://roost.example:443");
  EXPECT_EQ(origin_of("http://[::1]:8080"), "http://[::1]:8080");
}

TEST(OriginCheck, LetsWhoIsNoBrowserPass) {
  EXPECT_TRUE(passes({}));
  EXPECT_TRUE(passes({{"User-Agent", "curl/8"}}));
}

TEST(OriginCheck, LetsItsOwnPagesPass) {
  EXPECT_TRUE(passes({{"Origin", "https://roost.example"}, {"Sec-Fetch-Site", "same-origin"}}));
  EXPECT_TRUE(passes({{"Sec-Fetch-Site", "same-origin"}}));
  EXPECT_TRUE(passes({{"Sec-Fetch-Site", "none"}}));
  EXPECT_TRUE(passes({{"Referer", "https://roost.example/sign-in?a=b"}}));
  EXPECT_TRUE(passes({{"Referer", "https://roost.example"}}));
  EXPECT_TRUE(passes({{"Origin", "http://127.0.0.1:8080"}}, "http://127.0.0.1:8080/roost"));
}

TEST(OriginCheck, RefusesWhatAnotherSiteSends) {
  for (const auto* other : {"https://evil.example", "null", "", "http://roost.example",
                            "https://roost.example:8443", "https://roost.example.evil.example",
                            "https://sub.roost.example", "https://roost.example@evil.example"})
    EXPECT_FALSE(passes({{"Origin", other}})) << other;
  for (const auto* site : {"cross-site", "same-site", "", "something-new"})
    EXPECT_FALSE(passes({{"Sec-Fetch-Site", site}})) << site;
  for (const auto* page : {"https://evil.example/", "https://roost.example.evil.example/",
                           "https://roost.examples/", "https://evil.example/https://roost.example/", "",
                           "/sign-in", "https://roost.example@evil.example/", "https://roost.example:8443/"})
    EXPECT_FALSE(passes({{"Referer", page}})) << page;
}

TEST(OriginCheck, BelievesOriginBeforeTheOthers) {
  EXPECT_FALSE(passes({{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "same-origin"}}));
  EXPECT_FALSE(passes({{"Sec-Fetch-Site", "cross-site"}, {"Referer", "https://roost.example/"}}));
}

TEST(OriginCheck, RefusesAFieldThatComesTwice) {
  EXPECT_FALSE(passes({{"Origin", "https://roost.example"}, {"Origin", "https://roost.example"}}));
  EXPECT_FALSE(passes({{"Referer", "https://roost.example/"}, {"Referer", "https://evil.example/"}}));
}

} // namespace roost::http::testing::origin_test
