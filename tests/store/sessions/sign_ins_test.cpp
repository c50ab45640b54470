#include "store/sessions/passwords.hpp"
#include "store/support/sign_in_scene.hpp"

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
  start_session();
  EXPECT_THAT(mails(), ElementsAre("code", "code"));
  browser = "Safari/26";
  start_session();
  EXPECT_THAT(mails(), ElementsAre("code", "code", "code", "new browser"));
}

TEST_P(SignIns, BlockAnAddressForFifteenMinutesAfterTenWrongPasswords) {
  const auto facts = [&](domain::timestamp now) {
    return store::read_sign_in(session(), user.email, "address", now, limits).wrong_passwords;
  };
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(facts(noon + i * 1s));
    store::record_wrong_password(session(), lease, next_id(), "address", noon + i * 1s);
  }
  ASSERT_TRUE(facts(noon + 10s));
  EXPECT_EQ(facts(noon + 10s)->retry_after, 15min - 10s);
  EXPECT_FALSE(store::read_sign_in(session(), user.email, "other", noon + 10s, limits).wrong_passwords);
  EXPECT_FALSE(facts(noon + 15min));
}

TEST_P(SignIns, BindAUserToTheFirstIdentityUsed) {
  const auto by = [&](const char* subject, const std::string& email) {
    return store::sign_in_by_identity(session(), lease, {"https://id.example", subject, email},
                                      new_session(noon), limits);
  };
  EXPECT_TRUE(is<std::monostate>(by("1", "nobody@landlord.example")));
  EXPECT_TRUE(is<store::session_started>(by("1", user.email)));
  EXPECT_TRUE(is<store::session_started>(by("1", "moved@landlord.example"))) << "the address may change";
  EXPECT_TRUE(is<std::monostate>(by("2", user.email))) << "another person with the same address";
  change_user("deactivated = true");
  EXPECT_TRUE(is<store::user_not_allowed>(by("1", user.email)));
}

store::password_change change_for(const store::sign_in_user& user, const std::string& reset,
                                  domain::timestamp now) {
  return {user.id,
          user.epoch,
          "$argon2id$new",
          reset,
          [](const auto& to) {
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
