#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/deadline.hpp"
#include "actors/runtime/held_lease.hpp"
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

/// Signs the browser out whose cookie it is.
struct end_session {
  domain::uuid session_id{};
};

/// Ends one of the user's sessions, from another browser.
struct end_own_session {
  domain::uuid user_id{}, session_id{};
};

/// True unless it had ended before, or there was none.
struct session_ended {
  bool done = false;
};

struct list_sessions {
  domain::uuid user_id{};
};
struct session_list {
  std::vector<store::session_row> sessions; ///< live ones, the last used first
};

/// Whose cookie it is that a page was asked for with.
struct show_session {
  store::session_refresh shown;
};
struct shown_session {
  std::optional<store::session_row> session; ///< nothing where a refresh would be refused
};

/// The hour for deleting what nothing needs any more.
struct delete_old_sign_ins {};

/// Refreshes and ends sessions (Management API, States and transitions, Session and refresh cookie). What
/// arrives while a commit is under way is refreshed by the next one together, so that the disk's latency
/// bounds the wait and not the rate. Each responds with storage_error when the store could not do it; it may
/// be done nevertheless, and a client that repeats within the grace gets the same token again.
using session_keeper = caf::typed_actor<
    caf::replies_to<refresh_session>::with<store::refresh_outcome>,
    caf::replies_to<end_session>::with<session_ended>, caf::replies_to<end_own_session>::with<session_ended>,
    caf::replies_to<list_sessions>::with<session_list>, caf::replies_to<show_session>::with<shown_session>,
    /// The keeper's own.
    caf::reacts_to<delete_old_sign_ins>>;

struct session_keeper_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<session_register> ended;
  wall_clock now;
  std::chrono::milliseconds grace{};        ///< in which a replaced token is a harmless repetition
  std::chrono::milliseconds access_token{}; ///< the lifetime of one
  metrics::registry* registry = nullptr;
  bool on_hold = false; ///< deletes nothing
};

session_keeper spawn_session_keeper(runtime& rt, session_keeper_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::refresh_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::refresh_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::end_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::end_own_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::session_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::list_sessions)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::session_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::show_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::shown_session)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::delete_old_sign_ins)
