#include "store/messages/messages.hpp"

#include "domain/email_address.hpp"
#include "domain/text.hpp"
#include "store/database/connection.hpp"
#include "store/database/old_rows.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace roost::store {

namespace {

/// A mail waits for an hour at most, for its group or its next attempt. A later time was written with a wrong
/// clock and counts as now. The clocks of two machines may differ by a minute.
constexpr auto max_mail_delay = mail_grouping_delay + std::chrono::minutes{1};

constexpr auto due_mail_columns =
    columns(nested(&due_mail::mail, mail_columns), column("attempts", &due_mail::attempts),
            column("possible_deliveries", &due_mail::possible_deliveries),
            column("next_attempt_at", &due_mail::due_at));
/// The first attempt is due immediately, whatever the clock was when the mail was written.
const selection select_due_mails{
    "select_due_mails",
    "select {columns} from outgoing_mail where gathered_for is null and next_attempt_at is not null"
    " and (attempts = 0 or next_attempt_at <= :now or next_attempt_at > :latest)"
    " order by next_attempt_at, id limit :limit",
    due_mail_columns};
const selection select_due_groups{
    "select_due_groups",
    "select {columns} from outgoing_mail where gathered_for is not null"
    " and (next_attempt_at <= :now or next_attempt_at > :latest)"
    " group by recipient, gathered_for, email_id order by min(next_attempt_at), recipient limit :limit",
    columns(column("recipient", &due_mail::mail, &domain::outgoing_mail::to),
            column("gathered_for", &due_mail::mail, &domain::outgoing_mail::gathered_for),
            column("email_id", &due_mail::email_id), column("min(next_attempt_at)", &due_mail::due_at))};
/// Selects the whole group, due or not. Once an attempt was made for it, it keeps its members: an email that
/// is sent again is the same, and mails that come later have attempts of their own.
const selection select_group{"select_group",
                             "select {columns} from outgoing_mail where recipient = :recipient"
                             " and gathered_for = :company and next_attempt_at is not null"
                             " and coalesce(cast(email_id as text), '') = :email order by created_at, id",
                             named<domain::uuid>("id"), named<int>("attempts"),
                             named<int>("possible_deliveries")};
const selection select_parts{"select_parts",
                             "select {columns} from outgoing_mail where id in {ids uuid}"
                             " order by created_at, id",
                             mail_columns};
constexpr query mark_mail_sent{
    "mark_mail_sent",
    "update outgoing_mail set sent_at = :now, next_attempt_at = null, given_up_at = null,"
    " subject = case when confidential then '' else subject end,"
    " text_body = case when confidential then '' else text_body end,"
    " html_body = case when confidential then '' else html_body end where id in {ids uuid}"};
constexpr query mark_mail_failed{
    "mark_mail_failed",
    "update outgoing_mail set attempts = :attempts, next_attempt_at = :next, given_up_at = :given_up,"
    " possible_deliveries = :deliveries, email_id = :email,"
    " last_error = :error where id in {ids uuid} and sent_at is null"};
constexpr query mark_delivery_begun{
    "mark_delivery_begun",
    "update outgoing_mail set possible_deliveries = :deliveries, email_id = :email"
    " where id in {ids uuid} and next_attempt_at is not null and possible_deliveries <= :before"};
const selection count_pending_mail{"count_pending_mail",
                                   "select {columns} from outgoing_mail where next_attempt_at is not null"
                                   " and (gathered_for is null or attempts > 0 or next_attempt_at <= :now)",
                                   named<std::int64_t>("count(*)")};

constexpr auto record_columns = columns(
    nested(&mail_record::mail, mail_columns), column("attempts", &mail_record::attempts),
    column("sent_at", &mail_record::sent_at), column("next_attempt_at", &mail_record::next_attempt_at),
    column("given_up_at", &mail_record::given_up_at), column("last_error", &mail_record::last_error));
/// An empty parameter matches every row.
const selection mail_records{"mail_records",
                             "select {columns} from outgoing_mail where (:id = '' or cast(id as text) = :id)"
                             " and (:has_recipients = '' or recipient in {recipients text})"
                             " and (:state = '' or :state = case when sent_at is not null then 'sent'"
                             " when next_attempt_at is not null then 'waiting' else 'given-up' end)"
                             " order by created_at desc, id desc limit :limit",
                             record_columns};
const selection all_recipients{"all_recipients", "select distinct {columns} from outgoing_mail",
                               named<std::string>("recipient")};
constexpr query retry_given_up{"retry_given_up",
                               "update outgoing_mail set next_attempt_at = :now, given_up_at = null,"
                               " attempts = 0, possible_deliveries = 0"
                               " where sent_at is null and next_attempt_at is null"};
/// A waiting mail may be on its way, so its possible deliveries still count.
constexpr query retry_one{"retry_one",
                          "update outgoing_mail set next_attempt_at = :now, given_up_at = null, attempts = 0,"
                          " possible_deliveries ="
                          " case when next_attempt_at is null then 0 else possible_deliveries end"
                          " where id = :id and sent_at is null"};

/// Reads the mails of a group. Reads their ids first and then the parts by id, so that mails added in between
/// are neither sent nor recorded as sent.
due_mail read_group(session& db, due_mail group) {
  auto& connection = db.internals();
  connection.read(select_group,
                  {{"recipient", group.mail.to},
                   {"company", *group.mail.gathered_for},
                   {"email", text_or_empty(group.email_id)}},
                  [&](const domain::uuid& id, int attempts, int possible_deliveries) {
                    group.ids.push_back(id);
                    group.attempts = std::max(group.attempts, attempts);
                    group.possible_deliveries = std::max(group.possible_deliveries, possible_deliveries);
                  });
  const auto oldest = std::span(group.ids).first(std::min(group.ids.size(), max_parts));
  group.parts = connection.read_all(select_parts, {{"ids", connection.list(oldest)}});
  if (!group.parts.empty()) group.mail = group.parts.front();
  return group;
}

} // namespace

