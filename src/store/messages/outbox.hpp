#pragma once

#include "domain/booking.hpp"
#include "store/database/lease.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

/// Of mails that are gathered, so many at most are read with what they say; the others are counted.
inline constexpr std::size_t max_parts = 200;

struct due_mail {
  domain::outgoing_mail mail;
  int attempts = 0; ///< failed ones so far
  domain::timestamp due_at{};
  std::vector<domain::uuid>
      ids; ///< what is recorded of it is recorded of all of them: its own, or the whole group's
  /// Of one that is gathered: the oldest of those that go with it, itself the first, at most max_parts.
  std::vector<domain::outgoing_mail> parts = {};
};

/// Mail that may be sent now, the longest due first. Those that are gathered are one, and all that wait go
/// with the first that is due, however many.
std::vector<due_mail> due_mails(session& db, domain::timestamp now, std::size_t limit);

/// What became of an attempt to send a mail: one of the three times says it.
struct mail_attempt {
  std::vector<domain::uuid> ids; ///< the mail's, or those of all that it gathers
  std::optional<domain::timestamp> sent_at;
  std::optional<domain::timestamp> next_attempt_at; ///< it failed
  std::optional<domain::timestamp> given_up_at;     ///< it failed for good, and is kept for a time
  int failed_attempts = 0;                          ///< failed: how often, this time included
  std::string error_class;                          ///< failed: a word without any address
};

/// Records all of them, or throws lease_lost. It may be repeated when nobody knows whether it was done.
void record_attempts(session& db, const lease& held, std::span<const mail_attempt> attempts);

/// How many mails wait to be sent. Those that are being gathered do not wait yet; those that were gathered
/// and could not be sent do.
std::int64_t pending_mail_count(session& db, domain::timestamp now);

/// Deletes mails that were sent or given up before that time; returns how many, at most `limit`. Throws
/// lease_lost.
std::int64_t forget_mails(session& db, const lease& held, domain::timestamp before, std::size_t limit);

enum class mail_state { waiting, sent, given_up };

std::string_view to_string(mail_state state);

/// A mail as an operator sees it.
struct mail_record {
  domain::outgoing_mail mail; ///< without what it said, once a confidential one is sent
  int attempts = 0;           ///< failed ones
  std::optional<domain::timestamp> sent_at, next_attempt_at, given_up_at;
  std::optional<std::string> last_error;

  mail_state state() const {
    if (sent_at) return mail_state::sent;
    return next_attempt_at ? mail_state::waiting : mail_state::given_up;
  }
};

/// Which mails to list; what is not set does not matter.
struct mail_filter {
  std::optional<mail_state> state;
  std::vector<std::string> to = {}; ///< any of them, as the outbox has them
  std::optional<domain::uuid> id;
};

/// An address as the recipients of mails in the outbox are written: it, and what differs in letter case
/// alone.
std::vector<std::string> recipients_like(session& db, std::string_view address);

/// Newest first.
std::vector<mail_record> list_mails(session& db, const mail_filter& wanted, std::size_t limit);

/// Makes mails due now that were not sent: one, or all that were given up. Returns how many.
std::int64_t retry_mails(session& db, const std::optional<domain::uuid>& id, domain::timestamp now);

} // namespace roost::store
