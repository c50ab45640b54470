#include "actors/sessions/sign_in_repository.hpp"

#include "security/live_keys.hpp"

#include <utility>
#include <variant>

namespace roost::actors {

namespace {

sign_in_response code_response(
    const sign_in_steps& steps,
    const std::variant<store::session_started, store::challenge_failure, store::user_not_allowed>& result,
    const sign_in_tokens& tokens, const request_origin& origin) {
  if (const auto* started = std::get_if<store::session_started>(&result))
    return steps.finish(*started, tokens, origin);
  if (const auto* failure = std::get_if<store::challenge_failure>(&result))
    return steps.refuse(*failure, domain::to_string(*failure), origin);
  return steps.refuse(sign_in_refusal::no_longer_valid, "no_longer_valid", origin);
}

sign_in_response
resend_response(const sign_in_steps& steps,
                const std::variant<store::code_sent, store::challenge_failure, store::rate_limited>& result,
                const request_origin& origin) {
  if (const auto* sent = std::get_if<store::code_sent>(&result)) return steps.finish(*sent, {}, origin);
  if (const auto* limit = std::get_if<store::rate_limited>(&result))
    return steps.refuse(too_many_codes{limit->retry_after}, "too_many_codes", origin);
  const auto failure = std::get<store::challenge_failure>(result);
  return steps.refuse(failure, domain::to_string(failure), origin);
}

sign_in_response identity_response(const sign_in_steps& steps,
                                   const std::variant<store::session_started, store::user_not_allowed,
                                                      store::identity_token_used, std::monostate>& result,
                                   const sign_in_tokens& tokens, const request_origin& origin) {
  if (const auto* started = std::get_if<store::session_started>(&result))
    return steps.finish(*started, tokens, origin);
  if (std::holds_alternative<store::identity_token_used>(result))
    return steps.refuse(sign_in_refusal::invalid_credentials, "identity_token_used", origin);
  const bool known = std::holds_alternative<store::user_not_allowed>(result);
  return steps.refuse(known ? sign_in_refusal::deactivated : sign_in_refusal::invalid_credentials,
                      known ? "deactivated" : "unknown_identity", origin);
}

} // namespace

sign_in_repository::sign_in_repository(const sign_in_setup& setup)
    : lane_{setup.storage, setup.lease}, keys_(setup.keys), limits_(setup.limits), now_(setup.now),
      new_id_(setup.new_id), steps_(std::make_shared<const sign_in_steps>(setup)) {}

asio::awaitable<sign_in_response> sign_in_repository::enter_code(std::string challenge_token,
                                                                 std::string code, bool remember_browser,
                                                                 browser_facts browser) const {
  store::code_try attempt;
  attempt.token_hash = security::key_hash(challenge_token);
  attempt.matches = [keys = keys_->get(), code = std::move(code)](const domain::uuid& challenge,
                                                                  const std::string& seal) {
    return sign_in_steps::code_matches(*keys, challenge, code, seal);
  };
  sign_in_tokens tokens{browser.token};
  if (remember_browser) {
    tokens.remember = security::random_secret();
    attempt.remember_token_hash = security::key_hash(tokens.remember);
  }
  const auto origin = browser.origin;
  attempt.session = steps_->session_for(std::move(browser));
  return in_store(lane_, "try_code",
                  [steps = steps_, attempt = std::move(attempt), limits = limits_, tokens = std::move(tokens),
                   origin](store::session& db, const store::lease& lease) {
                    return code_response(*steps, store::try_code(db, lease, attempt, limits), tokens, origin);
                  });
}

asio::awaitable<sign_in_response> sign_in_repository::resend_code(std::string challenge_token,
                                                                  request_origin origin) const {
  store::code_resend resend;
  resend.token_hash = security::key_hash(challenge_token);
  resend.now = now_();
  resend.code = [steps = steps_, id = new_id_(), keys = keys_->get(),
                 now = resend.now](const domain::uuid& challenge) {
    auto code = steps->new_code(*keys, challenge, now);
    code.id = id;
    return code;
  };
  return in_store(lane_, "resend_code",
                  [steps = steps_, resend = std::move(resend), limits = limits_,
                   origin = std::move(origin)](store::session& db, const store::lease& lease) {
                    return resend_response(*steps, store::resend_code(db, lease, resend, limits), origin);
                  });
}

asio::awaitable<sign_in_response> sign_in_repository::sign_in_by_identity(store::identity identity,
                                                                          browser_facts browser) const {
  const auto origin = browser.origin;
  sign_in_tokens tokens{browser.token};
  return in_store(
      lane_, "sign_in_by_identity",
      [steps = steps_, identity = std::move(identity), session = steps_->session_for(std::move(browser)),
       limits = limits_, tokens = std::move(tokens), origin](store::session& db, const store::lease& lease) {
        return identity_response(*steps, store::sign_in_by_identity(db, lease, identity, session, limits),
                                 tokens, origin);
      });
}

} // namespace roost::actors
