#pragma once

#include "actors/inventory/followed_stream.hpp"
#include "actors/inventory/roster.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "metrics/registry.hpp"

#include <caf/typed_actor.hpp>

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
  roster_setup roster;
  std::shared_ptr<held_lease> lease; ///< told how far memory has followed
  std::shared_ptr<followed_stream> followed = std::make_shared<followed_stream>();
  published<actors::directory>* directory = nullptr;
  /// Called after accounts have changed and a new directory was published, on the follower's thread.
  std::function<void()> directory_published = [] {};
  /// Called when memory was forgotten, on the follower's thread: what was made of it counts no more.
  std::function<void()> history_forgotten = [] {};
  /// Reads all credentials, as if none had been known. May throw store::error.
  std::function<void(store::session&)> load_credentials = [](store::session&) {};
  /// Takes up what has changed of them. May throw store::error.
  std::function<void(store::session&, const credential_news&)> take_up_credentials =
      [](store::session&, const credential_news&) {};
  std::chrono::milliseconds interval{40};                     ///< between two looks at the store
  std::chrono::milliseconds keep{std::chrono::hours{7 * 24}}; ///< how long the stream's entries are kept
  std::size_t edits_a_directory = 10'000; ///< edited units until a new directory is made, as the old one
                                          ///< keeps their old terms in memory
  metrics::registry* registry = nullptr;
};

struct look_for_changes {};

/// Ends the calendars and accounts.
struct end_calendars {};

/// This process has committed a change, and memory has it: the follower need not read it.
struct own_change {
  store::stream_point point;
};

/// This process has committed a change, and wants it to be seen.
struct show_change {
  store::stream_point point;
  std::shared_ptr<const store::edited_unit> edit; ///< what it was; null: to be read from the store
};

/// Reads that come from now on show the change.
struct change_shown {};

/// The store has shown that memory does not know all of an account's bookings.
struct read_account_again {
  domain::uuid account_id{};
};

/// Keeps what is in memory in step with the store: loads everything at its start, follows the stream of
/// changes from there, whether this server is the writer or stands by, and publishes the directory. When the
/// store's history is no longer the one that it has followed, it forgets everything and loads anew. On its
/// own thread, with its own session.
using change_follower =
    caf::typed_actor<caf::reacts_to<look_for_changes>, caf::reacts_to<end_calendars>,
                     caf::reacts_to<own_change>, caf::reacts_to<read_account_again>,
                     /// At once; responds with storage_error while this server is not the writer. No answer
                     /// while the store does not answer, so the asker limits its patience.
                     caf::replies_to<show_change>::with<change_shown>>;

change_follower spawn_change_follower(runtime& rt, follower_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::look_for_changes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::end_calendars)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::own_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_account_again)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::show_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::change_shown)
