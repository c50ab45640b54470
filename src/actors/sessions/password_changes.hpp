#pragma once

#include "actors/sessions/sign_in_messages.hpp"
#include "metrics/registry.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace roost::actors {

/// Counts the steps of sign-ins and password changes.
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
      counter =
          registry_.counter("roost_sign_in_events_total", "Steps of sign-ins and password changes, by event",
                            {{"event", std::string(event)}});
    return counter;
  }

  metrics::registry& registry_;
  std::map<std::string, metrics::counter> counters_;
};

/// Changes passwords, with the old one or by a mailed link; part of the sign-in actor (Management API,
/// Authentication). A change ends the user's sessions.
class password_changes {
public:
  /// The arguments must outlive this object.
  password_changes(sign_in::base* self, const sign_in_setup& setup, shared_sign_in_mails mails,
                   password_gate<sign_in::base>& gate, sign_in_events& events)
      : self_(self), setup_(setup), mails_(std::move(mails)), gate_(gate), events_(events) {}

  caf::result<password_response> change(change_password& request);
  void send_reset(forgot_password& request);
  caf::result<password_response> reset(reset_password& request);

private:
  using password_promise = caf::typed_response_promise<password_response>;

  void replace(password_promise response, const store::sign_in_user& user, const std::string& new_password,
               std::string reset_token_hash, std::function<void()> after);
  void write_password(password_promise response, store::password_change change, std::function<void()> after,
                      std::function<void(caf::error)> failed);
  void finish_change(password_promise& response, const store::password_changed& changed);
  void refuse(password_promise& response, password_response result, std::string_view reason,
              const std::optional<domain::uuid>& user);

  sign_in::base* self_;
  const sign_in_setup& setup_;
  const shared_sign_in_mails mails_;
  password_gate<sign_in::base>& gate_;
  sign_in_events& events_;
};

} // namespace roost::actors
