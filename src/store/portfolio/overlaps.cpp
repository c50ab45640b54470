#include "store/portfolio/overlaps.hpp"

#include "store/database/connection.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace roost::store {

namespace {

struct overlap_row {
  block_overlap overlap;
  std::int64_t total = 0;
};

constexpr auto overlap_columns =
    columns(column("u.id", &overlap_row::overlap, &block_overlap::unit_id),
            column("u.internal_name", &overlap_row::overlap, &block_overlap::unit_name),
            column("b.id", &overlap_row::overlap, &block_overlap::block_id),
            column("b.first_night", &overlap_row::overlap, &block_overlap::block, &domain::nights::first),
            column<last_night_format>("b.last_night", &overlap_row::overlap, &block_overlap::block,
                                      &domain::nights::last),
            column("k.id", &overlap_row::overlap, &block_overlap::booking_id),
            column("k.check_in", &overlap_row::overlap, &block_overlap::check_in),
            column("k.check_out", &overlap_row::overlap, &block_overlap::check_out),
            column("count(*) over ()", &overlap_row::total));
const std::string select_overlaps =
    "select {columns} from blocks b join units u on u.id = b.unit_id"
    " join bookings k on k.account_id = u.account_id and k.unit_id = u.id and k.status <> 'cancelled'"
    " and k.check_out > :today and (b.last_night is null or b.last_night >= :today)"
    " and b.first_night < k.check_out and (b.last_night is null or b.last_night >= k.check_in)";
const std::string order_of_overlaps = " order by u.internal_name, u.id, b.first_night, b.id, k.check_in";
const selection all_overlaps{"all_overlaps", select_overlaps + order_of_overlaps + " limit :limit",
                             overlap_columns};
const selection overlaps_of_account{"overlaps_of_account",
                                    select_overlaps + " where u.account_id = :account" + order_of_overlaps,
                                    overlap_columns};

const selection coming_stays{
    "coming_stays",
    "select {columns} from bookings where account_id = :account"
    " and unit_id in {ids uuid} and status <> 'cancelled' and check_out > :today",
    columns(column("unit_id", &block_overlap::unit_id), column("id", &block_overlap::booking_id),
            column("check_in", &block_overlap::check_in), column("check_out", &block_overlap::check_out))};

/// What an import does to the blocks of one account.
class planned_blocks {
public:
  explicit planned_blocks(const planned_account& plan) : account_(plan.account.details.id) {
    if (plan.stored) note_stored(*plan.stored);
    for (const auto& property : plan.account.properties)
      for (const auto& unit : property.units) note_changes(unit);
    for (const auto& change : plan.changes)
      if (change.part == portfolio_part::block) note(change);
  }

  /// Whether the import keeps a stored block as it is.
  bool keeps(const domain::uuid& block) const { return !changed_.contains(block); }

  /// Appends the overlaps of blocks that are added or changed.
  void append_overlaps(session& db, domain::date today, std::vector<block_overlap>& to) const {
    std::vector<domain::uuid> units;
    for (const auto& [unit, blocks] : written_) units.push_back(unit);
    read_in_parts(db, coming_stays, std::span<const domain::uuid>(units),
                  {{"account", account_}, {"today", today}}, [&](const block_overlap& stay) {
                    for (const auto& [id, nights] : written_.at(stay.unit_id))
                      if (nights.last >= today &&
                          domain::overlap(nights, domain::stay_nights(stay.check_in, stay.check_out)))
                        to.push_back({stay.unit_id, rows_of(names_, stay.unit_id), id, nights,
                                      stay.booking_id, stay.check_in, stay.check_out});
                  });
  }

private:
  using unit_nights = std::pair<domain::uuid, domain::nights>;
  using identified_nights = std::pair<domain::uuid, domain::nights>;

  void note_stored(const domain::portfolio_account& stored) {
    for (const auto& property : stored.properties)
      for (const auto& unit : property.units)
        for (const auto& block : unit.blocks)
          stored_.emplace(block.id, unit_nights{unit.terms.id, block.nights});
  }

  void note_changes(const domain::portfolio_unit& unit) {
    names_.emplace(unit.terms.id, unit.terms.internal_name);
    for (const auto& block : unit.blocks) {
      const auto before = stored_.find(block.id);
      if (before == stored_.end() || before->second == unit_nights{unit.terms.id, block.nights}) continue;
      changed_.insert(block.id);
      written_[unit.terms.id].emplace_back(block.id, block.nights);
    }
  }

  void note(const import_change& change) {
    if (change.action == import_action::removed) changed_.insert(change.id);
    if (change.action == import_action::added)
      written_[change.id].emplace_back(domain::uuid{}, domain::nights{domain::parse_date(change.key).value(),
                                                                      domain::parse_date(change.to).value()});
  }

  domain::uuid account_;
  by_id<unit_nights> stored_;
  by_id<std::string> names_;
  by_id<std::vector<identified_nights>> written_; ///< by unit
  id_set changed_;                                ///< stored ids of blocks that are changed or removed
};

} // namespace

block_overlaps stored_overlaps(session& db, domain::date today, std::size_t limit) {
  block_overlaps overlaps;
  db.internals().read(all_overlaps, {{"today", today}, {"limit", limit}}, [&](overlap_row&& row) {
    overlaps.items.push_back(std::move(row.overlap));
    overlaps.total = static_cast<std::size_t>(row.total);
  });
  return overlaps;
}

block_overlaps planned_overlaps(session& db, const planned_account& plan, domain::date today,
                                std::size_t limit) {
  const planned_blocks planned(plan);
  block_overlaps overlaps;
  auto& items = overlaps.items;
  db.internals().read(overlaps_of_account, {{"account", plan.account.details.id}, {"today", today}},
                      [&](overlap_row&& row) {
                        if (planned.keeps(row.overlap.block_id)) items.push_back(std::move(row.overlap));
                      });
  planned.append_overlaps(db, today, items);
  std::ranges::sort(items, {}, [](const block_overlap& each) {
    return std::tie(each.unit_name, each.unit_id, each.block.first, each.block_id, each.check_in);
  });
  overlaps.total = items.size();
  if (items.size() > limit) items.resize(limit);
  return overlaps;
}

} // namespace roost::store
