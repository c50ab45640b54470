#include "actors/sessions/session_register.hpp"
#include "support/sample_portfolio.hpp"

#include <gtest/gtest.h>

namespace roost::testing::session_register_test {
using actors::session_register;

constexpr std::chrono::minutes quarter{15};
const auto start = session_register::clock::now();

TEST(SessionRegister, KnowsEndedSessionsUntilTheirTokensExpire) {
  session_register ended;
  EXPECT_FALSE(ended.has_ended(numbered_id(1), numbered_id(2), 0));
  EXPECT_TRUE(ended.end_session(numbered_id(1), quarter, start));
  EXPECT_FALSE(ended.end_session(numbered_id(1), quarter, start - quarter)) << "known, and for longer";
  EXPECT_TRUE(ended.has_ended(numbered_id(1), numbered_id(2), 0));
  EXPECT_FALSE(ended.has_ended(numbered_id(3), numbered_id(2), 0));
  ended.forget_old(start + quarter - std::chrono::milliseconds{1});
  EXPECT_TRUE(ended.has_ended(numbered_id(1), numbered_id(2), 0));
  ended.forget_old(start + quarter);
  EXPECT_FALSE(ended.has_ended(numbered_id(1), numbered_id(2), 0));
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
  ended.end_session(numbered_id(1), quarter);
  ended.forget_epochs();
  EXPECT_FALSE(ended.has_ended(numbered_id(3), numbered_id(2), 4))
      << "a restored backup has an earlier epoch";
  EXPECT_TRUE(ended.has_ended(numbered_id(1), numbered_id(2), 4));
}

} // namespace roost::testing::session_register_test
