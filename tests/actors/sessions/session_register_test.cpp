#include "actors/sessions/password_gate.hpp"
#include "actors/sessions/session_register.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace roost::testing::session_register_test {
using actors::session_register;

domain::uuid id(unsigned char n) {
  domain::uuid made{};
  made.data[15] = n;
  return made;
}
constexpr domain::timestamp noon{std::chrono::hours{500'000}};

TEST(SessionRegister, KnowsTheSessionsThatEndedUntilTheirTokensHaveExpired) {
  session_register known;
  EXPECT_FALSE(known.has_ended(id(1), id(2), 0));
  known.end_session(id(1), noon);
  EXPECT_TRUE(known.has_ended(id(1), id(2), 0));
  EXPECT_FALSE(known.has_ended(id(3), id(2), 0));
  known.forget_old(noon - std::chrono::milliseconds{1});
  EXPECT_TRUE(known.has_ended(id(1), id(2), 0));
  known.forget_old(noon);
  EXPECT_FALSE(known.has_ended(id(1), id(2), 0));
}

TEST(SessionRegister, EndsAllSessionsOfAnEarlierEpoch) {
  session_register known;
  known.end_earlier(id(2), 5);
  EXPECT_TRUE(known.has_ended(id(1), id(2), 4));
  EXPECT_FALSE(known.has_ended(id(1), id(2), 5));
  EXPECT_FALSE(known.has_ended(id(1), id(3), 4));
  known.end_earlier(id(2), 3);
  EXPECT_TRUE(known.has_ended(id(1), id(2), 4)) << "an epoch never goes back";
}

TEST(SessionRegister, ForgetsEpochsBeforeAllUsersAreReadAnew) {
  session_register known;
  known.end_earlier(id(2), 5);
  known.end_session(id(1), noon);
  known.forget_epochs();
  EXPECT_FALSE(known.has_ended(id(3), id(2), 4)) << "a restored backup knows an earlier password";
  EXPECT_TRUE(known.has_ended(id(1), id(2), 4));
}

TEST(SignInLines, RunOnePieceOfALineAtATimeInTheirOrder) {
  actors::sign_in_lines lines;
  std::vector<int> ran;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(lines.add("a", [&ran, i] { ran.push_back(i); }));
  EXPECT_TRUE(lines.add("b", [&ran] { ran.push_back(9); }));
  EXPECT_EQ(ran, (std::vector{0, 9}));
  lines.done("a");
  lines.done("a");
  EXPECT_EQ(ran, (std::vector{0, 9, 1, 2}));
  lines.done("a");
  EXPECT_TRUE(lines.add("a", [&ran] { ran.push_back(4); }));
  EXPECT_EQ(ran.back(), 4) << "the line was free again";
}

TEST(SignInLines, TurnAwayWhoComesToALineThatIsTooLong) {
  actors::sign_in_lines lines;
  EXPECT_TRUE(lines.add("a", [] {}));
  for (int i = 0; i < 64; ++i) EXPECT_TRUE(lines.add("a", [] {})) << i;
  EXPECT_FALSE(lines.add("a", [] {}));
  EXPECT_TRUE(lines.add("b", [] {}));
}

} // namespace roost::testing::session_register_test
