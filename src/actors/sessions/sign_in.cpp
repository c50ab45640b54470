#include "actors/sessions/password_changes.hpp"
#include "actors/sessions/sign_in_messages.hpp"
#include "domain/text.hpp"
#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

#include <utility>

namespace roost::actors {

namespace {

constexpr std::size_t code_length = 6;
constexpr std::string_view code_purpose = "emailed code";

/// Returns the text that is sealed; it includes the challenge, so that a code is valid only for one.
std::string sealed_text(const domain::uuid& challenge, std::string_view code) {
  return domain::to_string(challenge) + ':' + std::string(code);
}

class sign_in_state : public actor_state<sign_in> {
public:
  static constexpr const char* name = "sign_in";
  using actor_state::actor_state;
  using response_promise = caf::typed_response_promise<sign_in_response>;

  behavior open(sign_in_setup setup) {
    setup_ = std::move(setup);
    mails_ = std::make_shared<const sign_in_mails>(std::move(setup_.mails));
    gate_.emplace(self_, setup_);
    events_.emplace(*setup_.registry);
    passwords_.emplace(self_, setup_, mails_, *gate_, *events_);
    return {[this](password_login& request) { return log_in(request); },
            [this](code_login& request) { return enter_code(request); },
            [this](resend_sign_in_code& request) { return resend_code(request); },
            [this](identity_login& request) { return log_in_by_identity(request); },
            [this](change_password& request) { return passwords_->change(request); },
            [this](reset_password& request) { return passwords_->reset(request); },
            [this](forgot_password& request) { passwords_->send_reset(request); }};
  }

  caf::result<sign_in_response> log_in(password_login& request) {
    auto response = self_->make_response_promise<sign_in_response>();
    const auto login = std::make_shared<password_login>(std::move(request));
    auto attempt = std::make_shared<password_attempt>();
    attempt->email = login->email;
    attempt->password = std::move(login->password);
    attempt->right = [this, login, response, attempt = attempt.get()](const auto& user) {
      accept_password(*login, response, user, attempt->password, attempt->queue);
    };
    attempt->wrong = [this, response, email = login->email]() mutable {
      refuse(response, sign_in_refusal::invalid_credentials, "wrong_password", domain::masked_email(email));
    };
    attempt->rate_limited = [this, response, email = login->email](store::rate_limited limit) mutable {
      refuse(response, too_many_passwords{limit.retry_after}, "too_many_passwords",
             domain::masked_email(email));
    };
    attempt->failed = [response](caf::error error) mutable { response.deliver(std::move(error)); };
    gate_->enter(std::move(attempt));
    return response;
  }

  caf::result<sign_in_response> enter_code(code_login& request) {
    auto response = self_->make_response_promise<sign_in_response>();
    store::code_try attempt;
    attempt.token_hash = security::key_hash(request.challenge_token);
    attempt.matches = [keys = setup_.keys->get(), code = std::move(request.code)](
                          const domain::uuid& challenge, const std::string& seal) {
      return security::seal_matches(*keys, code_purpose, sealed_text(challenge, code), seal);
    };
    const auto remember_token = request.remember ? security::random_secret() : std::string{};
    if (request.remember) attempt.remember_token_hash = security::key_hash(remember_token);
    attempt.session = session_for(std::move(request.browser));
    write("try_code", std::move(attempt), store::try_code, response,
          [this, response, remember_token](auto& result) mutable {
            finish_code(response, result, remember_token);
          });
    return response;
  }

