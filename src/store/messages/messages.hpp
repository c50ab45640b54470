#pragma once

#include "domain/booking.hpp"
#include "store/database/bulk.hpp"

#include <chrono>

namespace roost::store {

inline constexpr auto notification_columns = columns(
    column("id", &domain::notification::id).key(), column("account_id", &domain::notification::account_id),
    column("kind", &domain::notification::kind), column("title", &domain::notification::title),
    column("body", &domain::notification::body), column("booking_id", &domain::notification::booking_id),
    column("request_id", &domain::notification::request_id),
    column("created_at", &domain::notification::created_at));

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

/// Inserts a notification or a mail.
template <typename Message>
void insert_message(session& db, const Message& message) {
  message_rows messages;
  messages.add(message);
  insert(db, messages);
}

} // namespace roost::store
