#include "store/database/error.hpp"
#include "store/sessions/sessions.hpp"
#include "store/support/sign_in_scene.hpp"

#include <algorithm>

namespace roost::testing::store_sessions_test {
using store::refresh_result;

class StoredSessions : public sign_in_scene {
protected:
  store::refresh_outcome refresh(std::int64_t generation, domain::timestamp now) {
    return refresh_all({generation}, now).front();
  }

  std::vector<store::refresh_outcome> refresh_all(const std::vector<std::int64_t>& generations,
                                                  domain::timestamp now) {
    std::vector<store::session_refresh> requests;
    for (const auto each : generations) requests.push_back({session_id, each, "192.0.2.9"});
    return store::refresh_sessions(session(), lease, requests, now, grace);
  }

  static constexpr std::chrono::seconds grace{30};
};
ROOST_ON_EACH_STORE(StoredSessions);

TEST_P(StoredSessions, RotateEachTokenOnce) {
  start_session();
  for (std::int64_t generation = 1; generation < 4; ++generation) {
    const auto outcome = refresh(generation, noon + std::chrono::minutes{generation});
    EXPECT_EQ(outcome.result, refresh_result::rotated);
    EXPECT_EQ(outcome.generation, generation + 1);
    EXPECT_EQ(outcome.user_id, user.id);
  }
}

TEST_P(StoredSessions, RepeatATokenWithinTheGracePeriod) {
  start_session();
  refresh(1, noon);
  const auto repeated = refresh(1, noon + grace);
  EXPECT_EQ(repeated.result, refresh_result::repeated);
  EXPECT_EQ(repeated.generation, 2);
  EXPECT_EQ(refresh(1, noon + grace + std::chrono::milliseconds{1}).result, refresh_result::reused);
  EXPECT_EQ(refresh(2, noon + grace * 2).result, refresh_result::ended);
}

TEST_P(StoredSessions, EndOnATokenTwoGenerationsOld) {
  start_session();
  refresh(1, noon);
  refresh(2, noon);
  EXPECT_EQ(refresh(1, noon).result, refresh_result::reused);
}

TEST_P(StoredSessions, RotateOnceForConcurrentRefreshes) {
  start_session();
  const auto outcomes = refresh_all({1, 1, 1}, noon);
  EXPECT_EQ(outcomes[0].result, refresh_result::rotated);
  for (const auto& each : outcomes) EXPECT_EQ(each.generation, 2);
  EXPECT_EQ(outcomes[2].result, refresh_result::repeated);
  EXPECT_EQ(refresh(2, noon).result, refresh_result::rotated);
}

TEST_P(StoredSessions, RejectATokenThatWasNotIssuedYet) {
  start_session();
  EXPECT_EQ(refresh(2, noon).result, refresh_result::unknown);
  EXPECT_EQ(refresh(1, noon).result, refresh_result::rotated) << "the session goes on";
}

TEST_P(StoredSessions, LastThirtyDaysRegardlessOfRefreshes) {
  const auto expires_at = start_session().expires_at;
  EXPECT_EQ(expires_at, noon + std::chrono::days{30});
  const auto last = refresh(1, expires_at - std::chrono::milliseconds{1});
  EXPECT_EQ(last.result, refresh_result::rotated);
  EXPECT_EQ(last.expires_at, expires_at);
  EXPECT_EQ(refresh(2, expires_at).result, refresh_result::unknown);
}

TEST_P(StoredSessions, EndWithTheirUsersEpoch) {
  start_session();
  change_user("role = 'Viewer'");
  EXPECT_EQ(refresh(1, noon).result, refresh_result::ended);
  change_user("deactivated = true");
  EXPECT_EQ(refresh(1, noon).result, refresh_result::user_gone);
}

TEST_P(StoredSessions, SurviveAnUpdateOfTheirUserWithTheSameValues) {
  start_session();
  change_user("role = role, deactivated = deactivated, password_hash = password_hash, last_name = 'Other'");
  EXPECT_EQ(refresh(1, noon).result, refresh_result::rotated);
}

TEST_P(StoredSessions, RequireTheLease) {
  start_session();
  const store::lease lost{"another", lease.epoch + 1};
  const std::vector<store::session_refresh> requests{{session_id, 1, ""}};
  EXPECT_THROW(store::refresh_sessions(session(), lost, requests, noon, grace), store::lease_lost);
  EXPECT_EQ(refresh(1, noon).result, refresh_result::rotated);
}

TEST_P(StoredSessions, CanBeEndedOnce) {
  start_session();
  EXPECT_TRUE(store::end_session(session(), lease, session_id, store::session_end::logout, noon));
  EXPECT_FALSE(store::end_session(session(), lease, session_id, store::session_end::logout, noon));
  EXPECT_EQ(refresh(1, noon).result, refresh_result::ended);
  EXPECT_EQ(store::sessions_ended_since(session(), noon), std::vector{session_id});
  EXPECT_TRUE(store::sessions_ended_since(session(), noon + std::chrono::milliseconds{1}).empty());
}

TEST_P(StoredSessions, CanBeEndedOnlyByTheirUser) {
  start_session();
  EXPECT_FALSE(store::end_session_of(session(), lease, numbered_id(9, 9), session_id, noon));
  EXPECT_TRUE(store::end_session_of(session(), lease, user.id, session_id, noon));
  EXPECT_TRUE(store::revoked_sessions(session(), std::array{session_id}).empty()) << "not ended by a command";
}

TEST_P(StoredSessions, AreRevokedWithAChangeForServers) {
  start_session();
  const auto before = position_of(session());
  const auto revoked = store::revoke_session(session(), session_id, noon);
  ASSERT_TRUE(revoked);
  EXPECT_EQ(revoked->position, before + 1);
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].what.kind, store::change_kind::credentials);
  EXPECT_EQ(entries[0].what.subjects, std::vector{session_id});
  EXPECT_EQ(store::revoked_sessions(session(), std::array{session_id, numbered_id(9, 9)}),
            std::vector{session_id});
  EXPECT_EQ(store::revoke_session(session(), session_id, noon), std::nullopt);
}

TEST_P(StoredSessions, AreListedWhileTheyAreLive) {
  start_session();
  ASSERT_EQ(store::live_sessions(session(), noon, user.id).size(), 1U);
  EXPECT_EQ(store::live_sessions(session(), noon).front().email, user.email);
  EXPECT_TRUE(store::live_sessions(session(), noon, numbered_id(9, 9)).empty());
  EXPECT_TRUE(store::live_sessions(session(), noon + std::chrono::days{30}).empty());
  change_user("role = 'Viewer'");
  EXPECT_TRUE(store::live_sessions(session(), noon).empty());
}

TEST_P(StoredSessions, AreDeletedAfterTheyExpire) {
  start_session();
  const auto expiry = noon + std::chrono::days{30};
  EXPECT_EQ(store::delete_old_sign_ins(session(), lease, expiry, 100), 2)
      << "only the challenge and its code";
  EXPECT_EQ(store::delete_old_sign_ins(session(), lease, expiry + std::chrono::milliseconds{1}, 100), 1);
  EXPECT_EQ(refresh(1, noon).result, refresh_result::unknown);
}

} // namespace roost::testing::store_sessions_test
