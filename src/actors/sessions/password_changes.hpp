#pragma once

#include "actors/sessions/password_writer.hpp"

#include <memory>
#include <string>

namespace roost::actors {

/// Changes passwords of signed-in users; part of the sign-in actor, whose gate checks the old password
/// (Management API, Authentication). A change ends the user's sessions.
class password_changes {
public:
  /// The arguments must outlive this object.
  password_changes(sign_in::base* self, const sign_in_setup& setup, password_gate<sign_in::base>& gate)
      : self_(self), setup_(setup), gate_(gate), writer_(std::make_shared<const password_writer>(setup)) {}

  caf::result<password_response> change(change_password& request);

private:
  using password_promise = caf::typed_response_promise<password_response>;

  /// A checked attempt that is replacing its password. It leaves the gate with its response.
  struct replacement {
    password_promise response;
    std::string budget;
    store::password_change change;
    request_origin origin;
  };
  using replacement_pointer = std::shared_ptr<replacement>;

  void replace(const replacement_pointer& to, std::string new_password);
  void write(const replacement_pointer& to);
  template <typename Response>
  void finish(replacement& with, Response response);

  sign_in::base* self_;
  const sign_in_setup& setup_;
  password_gate<sign_in::base>& gate_;
  const std::shared_ptr<const password_writer> writer_;
};

} // namespace roost::actors
