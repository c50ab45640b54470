#include "actors/sessions/password_reset_repository.hpp"
#include "actors/sessions/sign_in_repository.hpp"
#include "actors/support/session_scene.hpp"
#include "store/support/stored_rows.hpp"
#include "support/eventually.hpp"

#include <gmock/gmock.h>

#include <mutex>

namespace roost::testing::sign_in_test {

using actors::challenge_opened;
using actors::change_password;
using actors::held_lease;
using actors::mailer;
using actors::outbox_interval_over;
using actors::password_hasher;
using actors::password_login;
using actors::password_reset_repository;
using actors::password_response;
using actors::password_result;
using actors::published;
using actors::send_due_mail;
using actors::session_register;
using actors::sign_in_refusal;
using actors::sign_in_repository;
using actors::sign_in_response;
using actors::sign_in_setup;
using actors::signed_in;
using actors::storage_actor;
using actors::storage_error;
using actors::too_many_passwords;

constexpr security::password_cost cheap{8, 1, 1};
const std::string right = "ana-only", wrong = "ana-other";

mailer::behavior_type mailer_behavior(mailer::pointer) {
  return {[](send_due_mail) {}, [](outbox_interval_over) {}, [](actors::delivery_is_slow) {},
          [](actors::stop_mailer) {}};
}

class SignIn : public session_scene {
protected:
  void SetUp() override {
    session_scene::SetUp();
    change_user("password_hash = '" + security::hash_password(right, cheap) + "'");
    user = store::find_user(session(), user.email).value();
    keys_.set(std::make_shared<const security::key_ring>(std::vector{security::named_key{"first", {}, {}}}));
    mailer_ = runtime.spawn_at(0, mailer_behavior);
    hasher_ = actors::spawn_password_hasher(runtime, {.threads = 1, .cost = cheap, .registry = &registry});
    signing = spawn(storage());
    sign_ins.emplace(setup(storage()));
    password_resets.emplace(setup(storage()));
  }
  void TearDown() override {
    for (auto* each : {&signing, &other})
      if (*each) caf::anon_send_exit(*each, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(mailer_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(hasher_, caf::exit_reason::user_shutdown);
    signing = other = nullptr;
    mailer_ = nullptr;
    hasher_ = nullptr;
    session_scene::TearDown();
  }

  sign_in_setup setup(storage_actor lane) {
    sign_in_setup setup;
    setup.storage = std::move(lane);
    setup.lease = held;
    setup.hasher = hasher_;
    setup.limits = limits;
    setup.now = clock();
    setup.new_id = [this] {
      const std::lock_guard lock(mutex_);
      return next_id();
    };
    setup.ended = ended;
    setup.mailer = mailer_;
    setup.keys = &keys_;
    setup.cost = cheap;
    setup.mails.code = [this](const auto& to, const std::string& code, auto) {
      {
        const std::lock_guard lock(mutex_);
        code_ = code;
      }
      return written(to, "code");
    };
    setup.mails.new_browser = [this](const auto& to, const auto&, auto) {
      return written(to, "new browser");
    };
    setup.mails.reset = [this](const auto& to, const std::string& token, auto) {
      {
        const std::lock_guard lock(mutex_);
        token_ = token;
      }
      return written(to, "reset");
    };
    setup.mails.password_changed = [this](const auto& to, const auto&, auto) {
      return written(to, "password changed");
    };
    setup.registry = &registry;
    return setup;
  }
  actors::sign_in spawn(storage_actor lane) { return actors::spawn_sign_in(runtime, setup(std::move(lane))); }

  domain::outgoing_mail written(const store::sign_in_user& to, const std::string& subject) {
    const std::lock_guard lock(mutex_);
    return mail(to, subject);
  }
  std::string mailed_code() {
    const std::lock_guard lock(mutex_);
    return code_;
  }
  std::string mailed_token() {
    const std::lock_guard lock(mutex_);
    return token_;
  }

  password_login login(const std::string& password) const {
    return {user.email, password, {}, {"Firefox", {}}};
  }
  sign_in_response log_in(const std::string& password) {
    return response_of<sign_in_response>(signing, login(password));
  }
  /// Returns the challenge's token.
  std::string open_challenge() { return std::get<challenge_opened>(log_in(right).result).challenge_token; }
  sign_in_response enter(const std::string& challenge, const std::string& code, bool remember = false) {
    return result_of(sign_ins->enter_code(challenge, code, remember, {"Firefox", {}}));
  }
  sign_in_response resend(const std::string& challenge) {
    return result_of(sign_ins->resend_code(challenge));
  }
  sign_in_response sign_in_as(const std::string& subject, const std::string& email) {
    return result_of(sign_ins->sign_in_by_identity({"https://id.example", subject, email}, {}));
  }
  template <typename Result>
  static bool is(const sign_in_response& response, Result expected) {
    const auto* result = std::get_if<Result>(&response.result);
    return result && *result == expected;
  }
  change_password change(const std::string& old_password) const {
    return {user.id, user.email, old_password, "ana-new"};
  }
  bool is(const password_response& response, password_result expected) const {
    const auto* result = std::get_if<password_result>(&response.result);
    return result && *result == expected;
  }
  /// Requests a link and returns its token.
  std::string request_link() {
    result_of(password_resets->send_link(user.email));
    EXPECT_TRUE(eventually([&] { return !mailed_token().empty(); }));
    return mailed_token();
  }
  password_response reset(const std::string& token) {
    return result_of(password_resets->reset({token, "ana-new"}));
  }
  unsigned long events(const std::string& event) {
    return counted("roost_sign_in_events_total{event=\"" + event + "\"}");
  }
  /// Signs in and has the browser remembered. Returns the cookie's token.
  std::string remember_browser() {
    const auto challenge = open_challenge(); // first: it sends the code
    return std::get<signed_in>(enter(challenge, mailed_code(), true).result).remember_token;
  }
  /// Uses up the budget of the user's address.
  void guess_until_limited() {
    for (unsigned i = 0; i < limits.wrong_passwords_per_15m; ++i) log_in(wrong);
    EXPECT_TRUE(std::holds_alternative<too_many_passwords>(log_in(right).result));
  }
  bool are_ended() const { return ended->has_ended(numbered_id(9, 9), user.id, user.epoch); }

  std::shared_ptr<session_register> ended = std::make_shared<session_register>();
  actors::sign_in signing, other;
  std::optional<sign_in_repository> sign_ins;
  std::optional<password_reset_repository> password_resets;

private:
  published<security::key_ring> keys_;
  mailer mailer_;
  password_hasher hasher_;
  std::mutex mutex_;
  std::string code_, token_;
};
ROOST_ON_EACH_STORE(SignIn);

TEST_P(SignIn, SendsACodeForTheRightPasswordAndStartsASessionWithIt) {
  const auto challenge = open_challenge();
  const auto started = std::get<signed_in>(enter(challenge, mailed_code()).result);
  EXPECT_EQ(started.session.user_id, user.id);
  EXPECT_TRUE(started.remember_token.empty());
  EXPECT_EQ(count_rows(session(), "sessions"), 1);
  EXPECT_EQ(events("code_sent"), 1U);
  EXPECT_EQ(events("signed_in"), 1U);
}

TEST_P(SignIn, ReturnsTheTokenOfTheCookieThatMarksTheBrowser) {
  const auto challenge = open_challenge();
  const auto response =
      result_of(sign_ins->enter_code(challenge, mailed_code(), false, {"Firefox", {}, "token"}));
  EXPECT_EQ(std::get<signed_in>(response.result).browser_token, "token");
  EXPECT_EQ(count_rows(session(), "known_browsers"), 1);
}

TEST_P(SignIn, DoesNotAskARememberedBrowserForACode) {
  const auto challenge = open_challenge();
  const auto first = std::get<signed_in>(enter(challenge, mailed_code(), true).result);
  auto again = login(right);
  again.remembered_token = first.remember_token;
  EXPECT_TRUE(std::holds_alternative<signed_in>(response_of<sign_in_response>(signing, again).result));
  again.remembered_token += "x";
  EXPECT_TRUE(std::holds_alternative<challenge_opened>(response_of<sign_in_response>(signing, again).result));
}

TEST_P(SignIn, CountsEachWrongCode) {
  const auto challenge = open_challenge();
  const std::string guess = mailed_code() == "000000" ? "000001" : "000000";
  for (unsigned i = 0; i < limits.code_tries; ++i)
    EXPECT_FALSE(std::holds_alternative<signed_in>(enter(challenge, guess).result));
  EXPECT_TRUE(is(enter(challenge, mailed_code()), store::challenge_failure::too_many_attempts));
  EXPECT_EQ(events("invalid_code") + events("too_many_attempts"), limits.code_tries + 1);
}

TEST_P(SignIn, ReplacesACodeWhenItSendsAnother) {
  const auto challenge = open_challenge();
  resend(challenge);
  EXPECT_TRUE(std::holds_alternative<signed_in>(enter(challenge, mailed_code()).result));
  EXPECT_TRUE(is(resend("made up"), store::challenge_failure::not_found));
  EXPECT_EQ(events("not_found"), 1U);
}

TEST_P(SignIn, ChecksThePasswordsOfAnAddressOneAfterAnother) {
  std::vector<decltype(self->request(signing, caf::infinite, login(wrong)))> pending;
  for (int i = 0; i < 50; ++i) {
    auto guess = login(wrong);
    if (i % 2 == 1) guess.email[0] = 'U'; // case-insensitive
    pending.push_back(self->request(signing, caf::infinite, std::move(guess)));
  }
  unsigned refused = 0, limited = 0;
  for (auto& handle : pending) {
    const auto response = receive<sign_in_response>(std::move(handle)).first;
    refused += is(response, sign_in_refusal::invalid_credentials) ? 1 : 0;
    limited += std::holds_alternative<too_many_passwords>(response.result) ? 1 : 0;
  }
  EXPECT_EQ(refused, limits.wrong_passwords_per_15m);
  EXPECT_EQ(limited, 50 - limits.wrong_passwords_per_15m);
  EXPECT_EQ(events("wrong_password"), refused);
  EXPECT_EQ(events("too_many_passwords"), limited);
  EXPECT_TRUE(std::holds_alternative<too_many_passwords>(log_in(right).result));
  now = noon + 15min;
  EXPECT_TRUE(std::holds_alternative<challenge_opened>(log_in(right).result));
}

TEST_P(SignIn, GivesARememberedBrowserItsOwnBudget) {
  auto remembered = login(right);
  remembered.remembered_token = remember_browser();
  const auto log_in_with = [&](const password_login& login) {
    return response_of<sign_in_response>(signing, login);
  };
  guess_until_limited();
  EXPECT_TRUE(std::holds_alternative<signed_in>(log_in_with(remembered).result));
  auto unknown_cookie = remembered;
  unknown_cookie.remembered_token += "x";
  EXPECT_TRUE(std::holds_alternative<too_many_passwords>(log_in_with(unknown_cookie).result));
  auto guess = remembered;
  guess.password = wrong;
  for (unsigned i = 0; i < limits.wrong_passwords_per_15m; ++i)
    EXPECT_TRUE(is(log_in_with(guess), sign_in_refusal::invalid_credentials)) << i;
  EXPECT_TRUE(std::holds_alternative<too_many_passwords>(log_in_with(remembered).result));
  now = noon + 15min;
  EXPECT_TRUE(std::holds_alternative<signed_in>(log_in_with(remembered).result));
}

TEST_P(SignIn, CountsARememberedBrowsersWrongPasswordsForNoOtherBrowser) {
  auto guess = login(wrong);
  guess.remembered_token = remember_browser();
  for (unsigned i = 0; i < limits.wrong_passwords_per_15m; ++i) response_of<sign_in_response>(signing, guess);
  EXPECT_TRUE(std::holds_alternative<challenge_opened>(log_in(right).result));
  guess.email = "user2@landlord.example"; // the cookie is not this user's
  for (unsigned i = 0; i < limits.wrong_passwords_per_15m; ++i)
    EXPECT_TRUE(is(response_of<sign_in_response>(signing, guess), sign_in_refusal::invalid_credentials));
  guess.remembered_token.clear();
  EXPECT_TRUE(
      std::holds_alternative<too_many_passwords>(response_of<sign_in_response>(signing, guess).result));
}

TEST_P(SignIn, LetsASignedInUserChangeThePasswordWhileStrangersGuessIt) {
  guess_until_limited();
  EXPECT_TRUE(is(response_of<password_response>(signing, change(right)), password_result::changed));
}

TEST_P(SignIn, AcceptsANewPasswordDirectlyAfterStrangersGuessedTheOldOne) {
  guess_until_limited();
  const auto token = request_link();
  ASSERT_TRUE(eventually([&] { return is(reset(token), password_result::changed); }));
  EXPECT_TRUE(std::holds_alternative<challenge_opened>(log_in("ana-new").result));
}

TEST_P(SignIn, LimitsTheQueueOfAnAddress) {
  hold_storage();
  std::vector<decltype(self->request(signing, caf::infinite, login(wrong)))> pending;
  for (int i = 0; i < 66; ++i) pending.push_back(self->request(signing, caf::infinite, login(wrong)));
  const auto last = receive<sign_in_response>(std::move(pending.back()));
  EXPECT_EQ(last.second, make_error(storage_error::unavailable)); // one is being checked, 64 are waiting
  pending.pop_back();
  release_storage();
  for (auto& handle : pending) EXPECT_FALSE(receive<sign_in_response>(std::move(handle)).second);
}

TEST_P(SignIn, RevealsADeactivatedUserOnlyWithTheRightPassword) {
  change_user("deactivated = true");
  EXPECT_TRUE(is(log_in(wrong), sign_in_refusal::invalid_credentials));
  EXPECT_TRUE(is(log_in(right), sign_in_refusal::deactivated));
  EXPECT_EQ(events("deactivated"), 1U);
}

TEST_P(SignIn, WithAnIdentityRequiresAUser) {
  EXPECT_TRUE(std::holds_alternative<signed_in>(sign_in_as("1", user.email).result));
  EXPECT_TRUE(is(sign_in_as("2", "unknown@landlord.example"), sign_in_refusal::invalid_credentials));
  EXPECT_EQ(events("unknown_identity"), 1U);
}

TEST_P(SignIn, ChangesAPasswordWithTheOldOne) {
  EXPECT_TRUE(is(response_of<password_response>(signing, change(right)), password_result::changed));
  EXPECT_TRUE(are_ended());
  EXPECT_TRUE(is(log_in(right), sign_in_refusal::invalid_credentials));
  EXPECT_TRUE(std::holds_alternative<challenge_opened>(log_in("ana-new").result));
  EXPECT_EQ(events("password_changed"), 1U);
  EXPECT_THAT(mails(), ::testing::Contains("password changed"));
}

TEST_P(SignIn, LimitsWrongOldPasswords) {
  for (unsigned i = 0; i < limits.wrong_passwords_per_15m; ++i)
    EXPECT_TRUE(is(response_of<password_response>(signing, change(wrong)), password_result::wrong_password));
  EXPECT_TRUE(std::holds_alternative<too_many_passwords>(
      response_of<password_response>(signing, change(right)).result));
  EXPECT_EQ(events("wrong_password"), limits.wrong_passwords_per_15m);
  EXPECT_EQ(events("too_many_passwords"), 1U);
  EXPECT_EQ(events("password_changed"), 0U);
  EXPECT_FALSE(are_ended());
}

TEST_P(SignIn, DoesNotChangeAnotherUsersPassword) {
  auto request = change(right);
  request.user_id = numbered_id(9, 9);
  EXPECT_TRUE(is(response_of<password_response>(signing, request), password_result::wrong_password));
  EXPECT_EQ(events("changed_meanwhile"), 1U);
  EXPECT_TRUE(std::holds_alternative<challenge_opened>(log_in(right).result));
}

TEST_P(SignIn, AcceptsAResetLinkOnce) {
  const auto token = request_link();
  EXPECT_TRUE(is(reset(token), password_result::changed));
  EXPECT_TRUE(are_ended());
  EXPECT_TRUE(is(reset(token), password_result::link_not_valid));
  EXPECT_TRUE(is(reset("made up"), password_result::link_not_valid));
  EXPECT_EQ(events("reset_asked"), 1U);
  EXPECT_EQ(events("link_not_valid"), 2U);
}

TEST_P(SignIn, RespondsWithAnErrorWhileTheStoreIsDown) {
  const auto missing = missing_storage();
  other = spawn(missing);
  const sign_in_repository others(setup(missing));
  const password_reset_repository other_resets(setup(missing));
  const auto unavailable = make_error(storage_error::unavailable);
  EXPECT_EQ(ask<sign_in_response>(other, login(right)).second, unavailable);
  EXPECT_EQ(ask<sign_in_response>(other, login(right)).second,
            unavailable); // a failure does not block the queue
  EXPECT_EQ(error_of(others.enter_code("token", "000000", false, {})), unavailable);
  EXPECT_EQ(error_of(others.resend_code("token")), unavailable);
  EXPECT_EQ(error_of(others.sign_in_by_identity({"issuer", "1", user.email}, {})), unavailable);
  EXPECT_EQ(ask<password_response>(other, change(right)).second, unavailable);
  EXPECT_EQ(error_of(other_resets.reset({"token", "ana-new"})), unavailable);
  result_of(other_resets.send_link(user.email)); // completes without the store
}

TEST_P(SignIn, RespondsWithAnErrorWithoutTheLease) {
  const auto challenge = open_challenge();
  const auto token = request_link();
  held->give_up();
  const auto lost = make_error(storage_error::lease_lost);
  EXPECT_EQ(ask<sign_in_response>(signing, login(right)).second, lost);
  EXPECT_EQ(ask<sign_in_response>(signing, login(wrong)).second, lost); // no result without counting it
  EXPECT_EQ(error_of(sign_ins->enter_code(challenge, mailed_code(), false, {})), lost);
  EXPECT_EQ(ask<password_response>(signing, change(right)).second, lost);
  EXPECT_EQ(error_of(password_resets->reset({token, "ana-new"})), lost);
  held->hold(lease, held_lease::clock::now() + 1h);
  EXPECT_TRUE(std::holds_alternative<signed_in>(enter(challenge, mailed_code()).result));
}

TEST_P(SignIn, ReportsItsFailure) {
  clock_breaks = true;
  caf::anon_send(signing, login(right));
  EXPECT_EQ(first_failure(), "sign_in: the clock broke");
}

} // namespace roost::testing::sign_in_test
