#include "actors/sessions/session_keeper.hpp"
#include "actors/support/session_scene.hpp"
#include "store/support/stored_rows.hpp"
#include "support/eventually.hpp"

namespace roost::testing::session_keeper_test {

using actors::refresh_session;
using actors::storage_error;
using store::refresh_outcome;
using store::refresh_result;

class SessionKeeper : public session_scene {
protected:
  void SetUp() override {
    session_scene::SetUp();
    start_session();
    keeper = spawn(storage());
    sessions.emplace(setup(storage()));
  }
  void TearDown() override {
    for (auto* each : {&keeper, &other})
      if (*each) caf::anon_send_exit(*each, caf::exit_reason::user_shutdown);
    keeper = other = nullptr;
    session_scene::TearDown();
  }

  actors::session_setup setup(actors::storage_actor lane, bool on_hold = false) {
    return {std::move(lane), held,    ended,        clock(),       grace, 15min,
            &registry,       on_hold, time_check(), clock_check(), limits};
  }
  actors::session_keeper spawn(actors::storage_actor lane, bool on_hold = false) {
    return actors::spawn_session_keeper(runtime, setup(std::move(lane), on_hold));
  }

  refresh_session token(std::int64_t generation, actors::deadline until = {}) const {
    return {{session_id, generation, "192.0.2.9"}, until};
  }
  refresh_outcome refresh(std::int64_t generation) {
    return response_of<refresh_outcome>(keeper, token(generation));
  }
  bool is_ended() const { return ended->has_ended(session_id, user.id, user.epoch); }

  /// Returns when the keeper has handled all messages that were sent before.
  void wait_until_handled() { send_and_wait(keeper, actors::delete_old_sign_ins{}); }

  template <typename Actor, typename Message>
  void send_and_wait(const Actor& actor, Message message) {
    self->request(actor, caf::infinite, std::move(message)).receive([] {}, [](const caf::error&) { FAIL(); });
  }

  /// Sends the first request, waits until its commit is blocked in the store, then sends the others. Returns
  /// all results.
  auto refresh_together(const std::vector<refresh_session>& requests) {
    hold_storage();
    std::vector<decltype(self->request(keeper, caf::infinite, token(1)))> pending;
    for (const auto& request : requests) {
      pending.push_back(self->request(keeper, caf::infinite, request));
      EXPECT_TRUE(eventually([&] { return counted("roost_refresh_group_size_count") >= 1; }));
    }
    wait_until_handled();
    release_storage();
    std::vector<std::pair<refresh_outcome, caf::error>> results;
    for (auto& handle : pending) results.push_back(receive<refresh_outcome>(std::move(handle)));
    return results;
  }

