#include "store/sessions/passwords.hpp"
#include "store/sessions/sessions.hpp"
#include "store/support/sign_in_scene.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>

namespace roost::testing::sign_ins_test {
using namespace std::chrono_literals;
using store::challenge_failure;
using ::testing::ElementsAre;

class SignIns : public sign_in_scene {};
ROOST_ON_EACH_STORE(SignIns);

template <typename Expected, typename Result>
bool is(const Result& result) {
  return std::holds_alternative<Expected>(result);
}
template <typename Result>
bool is(const Result& result, challenge_failure expected) {
  const auto* failure = std::get_if<challenge_failure>(&result);
  return failure && *failure == expected;
}

TEST_P(SignIns, OpenAChallengeForTenMinutes) {
  const auto sent = std::get<store::code_sent>(sign_in(noon, "a"));
  EXPECT_EQ(sent.expires_at, noon + 10min);
  EXPECT_THAT(mails(), ElementsAre("code"));
  EXPECT_TRUE(is(enter("a", "123456", noon + 10min), challenge_failure::expired));
  EXPECT_TRUE(is<store::session_started>(enter("a", "123456", noon + 10min - 1ms)));
}

TEST_P(SignIns, AllowFiveTriesForACode) {
  sign_in(noon, "a");
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(is(enter("a", "000000", noon), challenge_failure::invalid_code));
  EXPECT_TRUE(is(enter("a", "123456", noon), challenge_failure::too_many_attempts));
}

TEST_P(SignIns, RestartTriesAndExpiryForEachOfThreeResentCodes) {
  sign_in(noon, "a");
  for (int resends = 0; resends < 3; ++resends) {
    const auto now = noon + resends * 9min;
    for (int i = 0; i < 4; ++i) enter("a", "000000", now);
    EXPECT_EQ(std::get<store::code_sent>(resend("a", "654321", now)).expires_at, now + 10min);
  }
  EXPECT_TRUE(is(enter("a", "123456", noon + 18min), challenge_failure::invalid_code)) << "the first code";
  EXPECT_TRUE(is(resend("a", "111111", noon + 18min), challenge_failure::too_many_resends));
  EXPECT_TRUE(is(enter("a", "654321", noon + 18min), challenge_failure::expired));
}

TEST_P(SignIns, SendAtMostFiveCodesInFifteenMinutes) {
  for (int i = 0; i < 3; ++i) sign_in(noon + i * 1min, "a" + std::to_string(i));
  EXPECT_TRUE(is<store::code_sent>(resend("a2", "1", noon + 3min)));
  EXPECT_TRUE(is<store::code_sent>(resend("a2", "1", noon + 4min)));
  const auto limited = std::get<store::rate_limited>(sign_in(noon + 5min, "b"));
  EXPECT_EQ(limited.retry_after, 10min);
  EXPECT_TRUE(is<store::rate_limited>(resend("a2", "1", noon + 5min)));
  EXPECT_TRUE(is<store::code_sent>(sign_in(noon + 15min, "b")));
}

TEST_P(SignIns, SkipTheCodeInARememberedBrowserForThirtyDays) {
  sign_in(noon, "a");
  enter("a", "123456", noon, "hash");
  remembered = "hash";
  EXPECT_TRUE(is<store::session_started>(sign_in(noon + 30 * 24h - 1ms, "b")));
  EXPECT_TRUE(is<store::code_sent>(sign_in(noon + 30 * 24h, "c")));
}

TEST_P(SignIns, ForgetRememberedBrowsersAfterAPasswordChange) {
  sign_in(noon, "a");
  enter("a", "123456", noon, "hash");
  store::set_user_password(session(), user.email, "$argon2id$other", noon);
  user = store::find_user(session(), user.id).value();
  remembered = "hash";
  EXPECT_TRUE(is<store::code_sent>(sign_in(noon, "b")));
}

TEST_P(SignIns, RefuseAUserWhosePasswordChangedAfterItsCheck) {
  store::set_user_password(session(), user.email, "$argon2id$other", noon);
  EXPECT_TRUE(is<store::user_not_allowed>(sign_in(noon, "a")));
  EXPECT_TRUE(mails().empty());
}

TEST_P(SignIns, RefuseTheCodeOfADeactivatedUser) {
  sign_in(noon, "a");
  change_user("deactivated = true");
  EXPECT_TRUE(is<store::user_not_allowed>(enter("a", "123456", noon)));
}

TEST_P(SignIns, RefuseACodeAfterAPasswordChange) {
  sign_in(noon, "a");
  store::set_user_password(session(), user.email, "$argon2id$other", noon);
  EXPECT_TRUE(is(enter("a", "123456", noon), challenge_failure::expired));
  EXPECT_TRUE(is(resend("a", "123456", noon), challenge_failure::expired));
}

TEST_P(SignIns, KeepTheSessionsWhenThePasswordIsRehashed) {
  start_session();
  store::password_sign_in request;
  request.user_id = user.id;
  request.epoch = user.epoch;
  request.session = new_session(noon);
  request.challenge_token_hash = "b";
  request.code = outgoing_code(next_id(), "1", noon);
  request.upgraded_hash = "$argon2id$upgraded";
  store::begin_sign_in(session(), lease, request, limits);
  const auto after = store::find_user(session(), user.id).value();
  EXPECT_EQ(after.password_hash, "$argon2id$upgraded");
  EXPECT_EQ(after.epoch, user.epoch);
}

TEST_P(SignIns, NotifyTheUserOfANewBrowser) {
  start_session();
  browser = "Firefox/141";
  start_session();
  EXPECT_THAT(mails(), ElementsAre("code", "code")) << "an update is no new browser";
  browser_token_hash = "another";
  start_session();
  EXPECT_THAT(mails(), ElementsAre("code", "code", "code", "new browser"));
  browser_token_hash.clear();
  start_session();
  EXPECT_THAT(mails(), ElementsAre("code", "code", "code", "new browser", "code", "new browser"));
  EXPECT_EQ(count_rows(session(), "known_browsers"), 2);
}

TEST_P(SignIns, KnowARememberedBrowserThatLacksItsMark) {
  sign_in(noon, "a");
  enter("a", "123456", noon, "hash");
  remembered = "hash";
  browser_token_hash = "another";
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(is<store::session_started>(sign_in(noon, "b")));
  EXPECT_THAT(mails(), ElementsAre("code"));
  remembered.clear();
  start_session();
  EXPECT_THAT(mails(), ElementsAre("code", "code")) << "it is known from then on";
}

TEST_P(SignIns, KeepTheFiftyMostRecentlyUsedBrowsers) {
  for (int i = 0; i <= 50; ++i) {
    browser_token_hash = "browser " + std::to_string(i);
    start_session(noon + i * 1h);
  }
  EXPECT_EQ(count_rows(session(), "known_browsers"), 50);
  EXPECT_EQ(count_rows(session(), "known_browsers where token_hash = 'browser 0'"), 0);
}

TEST_P(SignIns, ForgetTheBrowsersOfARemovedUser) {
  start_session();
  EXPECT_EQ(count_rows(session(), "known_browsers"), 1);
  session().internals().script("remove_user",
                               "delete from users where id = '" + domain::to_string(user.id) + "'");
  EXPECT_EQ(count_rows(session(), "known_browsers"), 0);
}

TEST_P(SignIns, BlockAnAddressForFifteenMinutesAfterTenWrongPasswords) {
  const auto facts = [&](domain::timestamp now) {
    return store::read_sign_in(session(), lease, user.email, "address", now, limits).wrong_passwords;
  };
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(facts(noon + i * 1s));
    store::record_wrong_password(session(), lease, next_id(), "address", noon + i * 1s);
  }
  ASSERT_TRUE(facts(noon + 10s));
  EXPECT_EQ(facts(noon + 10s)->retry_after, 15min - 10s);
  EXPECT_FALSE(
      store::read_sign_in(session(), lease, user.email, "other", noon + 10s, limits).wrong_passwords);
  EXPECT_FALSE(facts(noon + 15min));
}

