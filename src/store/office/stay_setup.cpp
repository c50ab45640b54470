#include "store/office/stay_setup.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/office/account.hpp"
#include "store/office/blocks.hpp"
#include "store/office/units.hpp"
#include "store/portfolio/held_nights.hpp"
#include "store/portfolio/stored_rows.hpp"
#include "store/portfolio/stored_units.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace roost::store {

namespace {

const selection property_terms_by_id{
    "property_terms_by_id", "select {columns} from properties where id = :id", property_terms_columns};

/// Bookings with the nights that they block.
const selection stays_among{
    "stays_among",
    "select {columns} from bookings where unit_id = :unit and status <> 'cancelled'"
    " and check_in <= :last and last_night >= :first and (:moved = '' or cast(id as text) <> :moved)",
    columns(column("id", &domain::block::id),
            column("check_in", &domain::block::nights, &domain::nights::first),
            column("last_night", &domain::block::nights, &domain::nights::last))};

domain::calendar read_calendar(session& db, const domain::uuid& unit, const domain::nights& stay,
                               const std::optional<domain::uuid>& moved) {
  auto blocks = db.internals().read_all(
      stays_among,
      {{"unit", unit}, {"first", stay.first}, {"last", stay.last}, {"moved", text_or_empty(moved)}});
  for (auto& each : blocks_among(db, {&unit, 1}, stay)) blocks.push_back(std::move(each.block));
  for (const auto& each : holds_among(db, {&unit, 1}, stay)) blocks.push_back(each.block());
  return domain::calendar{std::move(blocks)};
}

bool is_excluded_from(const domain::platform& platform, const domain::portfolio_unit& unit) {
  return std::ranges::find(unit.excluded_from, platform.name) != unit.excluded_from.end();
}

bool is_linked_to(const domain::platform& platform, const domain::portfolio_unit& unit) {
  return std::ranges::find(unit.links, platform.name, &domain::link::platform) != unit.links.end();
}

const domain::platform_card* only_card(const domain::account& account) {
  return account.cards.empty() ? nullptr : &account.cards.front();
}

} // namespace

domain::bookable_unit stay_setup::for_change(const domain::booking& booking) const {
  const bool is_withheld =
      booking.unit_id != unit.terms.id && domain::is_withheld(unit.terms, property, false);
  return {{account, property, unit.terms, only_card(account), !booking.platform}, nullptr, is_withheld};
}

domain::bookable_unit stay_setup::on(const domain::platform* platform) const {
  bool is_withheld =
      domain::is_withheld(unit.terms, property, platform != nullptr && is_excluded_from(*platform, unit));
  if (platform != nullptr)
    is_withheld |= !domain::can_name_unit(*platform, account.id, is_linked_to(*platform, unit));
  return {{account, property, unit.terms, only_card(account), platform == nullptr}, platform, is_withheld};
}

std::optional<stay_setup> read_stay_setup(session& db, const office_scope& scope, const domain::uuid& unit,
                                          const std::string& platform, const domain::nights& stay,
                                          const std::optional<domain::uuid>& moved) {
  if (!is_unit_in_scope(db, scope, unit)) return std::nullopt;
  stay_setup setup;
  setup.account = find_account(db, scope).value().settings;
  setup.unit = std::move(read_units(db, {&unit, 1}).at(0));
  setup.property =
      db.internals().read_one(property_terms_by_id, {{"id", setup.unit.terms.property_id}}).value();
  setup.calendar = read_calendar(db, unit, stay, moved);
  if (platform.empty()) return setup;
  if (auto card = find_card(db, scope, platform); card.exists)
    setup.account.cards.push_back(std::move(card.card));
  return setup;
}

std::optional<domain::stay_quote> quote_stay(session& db, const office_scope& scope, const domain::uuid& unit,
                                             const domain::platform* platform,
                                             const domain::requested_stay& stay) {
  const transaction txn(db, transaction::purpose::read);
  const auto setup = read_stay_setup(db, scope, unit, platform != nullptr ? platform->name : std::string{},
                                     domain::stay_nights(stay.check_in, stay.check_out));
  if (!setup) return std::nullopt;
  return domain::quote_of(setup->on(platform), stay, setup->calendar);
}

} // namespace roost::store
