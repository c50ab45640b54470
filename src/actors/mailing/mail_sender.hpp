#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "mail/transport.hpp"
#include "store/messages/messages.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace roost::actors {

/// Mails that are sent together.
struct mail_batch {
  std::vector<store::due_mail> mails;
  std::vector<std::optional<mail::send_failed>> failures; ///< of each mail, once it was sent
};

/// Only one actor has access to the batch at a time.
struct send_batch {
  std::shared_ptr<mail_batch> batch;
};

struct batch_sent {
  std::shared_ptr<mail_batch> batch;
};

// The reasons of failures before anything was handed over, because the attempt was not recorded.
/// The store is unavailable, or the lease is lost.
inline constexpr const char* unrecorded = "unrecorded";
/// The store rejects the record about this mail.
inline constexpr const char* rejected_by_store = "rejected";
/// The mail has changed since it was read.
inline constexpr const char* changed_meanwhile = "changed";

/// Sends mails on its own thread, which blocks. Records each attempt in the store right before the mail may
/// be delivered, so that it is sent a limited number of times even if no outcome can ever be recorded.
using mail_sender = caf::typed_actor<caf::replies_to<send_batch>::with<batch_sent>>;

mail_sender spawn_mail_sender(runtime& rt, storage_actor storage, std::shared_ptr<const held_lease> lease,
                              std::shared_ptr<mail::transport> transport);

} // namespace roost::actors