TEST_P(SignIns, CountWrongPasswordsFromTheFutureAsNow) {
  const auto facts = [&](domain::timestamp now) {
    return store::read_sign_in(session(), lease, user.email, "address", now, limits).wrong_passwords;
  };
  for (int i = 0; i < 10; ++i) // during a day with a clock that is a day ahead
    store::record_wrong_password(session(), lease, next_id(), "address", noon + (14 + i) * 1h);
  ASSERT_TRUE(facts(noon));
  EXPECT_EQ(facts(noon)->retry_after, 15min);
  EXPECT_EQ(facts(noon + 10min)->retry_after, 5min);
  EXPECT_FALSE(facts(noon + 15min));
  EXPECT_FALSE(facts(noon + 20h)) << "they do not count again";
}

TEST_P(SignIns, CountCodesFromTheFutureAsNow) {
  for (int i = 0; i < 5; ++i) sign_in(noon + (14 + i) * 1h, "future" + std::to_string(i));
  EXPECT_EQ(std::get<store::rate_limited>(sign_in(noon, "a")).retry_after, 15min);
  EXPECT_EQ(std::get<store::rate_limited>(sign_in(noon + 10min, "a")).retry_after, 5min);
  EXPECT_TRUE(is<store::code_sent>(sign_in(noon + 15min, "b")));
  EXPECT_TRUE(is<store::code_sent>(resend("b", "1", noon + 16min)));
}

