#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/storage.hpp"
#include "actors/sessions/request_origin.hpp"
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
  request_origin origin = {};
};
struct tokens_granted {
  store::token_outcome outcome = store::token_refusal::unknown;
};

/// Periodic deletion of expired rows, and shortening of those from the future.
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
  void remove(const std::vector<std::string>& ids);
  void clear();

private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, shared_client> clients_;
};

struct connector_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<session_register> ended; ///< registers ended connections, by id
  store::grant_checks checks;              ///< called on the storage thread
  wall_clock now;
  std::chrono::milliseconds code{};          ///< the lifetime of an authorization code
  std::chrono::milliseconds refresh_token{}; ///< its lifetime while unused
  std::chrono::milliseconds grace{}; ///< how long presenting a replaced token counts as a retry; 0: never
  std::chrono::milliseconds access_token{}; ///< how long one issued so far may be valid
  std::size_t max_clients = 0;
  metrics::registry* registry = nullptr;
  bool on_hold = false;                                 ///< deletes nothing
  time_check is_time_trusted = actors::is_time_trusted; ///< else nothing is deleted or shortened
  time_check is_clock_behind = actors::is_clock_behind; ///< then nothing is shortened
  std::shared_ptr<client_cache> clients = std::make_shared<client_cache>();
};

connector_keeper spawn_connector_keeper(runtime& rt, connector_setup setup);

class connector_events;

/// Registers and finds clients, and creates, lists and ends connections for handlers. Changes are counted,
/// logged and registered on the storage thread, directly after the commit. Each function throws ask_error.
class connection_repository {
public:
  explicit connection_repository(connector_setup setup);

  /// Registers a client (RFC 7591) and sets its creation time. Returns null if users have authorized each of
  /// max_clients clients.
  asio::awaitable<shared_client> register_client(store::oauth_client client,
                                                 request_origin origin = {}) const;
  /// Returns null if there is no such client.
  asio::awaitable<shared_client> find_client(std::string id) const;
  /// Stores a code that a landlord approved and sets its times. Returns false if the form was already used.
  asio::awaitable<bool> issue_code(store::authorization_code code, request_origin origin = {}) const;
  asio::awaitable<store::token_outcome> exchange_code(store::code_exchange presented,
                                                      request_origin origin = {}) const;
  /// Returns the user's live connections, the most recently used first.
  asio::awaitable<std::vector<store::connection>> list(const domain::uuid& user) const;
  /// Ends one of the user's connections. Returns false if there is no such connection or it has already
  /// ended.
  asio::awaitable<bool> end_for_user(const domain::uuid& user, const domain::uuid& id,
                                     request_origin origin = {}) const;
  /// Ends all of the user's connections, also those whose codes are not exchanged yet. Returns the number of
  /// live ones.
  asio::awaitable<std::size_t> end_all_for_user(const domain::uuid& user, request_origin origin = {}) const;

private:
  leased_lane writing() const { return {lane_, setup_.lease}; }

  storage_lane lane_;
  connector_setup setup_; ///< without the storage actor
  std::shared_ptr<const connector_events> events_;
};

} // namespace roost::actors
