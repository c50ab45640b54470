#include "store/messages/outbox.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/message_columns.hpp"

#include <map>

namespace roost::store {

namespace {

const selection select_due_mail{
    "select_due_mail",
    "select {columns} from outgoing_mail where next_attempt_at <= :now order by next_attempt_at, id limit "
    ":most",
    columns(within(&due_mail::mail, mail_columns), column("attempts", &due_mail::attempts))};
constexpr query mark_mail_sent{
    "mark_mail_sent",
    "update outgoing_mail set sent_at = :now, next_attempt_at = null,"
    " subject = case when confidential then '' else subject end,"
    " text_body = case when confidential then '' else text_body end,"
    " html_body = case when confidential then '' else html_body end where id in {ids uuid}"};
constexpr query mark_mail_failed{
    "mark_mail_failed",
    "update outgoing_mail set attempts = :attempts, next_attempt_at = :next, last_error = :error"
    " where id = :id and sent_at is null"};
const selection count_pending_mail{"count_pending_mail",
                                   "select {columns} from outgoing_mail where next_attempt_at is not null",
                                   named<std::int64_t>("count(*)")};

} // namespace

std::vector<due_mail> due_mails(session& db, domain::timestamp now, std::size_t limit) {
  return db.internals().read_all(select_due_mail, {{"now", to_cell(now)}, {"most", to_cell(limit)}});
}

void record_attempts(session& db, const lease& held, std::span<const mail_attempt> attempts) {
  write_transaction within(db, held);
  std::map<domain::timestamp, std::vector<domain::uuid>> sent;
  for (const auto& attempt : attempts) {
    if (attempt.sent_at)
      sent[*attempt.sent_at].push_back(attempt.id);
    else
      db.internals().write(mark_mail_failed, {{"id", to_cell(attempt.id)},
                                              {"attempts", to_cell(attempt.failed_attempts)},
                                              {"next", to_cell(attempt.next_attempt_at)},
                                              {"error", to_cell(attempt.error_class)}});
  }
  for (const auto& [at, ids] : sent)
    db.internals().write(mark_mail_sent,
                         {{"ids", list_of(ids, db.internals().dialect())}, {"now", to_cell(at)}});
  within.commit();
}

std::int64_t pending_mail_count(session& db) {
  return db.internals().read_one(count_pending_mail).value_or(0);
}

} // namespace roost::store
