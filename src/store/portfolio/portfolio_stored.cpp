#include "store/columns/record_columns.hpp"
#include "store/portfolio/portfolio_columns.hpp"
#include "store/portfolio/portfolio_steps.hpp"

#include <algorithm>

namespace roost::store {

namespace {

const selection landlord_keys_of_accounts{"landlord_keys_of_accounts",
                                          "select {columns} from accounts where id in {ids uuid}",
                                          named<domain::uuid>("id"), named<std::string>("landlord_key")};
const selection cards_of_accounts{"cards_of_accounts",
                                  "select {columns} from platform_cards where account_id in {ids uuid}",
                                  named<domain::uuid>("account_id"), named<std::string>("platform")};
const selection emails_of_accounts{"emails_of_accounts",
                                   "select {columns} from users where account_id in {ids uuid}",
                                   named<domain::uuid>("id"), named<std::string>("email")};
const selection properties_of_accounts{
    "properties_of_accounts", "select {columns} from properties where account_id in {ids uuid}",
    named<domain::uuid>("id"),
    columns(column("account_id", &stored_property::account_id),
            column("origin_platform is not null", &stored_property::from_platform),
            column("archived", &stored_property::archived))};
const selection units_of_accounts{
    "units_of_accounts",
    "select {columns} from units u join properties p on p.id = u.property_id where u.account_id in {ids "
    "uuid}",
    named<domain::uuid>("u.id"),
    columns(column("u.account_id", &stored_unit::account_id),
            column("u.property_id", &stored_unit::property_id),
            column("u.internal_name", &stored_unit::internal_name),
            column("p.origin_platform is not null", &stored_unit::from_platform),
            column("u.archived", &stored_unit::archived))};

/// One row per link, or one for a unit without links.
const selection platform_units_of_accounts{
    "platform_units_of_accounts",
    "select {columns} from properties p join units u on u.property_id = p.id"
    " left join links l on l.unit_id = u.id"
    " where p.account_id in {ids uuid} and p.origin_platform is not null order by u.id, l.platform",
    columns(column("id", &platform_unit::id), column("account_id", &platform_unit::account_id),
            column("internal_name", &platform_unit::internal_name))
        .of("u"),
    joined(link_columns.of("l"))};

const selection rents_of_accounts{"rents_of_accounts",
                                  "select {columns} from unit_month_rents r join units u on u.id = r.unit_id "
                                  "where u.account_id in {ids uuid}",
                                  named<domain::uuid>("r.unit_id"), named<unsigned>("r.month"),
                                  named<domain::money>("r.rent_cents")};
const selection windows_of_accounts{"windows_of_accounts",
                                    "select {columns} from booking_windows w join units u on u.id = w.unit_id"
                                    " where u.account_id in {ids uuid} order by w.unit_id, w.position",
                                    named<domain::uuid>("w.unit_id"), window_columns.of("w")};
const selection blocks_of_accounts{
    "blocks_of_accounts",
    "select {columns} from blocks b join units u on u.id = b.unit_id where u.account_id in {ids uuid}",
    named<domain::uuid>("b.unit_id"), block_columns.of("b")};
const selection links_of_accounts{"links_of_accounts",
                                  "select {columns} from links where account_id in {ids uuid}",
                                  named<domain::uuid>("unit_id"), link_columns};
const selection exclusions_of_accounts{
    "exclusions_of_accounts",
    "select {columns} from exclusions e join units u on u.id = e.unit_id where u.account_id in {ids uuid}",
    named<domain::uuid>("e.unit_id"), named<std::string>("e.platform")};

const selection booked_units{"booked_units", "select {columns} from bookings where unit_id in {ids uuid}",
                             named<domain::uuid>("distinct unit_id")};
const selection occupied_properties{"occupied_properties",
                                    "select {columns} from units where property_id in {ids uuid}",
                                    named<domain::uuid>("distinct property_id")};

const selection landlord_key_owners{
    "landlord_key_owners", "select {columns} from accounts where landlord_key in {ids text}",
    named<std::string>("landlord_key"),
    columns(column("id", &owned_value::id), column("id", &owned_value::account))};
const selection email_owners{
    "email_owners", "select {columns} from users where folded_email in {ids text}",
    named<std::string>("folded_email"),
    columns(column("id", &owned_value::id), column("account_id", &owned_value::account))};

/// A row's id and its account.
struct owned_id {
  domain::uuid id{};
  std::optional<domain::uuid> account; ///< nullopt: a booking's block
};
constexpr auto owned_id_columns =
    columns(column("id", &owned_id::id), column("account_id", &owned_id::account));

const selection user_accounts{"user_accounts", "select {columns} from users where id in {ids uuid}",
                              owned_id_columns};
const selection property_accounts{
    "property_accounts", "select {columns} from properties where id in {ids uuid}", owned_id_columns};
const selection unit_accounts{"unit_accounts", "select {columns} from units where id in {ids uuid}",
                              owned_id_columns};
const selection block_accounts{
    "block_accounts",
    "select {columns} from (select b.id, u.account_id from blocks b join units u on u.id = b.unit_id"
    " where b.id in {ids uuid} union all select id, null from bookings where id in {ids uuid}) as owners",
    owned_id_columns};

constexpr std::size_t values_per_query = 5000;

template <typename... Parts, typename Value, typename Each>
void read_in_parts(session& db, const selection<Parts...>& rows, std::span<const Value> values, Each each) {
  auto& connection = db.internals();
  for (std::size_t start = 0; start < values.size(); start += values_per_query) {
    const auto part = values.subspan(start, std::min(values_per_query, values.size() - start));
    connection.read(rows, {{"ids", connection.list(part)}}, each);
  }
}

template <typename Selection>
by_id<domain::uuid> read_owners(session& db, const Selection& rows, std::span<const domain::uuid> ids) {
  by_id<domain::uuid> owners;
  read_in_parts(db, rows, ids,
                [&](const owned_id& owned) { owners[owned.id] = owned.account.value_or(domain::uuid{}); });
  return owners;
}

template <typename Selection>
by_id<std::string> read_texts(session& db, const Selection& rows, std::span<const domain::uuid> ids) {
  by_id<std::string> texts;
  read_in_parts(db, rows, ids,
                [&](const domain::uuid& id, std::string&& text) { texts[id] = std::move(text); });
  return texts;
}

template <typename Selection>
by_id<std::vector<std::string>> read_text_lists(session& db, const Selection& rows,
                                                std::span<const domain::uuid> ids) {
  by_id<std::vector<std::string>> lists;
  read_in_parts(db, rows, ids,
                [&](const domain::uuid& id, std::string&& text) { lists[id].push_back(std::move(text)); });
  return lists;
}

template <typename Selection>
std::vector<domain::uuid> read_ids(session& db, const Selection& rows, std::span<const domain::uuid> ids) {
  std::vector<domain::uuid> result;
  read_in_parts(db, rows, ids, [&](const domain::uuid& id) { result.push_back(id); });
  return result;
}

template <typename Selection>
std::unordered_map<std::string, owned_value> read_value_owners(session& db, const Selection& rows,
                                                               std::span<const std::string> values) {
  std::unordered_map<std::string, owned_value> owners;
  read_in_parts(db, rows, values,
                [&](std::string&& value, const owned_value& owner) { owners[std::move(value)] = owner; });
  return owners;
}

} // namespace

by_id<std::string> stored_landlord_keys(session& db, std::span<const domain::uuid> accounts) {
  return read_texts(db, landlord_keys_of_accounts, accounts);
}

by_id<std::vector<std::string>> stored_card_platforms(session& db, std::span<const domain::uuid> accounts) {
  return read_text_lists(db, cards_of_accounts, accounts);
}

by_id<std::string> stored_user_emails(session& db, std::span<const domain::uuid> accounts) {
  return read_texts(db, emails_of_accounts, accounts);
}

by_id<stored_property> stored_properties(session& db, std::span<const domain::uuid> accounts) {
  by_id<stored_property> properties;
  read_in_parts(db, properties_of_accounts, accounts,
                [&](const domain::uuid& id, const stored_property& property) { properties[id] = property; });
  return properties;
}

by_id<stored_unit> stored_units(session& db, std::span<const domain::uuid> accounts) {
  by_id<stored_unit> units;
  read_in_parts(db, units_of_accounts, accounts,
                [&](const domain::uuid& id, stored_unit&& unit) { units[id] = std::move(unit); });
  return units;
}

std::vector<platform_unit> units_from_platforms(session& db, std::span<const domain::uuid> accounts) {
  std::vector<platform_unit> units;
  read_in_parts(db, platform_units_of_accounts, accounts,
                [&](platform_unit&& unit, std::optional<domain::link>&& link) {
                  if (units.empty() || units.back().id != unit.id) units.push_back(std::move(unit));
                  if (link) units.back().links.push_back(std::move(*link));
                });
  return units;
}

stored_details read_stored_details(session& db, std::span<const domain::uuid> accounts) {
  stored_details details;
  read_in_parts(db, rents_of_accounts, accounts,
                [&](const domain::uuid& unit, unsigned month, domain::money rent) {
                  details.month_rents[unit][month] = rent;
                });
  read_in_parts(db, windows_of_accounts, accounts,
                [&](const domain::uuid& unit, const domain::booking_window& window) {
                  details.windows[unit].push_back(window);
                });
  read_in_parts(db, blocks_of_accounts, accounts, [&](const domain::uuid& unit, domain::block&& block) {
    details.blocks[unit].push_back(std::move(block));
  });
  read_in_parts(db, links_of_accounts, accounts, [&](const domain::uuid& unit, domain::link&& link) {
    details.links[unit].push_back(std::move(link));
  });
  details.exclusions = read_text_lists(db, exclusions_of_accounts, accounts);
  return details;
}

std::vector<domain::uuid> units_with_bookings(session& db, std::span<const domain::uuid> units) {
  return read_ids(db, booked_units, units);
}

std::vector<domain::uuid> properties_with_units(session& db, std::span<const domain::uuid> properties) {
  return read_ids(db, occupied_properties, properties);
}

std::unordered_map<std::string, owned_value> owners_of_landlord_keys(session& db,
                                                                     std::span<const std::string> keys) {
  return read_value_owners(db, landlord_key_owners, keys);
}

std::unordered_map<std::string, owned_value> owners_of_emails(session& db,
                                                              std::span<const std::string> emails) {
  return read_value_owners(db, email_owners, emails);
}

by_id<domain::uuid> accounts_of_users(session& db, std::span<const domain::uuid> ids) {
  return read_owners(db, user_accounts, ids);
}

by_id<domain::uuid> accounts_of_properties(session& db, std::span<const domain::uuid> ids) {
  return read_owners(db, property_accounts, ids);
}

by_id<domain::uuid> accounts_of_units(session& db, std::span<const domain::uuid> ids) {
  return read_owners(db, unit_accounts, ids);
}

by_id<domain::uuid> accounts_of_blocks(session& db, std::span<const domain::uuid> ids) {
  return read_owners(db, block_accounts, ids);
}

} // namespace roost::store
