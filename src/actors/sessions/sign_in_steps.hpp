#pragma once

#include "actors/sessions/sign_in_messages.hpp"
#include "metrics/registry.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/weak_intrusive_ptr.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace roost::actors {

/// Counts the steps of sign-ins and password changes. Thread-safe.
class sign_in_events {
public:
  explicit sign_in_events(metrics::registry& registry) : registry_(registry) {
    for (const auto* event : {"signed_in", "code_sent", "wrong_password"}) counter_of(event);
  }

  void count(std::string_view event) const { counter_of(event).increment(); }

private:
  metrics::counter counter_of(std::string_view event) const {
    return registry_.counter("roost_sign_in_events_total", "Steps of sign-ins and password changes, by event",
                             {{"event", std::string(event)}});
  }

  metrics::registry& registry_;
};

/// A reference to the mailer that does not keep its thread from ending. Thread-safe.
class weak_mailer {
public:
  explicit weak_mailer(const mailer& to);

  /// Makes the mailer send the mails that are due, unless it has ended.
  void send_due_mail() const;

private:
  caf::weak_actor_ptr mailer_;
};

/// The tokens for the cookies of a browser that has signed in; empty: no cookie.
struct sign_in_tokens {
  std::string browser, remember = {};
};

/// What all ways of signing in have in common: new sessions and codes, and what follows a step in the store.
/// Thread-safe.
class sign_in_steps {
public:
  explicit sign_in_steps(const sign_in_setup& setup);

  store::new_session session_for(browser_facts browser) const;

  /// Returns a new code, sealed for this challenge, and its mail.
  store::outgoing_code new_code(const security::key_ring& keys, const domain::uuid& challenge,
                                domain::timestamp now) const;
  static bool code_matches(const security::key_ring& keys, const domain::uuid& challenge,
                           std::string_view code, const std::string& seal);

  /// These functions log and count a result and return the response. The first two also trigger the mailer.
  sign_in_response finish(const store::session_started& started, sign_in_tokens tokens,
                          const request_origin& origin) const;
  sign_in_response finish(const store::code_sent& sent, const std::string& challenge_token,
                          const request_origin& origin) const;
  sign_in_response refuse(decltype(sign_in_response::result) result, std::string_view reason,
                          const request_origin& origin, const std::string& user = {}) const;

private:
  shared_sign_in_mails mails_;
  wall_clock now_;
  std::function<domain::uuid()> new_id_;
  weak_mailer mailer_;
  sign_in_events events_;
};

} // namespace roost::actors