TEST_P(SignIns, CountLinksFromTheFutureAsNow) {
  const auto send = [&](domain::timestamp now) {
    const auto id = next_id();
    store::send_reset(session(), lease, user.email,
                      {id, domain::to_string(id), [this](const auto& to) { return mail(to, "link"); }, now},
                      limits);
    return mails().size();
  };
  for (int i = 0; i < 5; ++i) EXPECT_EQ(send(noon + (14 + i) * 1h), i + 1U);
  EXPECT_EQ(send(noon), 5U);
  EXPECT_EQ(send(noon + 15min), 6U);
}

TEST_P(SignIns, ShortenCodesFromTheFuture) {
  sign_in(noon + 24h, "a"); // by a clock that was a day ahead
  resend("a", "654321", noon + 24h + 5min);
  EXPECT_EQ(written_by(session(), lease, store::shorten_sign_ins, noon, limits), 1);
  EXPECT_TRUE(is(enter("a", "654321", noon + 10min), challenge_failure::expired));
  EXPECT_TRUE(is<store::session_started>(enter("a", "654321", noon + 10min - 1ms)));
}

TEST_P(SignIns, ShortenLinksFromTheFuture) {
  const auto send = [&](const std::string& token, domain::timestamp now) {
    store::send_reset(session(), lease, user.email,
                      {next_id(), token, [this](const auto& to) { return mail(to, "link"); }, now}, limits);
  };
  send("a", noon + 24h);
  EXPECT_EQ(written_by(session(), lease, store::shorten_sign_ins, noon, limits), 1);
  EXPECT_TRUE(store::user_of_reset(session(), "a", noon + 30min - 1ms));
  EXPECT_FALSE(store::user_of_reset(session(), "a", noon + 30min));
  send("b", noon + 24h);
  send("c", noon + 1h);
  EXPECT_FALSE(store::user_of_reset(session(), "b", noon + 1h + 30min)) << "shortened by the next link";
}

TEST_P(SignIns, BindAUserToTheFirstIdentityUsed) {
  int tokens = 0;
  const auto by = [&](const char* subject, const std::string& email) {
    const auto hash = "hash " + std::to_string(++tokens);
    return store::sign_in_by_identity(
        session(), lease, {"https://id.example", subject, email, hash, noon + 1h}, new_session(noon), limits);
  };
  EXPECT_TRUE(is<std::monostate>(by("1", "nobody@landlord.example")));
  EXPECT_TRUE(is<store::session_started>(by("1", user.email)));
  EXPECT_TRUE(is<store::session_started>(by("1", "moved@landlord.example"))) << "the address may change";
  EXPECT_TRUE(is<std::monostate>(by("2", user.email))) << "another person with the same address";
  change_user("deactivated = true");
  EXPECT_TRUE(is<store::user_not_allowed>(by("1", user.email)));
}

