#include "store/sessions/sessions.hpp"
#include "store/sessions/sign_ins.hpp"
#include "store/support/sign_in_scene.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>

namespace roost::testing::remembered_browsers_test {
using namespace std::chrono_literals;

class RememberedBrowsers : public sign_in_scene {
protected:
  /// Signs in and has the browser remembered by a cookie with this hash. Returns its id.
  domain::uuid remember(const std::string& hash, domain::timestamp now) {
    sign_in(now, hash);
    return std::get<store::session_started>(enter(hash, "123456", now, hash)).session_id;
  }
  std::vector<store::remembered_browser> browsers(domain::timestamp now) {
    return store::remembered_browsers_of(session(), user.id, now);
  }
};
ROOST_ON_EACH_STORE(RememberedBrowsers);

TEST_P(RememberedBrowsers, AreListedTheLatestFirstUntilTheyExpire) {
  const auto first = remember("a", noon);
  browser = "Safari/18";
  const auto second = remember("b", noon + 1min);
  const auto listed = browsers(noon + 1min);
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].id, second);
  EXPECT_EQ(listed[0].browser, "Safari/18");
  EXPECT_EQ(listed[1].id, first);
  EXPECT_EQ(listed[1].browser, "Firefox/140");
  EXPECT_EQ(listed[1].created_at, noon);
  EXPECT_EQ(listed[1].expires_at, noon + limits.remembered_browser);
  EXPECT_EQ(browsers(noon + limits.remembered_browser).size(), 1U);
}

TEST_P(RememberedBrowsers, FromTheFutureAreRememberedForThirtyDaysFromNow) {
  remember("a", noon);
  remember("b", noon + 24h); // by a clock that was a day ahead
  written_by(session(), lease, store::shorten_sign_ins, noon, limits);
  EXPECT_EQ(browsers(noon).size(), 2U);
  for (const auto& listed : browsers(noon)) EXPECT_EQ(listed.expires_at, noon + limits.remembered_browser);
  EXPECT_TRUE(browsers(noon + limits.remembered_browser).empty());
}

TEST_P(RememberedBrowsers, AreNotListedAfterTheUsersRoleHasChanged) {
  remember("a", noon);
  change_user("role = 'Viewer'");
  EXPECT_TRUE(browsers(noon).empty());
}

TEST_P(RememberedBrowsers, RequireACodeOnceTheyAreForgotten) {
  const auto first = remember("a", noon), second = remember("b", noon);
  EXPECT_TRUE(store::forget_browser(session(), lease, user.id, first));
  EXPECT_FALSE(store::forget_browser(session(), lease, user.id, first)) << "there is none any more";
  remembered = "a";
  EXPECT_TRUE(std::holds_alternative<store::code_sent>(sign_in(noon + 1min, "c")));
  remembered = "b";
  EXPECT_TRUE(std::holds_alternative<store::session_started>(sign_in(noon + 1min, "d")));
  EXPECT_EQ(browsers(noon).front().id, second);
}

TEST_P(RememberedBrowsers, AreForgottenByTheirOwnUserOnly) {
  const auto id = remember("a", noon);
  EXPECT_FALSE(store::forget_browser(session(), lease, next_id(), id));
  EXPECT_EQ(browsers(noon).size(), 1U);
}

TEST_P(RememberedBrowsers, AreForgottenByTheWriterOnly) {
  const auto id = remember("a", noon);
  const auto outdated = lease;
  take_lease(session());
  EXPECT_THROW(store::forget_browser(session(), outdated, user.id, id), store::lease_lost);
}

} // namespace roost::testing::remembered_browsers_test
