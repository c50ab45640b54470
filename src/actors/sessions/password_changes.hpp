#pragma once

#include "actors/sessions/sign_in_messages.hpp"
#include "metrics/registry.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace roost::actors {

/// Counts the steps of signing in, and of changing passwords, by what came of them.
class sign_in_events {
public:
  explicit sign_in_events(metrics::registry& registry) : registry_(registry) {
    for (const auto* event : {"signed_in", "code_sent", "wrong_password"}) counter_of(event);
  }

  void count(std::string_view event) { counter_of(event).increment(); }

private:
  metrics::counter& counter_of(std::string_view event) {
    auto& counter = counters_[std::string(event)];
    if (!counter)
      counter = registry_.counter("roost_sign_in_events_total", "Steps of signing in, by what came of them",
                                  {{"event", std::string(event)}});
    return counter;
  }

  metrics::registry& registry_;
  std::map<std::string, metrics::counter> counters_;
};

/// Changes users' passwords: with the old one, or by a link that is mailed to whoever has forgotten it; a
/// part of the sign-in actor (Management API, Authentication). A change ends the user's sessions.
class password_changes {
public:
  using self_pointer = sign_in::base*;

  /// All must outlive it.
  password_changes(self_pointer self, const sign_in_setup& setup, shared_sign_in_mails mails,
                   password_gate<sign_in::base>& gate, sign_in_events& events)
      : self_(self), setup_(setup), mails_(std::move(mails)), gate_(gate), events_(events) {}

  caf::result<password_response> change(change_password& wanted);
  void forget(forgot_password& wanted);
  caf::result<password_response> reset(reset_password& wanted);

private:
  using password_promise = caf::typed_response_promise<password_response>;

  void replace(password_promise answer, const store::sign_in_user& user, const std::string& fresh,
               std::string reset_token_hash, std::function<void()> then);
  void write_password(password_promise answer, store::password_change wanted, std::function<void()> then,
                      std::function<void(caf::error)> failed);
  void password_was_changed(password_promise& answer, const store::password_changed& done);
  void refuse(password_promise& answer, password_response told, std::string_view why,
              const std::optional<domain::uuid>& user);

  self_pointer self_;
  const sign_in_setup& setup_;
  const shared_sign_in_mails mails_;
  password_gate<sign_in::base>& gate_;
  sign_in_events& events_;
};

} // namespace roost::actors