TEST_P(SignIns, AcceptAnIdentityTokenOnce) {
  const auto by = [&](const std::string& hash, domain::timestamp now) {
    return store::sign_in_by_identity(
        session(), lease, {"https://id.example", "1", user.email, hash, noon + 1h}, new_session(now), limits);
  };
  EXPECT_TRUE(is<store::session_started>(by("first", noon)));
  EXPECT_TRUE(is<store::identity_token_used>(by("first", noon + 1s)));
  EXPECT_TRUE(is<store::session_started>(by("second", noon + 1s)));
  EXPECT_EQ(count_rows(session(), "sessions"), 2);
  written_by(session(), lease, store::delete_old_sign_ins, noon + 1h, 100);
  EXPECT_TRUE(is<store::identity_token_used>(by("first", noon + 1h))) << "kept until it has expired";
  written_by(session(), lease, store::delete_old_sign_ins, noon + 1h + 1ms, 100);
  EXPECT_EQ(count_rows(session(), "identity_token_uses"), 0);
}

store::password_change change_for(const store::sign_in_user& user, const std::string& reset,
                                  domain::timestamp now) {
  return {user.id,
          user.epoch,
          "$argon2id$new",
          reset,
          [](const auto& to, const auto&) {
            return domain::outgoing_mail{numbered_id(78, 1), to.email, "changed", "text", "html", {}, false};
          },
          now};
}

TEST_P(SignIns, AcceptALinkOnceWithinHalfAnHour) {
  const store::reset_request request{next_id(), "link", [this](const auto& to) { return mail(to, "link"); },
                                     noon};
  store::send_reset(session(), lease, "USER1@landlord.example", request, limits);
  EXPECT_FALSE(store::user_of_reset(session(), "link", noon + 30min));
  EXPECT_FALSE(store::user_of_reset(session(), "other", noon));
  const auto reset_user = store::user_of_reset(session(), "link", noon + 30min - 1ms);
  ASSERT_TRUE(reset_user);
  const auto changed = store::change_password(session(), lease, change_for(*reset_user, "link", noon));
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->epoch, store::find_user(session(), user.id)->epoch);
  EXPECT_FALSE(store::user_of_reset(session(), "link", noon));
  EXPECT_FALSE(store::change_password(session(), lease, change_for(*reset_user, "link", noon)));
  EXPECT_THAT(mails(), ElementsAre("changed", "link"));
}

/// A user with a live connection and a code that is not exchanged yet.
class PasswordChanges : public sign_in_scene {
protected:
  void SetUp() override {
    sign_in_scene::SetUp();
    for (unsigned i = 1; i <= 2; ++i)
      store::issue_code(session(), lease,
                        {.id = numbered_id(5, i),
                         .hash = code_hash(i),
                         .client_id = "mcp-1",
                         .client_name = "Assistant",
                         .user_id = user.id,
                         .resource = "https://tools.example",
                         .created_at = noon,
                         .expires_at = noon + 2min});
    ASSERT_TRUE(connects(1));
  }

  static std::string code_hash(unsigned number) { return "code " + std::to_string(number); }

  bool connects(unsigned code) {
    const auto exchanged = store::exchange_code(
        session(), lease, {code_hash(code), "mcp-1", {}, {}, {}},
        {[](const auto&) { return true; }, [](const auto&) { return true; }}, noon, std::chrono::days{60});
    return is<store::connection>(exchanged.outcome);
  }

  /// Changes the password; returns the connections that the notice lists, and whether it reports their end.
  store::connected_assistants change(bool end_connections) {
    store::connected_assistants noticed;
    auto change = change_for(user, "", noon);
    change.end_connections = end_connections;
    change.notice = [&](const auto& to, const auto& assistants) {
      noticed = assistants;
      return mail(to, "changed");
    };
    changed = store::change_password(session(), lease, change);
    EXPECT_TRUE(changed);
    return noticed;
  }

