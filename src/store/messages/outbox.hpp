#pragma once

#include "domain/booking.hpp"
#include "store/database/lease.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

struct due_mail {
  domain::outgoing_mail mail;
  int attempts = 0; ///< failed ones so far
};

/// Mail that may be sent now, the longest due first.
std::vector<due_mail> due_mails(session& db, domain::timestamp now, std::size_t limit);

/// What became of an attempt to send a mail.
struct mail_attempt {
  domain::uuid id{};
  std::optional<domain::timestamp> sent_at;         ///< none: it failed
  int failed_attempts = 0;                          ///< failed: how often, this time included
  std::string error_class;                          ///< failed: a word without any address
  std::optional<domain::timestamp> next_attempt_at; ///< failed; none: given up, and kept for the record
};

/// Records all of them, or throws lease_lost. It may be repeated when nobody knows whether it was done.
void record_attempts(session& db, const lease& held, std::span<const mail_attempt> attempts);

/// How many mails wait to be sent.
std::int64_t pending_mail_count(session& db);

} // namespace roost::store
