#include "store/messages/outbox.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <map>

namespace roost::store {

namespace {

constexpr query select_due_mail{
    "select_due_mail",
    "select id, recipient, subject, text_body, html_body, created_at, attempts from outgoing_mail"
    " where next_attempt_at <= :now order by next_attempt_at, id limit :most",
    7};
constexpr query mark_mail_sent{
    "mark_mail_sent",
    "update outgoing_mail set sent_at = :now, next_attempt_at = null where id in {ids uuid}"};
constexpr query mark_mail_failed{
    "mark_mail_failed",
    "update outgoing_mail set attempts = attempts + 1, next_attempt_at = :next, last_error = :error"
    " where id = :id and sent_at is null"};
constexpr query count_pending_mail{"count_pending_mail",
                                   "select count(*) from outgoing_mail where next_attempt_at is not null", 1};

} // namespace

std::vector<due_mail> due_mails(session& db, domain::timestamp now, std::size_t limit) {
  std::vector<due_mail> due;
  db.internals().read(select_due_mail, {{"now", to_cell(now)}, {"most", to_cell(limit)}}, [&](row& r) {
    due_mail each;
    each.mail.id = r.id();
    each.mail.to = r.text();
    each.mail.subject = r.text();
    each.mail.text = r.text();
    each.mail.html = r.text();
    each.mail.created_at = r.moment();
    each.attempts = r.small_integer();
    due.push_back(std::move(each));
  });
  return due;
}

void record_attempts(session& db, const lease& held, std::span<const mail_attempt> attempts) {
  write_transaction within(db, held);
  std::map<domain::timestamp, std::vector<domain::uuid>> sent;
  for (const auto& attempt : attempts) {
    if (attempt.sent_at)
      sent[*attempt.sent_at].push_back(attempt.id);
    else
      db.internals().write(mark_mail_failed, {{"id", to_cell(attempt.id)},
                                              {"next", to_cell(attempt.next_attempt_at)},
                                              {"error", to_cell(attempt.error_class)}});
  }
  for (const auto& [at, ids] : sent)
    db.internals().write(mark_mail_sent,
                         {{"ids", list_of(ids, db.internals().dialect())}, {"now", to_cell(at)}});
  within.commit();
}

std::int64_t pending_mail_count(session& db) {
  std::int64_t count = 0;
  db.internals().read(count_pending_mail, {}, [&](row& r) { count = r.integer(); });
  return count;
}

} // namespace roost::store
