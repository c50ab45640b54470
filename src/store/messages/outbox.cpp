#include "store/messages/outbox.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/message_columns.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace roost::store {

namespace {

constexpr auto due_mail_columns =
    columns(within(&due_mail::mail, mail_columns), column("attempts", &due_mail::attempts));
const selection select_due_mail{
    "select_due_mail",
    "select {columns} from outgoing_mail where next_attempt_at <= :now order by next_attempt_at, id limit "
    ":most",
    due_mail_columns};
/// The whole of it, due or not: what is sent again after a crash is the same mail, or a longer one.
const selection select_gathered{"select_gathered",
                                "select {columns} from outgoing_mail where recipient = :recipient"
                                " and gathered_for = :company and next_attempt_at is not null"
                                " order by created_at, id limit :most",
                                due_mail_columns};
constexpr std::size_t most_gathered = 1'000;
constexpr query forget_old_mails{
    "forget_old_mails",
    "delete from outgoing_mail where id in (select id from outgoing_mail"
    " where next_attempt_at is null and created_at < :before order by created_at limit :most)"};
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
                                   "select {columns} from outgoing_mail where next_attempt_at is not null"
                                   " and (gathered_for is null or next_attempt_at <= :now)",
                                   named<std::int64_t>("count(*)")};

constexpr auto record_columns = columns(
    within(&mail_record::mail, mail_columns), column("attempts", &mail_record::attempts),
    column("sent_at", &mail_record::sent_at), column("next_attempt_at", &mail_record::next_attempt_at),
    column("last_error", &mail_record::last_error));
/// An empty parameter matches every row.
const selection mail_records{"mail_records",
                             "select {columns} from outgoing_mail where (:id = '' or cast(id as text) = :id)"
                             " and (:recipient = '' or recipient = :recipient)"
                             " and (:state = '' or :state = case when sent_at is not null then 'sent'"
                             " when next_attempt_at is not null then 'waiting' else 'given-up' end)"
                             " order by created_at desc, id desc limit :most",
                             record_columns};
constexpr query retry_given_up{"retry_given_up",
                               "update outgoing_mail set next_attempt_at = :now, attempts = 0"
                               " where sent_at is null and next_attempt_at is null"};
constexpr query retry_one{"retry_one", "update outgoing_mail set next_attempt_at = :now, attempts = 0"
                                       " where id = :id and sent_at is null"};

due_mail gather(session& db, const domain::outgoing_mail& with) {
  auto parts = db.internals().read_all(select_gathered, {{"recipient", to_cell(with.to)},
                                                         {"company", to_cell(*with.gathered_for)},
                                                         {"most", to_cell(most_gathered)}});
  due_mail all = parts.front();
  for (auto& part : parts) {
    all.attempts = std::max(all.attempts, part.attempts);
    all.gathered.push_back(std::move(part.mail));
  }
  return all;
}

} // namespace

std::vector<due_mail> due_mails(session& db, domain::timestamp now, std::size_t limit) {
  auto found = db.internals().read_all(select_due_mail, {{"now", to_cell(now)}, {"most", to_cell(limit)}});
  std::set<std::pair<std::string, std::string>> seen;
  std::vector<due_mail> due;
  for (auto& each : found) {
    const auto& company = each.mail.gathered_for;
    if (!company)
      due.push_back(std::move(each));
    else if (seen.emplace(each.mail.to, *company).second)
      due.push_back(gather(db, each.mail));
  }
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
                                              {"attempts", to_cell(attempt.failed_attempts)},
                                              {"next", to_cell(attempt.next_attempt_at)},
                                              {"error", to_cell(attempt.error_class)}});
  }
  for (const auto& [at, ids] : sent)
    db.internals().write(mark_mail_sent,
                         {{"ids", list_of(ids, db.internals().dialect())}, {"now", to_cell(at)}});
  within.commit();
}

std::string_view to_string(mail_state state) {
  switch (state) {
  case mail_state::waiting:
    return "waiting";
  case mail_state::sent:
    return "sent";
  case mail_state::given_up:
    return "given-up";
  }
  throw std::logic_error("unknown value");
}

std::vector<mail_record> list_mails(session& db, const mail_filter& wanted, std::size_t limit) {
  const std::string id = wanted.id ? domain::to_string(*wanted.id) : "";
  return db.internals().read_all(
      mail_records, {{"id", to_cell(id)},
                     {"recipient", to_cell(wanted.to.value_or(""))},
                     {"state", to_cell(wanted.state ? to_string(*wanted.state) : std::string_view{})},
                     {"most", to_cell(limit)}});
}

std::int64_t retry_mails(session& db, const std::optional<domain::uuid>& id, domain::timestamp now) {
  if (!id) return db.internals().write(retry_given_up, {{"now", to_cell(now)}});
  return db.internals().write(retry_one, {{"id", to_cell(*id)}, {"now", to_cell(now)}});
}

std::int64_t pending_mail_count(session& db, domain::timestamp now) {
  return db.internals().read_one(count_pending_mail, {{"now", to_cell(now)}}).value_or(0);
}

std::int64_t forget_mails(session& db, const lease& held, domain::timestamp before, std::size_t limit) {
  write_transaction within(db, held);
  const auto gone =
      db.internals().write(forget_old_mails, {{"before", to_cell(before)}, {"most", to_cell(limit)}});
  within.commit();
  return gone;
}

} // namespace roost::store
