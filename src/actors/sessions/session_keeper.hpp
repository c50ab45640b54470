#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/storage.hpp"
#include "actors/sessions/request_origin.hpp"
#include "actors/sessions/session_register.hpp"
#include "store/sessions/passwords.hpp"
#include "store/sessions/sessions.hpp"
#include "store/sessions/sign_ins.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace roost::actors {

/// A refresh with a token whose text has been verified.
struct refresh_session {
  store::session_refresh presented;
  actors::deadline deadline;
  std::string request_id = {};
};

/// Periodic deletion of expired rows, and shortening of those from the future.
struct delete_old_sign_ins {};

/// Refreshes sessions and deletes expired ones (Management API, States and transitions, Session and refresh
/// cookie). Refreshes that arrive during a commit share the next one. Responds with storage_error if the
/// store could not refresh; the refresh may nevertheless be stored, and a client that retries within the
/// grace period gets the same token again.
using session_keeper = caf::typed_actor<caf::replies_to<refresh_session>::with<store::refresh_outcome>,
                                        /// Sent by the keeper to itself.
                                        caf::reacts_to<delete_old_sign_ins>>;

struct session_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<session_register> ended;
  wall_clock now;
  std::chrono::milliseconds grace{};        ///< how long presenting a replaced token counts as a retry
  std::chrono::milliseconds access_token{}; ///< how long one issued so far may be valid
  metrics::registry* registry = nullptr;
  bool on_hold = false;                                 ///< deletes nothing
  time_check is_time_trusted = actors::is_time_trusted; ///< else nothing is deleted or shortened
  time_check is_clock_behind = actors::is_clock_behind; ///< then nothing is shortened
  domain::sign_in_limits limits{};
};

session_keeper spawn_session_keeper(runtime& rt, session_setup setup);

/// Reads and ends sessions for handlers. A session that ends is registered, counted and logged on the storage
/// thread, directly after the commit. Each function throws ask_error.
class session_repository {
public:
  explicit session_repository(session_setup setup);

  /// Signs out the browser that sent the session's cookie. Returns false if there is no such session or it
  /// has already ended.
  asio::awaitable<bool> end(const domain::uuid& id, request_origin origin = {}) const;
  /// The same for one of the user's sessions, from any browser.
  asio::awaitable<bool> end_for_user(const domain::uuid& user, const domain::uuid& id,
                                     request_origin origin = {}) const;
  /// Returns the user's live sessions, the most recently used first.
  asio::awaitable<std::vector<store::session_row>> list(const domain::uuid& user) const;
  /// Returns the session of a page request's cookie; nullopt if a refresh would be refused. Ends the session
  /// if the cookie was replaced before the grace period.
  asio::awaitable<std::optional<store::session_row>> find(store::session_refresh presented,
                                                          request_origin origin = {}) const;
  /// Returns the connections of the user who may use a link for resetting the password; none if it is not
  /// valid.
  asio::awaitable<std::vector<store::connection>> connections_of_reset(std::string token_hash) const;
  /// Returns the browsers in which the user signs in without a code, the most recently remembered first.
  asio::awaitable<std::vector<store::remembered_browser>> remembered_browsers(const domain::uuid& user) const;
  /// Returns false if the user has no such browser.
  asio::awaitable<bool> forget_browser(const domain::uuid& user, const domain::uuid& id,
                                       request_origin origin = {}) const;

private:
  storage_lane lane_;
  session_setup setup_; ///< without the storage actor
};

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::refresh_outcome)
