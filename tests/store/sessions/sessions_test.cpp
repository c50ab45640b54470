#include "store/database/error.hpp"
#include "store/sessions/sessions.hpp"
#include "store/support/sign_in_scene.hpp"
#include "store/support/stored_rows.hpp"

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

TEST_P(StoredSessions, RepeatAnyTokenWithinTheGracePeriodOfItsOwnReplacement) {
  using std::chrono::seconds;
  start_session();
  for (std::int64_t generation = 1; generation <= 5; ++generation)
    refresh(generation, noon + seconds{generation}); // each is replaced after as many seconds
  for (std::int64_t generation = 1; generation <= 5; ++generation) {
    const auto repeated = refresh(generation, noon + seconds{6});
    EXPECT_EQ(repeated.result, refresh_result::repeated) << generation;
    EXPECT_EQ(repeated.generation, 6);
  }
  const auto presented = [&](std::int64_t generation, domain::timestamp now) {
    const store::session_refresh cookie{session_id, generation, ""};
    return store::find_session(session(), cookie, now, grace).session.has_value();
  };
  EXPECT_TRUE(presented(2, noon + seconds{2} + grace));
  EXPECT_FALSE(presented(1, noon + seconds{2} + grace));
  EXPECT_EQ(refresh(2, noon + seconds{2} + grace).result, refresh_result::repeated);
  EXPECT_EQ(refresh(1, noon + seconds{2} + grace).result, refresh_result::reused);
  EXPECT_EQ(refresh(6, noon + seconds{2} + grace).result, refresh_result::ended);
}

TEST_P(StoredSessions, EndOnReuseOfATokenThatWasReplacedInTheFuture) {
  start_session();
  refresh(1, noon + std::chrono::days{1}); // by a clock that was a day ahead
  EXPECT_EQ(refresh(1, noon).result, refresh_result::repeated) << "counts as replaced now";
  EXPECT_EQ(refresh(1, noon + grace).result, refresh_result::repeated);
  EXPECT_EQ(refresh(1, noon + grace + std::chrono::milliseconds{1}).result, refresh_result::reused);
}

TEST_P(StoredSessions, RotateATokenThatWasRepeatedInTheSameGroup) {
  start_session();
  const auto outcomes = refresh_all({1, 2, 1, 3, 1, 2}, noon);
  const std::vector expected{refresh_result::rotated, refresh_result::rotated,  refresh_result::repeated,
                             refresh_result::rotated, refresh_result::repeated, refresh_result::repeated};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(outcomes[i].result, expected[i]) << i;
  EXPECT_EQ(outcomes[5].generation, 4);
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

TEST_P(StoredSessions, StayEndedWhenTheirUserReturns) {
  auto removed = sample_portfolio(), elsewhere = sample_portfolio();
  removed.accounts[0].users.clear();
  elsewhere.accounts[0].users.clear();
  elsewhere.accounts.push_back(sample_account(7, 0, 0));
  elsewhere.accounts[1].users = sample_portfolio().accounts[0].users;
  for (const auto& returned : {sample_portfolio(), elsewhere}) {
    start_session();
    const auto epoch = user.epoch;
    import_sample(session(), removed);
    EXPECT_EQ(refresh(1, noon).result, refresh_result::user_gone);
    import_sample(session(), returned);
    EXPECT_EQ(refresh(1, noon).result, refresh_result::ended);
    EXPECT_TRUE(store::live_sessions(session(), noon).empty());
    user = store::find_user(session(), user.id).value();
    EXPECT_GT(user.epoch, epoch);
  }
  start_session();
  EXPECT_EQ(refresh(1, noon).result, refresh_result::rotated) << "later ones are valid";
}

TEST_P(StoredSessions, EndForGoodWithADeactivation) {
  start_session();
  change_user("deactivated = true");
  change_user("deactivated = false");
  EXPECT_EQ(refresh(1, noon).result, refresh_result::ended);
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
  EXPECT_EQ(entries[0].change.kind, store::change_kind::credentials);
  EXPECT_EQ(entries[0].change.subjects, std::vector{session_id});
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

TEST_P(StoredSessions, FromTheFutureLastThirtyDaysFromNow) {
  const auto future = noon + std::chrono::days{1}, expiry = noon + std::chrono::days{30};
  start_session(future);
  refresh(1, future);
  EXPECT_EQ(written_by(session(), lease, store::shorten_sign_ins, noon, limits), 2) << "last use, and expiry";
  EXPECT_EQ(written_by(session(), lease, store::shorten_sign_ins, noon, limits), 0);
  const auto listed = store::live_sessions(session(), noon, user.id);
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].session.rotated_at, noon);
  EXPECT_EQ(listed[0].session.expires_at, expiry);
  EXPECT_EQ(refresh(1, noon + grace + std::chrono::milliseconds{1}).result, refresh_result::reused);
}

TEST_P(StoredSessions, AreDeletedAfterTheyExpire) {
  start_session();
  const auto expiry = noon + std::chrono::days{30};
  EXPECT_EQ(written_by(session(), lease, store::delete_old_sign_ins, expiry, 100), 2)
      << "only the challenge and its code";
  EXPECT_EQ(
      written_by(session(), lease, store::delete_old_sign_ins, expiry + std::chrono::milliseconds{1}, 100),
      1);
  EXPECT_EQ(refresh(1, noon).result, refresh_result::unknown);
}

} // namespace roost::testing::store_sessions_test
