#include "actors/sessions/password_changes.hpp"
#include "actors/sessions/sign_in_messages.hpp"
#include "domain/email_address.hpp"
#include "security/live_keys.hpp"

#include <utility>

namespace roost::actors {

namespace {

class sign_in_state : public actor_state<sign_in> {
public:
  static constexpr const char* name = "sign_in";
  using actor_state::actor_state;
  using response_promise = caf::typed_response_promise<sign_in_response>;

  behavior open(sign_in_setup setup) {
    setup_ = std::move(setup);
    steps_.emplace(setup_);
    gate_.emplace(self_, setup_);
    passwords_.emplace(self_, setup_, *gate_);
    return {[this](password_login& request) { return log_in(request); },
            [this](change_password& request) { return passwords_->change(request); }};
  }

  caf::result<sign_in_response> log_in(password_login& request) {
    auto response = self_->make_response_promise<sign_in_response>();
    const auto login = std::make_shared<password_login>(std::move(request));
    auto attempt = std::make_shared<password_attempt>();
    attempt->email = login->email;
    attempt->password = std::move(login->password);
    attempt->remembered_token = login->remembered_token;
    attempt->right = [this, login, response, attempt = attempt.get()](const auto& user) {
      accept_password(*login, response, user, attempt->password, attempt->budget);
    };
    const auto origin = login->browser.origin;
    attempt->wrong = [this, response, email = login->email, origin]() mutable {
      response.deliver(steps_->refuse(sign_in_refusal::invalid_credentials, "wrong_password", origin,
                                      domain::masked_email(email)));
    };
    attempt->rate_limited = [this, response, email = login->email,
                             origin](store::rate_limited limit) mutable {
      response.deliver(steps_->refuse(too_many_passwords{limit.retry_after}, "too_many_passwords", origin,
                                      domain::masked_email(email)));
    };
    attempt->failed = [response](caf::error error) mutable { response.deliver(std::move(error)); };
    gate_->enter(attempt);
    return response;
  }

private:
  /// Reveals that a user is deactivated only if the password is correct.
  void accept_password(password_login& login, response_promise response, const store::sign_in_user& user,
                       const std::string& password, const std::string& budget) {
    if (user.deactivated) {
      response.deliver(steps_->refuse(sign_in_refusal::deactivated, "deactivated", login.browser.origin,
                                      domain::masked_email(user.email)));
      return gate_->leave(budget);
    }
    if (!security::needs_rehash(*user.password_hash, setup_.cost))
      return begin(login, response, user, std::nullopt, budget);
    self_->request(setup_.hasher, caf::infinite, hash_password{password, deadline::in(sign_in_timeout)})
        .then(
            [this, login = std::make_shared<password_login>(std::move(login)), response, user,
             budget](std::string& upgraded_hash) {
              begin(*login, response, user, std::move(upgraded_hash), budget);
            },
            [this, response, budget](caf::error& error) mutable {
              response.deliver(std::move(error));
              gate_->leave(budget);
            });
  }

  void begin(password_login& login, response_promise response, const store::sign_in_user& user,
             std::optional<std::string> upgraded_hash, const std::string& budget) {
    store::password_sign_in sign_in;
    sign_in.user_id = user.id;
    sign_in.epoch = user.epoch;
    if (!login.remembered_token.empty())
      sign_in.remembered_token_hash = security::key_hash(login.remembered_token);
    const auto origin = login.browser.origin;
    const sign_in_tokens tokens{login.browser.token};
    sign_in.session = steps_->session_for(std::move(login.browser));
    const auto token = security::random_secret();
    sign_in.challenge_token_hash = security::key_hash(token);
    sign_in.code = steps_->new_code(*setup_.keys->get(), setup_.new_id(), setup_.now());
    sign_in.upgraded_hash = std::move(upgraded_hash);
    const auto lease = setup_.lease->current();
    if (!lease) {
      response.deliver(make_error(storage_error::lease_lost));
      return gate_->leave(budget);
    }
    in_storage(
        self_, setup_.storage, "begin_sign_in",
        [lease = *lease, sign_in = std::move(sign_in), limits = setup_.limits](store::session& db) {
          return store::begin_sign_in(db, lease, sign_in, limits);
        },
        [this, response, token, tokens, origin, budget](const begin_result& result) mutable {
          response.deliver(response_to(result, token, tokens, origin));
          gate_->leave(budget);
        },
        [this, response, budget](storage_error error) mutable {
          response.deliver(make_error(error));
          gate_->leave(budget);
        },
        deadline::in(sign_in_timeout));
  }

  using begin_result =
      std::variant<store::session_started, store::code_sent, store::rate_limited, store::user_not_allowed>;

  sign_in_response response_to(const begin_result& result, const std::string& challenge_token,
                               const sign_in_tokens& tokens, const request_origin& origin) const {
    if (const auto* started = std::get_if<store::session_started>(&result))
      return steps_->finish(*started, tokens, origin);
    if (const auto* sent = std::get_if<store::code_sent>(&result))
      return steps_->finish(*sent, challenge_token, origin);
    if (const auto* limit = std::get_if<store::rate_limited>(&result))
      return steps_->refuse(too_many_codes{limit->retry_after}, "too_many_codes", origin);
    return steps_->refuse(sign_in_refusal::invalid_credentials, "changed_meanwhile", origin);
  }

  sign_in_setup setup_;
  std::optional<sign_in_steps> steps_;
  std::optional<password_gate<sign_in::base>> gate_;
  std::optional<password_changes> passwords_;
};

} // namespace

sign_in spawn_sign_in(runtime& rt, sign_in_setup setup) {
  return rt.spawn_at<sign_in_state>(0, std::move(setup));
}

} // namespace roost::actors
