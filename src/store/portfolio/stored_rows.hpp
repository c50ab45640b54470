#pragma once

#include "domain/portfolio.hpp"
#include "store/database/connection.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

/// Reads of stored rows by the ids of their accounts or by other values.
namespace roost::store {

using id_set = std::unordered_set<domain::uuid, domain::uuid_hash>;
template <typename Value>
using by_id = std::unordered_map<domain::uuid, Value, domain::uuid_hash>;

inline constexpr std::size_t values_per_query = 5000;

/// Runs a selection with `values` as its `ids`, a part of them at a time.
template <typename Selection, typename Value, typename Each>
void read_in_parts(session& db, const Selection& rows, std::span<const Value> values, parameters others,
                   Each each) {
  auto& connection = db.internals();
  for (std::size_t start = 0; start < values.size(); start += values_per_query) {
    const auto part = values.subspan(start, std::min(values_per_query, values.size() - start));
    auto with_ids = others;
    with_ids.emplace_back("ids", connection.list(part));
    connection.read(rows, with_ids, each);
  }
}
template <typename Selection, typename Value, typename Each>
void read_in_parts(session& db, const Selection& rows, std::span<const Value> values, Each each) {
  read_in_parts(db, rows, values, {}, each);
}

/// Reads rows of a key and a value.
template <typename Map, typename Selection, typename Id>
Map read_map(session& db, const Selection& rows, std::span<const Id> ids) {
  Map map;
  read_in_parts(db, rows, ids, [&](auto key, auto value) { map[std::move(key)] = std::move(value); });
  return map;
}

/// Reads rows of an id and a value; an id may have several values.
template <typename Id, typename Part>
by_id<std::vector<typename Part::value>> read_lists(session& db, const selection<Id, Part>& rows,
                                                    std::span<const domain::uuid> ids) {
  by_id<std::vector<typename Part::value>> lists;
  read_in_parts(db, rows, ids,
                [&](const domain::uuid& id, auto value) { lists[id].push_back(std::move(value)); });
  return lists;
}

/// Returns the rows of an id, or an empty list.
template <typename Value>
const Value& rows_of(const by_id<Value>& rows, const domain::uuid& id) {
  static const Value empty{};
  const auto found = rows.find(id);
  return found == rows.end() ? empty : found->second;
}

// Rows of the accounts `ids`.

inline const selection cards_of_accounts{"cards_of_accounts",
                                         "select {columns} from platform_cards where account_id in {ids uuid}"
                                         " order by account_id, platform",
                                         named<domain::uuid>("account_id"), card_columns};
inline const selection windows_of_accounts{
    "windows_of_accounts",
    "select {columns} from booking_windows w join units u on u.id = w.unit_id"
    " where u.account_id in {ids uuid} order by w.unit_id, w.position",
    named<domain::uuid>("w.unit_id"), window_columns.of("w")};
inline const selection links_of_accounts{"links_of_accounts",
                                         "select {columns} from links where account_id in {ids uuid}"
                                         " order by unit_id, platform",
                                         named<domain::uuid>("unit_id"), link_columns};
inline const selection exclusions_of_accounts{
    "exclusions_of_accounts",
    "select {columns} from exclusions e join units u on u.id = e.unit_id where u.account_id in {ids uuid}"
    " order by e.unit_id, e.platform",
    named<domain::uuid>("e.unit_id"), named<std::string>("e.platform")};

/// A selection of properties `p` with exact coordinates: SQLite converts numbers to text with 15 digits only;
/// with 20, they are read back exactly.
inline texts_by_dialect exact_properties(const std::string& condition) {
  return {"select {columns} from (select *, latitude as exact_latitude, longitude as exact_longitude"
          " from properties where " +
              condition + ") as p",
          "select {columns} from (select *, iif(latitude is null, null, printf('%!.20g', latitude)) as"
          " exact_latitude, iif(longitude is null, null, printf('%!.20g', longitude)) as exact_longitude"
          " from properties where " +
              condition + ") as p"};
}
inline constexpr auto exact_property_columns =
    columns(property_columns, column("owner_id", &domain::property::owner_id),
            column("wifi_password", &domain::property::wifi_password),
            column("exact_latitude", &domain::property::address, &domain::address::latitude),
            column("exact_longitude", &domain::property::address, &domain::address::longitude));

/// The members of a property that decide about its units' bookings.
inline constexpr auto property_terms_columns = columns(
    nested(&domain::property_terms::cleaning_fee, cleaning_fee_columns),
    column("monthly_bills_cents", &domain::property_terms::monthly_bills),
    column("membership_fee_cents", &domain::property_terms::membership_fee),
    column("parking_cents", &domain::property_terms::parking), column("city", &domain::property_terms::city),
    column("contract_type", &domain::property_terms::contract_type),
    column("payment_terms", &domain::property_terms::payment_terms),
    column("part_month", &domain::property_terms::part_month),
    column("archived", &domain::property_terms::archived));

/// The stored rows that belong to units, by unit.
struct stored_details {
  by_id<std::map<unsigned, domain::money>> month_rents;
  by_id<std::vector<domain::booking_window>> windows; ///< in their order
  by_id<std::vector<domain::block>> blocks; ///< manual and channel blocks, without those of calendars
  by_id<std::vector<domain::imported_calendar>> calendars;
  by_id<std::vector<domain::link>> links;
  by_id<std::vector<std::string>> exclusions;
};
stored_details read_stored_details(session& db, std::span<const domain::uuid> accounts);

} // namespace roost::store