std::vector<due_mail> due_mails(session& db, domain::timestamp now, std::size_t limit) {
  const parameters values{{"now", now}, {"latest", now + max_mail_delay}, {"limit", limit}};
  auto due = db.internals().read_all(select_due_mails, values);
  for (auto& mail : due) mail.ids = {mail.mail.id};
  std::ranges::move(db.internals().read_all(select_due_groups, values), std::back_inserter(due));
  std::ranges::stable_sort(due, {}, &due_mail::due_at);
  if (due.size() > limit) due.resize(limit);
  for (auto& mail : due)
    if (mail.mail.gathered_for) mail = read_group(db, std::move(mail));
  std::erase_if(due, [](const auto& mail) { // deleted concurrently
    return mail.mail.gathered_for && mail.parts.empty();
  });
  return due;
}

bool begin_deliveries(session& db, const lease& held, std::span<const due_mail* const> mails,
                      counted_delivery counted) {
  write_transaction txn(db, held);
  auto& connection = db.internals();
  const int added = counted == counted_delivery::yes ? 1 : 0;
  for (const auto* mail : mails) {
    const auto changed =
        connection.write(mark_delivery_begun, {{"ids", connection.list(mail->ids)},
                                               {"email", mail->ids.front()},
                                               {"before", mail->possible_deliveries},
                                               {"deliveries", mail->possible_deliveries + added}});
    if (static_cast<std::size_t>(changed) != mail->ids.size()) return false;
  }
  txn.commit();
  return true;
}

void record_attempts(session& db, const lease& held, std::span<const mail_attempt> attempts) {
  write_transaction txn(db, held);
  auto& connection = db.internals();
  std::map<domain::timestamp, std::vector<domain::uuid>> sent;
  for (const auto& attempt : attempts) {
    if (attempt.sent_at)
      std::ranges::copy(attempt.ids, std::back_inserter(sent[*attempt.sent_at]));
    else
      connection.write(mark_mail_failed, {{"ids", connection.list(attempt.ids)},
                                          {"attempts", attempt.failed_attempts},
                                          {"next", attempt.next_attempt_at},
                                          {"given_up", attempt.given_up_at},
                                          {"deliveries", attempt.possible_deliveries},
                                          {"email", attempt.ids.front()},
                                          {"error", attempt.error_class}});
  }
  for (const auto& [at, ids] : sent)
    connection.write(mark_mail_sent, {{"ids", connection.list(ids)}, {"now", at}});
  txn.commit();
}

std::vector<std::string> recipients_like(session& db, std::string_view address) {
  const auto key = domain::email_key(address); // databases cannot compute it
  auto recipients = db.internals().read_all(all_recipients);
  std::erase_if(recipients, [&](const auto& recipient) { return domain::email_key(recipient) != key; });
  return recipients;
}

std::vector<mail_record> list_mails(session& db, const mail_filter& filter, std::size_t limit) {
  return db.internals().read_all(
      mail_records, {{"id", text_or_empty(filter.id)},
                     {"has_recipients", std::string_view(filter.to.empty() ? "" : "yes")},
                     {"recipients", db.internals().list(filter.to)},
                     {"state", filter.state ? domain::to_string(*filter.state) : std::string_view{}},
                     {"limit", limit}});
}

std::int64_t retry_mails(session& db, const std::optional<domain::uuid>& id, domain::timestamp now) {
  if (!id) return db.internals().write(retry_given_up, {{"now", now}});
  return db.internals().write(retry_one, {{"id", *id}, {"now", now}});
}

std::int64_t pending_mail_count(session& db, domain::timestamp now) {
  return db.internals().read_one(count_pending_mail, {{"now", now}}).value_or(0);
}

std::int64_t delete_old_mails(session& db, const lease& held, domain::timestamp before, std::size_t limit) {
  old_rows rows(db, held);
  rows.remove({"outgoing_mail"}, "next_attempt_at is null and coalesce(sent_at, given_up_at) < :before",
              "coalesce(sent_at, given_up_at)", {{"before", before}}, limit);
  return rows.finish();
}

} // namespace roost::store