  caf::result<sign_in_response> resend_code(resend_sign_in_code& request) {
    auto response = self_->make_response_promise<sign_in_response>();
    store::code_resend resend;
    resend.token_hash = security::key_hash(request.challenge_token);
    resend.now = setup_.now();
    resend.code = [mails = mails_, id = setup_.new_id(), keys = setup_.keys->get(),
                   now = resend.now](const domain::uuid& challenge) {
      auto code = new_code(mails, *keys, challenge, now);
      code.id = id;
      return code;
    };
    write("resend_code", std::move(resend), store::resend_code, response,
          [this, response](auto& result) mutable {
            if (auto* sent = std::get_if<store::code_sent>(&result))
              return finish_code_sent(response, {}, *sent);
            if (auto* limit = std::get_if<store::rate_limited>(&result))
              return refuse(response, too_many_codes{limit->retry_after}, "too_many_codes", {});
            const auto failure = std::get<store::challenge_failure>(result);
            refuse(response, failure, domain::to_string(failure), {});
          });
    return response;
  }

  caf::result<sign_in_response> log_in_by_identity(identity_login& request) {
    const auto lease = setup_.lease->current();
    if (!lease) return make_error(storage_error::lease_lost);
    auto response = self_->make_response_promise<sign_in_response>();
    in_storage(
        self_, setup_.storage, "sign_in_by_identity",
        [lease = *lease, identity = std::move(request.identity),
         session = session_for(std::move(request.browser)), limits = setup_.limits](store::session& db) {
          return store::sign_in_by_identity(db, lease, identity, session, limits);
        },
        [this, response](auto result) mutable {
          if (const auto* started = std::get_if<store::session_started>(&result))
            return finish_sign_in(response, *started, {});
          const bool known = std::holds_alternative<store::user_not_allowed>(result);
          refuse(response, known ? sign_in_refusal::deactivated : sign_in_refusal::invalid_credentials,
                 known ? "deactivated" : "unknown_identity", {});
        },
        [response](storage_error error) mutable { response.deliver(make_error(error)); },
        deadline::in(sign_in_timeout));
    return response;
  }

private:
  /// Reveals that a user is deactivated only if the password is correct.
  void accept_password(password_login& login, response_promise response, const store::sign_in_user& user,
                       const std::string& password, const std::string& queue) {
    if (user.deactivated) {
      refuse(response, sign_in_refusal::deactivated, "deactivated", domain::masked_email(user.email));
      return gate_->leave(queue);
    }
    if (!security::needs_rehash(*user.password_hash, setup_.cost))
      return begin(login, response, user, std::nullopt, queue);
    self_->request(setup_.hasher, caf::infinite, hash_password{password, deadline::in(sign_in_timeout)})
        .then(
            [this, login = std::make_shared<password_login>(std::move(login)), response, user,
             queue](std::string& upgraded_hash) {
              begin(*login, response, user, std::move(upgraded_hash), queue);
            },
            [this, response, queue](caf::error& error) mutable {
              response.deliver(std::move(error));
              gate_->leave(queue);
            });
  }

  void begin(password_login& login, response_promise response, const store::sign_in_user& user,
             std::optional<std::string> upgraded_hash, const std::string& queue) {
    store::password_sign_in sign_in;
    sign_in.user_id = user.id;
    sign_in.epoch = user.epoch;
    if (!login.remembered_token.empty())
      sign_in.remembered_token_hash = security::key_hash(login.remembered_token);
    sign_in.session = session_for(std::move(login.browser));
    const auto token = security::random_secret();
    sign_in.challenge_token_hash = security::key_hash(token);
    sign_in.code = new_code(mails_, *setup_.keys->get(), setup_.new_id(), setup_.now());
    sign_in.upgraded_hash = std::move(upgraded_hash);
    write(
        "begin_sign_in", std::move(sign_in), store::begin_sign_in, response,
        [this, response, token](auto& result) mutable { finish_password(response, result, token); },
        [this, queue] { gate_->leave(queue); });
  }

  void finish_password(response_promise response,
                       std::variant<store::session_started, store::code_sent, store::rate_limited,
                                    store::user_not_allowed>& result,
                       const std::string& token) {
    if (const auto* started = std::get_if<store::session_started>(&result))
      return finish_sign_in(response, *started, {});
    if (const auto* sent = std::get_if<store::code_sent>(&result))
      return finish_code_sent(response, token, *sent);
    if (const auto* limit = std::get_if<store::rate_limited>(&result))
      return refuse(response, too_many_codes{limit->retry_after}, "too_many_codes", {});
    refuse(response, sign_in_refusal::invalid_credentials, "changed_meanwhile", {});
  }

