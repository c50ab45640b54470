#include "store/audit/audit.hpp"

#include "domain/text.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::store {

namespace {

constexpr auto audit_columns =
    columns(column("id", &audit_entry::id).key(), column("made_at", &audit_entry::made_at),
            column("actor", &audit_entry::actor), column("action", &audit_entry::action),
            column("subject", &audit_entry::subject), column("detail", &audit_entry::detail),
            column("account_id", &audit_entry::account_id));
const auto audit_table = table_of<audit_columns>("audit");
const selection newest_audit{
    "newest_audit", "select {columns} from audit order by made_at desc, id desc limit :limit", audit_columns};
const selection newest_of_subject{
    "newest_of_subject",
    "select {columns} from audit where subject = :subject"
    " and (account_id = :account or (account_id is null and action like '% issue'))"
    " order by made_at desc, id desc limit 1",
    audit_columns};
const selection newest_of_actions{"newest_of_actions",
                                  "select {columns} from audit where account_id = :account"
                                  " and action in {actions text} order by made_at desc, id desc limit 1",
                                  audit_columns};
const selection canceller{"canceller",
                          "select {columns} from audit where subject = :subject and action = :action"
                          " order by made_at desc limit 1",
                          named<std::string>("actor")};

/// The entries, with the details that a filter shows: reasons of cancellations and notes about payments may
/// name the guest.
const std::string shown_entries = "(select id, made_at, actor, action, subject, account_id,"
                                  " case when :tenants = 'true' or action not in ('" +
                                  std::string(booking_cancel) + "', '" + payment_received +
                                  "') then detail else '' end as detail from audit) as shown";

/// Completes a query of the entries that a filter selects. Both databases fold ASCII letters only.
texts_by_dialect matching(const std::string& before, const std::string& after) {
  const auto query = [&](const std::string& find, const std::string& collation) {
    const auto contains = [&](const char* column) {
      return find + "(lower(" + column + collation + "), :text) > 0";
    };
    return before + " from " + shown_entries +
           " where account_id = :account and made_at >= :since and made_at <= :until"
           " and (:actor = '' or actor = :actor) and (:tenants = 'true' or action <> 'tenant change') and "
           "(:text = '' or " +
           contains("action") + " or " + contains("subject") + " or " + contains("detail") + ")" + after;
  };
  return {query("strpos", " collate \"C\""), query("instr", "")};
}

const selection audit_page{"audit_page",
                           matching("select {columns}", " and (made_at, id) < (:before, :before_id)"
                                                        " order by made_at desc, id desc limit :limit"),
                           audit_columns};
const selection audit_total{"audit_total", matching("select {columns}", ""), named<std::int64_t>("count(*)")};

/// The bounds of the times that both databases can hold and compare.
const auto earliest = domain::parse_timestamp("0001-01-01T00:00:00.000Z").value(),
           latest = domain::parse_timestamp("9999-12-31T23:59:59.999Z").value();

parameters parameters_of(const audit_filter& filter) {
  return {{"account", filter.account_id},
          {"since", std::clamp(filter.since.value_or(earliest), earliest, latest)},
          {"until", std::clamp(filter.until.value_or(latest), earliest, latest)},
          {"actor", filter.actor},
          {"text", domain::lower_case(filter.text)},
          {"tenants", filter.with_tenants ? "true" : "false"}};
}

} // namespace

void record_audit(session& db, const audit_entry& entry) { insert_row(db, audit_table, entry); }

void record_audit(session& db, std::span<const audit_entry> entries) {
  bulk_writer rows(db, audit_table, bulk_mode::insert);
  for (const auto& entry : entries)
    if (!entry.actor.empty()) rows.add(entry);
  rows.finish();
}

std::optional<std::string> canceller_of(session& db, const domain::uuid& booking) {
  return db.internals().read_one(canceller,
                                 {{"subject", domain::to_string(booking)}, {"action", booking_cancel}});
}

std::optional<audit_entry> newest_audit_of(session& db, const std::string& subject,
                                           const domain::uuid& account) {
  return db.internals().read_one(newest_of_subject, {{"subject", subject}, {"account", account}});
}

std::optional<audit_entry> newest_audit_of(session& db, std::span<const std::string> actions,
                                           const domain::uuid& account) {
  auto& connection = db.internals();
  return connection.read_one(newest_of_actions,
                             {{"account", account}, {"actions", connection.list(actions)}});
}

std::string author_of(const audit_entry& entry) {
  constexpr std::string_view user = "user ";
  return entry.actor.starts_with(user) ? entry.actor.substr(user.size()) : entry.actor;
}

std::vector<audit_entry> list_audit(session& db, std::size_t limit) {
  return db.internals().read_all(newest_audit, {{"limit", limit}});
}

std::vector<audit_entry> list_audit(session& db, const audit_filter& filter,
                                    const std::optional<audit_place>& after, std::size_t limit) {
  constexpr const char* greatest_id = "ffffffff-ffff-ffff-ffff-ffffffffffff";
  auto until_place = filter;
  // SQLite would use only `until` as the bound of its index.
  if (after) until_place.until = std::min(after->made_at, filter.until.value_or(latest));
  auto values = parameters_of(until_place);
  values.emplace_back("before", after ? after->made_at : latest);
  values.emplace_back("before_id", after ? domain::to_string(after->id) : std::string(greatest_id));
  values.emplace_back("limit", limit);
  return db.internals().read_all(audit_page, values);
}

std::int64_t count_audit(session& db, const audit_filter& filter) {
  return db.internals().read_one(audit_total, parameters_of(filter)).value_or(0);
}

} // namespace roost::store
