#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "mail/transport.hpp"

#include <memory>

namespace roost::actors {

/// Checks the outbox for due mail.
struct send_due_mail {};

/// The mailer's interval has passed.
struct outbox_interval_over {};

/// Sends the outbox's mail, one message at a time on its own thread, and retries failed ones later. Messages
/// are recorded as sent afterwards, in small batches, so a crash in between sends them again with the same
/// Message-IDs. A recipient's gathered messages are sent as one. Mails that were sent or given up are deleted
/// after `keep`.
using mailer = caf::typed_actor<caf::reacts_to<send_due_mail>, caf::reacts_to<outbox_interval_over>>;

struct mailer_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<mail::transport> transport;
  wall_clock now;
  std::chrono::milliseconds interval{2'000}; ///< between two checks of the outbox
  metrics::registry* registry = nullptr;
  bool on_hold = false;                                        ///< sends and deletes nothing
  std::chrono::milliseconds keep{std::chrono::hours{30 * 24}}; ///< how long to keep mails sent or given up
};

mailer spawn_mailer(runtime& rt, mailer_setup setup);

} // namespace roost::actors
