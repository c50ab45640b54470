#include "store/portfolio/stored_units.hpp"

#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace roost::store {

namespace {

const selection units_by_id{
    "units_by_id", "select {columns} from units where id in {ids uuid}",
    columns(nested(&domain::portfolio_unit::terms, unit_columns),
            nested(&domain::portfolio_unit::presentation, unit_presentation_columns),
            column("created_at", &domain::portfolio_unit::terms, &domain::unit::created_at),
            column("updated_at", &domain::portfolio_unit::terms, &domain::unit::updated_at))};
const selection rents_of_units{"rents_of_units",
                               "select {columns} from unit_month_rents where unit_id in {ids uuid}"
                               " order by unit_id, month",
                               named<domain::uuid>("unit_id"), month_rent_columns};
const selection windows_of_units{"windows_of_units",
                                 "select {columns} from booking_windows where unit_id in {ids uuid}"
                                 " order by unit_id, position",
                                 named<domain::uuid>("unit_id"), window_columns};
const selection blocks_of_units{
    "blocks_of_units",
    "select {columns} from blocks where unit_id in {ids uuid} and calendar_id is null"
    " order by unit_id, first_night, id",
    named<domain::uuid>("unit_id"), noted_block_columns};
const selection links_of_units{"links_of_units", "select {columns} from links where unit_id in {ids uuid}",
                               named<domain::uuid>("unit_id"), link_columns};
const selection exclusions_of_units{"exclusions_of_units",
                                    "select {columns} from exclusions where unit_id in {ids uuid}",
                                    named<domain::uuid>("unit_id"), named<std::string>("platform")};

} // namespace

std::vector<domain::portfolio_unit> read_units_without_blocks(session& db,
                                                              std::span<const domain::uuid> ids) {
  std::vector<domain::portfolio_unit> units;
  read_in_parts(db, units_by_id, ids,
                [&](domain::portfolio_unit&& unit) { units.push_back(std::move(unit)); });
  const auto rents = read_lists(db, rents_of_units, ids);
  const auto windows = read_lists(db, windows_of_units, ids);
  const auto links = read_lists(db, links_of_units, ids);
  by_id<std::vector<std::string>> exclusions;
  read_in_parts(db, exclusions_of_units, ids, [&](const domain::uuid& unit, std::string&& platform) {
    exclusions[unit].push_back(std::move(platform));
  });
  for (auto& unit : units) {
    const auto& id = unit.terms.id;
    unit.terms.rent.per_month = rows_of(rents, id);
    unit.terms.booking_windows = rows_of(windows, id);
    unit.links = rows_of(links, id);
    unit.excluded_from = rows_of(exclusions, id);
    std::ranges::sort(unit.links, {}, &domain::link::platform); // by bytes, unlike a database
    std::ranges::sort(unit.excluded_from);
  }
  return units;
}

std::vector<domain::portfolio_unit> read_units(session& db, std::span<const domain::uuid> ids) {
  auto units = read_units_without_blocks(db, ids);
  const auto blocks = read_lists(db, blocks_of_units, ids);
  for (auto& unit : units) unit.blocks = rows_of(blocks, unit.terms.id);
  return units;
}

month_rent_writer::month_rent_writer(session& db)
    : removed_(db, tables::month_rents, bulk_mode::erase),
      changed_(db, tables::month_rents, bulk_mode::update_changed),
      added_(db, tables::month_rents, bulk_mode::insert) {}

void month_rent_writer::add(const domain::uuid& unit, std::span<const domain::month_rent> before,
                            std::span<const domain::month_rent> after) {
  const auto is_in = [](std::span<const domain::month_rent> rents, unsigned month) {
    return std::ranges::find(rents, month, &domain::month_rent::month) != rents.end();
  };
  for (const auto& rent : before)
    if (!is_in(after, rent.month)) removed_.add({unit, &rent});
  for (const auto& rent : after) (is_in(before, rent.month) ? changed_ : added_).add({unit, &rent});
}

void month_rent_writer::finish() {
  removed_.finish();
  changed_.finish();
  added_.finish();
}

void write_month_rents(session& db, const domain::uuid& unit, std::span<const domain::month_rent> before,
                       std::span<const domain::month_rent> after) {
  month_rent_writer rents(db);
  rents.add(unit, before, after);
  rents.finish();
}

} // namespace roost::store
