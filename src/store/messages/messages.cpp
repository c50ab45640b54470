#include "store/messages/messages.hpp"

namespace roost::store {

namespace {

const auto notification_table = table_of<notification_columns>("notifications");

constexpr auto new_mail_columns =
    columns(nested(&new_mail::mail, mail_columns), column("next_attempt_at", &new_mail::due_at));
const auto mail_table = table_of<new_mail_columns>("outgoing_mail");

} // namespace

message_rows::message_rows() : notifications_(notification_table), mails_(mail_table) {}

void message_rows::add(const domain::notification& notification) { notifications_.add(notification); }

void message_rows::add(const domain::outgoing_mail& mail) {
  const auto delay = mail.gathered_for ? mail_grouping_delay : std::chrono::hours{0};
  mails_.add(new_mail{mail, mail.created_at + delay});
}

void insert(session& db, const message_rows& messages) {
  insert(db, messages.notifications_);
  insert(db, messages.mails_);
}

} // namespace roost::store
