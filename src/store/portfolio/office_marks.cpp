#include "store/portfolio/office_marks.hpp"

#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <tuple>

namespace roost::store {

namespace {

constexpr auto mark_columns =
    columns(column("account_id", &office_mark::account_id), column("part", &office_mark::part).key(),
            column("id", &office_mark::id).key(), column("platform", &office_mark::platform).key(),
            column("state", &office_mark::state), column("position", &office_mark::position),
            column("changed_by", &office_mark::changed_by), column("changed_at", &office_mark::changed_at));
const auto mark_table = table_of<mark_columns>("office_changes");

constexpr query write_mark{
    "write_office_mark",
    "insert into office_changes (account_id, part, id, platform, state, position, changed_by, changed_at)"
    " values (:account, :part, :id, :platform, :state, :position, :by, :at)"
    " on conflict (part, id, platform) do update set account_id = excluded.account_id,"
    " position = excluded.position, changed_by = excluded.changed_by, changed_at = excluded.changed_at,"
    " state = case when office_changes.state = 'created' and excluded.state = 'changed' then 'created'"
    " else excluded.state end"};

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

} // namespace

void write_marks(session& db, std::span<const office_mark> marks) {
  for (const auto& each : marks)
    db.internals().write(write_mark, {{"account", each.account_id},
                                      {"part", domain::to_string(each.part)},
                                      {"id", each.id},
                                      {"platform", each.platform},
                                      {"state", domain::to_string(each.state)},
                                      {"position", each.position},
                                      {"by", each.changed_by},
                                      {"at", each.changed_at}});
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
