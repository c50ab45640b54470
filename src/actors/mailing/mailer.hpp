#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "mail/transport.hpp"

#include <caf/typed_actor.hpp>

#include <memory>

namespace roost::actors {

/// There may be mail in the outbox.
struct send_due_mail {};

/// The mailer's own interval is over.
struct outbox_interval_over {};

/// Sends what the outbox holds, one message at a time on its own thread, and tries again later what failed.
/// Messages are written down as sent afterwards, those of a moment together, so a crash between the two sends
/// them again with the same Message-IDs. Those of one recipient that are gathered go as one. What is over is
/// deleted after a time.
using mailer = caf::typed_actor<caf::reacts_to<send_due_mail>, caf::reacts_to<outbox_interval_over>>;

struct mailer_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<mail::transport> transport;
  wall_clock now;
  std::chrono::milliseconds interval{2'000}; ///< between two looks at the outbox
  metrics::registry* registry = nullptr;
  bool on_hold = false;                                        ///< sends and deletes nothing
  std::chrono::milliseconds keep{std::chrono::hours{30 * 24}}; ///< mails that were sent or given up
};

mailer spawn_mailer(runtime& rt, mailer_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::send_due_mail)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::outbox_interval_over)
