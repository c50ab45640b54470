#pragma once

#include "simulation/clients/known_user.hpp"
#include "simulation/clients/simulated_client.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace roost::testing {

/// Returns the session's or connection's id in an access token, whose middle part is JSON in base64url.
std::string session_id_of(const std::string& token);

/// A client of a user who signs in: with a password and a mailed code, sometimes with wrong ones.
class user_client : public simulated_client {
public:
  user_client(history& in, std::string name, std::shared_ptr<known_user> user)
      : simulated_client(in, name), user_(std::move(user)), browser_(name) {
    ++user_->clients;
  }

protected:
  void forget() override;

  using session_pointer = std::shared_ptr<known_session>;

  /// Signs in, and may make this many mistakes in a hundred. Returns nullptr if it failed.
  client_task<session_pointer> sign_in(unsigned mistakes);

  /// Uses an access token, and checks the response against what is known of its session.
  client_task<bool> use(session_pointer session);

  /// Replaces a session's refresh cookie.
  client_task<bool> refresh(session_pointer session);

  /// Throws contradiction unless the session may accept a request that was sent when it `had_ended`.
  void check_accepted(const known_session& session, bool had_ended, const std::string& request) const;
  void check_rejected(const known_session& session, const std::string& request) const;

  const std::shared_ptr<known_user> user_;
  simulated_browser browser_; ///< with the cookies that remain when the user signs out

private:
  /// A sign-in that waits for its code.
  struct challenge {
    std::string token;
    std::size_t mails_before = 0; ///< received before the code was requested
    unsigned wrong_codes = 0;     ///< that were acknowledged since the last code was requested
    unsigned resends = 0;
  };

  client_task<session_pointer> enter_codes(challenge opened, unsigned mistakes);
  client_task<session_pointer> enter_code(challenge& opened, std::string code, bool is_wrong);
  client_task<bool> resend(challenge& opened);
  client_task<std::string> next_code(std::size_t& mails_before);
  session_pointer started(const simulated_response& response, const known_user::moment& sent,
                          time_point sent_at);
  std::string password_to_enter(unsigned mistakes);

  unsigned remembered_after_ = 0; ///< password changes sent before the browser was remembered
};

} // namespace roost::testing
