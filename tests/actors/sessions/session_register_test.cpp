#include "actors/sessions/session_register.hpp"
#include "support/sample_portfolio.hpp"

#include <gtest/gtest.h>

namespace roost::testing::session_register_test {
using actors::session_register;

constexpr std::chrono::minutes quarter{15};
constexpr domain::timestamp noon{std::chrono::hours{500'000}};
const auto start = session_register::clock::now();

bool has_ended(const session_register& ended) { return ended.has_ended(numbered_id(1), numbered_id(2), 0); }

TEST(SessionRegister, KnowsEndedSessionsUntilTheirTokensExpire) {
  session_register ended;
  EXPECT_FALSE(has_ended(ended));
  EXPECT_TRUE(ended.end_session(numbered_id(1), quarter, noon, start));
  EXPECT_FALSE(ended.end_session(numbered_id(1), quarter, noon - quarter, start - quarter))
      << "known, and for longer";
  EXPECT_TRUE(has_ended(ended));
  EXPECT_FALSE(ended.has_ended(numbered_id(3), numbered_id(2), 0));
  ended.forget_old(noon + quarter - std::chrono::milliseconds{1}, start + quarter);
  EXPECT_TRUE(has_ended(ended));
  ended.forget_old(noon + quarter, start + quarter);
  EXPECT_FALSE(has_ended(ended));
}

TEST(SessionRegister, KnowsAnEndedSessionThoughTheClockSteppedForward) {
  session_register ended;
  ended.end_session(numbered_id(1), quarter, noon, start);
  ended.forget_old(noon + std::chrono::hours{24}, start + quarter / 2);
  EXPECT_TRUE(has_ended(ended)) << "its tokens are valid again when the clock is corrected";
}

TEST(SessionRegister, KnowsAnEndedSessionThoughTheClockSteppedBack) {
  session_register ended;
  ended.end_session(numbered_id(1), quarter, noon, start);
  ended.forget_old(noon - quarter, start + 2 * quarter);
  EXPECT_TRUE(has_ended(ended)) << "its tokens are valid once the clock shows noon again";
}

TEST(SessionRegister, EndsAllSessionsOfEarlierEpochs) {
  session_register ended;
  ended.end_earlier_epochs(numbered_id(2), 5);
  EXPECT_TRUE(ended.has_ended(numbered_id(1), numbered_id(2), 4));
  EXPECT_FALSE(ended.has_ended(numbered_id(1), numbered_id(2), 5));
  EXPECT_FALSE(ended.has_ended(numbered_id(1), numbered_id(3), 4));
  ended.end_earlier_epochs(numbered_id(2), 3);
  EXPECT_TRUE(ended.has_ended(numbered_id(1), numbered_id(2), 4)) << "an epoch never decreases";
}

TEST(SessionRegister, ForgetsEpochsBeforeAllUsersAreReloaded) {
  session_register ended;
  ended.end_earlier_epochs(numbered_id(2), 5);
  ended.end_session(numbered_id(1), quarter, noon);
  ended.forget_epochs();
  EXPECT_FALSE(ended.has_ended(numbered_id(3), numbered_id(2), 4))
      << "a restored backup has an earlier epoch";
  EXPECT_TRUE(ended.has_ended(numbered_id(1), numbered_id(2), 4));
}

} // namespace roost::testing::session_register_test