  std::optional<store::password_changed> changed;
};
ROOST_ON_EACH_STORE(PasswordChanges);

TEST_P(PasswordChanges, KeepConnectionsAndReportThem) {
  const auto noticed = change(false);
  EXPECT_FALSE(noticed.ended);
  ASSERT_EQ(noticed.connections.size(), 1U);
  EXPECT_EQ(noticed.connections[0].client_name, "Assistant");
  EXPECT_TRUE(changed->ended_connections.empty());
  EXPECT_EQ(store::live_connections(session(), noon, user.id).size(), 1U);
  EXPECT_FALSE(connects(2)) << "the notice does not list it";
}

TEST_P(PasswordChanges, EndAllConnectionsOnRequest) {
  const auto noticed = change(true);
  EXPECT_TRUE(noticed.ended);
  ASSERT_EQ(noticed.connections.size(), 1U);
  ASSERT_EQ(changed->ended_connections.size(), 1U);
  EXPECT_EQ(changed->ended_connections[0].id, numbered_id(5, 1));
  EXPECT_TRUE(store::live_connections(session(), noon, user.id).empty());
  EXPECT_EQ(store::find_connection(session(), numbered_id(5, 1))->connection.ended_by, "user");
  EXPECT_FALSE(connects(2)) << "the code was approved before";
  const auto newest = store::newest_point(session()).position;
  EXPECT_EQ(store::entries_after(session(), newest - 1, 10).at(0).change.subjects,
            std::vector{numbered_id(5, 1)});
}

TEST_P(PasswordChanges, ReportConnectionsToAnOperatorAndEndThemOnRequest) {
  const auto kept = store::set_user_password(session(), user.email, "$argon2id$a", noon);
  ASSERT_TRUE(kept);
  EXPECT_FALSE(kept->assistants.ended);
  ASSERT_EQ(kept->assistants.connections.size(), 1U);
  EXPECT_EQ(kept->assistants.connections[0].client_name, "Assistant");
  EXPECT_EQ(store::live_connections(session(), noon, user.id).size(), 1U);
  EXPECT_FALSE(connects(2)) << "the report does not list it";
  const auto ended = store::set_user_password(session(), user.email, "$argon2id$b", noon, {}, true);
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->assistants.ended);
  ASSERT_EQ(ended->assistants.connections.size(), 1U);
  EXPECT_TRUE(store::live_connections(session(), noon, user.id).empty());
  EXPECT_EQ(store::find_connection(session(), numbered_id(5, 1))->connection.ended_by, "operator");
  EXPECT_EQ(store::entries_after(session(), ended->change.position - 1, 10).at(0).change.subjects,
            std::vector{numbered_id(5, 1)});
}

TEST_P(SignIns, SendAtMostFiveLinksInFifteenMinutes) {
  for (int i = 0; i < 7; ++i)
    store::send_reset(
        session(), lease, user.email,
        {next_id(), "link" + std::to_string(i), [this](const auto& to) { return mail(to, "link"); }, noon},
        limits);
  store::send_reset(session(), lease, "nobody@landlord.example",
                    {next_id(), "x", [this](const auto& to) { return mail(to, "link"); }, noon}, limits);
  EXPECT_EQ(mails().size(), 5U);
}

TEST_P(SignIns, FindAUserByAddressInAnyLetterCaseOfAnyScript) {
  EXPECT_TRUE(store::set_user_password(session(), "USER1@Landlord.example", "$argon2id$a", noon));
  EXPECT_FALSE(store::set_user_password(session(), "nobody@landlord.example", "$argon2id$a", noon));
  auto file = sample_portfolio();
  file.accounts[0].users[0].details.email = "Müller@straße.example";
  import_sample(session(), file);
  EXPECT_TRUE(store::set_user_password(session(), "MÜLLER@STRASSE.example", "$argon2id$b", noon));
  EXPECT_FALSE(store::set_user_password(session(), "muller@strasse.example", "$argon2id$b", noon));
}

} // namespace roost::testing::sign_ins_test
