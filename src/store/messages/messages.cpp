#include "store/messages/messages.hpp"

namespace roost::store {

namespace {

const bulk_table notification_rows{"notifications",
                                   {{"id", "uuid", column_role::key},
                                    {"account_id", "uuid"},
                                    {"kind", "text"},
                                    {"title", "text"},
                                    {"body", "text"},
                                    {"booking_id", "uuid"},
                                    {"request_id", "uuid"},
                                    {"created_at", "timestamptz"}}};

const bulk_table mail_rows{"outgoing_mail",
                           {{"id", "uuid", column_role::key},
                            {"recipient", "text"},
                            {"subject", "text"},
                            {"text_body", "text"},
                            {"html_body", "text"},
                            {"created_at", "timestamptz"},
                            {"next_attempt_at", "timestamptz"}}};

} // namespace

message_rows::message_rows() : notifications_(notification_rows), mails_(mail_rows) {}

void message_rows::add(const domain::notification& told) {
  notifications_.add(told.id, told.account_id, told.kind, told.title, told.body, told.booking_id,
                     told.request_id, told.created_at);
}

void message_rows::add(const domain::outgoing_mail& sent) {
  mails_.add(sent.id, sent.to, sent.subject, sent.text, sent.html, sent.created_at, sent.created_at);
}

void insert(session& db, const message_rows& messages) {
  insert(db, messages.notifications_);
  insert(db, messages.mails_);
}

} // namespace roost::store
