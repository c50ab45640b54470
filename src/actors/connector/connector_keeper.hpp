#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/deadline.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "actors/sessions/session_register.hpp"
#include "store/connector/clients.hpp"
#include "store/connector/connections.hpp"

#include <caf/typed_actor.hpp>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace roost::actors {

/// A client wants to be known (RFC 7591). Its time of creation is the keeper's to say.
struct register_client {
  store::oauth_client wanted;
};
/// Clients are immutable once they are known.
struct client_registered {
  std::shared_ptr<const store::oauth_client> client; ///< null: there are too many already
};

struct find_client {
  std::string id;
};
struct found_client {
  std::shared_ptr<const store::oauth_client> client; ///< null: there is none
};

/// A landlord agreed. The code's times are the keeper's to say.
struct issue_code {
  store::authorization_code wanted;
};
struct code_issued {
  bool done = false; ///< false: the form was used before
};

struct exchange_code {
  store::code_exchange shown;
};
struct refresh_connection {
  store::connection_refresh shown;
  actors::deadline deadline;
};
struct tokens_granted {
  store::token_outcome outcome = store::token_refusal::unknown;
};

struct list_connections {
  domain::uuid user_id{};
};
struct connection_list {
  std::vector<store::connection> connections; ///< live ones, the last used first
};

/// One of the user's own.
struct end_connection {
  domain::uuid user_id{}, id{};
};
/// True unless it had ended before, or there was none.
struct connection_ended {
  bool done = false;
};

/// The hour for deleting what nothing needs any more.
struct delete_old_connections {};

/// Knows the clients of the connector, and makes, refreshes and ends connections (Management API, States and
/// transitions, OAuth artifacts). Each responds with storage_error when the store could not do it.
using connector_keeper = caf::typed_actor<caf::replies_to<register_client>::with<client_registered>,
                                          caf::replies_to<find_client>::with<found_client>,
                                          caf::replies_to<issue_code>::with<code_issued>,
                                          caf::replies_to<exchange_code>::with<tokens_granted>,
                                          caf::replies_to<refresh_connection>::with<tokens_granted>,
                                          caf::replies_to<list_connections>::with<connection_list>,
                                          caf::replies_to<end_connection>::with<connection_ended>,
                                          /// The keeper's own.
                                          caf::reacts_to<delete_old_connections>>;

struct connector_keeper_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<session_register> ended; ///< where connections that ended are told, by their ids
  store::tool_check may_use_tools;         ///< asked on the storage's thread
  wall_clock now;
  std::chrono::milliseconds code{};          ///< the lifetime of an authorization code
  std::chrono::milliseconds refresh_token{}; ///< the lifetime of an unused one
  std::chrono::milliseconds grace{};         ///< in which a replaced token is a harmless repetition; 0: never
  std::chrono::milliseconds access_token{};  ///< the lifetime of one
  std::size_t max_clients = 0;
  metrics::registry* registry = nullptr;
  bool on_hold = false; ///< deletes nothing
};

connector_keeper spawn_connector_keeper(runtime& rt, connector_keeper_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::register_client)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::client_registered)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::find_client)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::found_client)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::issue_code)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::code_issued)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::exchange_code)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::refresh_connection)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::tokens_granted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::list_connections)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::connection_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::end_connection)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::connection_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::delete_old_connections)
