#pragma once

#include "actors/sessions/sign_in_steps.hpp"
#include "store/sessions/passwords.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace roost::actors {

/// Stores new passwords, for all ways of changing one (Management API, Authentication). Thread-safe. Jobs on
/// a storage actor's thread share it, because they may outlive their actor.
class password_writer {
public:
  explicit password_writer(const sign_in_setup& setup);

  /// Returns a change of this user's password. The caller adds the hash, the link and what else it requests.
  store::password_change change_of(const store::sign_in_user& user) const;

  /// Stores the change. After the commit, ends the user's sessions, logs and counts the change, and triggers
  /// the mailer. Runs on a storage actor's thread. Throws lease_lost.
  password_response write(store::session& db, const store::lease& lease, const store::password_change& change,
                          const request_origin& origin) const;

  /// Logs and counts a refusal and returns its response; `user` is nullopt if a link identified no user.
  password_response refuse(password_response response, std::string_view reason, const request_origin& origin,
                           const std::optional<domain::uuid>& user) const;

private:
  shared_sign_in_mails mails_;
  wall_clock now_;
  std::shared_ptr<session_register> ended_;
  metrics::registry& registry_;
  std::chrono::milliseconds access_token_;
  weak_mailer mailer_;
  sign_in_events events_;
};

} // namespace roost::actors