  void
  finish_code(response_promise response,
              std::variant<store::session_started, store::challenge_failure, store::user_not_allowed>& result,
              const std::string& remember_token) {
    if (const auto* started = std::get_if<store::session_started>(&result))
      return finish_sign_in(response, *started, remember_token);
    if (const auto* failure = std::get_if<store::challenge_failure>(&result))
      return refuse(response, *failure, domain::to_string(*failure), {});
    refuse(response, sign_in_refusal::no_longer_valid, "no_longer_valid", {});
  }

  void finish_sign_in(response_promise response, const store::session_started& started,
                      const std::string& remember_token) {
    log::info("signed_in", {{"user", domain::to_string(started.user_id)},
                            {"session", domain::to_string(started.session_id)}});
    events_->count("signed_in");
    trigger_mailer();
    response.deliver(sign_in_response{signed_in{started, remember_token}});
  }

  void finish_code_sent(response_promise response, const std::string& token, const store::code_sent& sent) {
    log::info("sign_in_code_sent", {{"to", domain::masked_email(sent.email)}});
    events_->count("code_sent");
    trigger_mailer();
    response.deliver(sign_in_response{challenge_opened{token, sent.expires_at, sent.email}});
  }

  /// Logs, counts and sends a refusal.
  template <typename Result>
  void refuse(response_promise& response, Result result, std::string_view reason, const std::string& user) {
    log::info("sign_in_refused", {{"reason", reason}, {"user", user}});
    events_->count(reason);
    response.deliver(sign_in_response{std::move(result)});
  }

  static store::outgoing_code new_code(const shared_sign_in_mails& mails, const security::key_ring& keys,
                                       const domain::uuid& challenge, domain::timestamp now) {
    const auto code = security::random_digits(code_length);
    store::outgoing_code sealed_code{
        challenge, security::sealed(keys, code_purpose, sealed_text(challenge, code)), {}, now};
    sealed_code.mail = [mails, code, now](const auto& user) { return mails->code(user, code, now); };
    return sealed_code;
  }

  store::new_session session_for(browser_facts browser) const {
    store::new_session session{setup_.new_id(), browser.name, browser.address, setup_.now(), {}};
    session.new_browser_notice = [mails = mails_, browser = std::move(browser), now = session.now](
                                     const auto& user) { return mails->new_browser(user, browser, now); };
    return session;
  }

  /// Runs a step in the store and passes its result to `then`; `after` always runs.
  template <typename Request, typename Step, typename Then>
  void write(
      const char* kind, Request request, Step step, response_promise response, Then then,
      std::function<void()> after = [] {}) {
    const auto lease = setup_.lease->current();
    if (!lease) {
      response.deliver(make_error(storage_error::lease_lost));
      return after();
    }
    in_storage(
        self_, setup_.storage, kind,
        [lease = *lease, request = std::move(request), step, limits = setup_.limits](store::session& db) {
          return step(db, lease, request, limits);
        },
        [then = std::move(then), after](auto result) mutable {
          then(result);
          after();
        },
        [response, after](storage_error error) mutable {
          response.deliver(make_error(error));
          after();
        },
        deadline::in(sign_in_timeout));
  }

  void trigger_mailer() { self_->send(setup_.mailer, send_due_mail{}); }

  sign_in_setup setup_;
  shared_sign_in_mails mails_;
  std::optional<password_gate<sign_in::base>> gate_;
  std::optional<sign_in_events> events_;
  std::optional<password_changes> passwords_;
};

} // namespace

sign_in spawn_sign_in(runtime& rt, sign_in_setup setup) {
  return rt.spawn_at<sign_in_state>(0, std::move(setup));
}

} // namespace roost::actors
