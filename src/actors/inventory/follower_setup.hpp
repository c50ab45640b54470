#pragma once

#include "actors/inventory/actor_registry.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "metrics/registry.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace roost::actors {

/// What of the credentials must be read anew.
struct credential_news {
  bool keys = false;                  ///< tokens, keys and secrets
  std::vector<domain::uuid> accounts; ///< whose users may have changed
  std::vector<domain::uuid> ended;    ///< sessions and connections
};

struct follower_setup {
  std::string store_url;
  actor_registry_setup actor_registry;
  std::shared_ptr<held_lease> lease; ///< told how far memory has followed
  std::shared_ptr<replication_position> followed = std::make_shared<replication_position>();
  published<actors::directory>* directory = nullptr;
  /// Called after accounts have changed and a new directory was published, on the follower's thread.
  std::function<void()> directory_published = [] {};
  /// Called when memory was forgotten, on the follower's thread: what was made of it counts no more.
  std::function<void()> history_forgotten = [] {};
  /// Reads all credentials, as if none had been known. May throw store::error.
  std::function<void(store::session&)> load_credentials = [](store::session&) {};
  /// Takes up what has changed of them. May throw store::error.
  std::function<void(store::session&, const credential_news&)> apply_credentials =
      [](store::session&, const credential_news&) {};
  std::chrono::milliseconds interval{25};                     ///< between two looks at the store
  std::chrono::milliseconds keep{std::chrono::hours{7 * 24}}; ///< how long the stream's entries are kept
  bool on_hold = false;                                       ///< keeps them all
  /// Units of accounts with newer terms for all of their units, until a new directory lets go of the old
  /// ones.
  std::size_t outdated_a_directory = 1'000;
  metrics::registry* registry = nullptr;
};

} // namespace roost::actors