  static constexpr std::chrono::seconds grace{30};
  std::shared_ptr<actors::session_register> ended = std::make_shared<actors::session_register>();
  actors::session_keeper keeper, other;
  std::optional<actors::session_repository> sessions;
};
ROOST_ON_EACH_STORE(SessionKeeper);

TEST_P(SessionKeeper, RotatesTokensAndCountsThem) {
  EXPECT_EQ(refresh(1).result, refresh_result::rotated);
  const auto again = refresh(1);
  EXPECT_EQ(again.result, refresh_result::repeated);
  EXPECT_EQ(again.generation, 2);
  EXPECT_EQ(again.user_id, user.id);
  EXPECT_EQ(refresh(9).result, refresh_result::unknown);
  EXPECT_EQ(counted(R"(roost_session_refreshes_total{result="rotated"})"), 1U);
  EXPECT_EQ(counted(R"(roost_session_refreshes_total{result="repeated"})"), 1U);
  EXPECT_EQ(counted(R"(roost_session_refreshes_total{result="unknown"})"), 1U);
}

TEST_P(SessionKeeper, EndsASessionWhoseReplacedTokenIsReusedAfterTheGracePeriod) {
  refresh(1);
  EXPECT_FALSE(is_ended());
  now = noon + grace + 1ms;
  EXPECT_EQ(refresh(1).result, refresh_result::reused);
  EXPECT_TRUE(is_ended());
  EXPECT_EQ(refresh(2).result, refresh_result::ended);
  EXPECT_EQ(counted("roost_sessions_ended_total"), 1U);
}

TEST_P(SessionKeeper, GroupsRefreshesThatArriveDuringACommit) {
  const auto results = refresh_together(std::vector<refresh_session>(20, token(1)));
  EXPECT_EQ(results.front().first.result, refresh_result::rotated);
  for (const auto& [outcome, error] : results) {
    EXPECT_FALSE(error);
    EXPECT_EQ(outcome.generation, 2);
  }
  EXPECT_EQ(counted("roost_refresh_group_size_count"), 2U); // the first, and all others
  EXPECT_EQ(counted("roost_refresh_group_size_sum"), 20U);
}

TEST_P(SessionKeeper, RefreshesAtMostFiveHundredPerCommit) {
  const auto results = refresh_together(std::vector<refresh_session>(602, token(1)));
  for (const auto& [outcome, error] : results) EXPECT_EQ(outcome.generation, 2);
  EXPECT_EQ(counted("roost_refresh_group_size_count"), 3U); // 1, 500 and 101
  EXPECT_EQ(counted(R"(roost_refresh_group_size_bucket{le="500"})"), 3U);
}

TEST_P(SessionKeeper, DoesNotRefreshAfterTheDeadline) {
  const auto results = refresh_together({token(1), token(2, actors::deadline::in(-1ms)), token(2)});
  EXPECT_EQ(results[0].first.result, refresh_result::rotated);
  EXPECT_EQ(results[1].second, make_error(storage_error::unavailable));
  EXPECT_EQ(results[2].first.result, refresh_result::rotated);
  EXPECT_EQ(results[2].first.generation, 3);
}

TEST_P(SessionKeeper, EndsASessionOnce) {
  EXPECT_TRUE(result_of(sessions->end(session_id)));
  EXPECT_TRUE(is_ended());
  EXPECT_FALSE(result_of(sessions->end(session_id)));
  EXPECT_EQ(refresh(1).result, refresh_result::ended);
  EXPECT_EQ(counted("roost_sessions_ended_total"), 1U);
}

TEST_P(SessionKeeper, KnowsTheEndOfASessionThatAnotherProcessEndedJustBefore) {
  ASSERT_TRUE(store::revoke_session(session(), session_id, noon));
  EXPECT_FALSE(result_of(sessions->end(session_id)));
  EXPECT_TRUE(is_ended()) << "the sign-out is acknowledged";
}

TEST_P(SessionKeeper, EndsASessionOnlyForItsUser) {
  EXPECT_FALSE(result_of(sessions->end_for_user(numbered_id(9, 9), session_id)));
  EXPECT_FALSE(is_ended());
  EXPECT_TRUE(result_of(sessions->end_for_user(user.id, session_id)));
  EXPECT_TRUE(is_ended());
}

TEST_P(SessionKeeper, ForgetsABrowserOnlyForItsUser) {
  sign_in(noon, "challenge");
  const auto id = std::get<store::session_started>(enter("challenge", "123456", noon, "cookie")).session_id;
  EXPECT_FALSE(result_of(sessions->forget_browser(numbered_id(9, 9), id)));
  EXPECT_EQ(result_of(sessions->remembered_browsers(user.id)).size(), 1U);
  EXPECT_TRUE(result_of(sessions->forget_browser(user.id, id)));
  EXPECT_TRUE(result_of(sessions->remembered_browsers(user.id)).empty());
}

TEST_P(SessionKeeper, RegistersAnEndAfterItsHandlerIsGone) {
  hold_storage();
  auto ending = start(sessions->end(session_id));
  ASSERT_TRUE(eventually([&] { return runtime.asks()[0].get().in_flight > 0; }));
  runtime.close_ports();
  EXPECT_THROW(ending.get(), actors::ask_error);
  release_storage();
  wait_for_jobs();
  EXPECT_TRUE(is_ended());
  EXPECT_EQ(counted("roost_sessions_ended_total"), 1U);
}

TEST_P(SessionKeeper, ListsAndFindsLiveSessions) {
  const auto listed = result_of(sessions->list(user.id));
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0].id, session_id);
  EXPECT_TRUE(result_of(sessions->list(numbered_id(9, 9))).empty());
  EXPECT_EQ(result_of(sessions->find(token(1).presented))->id, session_id);
  EXPECT_FALSE(result_of(sessions->find(token(2).presented)));
  result_of(sessions->end(session_id));
  EXPECT_TRUE(result_of(sessions->list(user.id)).empty());
  EXPECT_FALSE(result_of(sessions->find(token(1).presented)));
}

