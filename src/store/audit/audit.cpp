#include "store/audit/audit.hpp"

#include "store/database/bulk.hpp"

namespace roost::store {

namespace {

constexpr auto audit_columns =
    columns(column("id", &audit_entry::id).key(), column("made_at", &audit_entry::made_at),
            column("actor", &audit_entry::actor), column("action", &audit_entry::action),
            column("subject", &audit_entry::subject), column("detail", &audit_entry::detail));
const auto audit_table = table_of<audit_columns>("audit");
const selection newest_audit{
    "newest_audit", "select {columns} from audit order by made_at desc, id desc limit :limit", audit_columns};
const selection newest_of_subject{
    "newest_of_subject",
    "select {columns} from audit where subject = :subject order by made_at desc, id desc limit 1",
    audit_columns};
const selection canceller{"canceller",
                          "select {columns} from audit where subject = :subject and action = :action"
                          " order by made_at desc limit 1",
                          named<std::string>("actor")};

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

std::optional<audit_entry> newest_audit_of(session& db, const std::string& subject) {
  return db.internals().read_one(newest_of_subject, {{"subject", subject}});
}

std::vector<audit_entry> list_audit(session& db, std::size_t limit) {
  return db.internals().read_all(newest_audit, {{"limit", limit}});
}

} // namespace roost::store
