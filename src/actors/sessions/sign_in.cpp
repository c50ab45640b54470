#include "actors/sessions/password_changes.hpp"
#include "actors/sessions/sign_in_messages.hpp"
#include "domain/email_address.hpp"
#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

#include <caf/stateful_actor.hpp>

#include <utility>

namespace roost::actors {

namespace {

constexpr std::size_t code_length = 6;
constexpr std::string_view code_purpose = "emailed code";

/// What a code's seal is made of: a code of one challenge is worth nothing for another.
std::string code_text(const domain::uuid& challenge, std::string_view code) {
  return domain::to_string(challenge) + ':' + std::string(code);
}

class sign_in_state {
public:
  static constexpr const char* name = "sign_in";
  using self_pointer = sign_in::stateful_pointer<sign_in_state>;
  using answer_promise = caf::typed_response_promise<sign_in_response>;

  void open(self_pointer self, sign_in_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    mails_ = std::make_shared<const sign_in_mails>(std::move(setup_.mails));
    gate_.emplace(self, setup_);
    events_.emplace(*setup_.registry);
    passwords_.emplace(self, setup_, mails_, *gate_, *events_);
  }

  password_changes& passwords() { return *passwords_; }

  caf::result<sign_in_response> log_in(password_login& wanted) {
    auto answer = self_->make_response_promise<sign_in_response>();
    const auto login = std::make_shared<password_login>(std::move(wanted));
    auto attempt = std::make_shared<password_try>();
    attempt->email = login->email;
    attempt->password = std::move(login->password);
    attempt->right = [this, login, answer, attempt = attempt.get()](const auto& user) {
      password_was_right(*login, answer, user, attempt->password, attempt->line);
    };
    attempt->wrong = [this, answer, email = login->email]() mutable {
      tell(answer, sign_in_refusal::invalid_credentials, "wrong_password", domain::masked_email(email));
    };
    attempt->too_many = [this, answer, email = login->email](store::rate_limited over) mutable {
      tell(answer, too_many_passwords{over.retry_after}, "too_many_passwords", domain::masked_email(email));
    };
    attempt->failed = [answer](caf::error why) mutable { answer.deliver(std::move(why)); };
    gate_->enter(std::move(attempt));
    return answer;
  }

  caf::result<sign_in_response> enter_code(code_login& wanted) {
    auto answer = self_->make_response_promise<sign_in_response>();
    store::code_try attempt;
    attempt.token_hash = security::key_hash(wanted.challenge_token);
    attempt.matches = [keys = setup_.keys->get(), code = std::move(wanted.code)](
                          const domain::uuid& challenge, const std::string& seal) {
      return security::seal_matches(*keys, code_purpose, code_text(challenge, code), seal);
    };
    const auto remember = wanted.remember ? security::random_secret() : std::string{};
    if (wanted.remember) attempt.remember_token_hash = security::key_hash(remember);
    attempt.session = session_for(std::move(wanted.browser));
    write("try_code", std::move(attempt), store::try_code, answer,
          [this, answer, remember](auto& result) mutable { finish_code(answer, result, remember); });
    return answer;
  }

  caf::result<sign_in_response> send_again(code_again& wanted) {
    auto answer = self_->make_response_promise<sign_in_response>();
    store::code_resend resend;
    resend.token_hash = security::key_hash(wanted.challenge_token);
    resend.now = setup_.now();
    resend.code = [mails = mails_, id = setup_.new_id(), keys = setup_.keys->get(),
                   now = resend.now](const domain::uuid& challenge) {
      auto code = new_code(mails, *keys, challenge, now);
      code.id = id;
      return code;
    };
    write("resend_code", std::move(resend), store::resend_code, answer, [this, answer](auto& result) mutable {
      if (auto* sent = std::get_if<store::code_sent>(&result)) return code_went_out(answer, {}, *sent);
      if (auto* over = std::get_if<store::rate_limited>(&result))
        return tell(answer, too_many_codes{over->retry_after}, "too_many_codes", {});
      const auto why = std::get<store::challenge_failure>(result);
      tell(answer, why, store::to_string(why), {});
    });
    return answer;
  }