TEST_P(SessionKeeper, DeletesSessionsADayAfterTheyExpire) {
  const auto sessions_after_deletion = [this] {
    send_and_wait(keeper, actors::delete_old_sign_ins{});
    wait_for_jobs();
    return count_rows(session(), "sessions");
  };
  now = noon + std::chrono::days{31};
  EXPECT_EQ(sessions_after_deletion(), 1);
  now = noon + std::chrono::days{31} + 1ms;
  EXPECT_EQ(sessions_after_deletion(), 0);
}

TEST_P(SessionKeeper, DeletesNothingWhileTheTimeIsNotTrusted) {
  is_time_trusted = false;
  now = noon + std::chrono::days{40};
  send_and_wait(keeper, actors::delete_old_sign_ins{});
  wait_for_jobs();
  EXPECT_EQ(count_rows(session(), "sessions"), 1);
}

TEST_P(SessionKeeper, ShortensSessionsFromTheFutureWithACorrectClock) {
  const auto expiry_after_deletion = [this] {
    send_and_wait(keeper, actors::delete_old_sign_ins{});
    wait_for_jobs();
    return result_of(sessions->list(user.id)).at(0).expires_at;
  };
  now = noon - std::chrono::days{1};
  is_time_trusted = false;
  EXPECT_EQ(expiry_after_deletion(), noon + limits.session);
  is_time_trusted = true;
  is_clock_behind = true;
  EXPECT_EQ(expiry_after_deletion(), noon + limits.session);
  is_clock_behind = false;
  EXPECT_EQ(expiry_after_deletion(), now.load() + limits.session);
}

TEST_P(SessionKeeper, DeletesNothingOnHold) {
  other = spawn(storage(), true);
  now = noon + std::chrono::days{40};
  send_and_wait(other, actors::delete_old_sign_ins{});
  wait_for_jobs();
  EXPECT_EQ(count_rows(session(), "sessions"), 1);
}

TEST_P(SessionKeeper, RespondsWithAnErrorWithoutTheLease) {
  held->give_up();
  EXPECT_EQ(ask<refresh_outcome>(keeper, token(1)).second, make_error(storage_error::lease_lost));
  EXPECT_EQ(error_of(sessions->end(session_id)), make_error(storage_error::lease_lost));
  held->hold(lease, actors::held_lease::clock::now() + 1h);
  EXPECT_EQ(refresh(1).result, refresh_result::rotated); // nothing was written before
}

TEST_P(SessionKeeper, RespondsWithAnErrorWhenAnotherServerHasTheLease) {
  held->hold({"another", lease.epoch + 1}, actors::held_lease::clock::now() + 1h);
  EXPECT_EQ(ask<refresh_outcome>(keeper, token(1)).second, make_error(storage_error::lease_lost));
  EXPECT_EQ(error_of(sessions->end(session_id)), make_error(storage_error::lease_lost));
  EXPECT_FALSE(is_ended());
}

TEST_P(SessionKeeper, RespondsWithAnErrorWhileTheStoreIsDown) {
  other = spawn(missing_storage());
  const auto unavailable = make_error(storage_error::unavailable);
  EXPECT_EQ(ask<refresh_outcome>(other, token(1)).second, unavailable);
  EXPECT_EQ(ask<refresh_outcome>(other, token(1)).second,
            unavailable); // a failed group does not block the next
  sessions.emplace(setup(missing_storage()));
  EXPECT_EQ(error_of(sessions->end(session_id)), unavailable);
  EXPECT_EQ(error_of(sessions->end_for_user(user.id, session_id)), unavailable);
  EXPECT_EQ(error_of(sessions->list(user.id)), unavailable);
  EXPECT_EQ(error_of(sessions->find(token(1).presented)), unavailable);
  EXPECT_FALSE(is_ended());
  EXPECT_EQ(counted("roost_sessions_ended_total"), 0U);
}

TEST_P(SessionKeeper, ReportsItsFailure) {
  clock_breaks = true;
  caf::anon_send(keeper, actors::delete_old_sign_ins{});
  EXPECT_EQ(first_failure(), "session_keeper: the clock broke");
}

} // namespace roost::testing::session_keeper_test
