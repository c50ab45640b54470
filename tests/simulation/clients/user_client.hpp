#pragma once

#include "simulation/clients/known_user.hpp"
#include "simulation/clients/simulated_client.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace roost::testing {

/// Returns the session's or connection's id in an access token, whose middle part is JSON in base64url.
std::string session_id_of(const std::string& token);

/// A client that signs in as a user with a password and a mailed code, sometimes with wrong ones.
class user_client : public simulated_client {
public:
  user_client(history& in, std::string name, std::shared_ptr<known_user> user)
      : simulated_client(in, name), user_(std::move(user)), browser_(name) {
    ++user_->clients;
  }

protected:
  void forget() override;

  using session_pointer = std::shared_ptr<known_session>;

  /// Signs in, with wrong passwords and codes at this probability. Returns nullptr on failure.
  client_task<session_pointer> sign_in(unsigned mistake_percent);

  /// Uses an access token, and checks the response against the known state of its session. Returns whether it
  /// was accepted.
  client_task<bool> use(session_pointer session);

  /// Replaces a session's refresh cookie. Returns whether it succeeded.
  client_task<bool> refresh(session_pointer session);

  /// Throws contradiction if the end of the session was acknowledged before the accepted request was sent.
  void check_accepted(const known_session& session, bool had_ended, const std::string& request) const;
  void check_rejected(const known_session& session, const std::string& request) const;

  const std::shared_ptr<known_user> user_;
  simulated_browser browser_; ///< has the cookies that remain after a sign-out

private:
  /// A sign-in that requires a code.
  struct challenge {
    std::string token;
    std::size_t mails_before = 0; ///< received before the code was requested
    unsigned wrong_codes = 0;     ///< acknowledged since the last code was requested
    unsigned resends = 0;
  };

  client_task<session_pointer> enter_codes(challenge opened, unsigned mistake_percent);
  client_task<session_pointer> enter_code(challenge& opened, std::string code, bool is_wrong);
  client_task<bool> resend(challenge& opened);
  client_task<std::string> next_code(std::size_t& mails_before);
  session_pointer started(const simulated_response& response, const known_user::state& sent,
                          time_point sent_at);
  std::string password_to_enter(unsigned mistake_percent);

  unsigned remembered_after_ = 0; ///< password changes sent before the browser was remembered
};

} // namespace roost::testing
