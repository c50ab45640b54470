#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/storage.hpp"
#include "actors/sessions/session_register.hpp"
#include "store/connector/clients.hpp"
#include "store/connector/connections.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace roost::actors {

struct refresh_connection {
  store::connection_refresh presented;
  actors::deadline deadline;
};
struct tokens_granted {
  store::token_outcome outcome = store::token_refusal::unknown;
};

/// Periodic deletion of expired rows.
struct delete_old_connections {};

/// Refreshes connections and deletes expired ones (Management API, States and transitions, OAuth artifacts).
/// Refreshes that arrive during a commit share the next one. Responds with storage_error if the store could
/// not refresh.
using connector_keeper = caf::typed_actor<caf::replies_to<refresh_connection>::with<tokens_granted>,
                                          /// Sent by the keeper to itself.
                                          caf::reacts_to<delete_old_connections>>;

using shared_client = std::shared_ptr<const store::oauth_client>;

/// A cache of clients by id; registered clients are immutable. Thread-safe.
class client_cache {
public:
  /// Returns null if the client is not cached.
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
  std::shared_ptr<session_register> ended; ///< registers ended connections, by id
  store::tool_check may_use_tools;         ///< called on the storage thread
  wall_clock now;
  std::chrono::milliseconds code{};          ///< the lifetime of an authorization code
  std::chrono::milliseconds refresh_token{}; ///< its lifetime while unused
  std::chrono::milliseconds grace{}; ///< how long presenting a replaced token counts as a retry; 0: never
  std::chrono::milliseconds access_token{}; ///< its lifetime
  std::size_t max_clients = 0;
  metrics::registry* registry = nullptr;
  bool on_hold = false; ///< deletes nothing
  std::shared_ptr<client_cache> clients = std::make_shared<client_cache>();
};

connector_keeper spawn_connector_keeper(runtime& rt, connector_setup setup);

class connector_events;

/// Registers and finds clients, and creates, lists and ends connections for handlers. Changes are counted,
/// logged and registered on the storage thread, directly after the commit. Each function throws ask_error.
class connection_repository {
public:
  explicit connection_repository(connector_setup setup);

  /// Registers a client (RFC 7591) and sets its creation time. Returns null if max_clients is reached.
  asio::awaitable<shared_client> register_client(store::oauth_client client) const;
  /// Returns null if there is no such client.
  asio::awaitable<shared_client> find_client(std::string id) const;
  /// Stores a code that a landlord approved and sets its times. Returns false if the form was already used.
  asio::awaitable<bool> issue_code(store::authorization_code code) const;
  asio::awaitable<store::token_outcome> exchange_code(store::code_exchange presented) const;
  /// Returns the user's live connections, the most recently used first.
  asio::awaitable<std::vector<store::connection>> list(const domain::uuid& user) const;
  /// Ends one of the user's connections. Returns false if there is no such connection or it has already
  /// ended.
  asio::awaitable<bool> end_for_user(const domain::uuid& user, const domain::uuid& id) const;

private:
  leased_lane writing() const { return {lane_, setup_.lease}; }

  storage_lane lane_;
  connector_setup setup_; ///< without the storage actor
  std::shared_ptr<const connector_events> events_;
};

} // namespace roost::actors
