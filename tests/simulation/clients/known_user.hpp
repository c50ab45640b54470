#pragma once

#include "simulation/clients/known_connection.hpp"
#include "simulation/clients/simulated_browser.hpp"
#include "simulation/history.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roost::testing {

/// The limits of sign-ins in histories: low enough to be reached.
struct sign_in_budgets {
  static constexpr unsigned code_tries = 3, code_resends = 2, codes = 30, wrong_passwords = 8;
};

/// How long an access token is certainly valid: less than 15 minutes, because responses take time.
inline constexpr std::chrono::minutes token_lifetime{14};

/// A session, as its user's clients know it.
struct known_session {
  std::string id, access_token;
  simulated_browser browser; ///< with the newest known refresh cookie
  history::time_point issued_at{};
  /// When the first refresh was sent whose outcome is unknown. It may have replaced the cookie.
  std::optional<history::time_point> refreshing_since = {};
  unsigned changes_before = 0; ///< password changes sent before the session was certainly there
  bool has_rival = false;      ///< a password change was sent, and not over, while the session was started
  bool may_have_ended = false; ///< a request that ends it was sent
  bool has_ended = false;      ///< and acknowledged
};

/// What all clients of a user know for certain about the password, the sessions and the budgets, because it
/// was acknowledged to one of them. Each checks the responses that it gets against it.
class known_user : public std::enable_shared_from_this<known_user> {
public:
  known_user(std::string address, std::string password)
      : email(std::move(address)), possible_{std::move(password)} {}

  /// The state that a request meets at the earliest.
  struct moment {
    unsigned changes_sent = 0;
    bool is_changing = false;
    std::set<std::string> replaced;
    unsigned acknowledged_through = 0;
  };
  moment now() const { return {changes_sent_, is_changing_, replaced_, acknowledged_through_}; }

  /// Whether no password change was in progress at any time since.
  bool is_stable_since(const moment& start) const {
    return !start.is_changing && !is_changing_ && start.changes_sent == changes_sent_;
  }

  // Password changes. Only one is in progress at any time, until its server can do no more about it.

  bool is_changing() const { return is_changing_; }
  /// Returns the number of the change.
  unsigned begin_change(const std::string& new_password);
  void acknowledge_change(unsigned number, const std::string& new_password);
  void refuse_change(const std::string& new_password) { possible_.erase(new_password); }
  /// Returns a function that ends the change in progress.
  std::function<void()> end_of_change();

  /// The passwords that may be the current one.
  const std::set<std::string>& possible_passwords() const { return possible_; }

  // Responses to passwords. They throw contradiction.

  void accept_password(const std::string& password, const moment& sent);
  void reject_password(const std::string& password, const moment& sent);

  /// Counts a rejected password in the address's budget. Throws contradiction if that was used up before.
  void count_wrong_password(const moment& sent, history::time_point latest);

  /// Whether a refusal because of too many requests has a cause.
  bool may_lack_passwords() const { return logins_sent >= sign_in_budgets::wrong_passwords; }
  bool may_lack_codes() const { return codes_requested >= sign_in_budgets::codes; }

  /// Adds a session that was started by a request sent at this moment.
  std::shared_ptr<known_session> add_session(known_session added, const moment& sent);

  bool has_ended(const known_session& session) const {
    return session.has_ended || acknowledged_through_ > session.changes_before;
  }
  bool may_have_ended(const known_session& session) const {
    return session.may_have_ended || session.has_rival || changes_sent_ > session.changes_before;
  }

  /// Forgets everything but the passwords that may be valid, once in each era of the history.
  void forget(std::uint64_t era);

  const std::string email;
  std::vector<std::shared_ptr<known_session>> sessions;
  std::vector<std::shared_ptr<known_connection>> connections;
  std::set<std::string> shown_usage; ///< ids of the records that the pages of AI usage have shown
  unsigned logins_sent = 0, codes_requested = 0;
  unsigned clients = 0; ///< that are not finishing yet

private:
  std::set<std::string> possible_;
  std::set<std::string> replaced_; ///< passwords that are certainly no longer valid
  std::uint64_t era_ = 0;
  unsigned changes_sent_ = 0, acknowledged_through_ = 0;
  bool is_changing_ = false;
  std::vector<history::time_point> wrong_passwords_; ///< acknowledged since the last change
};

} // namespace roost::testing
