#include "store/stays/notifications.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"
#include "store/stays/newest_first.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace roost::store {

namespace {

constexpr std::size_t marks_per_write = 5'000;

/// The condition of a notification `n` that the scope contains. Those without a unit, such as about imported
/// calendars, are for users who see the whole account. The present unit of the booking would not do: the
/// owner of a unit to which the office moves a booking must not read what was written before.
const std::string notification_in_scope =
    "n.account_id = :account and (:owner = '' or n.unit_id in"
    " (select u.id from units u join properties p on p.id = u.property_id"
    " where u.account_id = :account and cast(p.owner_id as text) = :owner))";

const std::string from_notifications =
    " from notifications n left join notification_reads x on x.user_id = :user and x.notification_id = n.id"
    " where " +
    notification_in_scope + " and (:read = '' or (x.user_id is not null) = (:read = 'true'))";

const selection notification_page{
    "notification_page",
    "select {columns}" + from_notifications +
        " and (n.created_at, n.id) < (:before, :before_id)"
        " order by n.created_at desc, n.id desc limit :limit",
    columns(nested(&office_notification::notification, notification_columns.of("n")),
            column("(x.user_id is not null)", &office_notification::is_read))};
const selection notification_count{"notification_count", "select {columns}" + from_notifications,
                                   named<std::int64_t>("count(*)")};

const selection visible_notifications{"visible_notifications",
                                      "select {columns} from notifications n where n.id in {ids uuid} and " +
                                          notification_in_scope,
                                      named<std::int64_t>("count(*)")};

/// Does nothing if the user was deleted meanwhile.
constexpr query mark_notifications{
    "mark_notifications",
    "insert into notification_reads (user_id, notification_id) select r.id, n.id from users r"
    " cross join notifications n where r.id = :user and n.id in {ids uuid} on conflict do nothing"};

const selection older_notifications{
    "older_notifications",
    "select {columns} from notifications n where " + notification_in_scope +
        " and (n.created_at, n.id) < (:before, :before_id)"
        " order by n.created_at desc, n.id desc limit :limit",
    columns(column("n.created_at", &moment_place::at), column("n.id", &moment_place::id))};
/// For a part at a time: from a condition of the statement above, PostgreSQL makes a join while there are few
/// marks and keeps it, which compares each notification with all of them.
const selection marked_notifications{"marked_notifications",
                                     "select {columns} from notification_reads where user_id = :user"
                                     " and notification_id in {ids uuid}",
                                     named<domain::uuid>("notification_id")};

parameters parameters_of(const notified_user& user) {
  return {{"account", user.scope.account_id}, {"owner", text_or_empty(user.scope.owner_id)}};
}

} // namespace

office_page<office_notification> list_user_notifications(session& db, const notified_user& user,
                                                         std::optional<bool> is_read,
                                                         const std::optional<moment_place>& after,
                                                         std::size_t limit, with_total counted) {
  const transaction txn(db, transaction::purpose::read);
  auto values = parameters_of(user);
  values.emplace_back("user", user.id);
  values.emplace_back("read", is_read ? (*is_read ? "true" : "false") : "");
  std::int64_t total = 0;
  if (counted == with_total::yes) total = db.internals().read_one(notification_count, values).value_or(0);
  add_place(values, after);
  values.emplace_back("limit", limit + 1);
  return page_of(db.internals().read_all(notification_page, values), limit, total);
}

bool mark_read(session& db, const lease& held, const notified_user& user,
               std::span<const domain::uuid> notifications) {
  auto& connection = db.internals();
  const auto ids = connection.list(notifications);
  const auto count = std::set<domain::uuid>(notifications.begin(), notifications.end()).size();
  write_transaction txn(db, held);
  limit_lock_waits(db); // of the user, who may be changed by a long import
  auto values = parameters_of(user);
  values.emplace_back("ids", ids);
  const auto visible = connection.read_one(visible_notifications, values).value_or(0);
  if (static_cast<std::size_t>(visible) != count) return false;
  connection.write(mark_notifications, {{"user", user.id}, {"ids", ids}});
  txn.commit();
  return true;
}

namespace {

/// Marks those of a part that the user has not read.
void mark_part(session& db, const lease& held, const domain::uuid& user,
               std::span<const moment_place> notifications) {
  auto& connection = db.internals();
  std::vector<domain::uuid> ids;
  ids.reserve(notifications.size());
  for (const auto& each : notifications) ids.push_back(each.id);
  std::set<domain::uuid> unread(ids.begin(), ids.end());
  connection.read(marked_notifications, {{"user", user}, {"ids", connection.list(ids)}},
                  [&](const domain::uuid& id) { unread.erase(id); });
  if (unread.empty()) return;
  ids.assign(unread.begin(), unread.end());
  write_transaction txn(db, held);
  limit_lock_waits(db);
  connection.write(mark_notifications, {{"user", user}, {"ids", connection.list(ids)}});
  txn.commit();
}

} // namespace

void mark_read_before(session& db, const lease& held, const notified_user& user, domain::timestamp before) {
  moment_place last{before, {}};
  for (;;) {
    auto values = parameters_of(user);
    add_place(values, last);
    values.emplace_back("limit", marks_per_write);
    const auto part = db.internals().read_all(older_notifications, values);
    if (part.empty()) return;
    mark_part(db, held, user.id, part);
    if (part.size() < marks_per_write) return;
    last = part.back();
  }
}

} // namespace roost::store
