#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/storage.hpp"
#include "actors/sessions/session_register.hpp"
#include "store/sessions/sessions.hpp"

#include <caf/typed_actor.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace roost::actors {

/// A refresh token came, whose text was checked.
struct refresh_session {
  store::session_refresh shown;
  actors::deadline deadline;
};

/// Periodic deletion of expired rows.
struct delete_old_sign_ins {};

/// Refreshes sessions and deletes expired ones (Management API, States and transitions, Session and refresh
/// cookie). Refreshes that arrive during a commit share the next one. Responds with storage_error when the
/// store could not refresh; the refresh may be stored nevertheless, and a client that repeats within the
/// grace gets the same token again.
using session_keeper = caf::typed_actor<caf::replies_to<refresh_session>::with<store::refresh_outcome>,
                                        /// The keeper's own.
                                        caf::reacts_to<delete_old_sign_ins>>;

struct session_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<session_register> ended;
  wall_clock now;
  std::chrono::milliseconds grace{};        ///< in which a replaced token is a harmless repetition
  std::chrono::milliseconds access_token{}; ///< the lifetime of one
  metrics::registry* registry = nullptr;
  bool on_hold = false; ///< deletes nothing
};

session_keeper spawn_session_keeper(runtime& rt, session_setup setup);

/// Reads and ends sessions for handlers. A session that ends is registered, counted and logged on the storage
/// thread, directly after the commit. Each function throws ask_error.
class session_repository {
public:
  explicit session_repository(session_setup setup);

  /// Signs out the browser that sent the session's cookie. False: no such session, or it had ended before.
  asio::awaitable<bool> end(const domain::uuid& id) const;
  /// The same for one of the user's sessions, from another browser.
  asio::awaitable<bool> end_of(const domain::uuid& user, const domain::uuid& id) const;
  /// The user's live ones, the last used first.
  asio::awaitable<std::vector<store::session_row>> list(const domain::uuid& user) const;
  /// The session of a cookie that a page was requested with; nullopt where a refresh would be refused.
  asio::awaitable<std::optional<store::session_row>> find(store::session_refresh presented) const;

private:
  storage_lane lane_;
  session_setup setup_; ///< without the storage actor
};

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::refresh_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::refresh_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::delete_old_sign_ins)
