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

struct due_mail {
  domain::outgoing_mail mail;
  int attempts = 0; ///< failed ones so far
  /// Of one that is gathered: itself and the others that go with it, the oldest first.
  std::vector<domain::outgoing_mail> gathered = {};
};

/// Mail that may be sent now, the longest due first. Of those that are gathered the oldest stands for all
/// that wait.
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

/// How many mails wait to be sent. Those that are being gathered do not wait yet.
std::int64_t pending_mail_count(session& db, domain::timestamp now);

/// Deletes mails that were sent or given up and are older than that; returns how many, at most `limit`.
/// Throws lease_lost.
std::int64_t forget_mails(session& db, const lease& held, domain::timestamp before, std::size_t limit);

enum class mail_state { waiting, sent, given_up };

std::string_view to_string(mail_state state);

/// A mail as an operator sees it.
struct mail_record {
  domain::outgoing_mail mail; ///< without what it said, once a confidential one is sent
  int attempts = 0;           ///< failed ones
  std::optional<domain::timestamp> sent_at, next_attempt_at;
  std::optional<std::string> last_error;

  mail_state state() const {
    if (sent_at) return mail_state::sent;
    return next_attempt_at ? mail_state::waiting : mail_state::given_up;
  }
};

/// Which mails to list; what is not set does not matter.
struct mail_filter {
  std::optional<mail_state> state;
  std::optional<std::string> to;
  std::optional<domain::uuid> id;
};

/// Newest first.
std::vector<mail_record> list_mails(session& db, const mail_filter& wanted, std::size_t limit);

/// Makes mails due now that were not sent: one, or all that were given up. Returns how many.
std::int64_t retry_mails(session& db, const std::optional<domain::uuid>& id, domain::timestamp now);

} // namespace roost::store
