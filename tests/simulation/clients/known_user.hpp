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

/// The limits of sign-ins in histories, low enough to be reached.
struct sign_in_budgets {
  static constexpr unsigned code_tries = 3, code_resends = 2, codes = 30, wrong_passwords = 8;
};

/// The minimum validity of an access token: less than the 15 minutes of the server, because responses take
/// time.
inline constexpr std::chrono::minutes token_lifetime{14};

/// The known state of a session.
struct known_session {
  std::string id, access_token;
  simulated_browser browser; ///< has the newest known refresh cookie
  history::time_point issued_at{};
  /// When the first refresh with an unknown outcome was sent. It may have replaced the cookie.
  std::optional<history::time_point> refreshing_since = {};
  unsigned changes_before = 0;  ///< password changes sent before the session was acknowledged
  bool overlaps_change = false; ///< a password change was in progress while the session was started
  bool may_have_ended = false;  ///< a request to end it was sent
  bool has_ended = false;       ///< its end was acknowledged
};

/// Acknowledged facts about a user's password, sessions and budgets, shared by all clients of the user. Each
/// client checks its responses against them.
class known_user : public std::enable_shared_from_this<known_user> {
public:
  known_user(std::string address, std::string password)
      : email(std::move(address)), possible_{std::move(password)} {}

  /// The state when a request was sent.
  struct state {
    unsigned changes_sent = 0;
    bool is_changing = false;
    std::set<std::string> replaced;
    unsigned acknowledged_through = 0;
  };
  state current_state() const { return {changes_sent_, is_changing_, replaced_, acknowledged_through_}; }

  /// Returns whether no password change has been in progress since.
  bool is_stable_since(const state& start) const {
    return !start.is_changing && !is_changing_ && start.changes_sent == changes_sent_;
  }

  // Password changes. Only one is in progress at a time, until its request can have no more effect.

  bool is_changing() const { return is_changing_; }
  /// Returns the number of the change.
  unsigned begin_change(const std::string& new_password);
  void acknowledge_change(unsigned number, const std::string& new_password);
  void refuse_change(const std::string& new_password) { possible_.erase(new_password); }
  /// Returns a function that ends the change in progress.
  std::function<void()> end_of_change();

  /// Returns the passwords that may be valid.
  const std::set<std::string>& possible_passwords() const { return possible_; }

  // Responses to passwords. These functions throw contradiction.

  void accept_password(const std::string& password, const state& sent);
  void reject_password(const std::string& password, const state& sent);

  /// Counts a rejected password in the address's budget. Throws contradiction if the budget was already used
  /// up.
  void count_wrong_password(const state& sent, history::time_point latest);

  /// Return whether enough requests were sent to exceed a limit.
  bool may_exceed_password_limit() const { return logins_sent >= sign_in_budgets::wrong_passwords; }
  bool may_exceed_code_limit() const { return codes_requested >= sign_in_budgets::codes; }

  /// Adds a session; `sent` is the state when its request was sent.
  std::shared_ptr<known_session> add_session(known_session added, const state& sent);

  bool has_ended(const known_session& session) const {
    return session.has_ended || acknowledged_through_ > session.changes_before;
  }
  bool may_have_ended(const known_session& session) const {
    return session.may_have_ended || session.overlaps_change || changes_sent_ > session.changes_before;
  }

  /// Forgets everything but the passwords that may be valid, once for each generation of the history.
  void forget(std::uint64_t generation);

  const std::string email;
  std::vector<std::shared_ptr<known_session>> sessions;
  std::vector<std::shared_ptr<known_connection>> connections;
  std::set<std::string> shown_usage; ///< ids of the records that the pages of AI usage have shown
  unsigned logins_sent = 0, codes_requested = 0;
  unsigned clients = 0; ///< the number of clients that have not finished

private:
  std::set<std::string> possible_;
  std::set<std::string> replaced_; ///< passwords that are no longer valid
  std::uint64_t generation_ = 0;
  unsigned changes_sent_ = 0, acknowledged_through_ = 0;
  bool is_changing_ = false;
  std::vector<history::time_point> wrong_passwords_; ///< acknowledged since the last change
};

} // namespace roost::testing