  caf::result<sign_in_response> log_in_by_identity(identity_login& wanted) {
    auto answer = self_->make_response_promise<sign_in_response>();
    const auto lease = setup_.lease->current();
    if (!lease) return lost(answer);
    in_storage(
        self_, setup_.storage, "sign_in_by_identity",
        [lease = *lease, who = std::move(wanted.identity), session = session_for(std::move(wanted.browser)),
         limits = setup_.limits](store::session& db) {
          return store::sign_in_by_identity(db, lease, who, session, limits);
        },
        [this, answer](auto result) mutable {
          if (const auto* started = std::get_if<store::session_started>(&result))
            return session_began(answer, *started, {});
          const bool known = std::holds_alternative<store::user_not_allowed>(result);
          tell(answer, known ? sign_in_refusal::deactivated : sign_in_refusal::invalid_credentials,
               known ? "deactivated" : "unknown_identity", {});
        },
        [answer](storage_error why) mutable { answer.deliver(make_error(why)); },
        deadline::in(sign_in_patience));
    return answer;
  }

private:
  /// A deactivated user is told so only with the right password.
  void password_was_right(password_login& login, answer_promise answer, const store::sign_in_user& user,
                          const std::string& password, const std::string& line) {
    if (user.deactivated) {
      tell(answer, sign_in_refusal::deactivated, "deactivated", domain::masked_email(user.email));
      return gate_->leave(line);
    }
    if (!security::needs_rehash(*user.password_hash, setup_.cost))
      return begin(login, answer, user, std::nullopt, line);
    self_->request(setup_.hasher, caf::infinite, hash_password{password, deadline::in(sign_in_patience)})
        .then([this, login = std::make_shared<password_login>(std::move(login)), answer, user,
               line](std::string& better) { begin(*login, answer, user, std::move(better), line); },
              [this, answer, line](caf::error& why) mutable {
                answer.deliver(std::move(why));
                gate_->leave(line);
              });
  }

  void begin(password_login& login, answer_promise answer, const store::sign_in_user& user,
             std::optional<std::string> upgraded_hash, const std::string& line) {
    store::password_sign_in wanted;
    wanted.user_id = user.id;
    wanted.epoch = user.epoch;
    if (!login.remembered_token.empty())
      wanted.remembered_token_hash = security::key_hash(login.remembered_token);
    wanted.session = session_for(std::move(login.browser));
    const auto token = security::random_secret();
    wanted.challenge_token_hash = security::key_hash(token);
    wanted.code = new_code(mails_, *setup_.keys->get(), setup_.new_id(), setup_.now());
    wanted.upgraded_hash = std::move(upgraded_hash);
    write(
        "begin_sign_in", std::move(wanted), store::begin_sign_in, answer,
        [this, answer, token](auto& result) mutable { finish_password(answer, result, token); },
        [this, line] { gate_->leave(line); });
  }

  void finish_password(answer_promise answer,
                       std::variant<store::session_started, store::code_sent, store::rate_limited,
                                    store::user_not_allowed>& result,
                       const std::string& token) {
    if (const auto* started = std::get_if<store::session_started>(&result))
      return session_began(answer, *started, {});
    if (const auto* sent = std::get_if<store::code_sent>(&result)) return code_went_out(answer, token, *sent);
    if (const auto* over = std::get_if<store::rate_limited>(&result))
      return tell(answer, too_many_codes{over->retry_after}, "too_many_codes", {});
    tell(answer, sign_in_refusal::invalid_credentials, "changed_meanwhile", {});
  }

  void
  finish_code(answer_promise answer,
              std::variant<store::session_started, store::challenge_failure, store::user_not_allowed>& result,
              const std::string& remember) {
    if (const auto* started = std::get_if<store::session_started>(&result))
      return session_began(answer, *started, remember);
    if (const auto* why = std::get_if<store::challenge_failure>(&result))
      return tell(answer, *why, store::to_string(*why), {});
    tell(answer, sign_in_refusal::no_longer_valid, "no_longer_valid", {});
  }

