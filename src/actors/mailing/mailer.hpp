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

/// A delivery may have lasted for longer than the mailer's patience.
struct delivery_is_slow {};

/// Ends sending; responds once the outcomes of deliveries are recorded, or cannot be.
struct stop_mailer {};

/// Sends the outbox's mail and retries failed ones later. Mails are sent one after the other, but a slow
/// delivery lets the next ones pass. Each attempt is recorded before the mail may be delivered, and its
/// outcome afterwards: a mail whose outcome remains unknown, because of a crash or a server that does not
/// confirm it, is sent twice at most, with the same Message-ID. A recipient's gathered messages are sent as
/// one. A mail about which the store rejects a record is left alone for a while and delays no other. Mails
/// that were sent or given up are deleted after `keep`.
using mailer = caf::typed_actor<caf::reacts_to<send_due_mail>, caf::reacts_to<outbox_interval_over>,
                                caf::reacts_to<delivery_is_slow>, caf::reacts_to<stop_mailer>>;

struct mailer_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<mail::transport> transport;
  wall_clock now;
  std::chrono::milliseconds interval{2'000}; ///< between two checks of the outbox
  std::chrono::milliseconds patience{1'000}; ///< how long a delivery may delay the next one
  metrics::registry* registry = nullptr;
  bool on_hold = false;                                        ///< sends and deletes nothing
  std::chrono::milliseconds keep{std::chrono::hours{30 * 24}}; ///< how long to keep mails sent or given up
  time_check is_time_trusted = actors::is_time_trusted;        ///< else no mails are deleted
  /// How long to leave a mail alone after the store rejected a record about it.
  std::chrono::milliseconds rejection_delay{std::chrono::minutes{1}};
};

mailer spawn_mailer(runtime& rt, mailer_setup setup);

} // namespace roost::actors
