#include "store/office/office_write.hpp"

#include "json/writer.hpp"
#include "store/columns/json_columns.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"

#include <algorithm>

namespace roost::store {

namespace {

struct creation_row {
  domain::uuid id{}, account_id{};
  std::string request_hash;
};
constexpr auto creation_columns =
    columns(column("id", &creation_row::id).key(), column("account_id", &creation_row::account_id),
            column("request_hash", &creation_row::request_hash));
/// The row of a resource that was deleted together with another one may still exist.
constexpr query write_creation{"write_creation",
                               "insert into office_creations (id, account_id, request_hash)"
                               " values (:id, :account, :hash) on conflict (id) do update set"
                               " account_id = excluded.account_id, request_hash = excluded.request_hash"};
const selection creation_by_id{"creation_by_id", "select {columns} from office_creations where id = :id",
                               creation_columns};
constexpr query erase_creations{"erase_creations", "delete from office_creations where id in {ids uuid}"};

struct entry_row {
  domain::uuid id{}, account_id{}, unit_id{}, subject_id{};
  domain::timestamp changed_at{};
  std::string changed_by;
  std::vector<domain::field_change> changes;
  std::int64_t edit = 0;
};
constexpr auto entry_columns =
    columns(column("id", &entry_row::id).key(), column("account_id", &entry_row::account_id),
            column("unit_id", &entry_row::unit_id), column("subject_id", &entry_row::subject_id),
            column("changed_at", &entry_row::changed_at), column("changed_by", &entry_row::changed_by),
            column("changes", &entry_row::changes), column("edit", &entry_row::edit));
const auto entry_table = table_of<entry_columns>("changelog");
const selection last_entry{
    "last_entry",
    "select {columns} from changelog where account_id = :account"
    " and (subject_id = :subject or (unit_id = :subject and subject_id is null))"
    " order by edit desc limit 1",
    columns(column("changed_by", &last_change::by), column("changed_at", &last_change::at))};

void add_entries(bulk_rows<entry_row>& to, const domain::uuid& account, const office_author& author,
                 std::vector<unit_entry> entries, const stream_point& point) {
  for (auto& each : entries)
    to.add({each.id.is_nil() ? author.audit.id : each.id, account, each.unit_id, each.subject_id, author.now,
            author.name, std::move(each.changes), point.position});
}

/// Both skip a row that is locked already: see locked_elsewhere.
const selection locked_account{
    "locked_account", "select {columns} from accounts where id = :account {for no key update skip locked}",
    named<domain::uuid>("id")};
const selection shared_account{
    "shared_account", "select {columns} from accounts where id = :account {for key share skip locked}",
    named<domain::uuid>("id")};

} // namespace

void remember_creation(session& db, const office_scope& scope, const domain::uuid& id,
                       const std::string& request_hash) {
  if (request_hash.empty()) return forget_creations(db, {&id, 1});
  db.internals().write(write_creation, {{"id", id}, {"account", scope.account_id}, {"hash", request_hash}});
}

void forget_creations(session& db, std::span<const domain::uuid> ids) {
  if (!ids.empty()) db.internals().write(erase_creations, {{"ids", db.internals().list(ids)}});
}

bool is_repeated(session& db, const office_scope& scope, const domain::uuid& id,
                 const std::string& request_hash) {
  const auto known = db.internals().read_one(creation_by_id, {{"id", id}});
  return known && known->account_id == scope.account_id && known->request_hash == request_hash;
}

std::string json_string(std::string_view text) {
  json::writer json;
  json.value(text);
  return std::string{json.text()};
}

std::string describe(const std::vector<domain::field_change>& changes) {
  constexpr std::size_t max_length = 2'000;
  std::string text;
  for (const auto& each : changes) {
    if (!text.empty()) text += "; ";
    text += each.field + ": " + each.before + " to " + each.after;
  }
  if (text.size() <= max_length) return text;
  const auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; };
  auto length = max_length;
  while (is_continuation(text[length])) --length; // whole characters of UTF-8
  return text.substr(0, length) + "…";
}

std::optional<office_refusal> conflict_of(const std::vector<std::string>& reasons) {
  if (reasons.empty()) return std::nullopt;
  std::string text;
  for (const auto& each : reasons) text += text.empty() ? each : ", " + each;
  return office_refusal{office_result::conflicting, std::move(text)};
}

void lock_marks(session& db, const office_scope& scope) {
  if (!db.internals().read_one(shared_account, {{"account", scope.account_id}}))
    throw locked_elsewhere("the account is being changed");
}

void lock_account(session& db, const office_scope& scope) {
  if (!db.internals().read_one(locked_account, {{"account", scope.account_id}}))
    throw locked_elsewhere("the account is being changed");
}

stream_point record(session& db, const office_scope& scope, const office_author& author, office_trace trace) {
  return record(db, scope, author, {author.audit}, std::move(trace));
}

stream_point record(session& db, const office_scope& scope, const office_author& author,
                    std::vector<audit_entry> audits, office_trace trace) {
  for (auto& entry : audits) entry.account_id = scope.account_id;
  record_audit(db, audits);
  const auto point = append(db, trace.change);
  bulk_rows<entry_row> entries(entry_table);
  add_entries(entries, scope.account_id, author, std::move(trace.entries), point);
  insert(db, entries);
  for (auto& each : trace.marks) {
    each.account_id = scope.account_id;
    each.position = point.position;
    each.changed_by = author.name;
    each.changed_at = author.now;
  }
  write_marks(db, trace.marks);
  return point;
}

std::vector<stream_point> record_all(session& db, std::span<const change> before,
                                     std::vector<authored_trace> writes) {
  std::vector<audit_entry> audits;
  std::vector<change> changes(before.begin(), before.end());
  for (auto& each : writes) {
    audits.push_back(each.author.audit);
    audits.back().account_id = each.account_id;
    changes.push_back(std::move(each.change));
  }
  record_audit(db, audits);
  auto points = append_all(db, changes);
  points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(before.size()));
  bulk_rows<entry_row> entries(entry_table);
  for (std::size_t i = 0; i < writes.size(); ++i)
    add_entries(entries, writes[i].account_id, writes[i].author, std::move(writes[i].entries), points[i]);
  insert(db, entries);
  return points;
}

std::optional<last_change> last_change_of(session& db, const office_scope& scope,
                                          const domain::uuid& subject) {
  return db.internals().read_one(last_entry, {{"account", scope.account_id}, {"subject", subject}});
}

} // namespace roost::store