  void session_began(answer_promise answer, const store::session_started& started,
                     const std::string& remember) {
    log::info("signed_in", {{"user", domain::to_string(started.user_id)},
                            {"session", domain::to_string(started.session_id)}});
    events_->count("signed_in");
    look_at_outbox();
    answer.deliver(sign_in_response{signed_in{started, remember}});
  }

  void code_went_out(answer_promise answer, const std::string& token, const store::code_sent& sent) {
    log::info("sign_in_code_sent", {{"to", domain::masked_email(sent.email)}});
    events_->count("code_sent");
    look_at_outbox();
    answer.deliver(sign_in_response{challenge_opened{token, sent.expires_at, sent.email}});
  }

  /// A refusal: a log line, a metric, and the answer.
  template <typename Result>
  void tell(answer_promise& answer, Result result, std::string_view why, const std::string& who) {
    log::info("sign_in_refused", {{"reason", why}, {"user", who}});
    events_->count(why);
    answer.deliver(sign_in_response{std::move(result)});
  }

  // ---- what all of them need

  static store::outgoing_code new_code(const shared_sign_in_mails& mails, const security::key_ring& keys,
                                       const domain::uuid& challenge, domain::timestamp now) {
    const auto code = security::random_digits(code_length);
    store::outgoing_code wish{
        challenge, security::sealed(keys, code_purpose, code_text(challenge, code)), {}, now};
    wish.mail = [mails, code, now](const auto& user) { return mails->code(user, code, now); };
    return wish;
  }

  store::new_session session_for(browser_facts browser) const {
    store::new_session wish{setup_.new_id(), browser.name, browser.address, setup_.now(), {}};
    wish.new_browser_notice = [mails = mails_, browser = std::move(browser), now = wish.now](
                                  const auto& user) { return mails->new_browser(user, browser, now); };
    return wish;
  }

  /// Runs one of the store's steps and hands its result on; `after` runs in any case.
  template <typename Wanted, typename Step, typename Then>
  void write(
      const char* kind, Wanted wanted, Step step, answer_promise answer, Then then,
      std::function<void()> after = [] {}) {
    const auto lease = setup_.lease->current();
    if (!lease) {
      lost(answer);
      return after();
    }
    in_storage(
        self_, setup_.storage, kind,
        [lease = *lease, wanted = std::move(wanted), step, limits = setup_.limits](store::session& db) {
          return step(db, lease, wanted, limits);
        },
        [then = std::move(then), after](auto result) mutable {
          then(result);
          after();
        },
        [answer, after](storage_error why) mutable {
          answer.deliver(make_error(why));
          after();
        },
        deadline::in(sign_in_patience));
  }

  static answer_promise lost(answer_promise answer) {
    answer.deliver(make_error(storage_error::lease_lost));
    return answer;
  }

  void look_at_outbox() { self_->send(setup_.mailer, send_due_mail{}); }

  self_pointer self_ = nullptr;
  sign_in_setup setup_;
  shared_sign_in_mails mails_;
  std::optional<password_gate<sign_in::base>> gate_;
  std::optional<sign_in_events> events_;
  std::optional<password_changes> passwords_;
};

sign_in::behavior_type sign_in_behavior(sign_in::stateful_pointer<sign_in_state> self, sign_in_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {[&state](password_login& wanted) { return state.log_in(wanted); },
          [&state](code_login& wanted) { return state.enter_code(wanted); },
          [&state](code_again& wanted) { return state.send_again(wanted); },
          [&state](identity_login& wanted) { return state.log_in_by_identity(wanted); },
          [&state](change_password& wanted) { return state.passwords().change(wanted); },
          [&state](reset_password& wanted) { return state.passwords().reset(wanted); },
          [&state](forgot_password& wanted) { state.passwords().forget(wanted); }};
}

} // namespace

sign_in spawn_sign_in(runtime& rt, sign_in_setup setup) {
  return rt.spawn_at(0, sign_in_behavior, std::move(setup));
}

} // namespace roost::actors
