#include "http/pages/challenge_cookie.hpp"

#include <gtest/gtest.h>

namespace roost::http::testing::challenge_cookie_test {

const challenge_cookie cookie{"http://roost.example"};

std::optional<open_challenge> read(const std::string& header) {
  request req;
  req.fields.push_back({"Cookie", header});
  return cookie.in(req);
}

TEST(ChallengeCookie, KeepsWhatThePageOfTheCodeShows) {
  const open_challenge open{"tok-en_1", "ä***@casaverde.example",
                            *domain::parse_timestamp("2026-11-20T09:40:00.000Z"),
                            *domain::parse_timestamp("2026-11-20T09:30:00.500Z")};
  response answer;
  cookie.set(answer, open);
  const auto field = answer.fields.at(0).second;
  const auto again = read(field.substr(0, field.find(';')));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->token, open.token);
  EXPECT_EQ(again->email, open.email);
  EXPECT_EQ(again->expires_at, open.expires_at);
  EXPECT_EQ(again->sent_at, open.sent_at);
}

TEST(ChallengeCookie, IsNothingWhenItIsMissingOrOdd) {
  for (const auto* odd :
       {"", "a=b", "roost_challenge=", "roost_challenge=token", "roost_challenge=~61~1~1",
        "roost_challenge=token~6~1~1", "roost_challenge=token~ff~1~1", "roost_challenge=token~61~x~1",
        "roost_challenge=token~61~1~-1", "roost_challenge=token~61~1~9999999999999999"})
    EXPECT_FALSE(read(odd)) << odd;
  EXPECT_TRUE(read("roost_challenge=token~61~1~1"));
}

} // namespace roost::http::testing::challenge_cookie_test
