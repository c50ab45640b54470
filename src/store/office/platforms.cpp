#include "store/office/platforms.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <chrono>

namespace roost::store {

namespace {

const selection cards_of_account{"cards_of_account",
                                 "select {columns} from platform_cards where account_id = :account"
                                 " order by platform",
                                 card_columns};

const selection last_uses_of_platforms{
    "last_uses_of_platforms",
    "select {columns} from partner_tokens t join credential_uses c on c.credential_id = t.id group by "
    "t.platform",
    named<std::string>("t.platform"), named<domain::timestamp>("max(c.used_at)")};

/// A decision about a request of a known landlord writes one notification.
const selection decisions_of_account{
    "decisions_of_account",
    "select {columns} from notifications n join booking_requests r on r.id = n.request_id"
    " where n.account_id = :account and n.created_at >= :week"
    " and n.kind in ('booking_created', 'booking_refused') group by r.platform",
    named<std::string>("r.platform"),
    columns(column("count(case when n.created_at >= :day then 1 end)", &platform_activity::submissions,
                   &decided_requests::day),
            column("count(*)", &platform_activity::submissions, &decided_requests::week),
            column("count(case when n.created_at >= :day and n.kind = 'booking_refused' then 1 end)",
                   &platform_activity::refusals, &decided_requests::day),
            column("count(case when n.kind = 'booking_refused' then 1 end)", &platform_activity::refusals,
                   &decided_requests::week))};

} // namespace

account_platforms read_platforms(session& db, const office_scope& scope, domain::timestamp now) {
  const transaction txn(db, transaction::purpose::read);
  account_platforms found;
  found.cards = db.internals().read_all(cards_of_account, {{"account", scope.account_id}});
  db.internals().read(decisions_of_account,
                      {{"account", scope.account_id},
                       {"day", now - std::chrono::days{1}},
                       {"week", now - std::chrono::days{7}}},
                      [&](const std::string& platform, platform_activity&& activity) {
                        found.activity[platform] = std::move(activity);
                      });
  db.internals().read(last_uses_of_platforms, {},
                      [&](const std::string& platform, const domain::timestamp& used_at) {
                        found.activity[platform].last_use = used_at;
                      });
  return found;
}

} // namespace roost::store
