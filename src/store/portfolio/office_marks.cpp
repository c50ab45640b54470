#include "store/portfolio/office_marks.hpp"

#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <set>

namespace roost::store {

namespace {

constexpr auto mark_columns =
    columns(column("account_id", &office_mark::account_id), column("part", &office_mark::part).key(),
            column("id", &office_mark::id).key(), column("platform", &office_mark::platform).key(),
            column("state", &office_mark::state), column("position", &office_mark::position),
            column("changed_by", &office_mark::changed_by), column("changed_at", &office_mark::changed_at));
const auto mark_table = table_of<mark_columns>("office_changes");

const selection created_marks{"created_office_marks",
                              "select {columns} from office_changes where part in {parts text}"
                              " and id in {ids uuid} and state = 'created'",
                              mark_columns};

const selection marks_of_accounts{
    "marks_of_accounts", "select {columns} from office_changes where account_id in {ids uuid}", mark_columns};
const selection mark_by_key{"mark_by_key",
                            "select {columns} from office_changes where part = :part and id = :id"
                            " and platform = :platform",
                            mark_columns};
const selection newer_marks{"newer_marks",
                            "select {columns} from office_changes where account_id in {ids uuid}"
                            " and position > :since limit 1",
                            named<int>("1")};

mark_key key_of(const office_mark& mark) { return {mark.part, mark.id, mark.platform}; }

/// Returns which of these objects the office has created.
std::set<mark_key> created_among(session& db, std::span<const office_mark> marks) {
  std::set<mark_key> created;
  std::set<std::string> parts;
  std::vector<domain::uuid> ids;
  for (const auto& mark : marks) {
    if (mark.state != office_state::changed) continue;
    parts.emplace(domain::to_string(mark.part));
    ids.push_back(mark.id);
  }
  auto& connection = db.internals();
  const std::vector<std::string> listed_parts(parts.begin(), parts.end());
  if (!ids.empty())
    connection.read(created_marks, {{"parts", connection.list(listed_parts)}, {"ids", connection.list(ids)}},
                    [&](const office_mark& each) { created.insert(key_of(each)); });
  return created;
}

} // namespace

void write_marks(session& db, std::span<const office_mark> marks) {
  const auto created = created_among(db, marks);
  bulk_writer added(db, mark_table, bulk_mode::insert_new);
  bulk_writer changed(db, mark_table, bulk_mode::update_changed);
  for (auto mark : marks) {
    if (mark.state == office_state::changed && created.contains(key_of(mark)))
      mark.state = office_state::created;
    added.add(mark);
    changed.add(mark);
  }
  added.finish();
  changed.finish();
}

void forget_marks(session& db, std::span<const office_mark> marks) {
  bulk_writer rows(db, mark_table, bulk_mode::erase);
  for (const auto& each : marks) rows.add(each);
  rows.finish();
}

std::vector<office_mark> marks_of(session& db, std::span<const domain::uuid> accounts) {
  std::vector<office_mark> marks;
  read_in_parts(db, marks_of_accounts, accounts,
                [&](office_mark&& each) { marks.push_back(std::move(each)); });
  std::ranges::sort(marks, {}, [](const office_mark& each) {
    return std::tie(each.account_id, each.part, each.id, each.platform);
  });
  return marks;
}

std::optional<office_mark> find_mark(session& db, office_part part, const domain::uuid& id,
                                     std::string_view platform) {
  return db.internals().read_one(mark_by_key,
                                 {{"part", domain::to_string(part)}, {"id", id}, {"platform", platform}});
}

bool has_marks_since(session& db, std::span<const domain::uuid> accounts, std::int64_t position) {
  bool any = false;
  read_in_parts(db, newer_marks, accounts, {{"since", position}}, [&](int) { any = true; });
  return any;
}

} // namespace roost::store
