#pragma once

#include "domain/booking.hpp"
#include "store/lease.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace roost::store {

struct due_mail {
  domain::outgoing_mail mail;
  int attempts = 0; ///< failed ones so far
};

/// Mail that may be sent now, the longest due first.
std::vector<due_mail> due_mails(session& on, domain::timestamp now, std::size_t limit);

/// Throws lease_lost, as mail_failed() does.
void mail_sent(session& on, const lease& held, const domain::uuid& id, domain::timestamp now);

/// Counts a failed attempt. No next attempt: given up, and kept for the record.
/// `error_class` is a word for the kind of error, never a text that may hold an address.
void mail_failed(session& on, const lease& held, const domain::uuid& id,
                 std::optional<domain::timestamp> next_attempt_at, std::string_view error_class);

/// How many mails wait to be sent.
std::int64_t pending_mail_count(session& on);

} // namespace roost::store
