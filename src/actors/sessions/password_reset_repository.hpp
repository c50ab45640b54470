#pragma once

#include "actors/runtime/in_store.hpp"
#include "actors/sessions/password_writer.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace roost::actors {

/// How long a new user may use the link that invites them.
inline constexpr std::chrono::hours invitation_lifetime{7 * 24};

/// A new password for the user who received a link.
struct password_reset {
  std::string token, new_password;
  request_origin origin = {};
  bool end_connections = false; ///< of the user's assistants
};

/// Resets forgotten passwords for handlers, by mailed links (Management API, Authentication). No actor owns
/// this work: links need no queue, because their tokens cannot be guessed.
class password_reset_repository {
public:
  explicit password_reset_repository(const sign_in_setup& setup);

  /// Starts mailing a link to the user with this address, and completes before the store has responded, so
  /// that neither the response nor its timing reveals whether the user exists. Logs failures.
  asio::awaitable<void> send_link(std::string email, request_origin origin = {}) const;

  /// Returns a function that stores an invitation and its mail in the transaction of the caller, who then
  /// calls send_due_mail().
  std::function<void(store::session&, const domain::uuid& user)> invitation(const known_user& from) const;
  void send_due_mail() const;

  /// Changes the password of the user who received the link, which ends the user's sessions. Throws
  /// ask_error.
  asio::awaitable<password_response> reset(password_reset request) const;

private:
  /// Returns null once the actor has ended and is not referenced: asking it then fails with receiver_down.
  password_hasher current_hasher() const;

  leased_lane lane_;
  caf::weak_actor_ptr hasher_; ///< weak, so that this object does not keep it from ending
  domain::sign_in_limits limits_;
  wall_clock now_;
  std::function<domain::uuid()> new_id_;
  shared_sign_in_mails mails_;
  weak_mailer mailer_;
  sign_in_events events_;
  std::shared_ptr<const password_writer> writer_;
};

} // namespace roost::actors
