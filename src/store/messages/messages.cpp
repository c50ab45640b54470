#include "store/messages/messages.hpp"

#include "store/messages/message_columns.hpp"

namespace roost::store {

namespace {

const auto notification_table = table_of<notification_columns>("notifications");

constexpr auto new_mail_columns =
    columns(nested(&new_mail::mail, mail_columns), column("next_attempt_at", &new_mail::due_at));
const auto mail_table = table_of<new_mail_columns>("outgoing_mail");

} // namespace

message_rows::message_rows() : notifications_(notification_table), mails_(mail_table) {}

void message_rows::add(const domain::notification& told) { notifications_.add(told); }

void message_rows::add(const domain::outgoing_mail& sent) {
  const auto wait = sent.gathered_for ? mail_gathering : std::chrono::hours{0};
  mails_.add(new_mail{sent, sent.created_at + wait});
}

void insert(session& db, const message_rows& messages) {
  insert(db, messages.notifications_);
  insert(db, messages.mails_);
}

} // namespace roost::store
