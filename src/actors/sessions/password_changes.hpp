#pragma once

#include "actors/sessions/sign_in_steps.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace roost::actors {

/// Changes passwords, with the old one or by a mailed link; part of the sign-in actor (Management API,
/// Authentication). A change ends the user's sessions.
class password_changes {
public:
  /// The arguments must outlive this object.
  password_changes(sign_in::base* self, const sign_in_setup& setup, shared_sign_in_mails mails,
                   password_gate<sign_in::base>& gate, const sign_in_events& events)
      : self_(self), setup_(setup), mails_(std::move(mails)), gate_(gate), events_(events) {}

  caf::result<password_response> change(change_password& request);
  void send_reset(forgot_password& request);
  caf::result<password_response> reset(reset_password& request);

private:
  using password_promise = caf::typed_response_promise<password_response>;

  struct replacement {
    std::string new_password, reset_token_hash; ///< the latter is empty if there was no link
    bool end_connections = false;
    request_origin origin;
  };

  void replace(password_promise response, const store::sign_in_user& user, replacement requested,
               std::function<void()> after);
  void write_password(password_promise response, store::password_change change, const request_origin& origin,
                      std::function<void()> after, std::function<void(caf::error)> failed);
  void finish_change(password_promise& response, const store::password_changed& changed,
                     const request_origin& origin);
  void refuse(password_promise& response, password_response result, std::string_view reason,
              const request_origin& origin, const std::optional<domain::uuid>& user);

  sign_in::base* self_;
  const sign_in_setup& setup_;
  const shared_sign_in_mails mails_;
  password_gate<sign_in::base>& gate_;
  const sign_in_events& events_;
};

} // namespace roost::actors
