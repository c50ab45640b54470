#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/storage.hpp"
#include "actors/sessions/session_register.hpp"
#include "store/connector/clients.hpp"
#include "store/connector/connections.hpp"

#include <caf/typed_actor.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace roost::actors {

struct refresh_connection {
  store::connection_refresh shown;
  actors::deadline deadline;
};
struct tokens_granted {
  store::token_outcome outcome = store::token_refusal::unknown;
};

/// Periodic deletion of expired rows.
struct delete_old_connections {};

/// Refreshes connections and deletes expired ones (Management API, States and transitions, OAuth artifacts).
/// Refreshes that arrive during a commit share the next one. Responds with storage_error when the store could
/// not refresh.
using connector_keeper = caf::typed_actor<caf::replies_to<refresh_connection>::with<tokens_granted>,
                                          /// The keeper's own.
                                          caf::reacts_to<delete_old_connections>>;

using shared_client = std::shared_ptr<const store::oauth_client>;

/// Clients by their ids; they are immutable once registered. Thread-safe.
class client_cache {
public:
  /// Null: not cached.
  shared_client find(const std::string& id) const;
  shared_client add(store::oauth_client client);
  void clear();

private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, shared_client> clients_;
};

struct connector_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<session_register> ended; ///< where connections that ended are registered, by their ids
  store::tool_check may_use_tools;         ///< called on the storage's thread
  wall_clock now;
  std::chrono::milliseconds code{};          ///< the lifetime of an authorization code
  std::chrono::milliseconds refresh_token{}; ///< the lifetime of an unused one
  std::chrono::milliseconds grace{};         ///< in which a replaced token is a harmless repetition; 0: never
  std::chrono::milliseconds access_token{};  ///< the lifetime of one
  std::size_t max_clients = 0;
  metrics::registry* registry = nullptr;
  bool on_hold = false; ///< deletes nothing
  std::shared_ptr<client_cache> clients = std::make_shared<client_cache>();
};

connector_keeper spawn_connector_keeper(runtime& rt, connector_setup setup);

class connector_events;

/// Registers and finds clients, and makes, lists and ends connections for handlers. What follows a write
/// (registering an end, counting, logging) happens on the storage thread, directly after the commit. Each
/// function throws ask_error.
class connection_repository {
public:
  explicit connection_repository(connector_setup setup);

  /// Registers a client (RFC 7591) and sets its time of creation. Null: there are too many already.
  asio::awaitable<shared_client> register_client(store::oauth_client client) const;
  /// Null: there is none.
  asio::awaitable<shared_client> find_client(std::string id) const;
  /// Stores a code that a landlord approved and sets its times. False: the form was used before.
  asio::awaitable<bool> issue_code(store::authorization_code code) const;
  asio::awaitable<store::token_outcome> exchange_code(store::code_exchange presented) const;
  /// The user's live ones, the last used first.
  asio::awaitable<std::vector<store::connection>> list(const domain::uuid& user) const;
  /// Ends one of the user's own. False: no such connection, or it had ended before.
  asio::awaitable<bool> end_of(const domain::uuid& user, const domain::uuid& id) const;

private:
  leased_lane writing() const { return {lane_, setup_.lease}; }

  storage_lane lane_;
  connector_setup setup_; ///< without the storage actor
  std::shared_ptr<const connector_events> events_;
};

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::refresh_connection)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::tokens_granted)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::delete_old_connections)
