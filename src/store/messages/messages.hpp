#pragma once

#include "domain/booking.hpp"
#include "store/database/bulk.hpp"
#include "store/database/lease.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Notifications to landlords, and the outbox of mails.
namespace roost::store {

inline constexpr auto notification_columns = columns(
    column("id", &domain::notification::id).key(), column("account_id", &domain::notification::account_id),
    column("kind", &domain::notification::kind), column("title", &domain::notification::title),
    column("body", &domain::notification::body), column("booking_id", &domain::notification::booking_id),
    column("request_id", &domain::notification::request_id),
    column("created_at", &domain::notification::created_at),
    column("unit_id", &domain::notification::unit_id));

inline constexpr auto mail_columns = columns(
    column("id", &domain::outgoing_mail::id).key(), column("recipient", &domain::outgoing_mail::to),
    column("subject", &domain::outgoing_mail::subject), column("text_body", &domain::outgoing_mail::text),
    column("html_body", &domain::outgoing_mail::html),
    column("created_at", &domain::outgoing_mail::created_at),
    column("confidential", &domain::outgoing_mail::confidential),
    column("gathered_for", &domain::outgoing_mail::gathered_for));

/// How long the first mail of a group waits for others before the group is sent.
inline constexpr std::chrono::hours mail_grouping_delay{1};

/// A mail for the outbox and the earliest time to send it.
struct new_mail {
  domain::outgoing_mail mail;
  domain::timestamp due_at{};
};

inline constexpr auto new_mail_columns =
    columns(nested(&new_mail::mail, mail_columns), column("next_attempt_at", &new_mail::due_at));

inline const auto notification_table = table_of<notification_columns>("notifications");
inline const auto mail_table = table_of<new_mail_columns>("outgoing_mail");

/// Notifications and mails to landlords, inserted in the transaction of the event that they report.
class message_rows {
public:
  void add(const domain::notification& notification) { notifications_.add(notification); }

  /// The mail is due immediately, or after mail_grouping_delay if it is grouped.
  void add(const domain::outgoing_mail& mail) {
    const auto delay = mail.gathered_for ? mail_grouping_delay : std::chrono::hours{0};
    mails_.add({mail, mail.created_at + delay});
  }

private:
  friend void insert(session& db, const message_rows& messages);

  bulk_rows<domain::notification> notifications_{notification_table};
  bulk_rows<new_mail> mails_{mail_table};
};

inline void insert(session& db, const message_rows& messages) {
  insert(db, messages.notifications_);
  insert(db, messages.mails_);
}

template <typename Message>
void insert_message(session& db, const Message& message) {
  message_rows messages;
  messages.add(message);
  insert(db, messages);
}

/// The maximum number of mails in a group whose contents are read; the others are only counted.
inline constexpr std::size_t max_parts = 200;

/// How often a mail may be handed over to a mail server that does not confirm it: the recipient gets at most
/// this number of copies.
inline constexpr int max_possible_deliveries = 2;

/// A single mail, or a group of mails that are sent as one.
struct due_mail {
  domain::outgoing_mail mail;  ///< the first one of a group
  int attempts = 0;            ///< failed ones so far
  int possible_deliveries = 0; ///< attempts so far whose outcome is unknown
  domain::timestamp due_at{};
  std::optional<domain::uuid> email_id; ///< of a group: set once an attempt was made, and fixes its members
  std::vector<domain::uuid> ids;        ///< its own, or those of the whole group
  /// The oldest mails of a group, including the first, at most max_parts; empty for a single mail.
  std::vector<domain::outgoing_mail> parts = {};
};

/// Returns the mails that may be sent now, those due longest first. A group counts as one mail: once its
/// first mail is due, all waiting ones belong to it, except those of a group that an attempt was made for.
std::vector<due_mail> due_mails(session& db, domain::timestamp now, std::size_t limit);

/// Whether a delivery whose outcome remains unknown counts towards max_possible_deliveries: not if repeating
/// it is harmless.
enum class counted_delivery : bool { no, yes };

/// Records, in one transaction and before their text is handed over, that these mails may be delivered.
/// Returns false and records nothing if one of them has changed since it was read. Throws lease_lost.
bool begin_deliveries(session& db, const lease& held, std::span<const due_mail* const> mails,
                      counted_delivery counted = counted_delivery::yes);

/// The outcome of an attempt to send a mail; exactly one of the three times is set.
struct mail_attempt {
  std::vector<domain::uuid> ids; ///< the mail's, or those of the whole group
  std::optional<domain::timestamp> sent_at;
  std::optional<domain::timestamp> next_attempt_at; ///< set if it failed
  std::optional<domain::timestamp> given_up_at;     ///< set if it failed permanently; deleted later
  int failed_attempts = 0;                          ///< the number of failed attempts, including this one
  int possible_deliveries = 0;                      ///< if it failed: attempts so far with an unknown outcome
  std::string error_class;                          ///< the kind of failure, without any address
};

/// Records all attempts in one transaction. May be repeated if the commit is in doubt. Throws lease_lost.
void record_attempts(session& db, const lease& held, std::span<const mail_attempt> attempts);

/// Counts the mails waiting to be sent. Mails of a group count once they are due or an attempt has failed.
std::int64_t pending_mail_count(session& db, domain::timestamp now);

/// Deletes at most `limit` mails that were sent or given up before that time; returns their number. Throws
/// lease_lost.
std::int64_t delete_old_mails(session& db, const lease& held, domain::timestamp before, std::size_t limit);

enum class mail_state { waiting, sent, given_up };
inline constexpr std::array<std::string_view, 3> mail_state_names{"waiting", "sent", "given-up"};
constexpr const auto& names_of(mail_state) { return mail_state_names; }

/// A mail with its delivery state, for operators.
struct mail_record {
  domain::outgoing_mail mail; ///< without contents if confidential and sent
  int attempts = 0;           ///< failed ones
  std::optional<domain::timestamp> sent_at, next_attempt_at, given_up_at;
  std::optional<std::string> last_error;

  mail_state state() const {
    if (sent_at) return mail_state::sent;
    return next_attempt_at ? mail_state::waiting : mail_state::given_up;
  }
};

/// Selects the mails to list; unset members match every mail.
struct mail_filter {
  std::optional<mail_state> state;
  std::vector<std::string> to = {}; ///< any of these recipients, spelled as in the outbox
  std::optional<domain::uuid> id;
};

/// Returns the recipients in the outbox that have the same domain::email_key() as this address.
std::vector<std::string> recipients_like(session& db, std::string_view address);

/// Returns the newest mails first.
std::vector<mail_record> list_mails(session& db, const mail_filter& filter, std::size_t limit);

/// Makes unsent mails due now: the one with this id, or all that were given up. Mails that were given up
/// get as many attempts as new ones. Returns their number.
std::int64_t retry_mails(session& db, const std::optional<domain::uuid>& id, domain::timestamp now);

} // namespace roost::store
