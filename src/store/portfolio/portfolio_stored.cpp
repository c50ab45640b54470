#include "store/portfolio/portfolio_stored.hpp"

#include "store/columns/enum_text.hpp"

#include <algorithm>

namespace roost::store {

namespace {

constexpr query landlord_keys_of_accounts{"landlord_keys_of_accounts",
                                          "select id, landlord_key from accounts where id in {ids uuid}", 2};
constexpr query cards_of_accounts{
    "cards_of_accounts", "select account_id, platform from platform_cards where account_id in {ids uuid}", 2};
constexpr query emails_of_accounts{"emails_of_accounts",
                                   "select id, email from users where account_id in {ids uuid}", 2};
constexpr query properties_of_accounts{"properties_of_accounts",
                                       "select id, account_id, origin_platform is not null from properties"
                                       " where account_id in {ids uuid}",
                                       3};
constexpr query units_of_accounts{"units_of_accounts",
                                  "select u.id, u.account_id, u.internal_name, p.origin_platform is not null"
                                  " from units u join properties p on p.id = u.property_id"
                                  " where u.account_id in {ids uuid}",
                                  4};

constexpr query platform_units_of_accounts{
    "platform_units_of_accounts",
    "select u.id, u.account_id, u.internal_name, l.platform, l.external_id from properties p"
    " join units u on u.property_id = p.id left join links l on l.unit_id = u.id"
    " where p.account_id in {ids uuid} and p.origin_platform is not null order by u.id, l.platform",
    5};

constexpr query rents_of_accounts{"rents_of_accounts",
                                  "select r.unit_id, r.month, r.rent_cents from unit_month_rents r"
                                  " join units u on u.id = r.unit_id where u.account_id in {ids uuid}",
                                  3};
constexpr query windows_of_accounts{"windows_of_accounts",
                                    "select w.unit_id, w.min_start, w.max_start, w.min_end, w.max_end"
                                    " from booking_windows w join units u on u.id = w.unit_id"
                                    " where u.account_id in {ids uuid} order by w.unit_id, w.position",
                                    5};
constexpr query blocks_of_accounts{"blocks_of_accounts",
                                   "select b.unit_id, b.id, b.first_night, b.last_night, b.source, b.host"
                                   " from blocks b join units u on u.id = b.unit_id"
                                   " where u.account_id in {ids uuid}",
                                   6};
constexpr query links_of_accounts{
    "links_of_accounts",
    "select unit_id, platform, external_id, url from links where account_id in {ids uuid}", 4};
constexpr query exclusions_of_accounts{"exclusions_of_accounts",
                                       "select e.unit_id, e.platform from exclusions e"
                                       " join units u on u.id = e.unit_id where u.account_id in {ids uuid}",
                                       2};

constexpr query booked_units{"booked_units",
                             "select distinct unit_id from bookings where unit_id in {ids uuid}", 1};
constexpr query inhabited_properties{
    "inhabited_properties", "select distinct property_id from units where property_id in {ids uuid}", 1};

constexpr query landlord_key_owners{
    "landlord_key_owners", "select landlord_key, id, id from accounts where landlord_key in {ids text}", 3};
constexpr query email_owners{
    "email_owners", "select lower(email), id, account_id from users where lower(email) in {ids text}", 3};
constexpr query user_accounts{"user_accounts", "select id, account_id from users where id in {ids uuid}", 2};
constexpr query property_accounts{"property_accounts",
                                  "select id, account_id from properties where id in {ids uuid}", 2};
constexpr query unit_accounts{"unit_accounts", "select id, account_id from units where id in {ids uuid}", 2};
constexpr query block_accounts{"block_accounts",
                               "select b.id, u.account_id from blocks b join units u on u.id = b.unit_id"
                               " where b.id in {ids uuid}"
                               " union all select id, null from bookings where id in {ids uuid}",
                               2};

constexpr std::size_t values_a_query = 5000;

template <typename Value, typename Each>
void read_in_parts(session& db, const query& what, std::span<const Value> values, Each each) {
  auto& connection = db.internals();
  for (std::size_t start = 0; start < values.size(); start += values_a_query) {
    const auto part = values.subspan(start, std::min(values_a_query, values.size() - start));
    connection.read(what, {{"ids", connection.list(part)}}, each);
  }
}

by_id<domain::uuid> read_owners(session& db, const query& what, std::span<const domain::uuid> ids) {
  by_id<domain::uuid> owners;
  read_in_parts(db, what, ids, [&](row& r) {
    const auto id = r.id();
    owners[id] = r.optional_id().value_or(domain::uuid{});
  });
  return owners;
}

by_id<std::string> read_texts(session& db, const query& what, std::span<const domain::uuid> ids) {
  by_id<std::string> texts;
  read_in_parts(db, what, ids, [&](row& r) {
    const auto id = r.id();
    texts[id] = r.text();
  });
  return texts;
}

by_id<std::vector<std::string>> read_text_lists(session& db, const query& what,
                                                std::span<const domain::uuid> ids) {
  by_id<std::vector<std::string>> lists;
  read_in_parts(db, what, ids, [&](row& r) {
    const auto id = r.id();
    lists[id].push_back(r.text());
  });
  return lists;
}

std::vector<domain::uuid> read_ids(session& db, const query& what, std::span<const domain::uuid> ids) {
  std::vector<domain::uuid> found;
  read_in_parts(db, what, ids, [&](row& r) { found.push_back(r.id()); });
  return found;
}

std::unordered_map<std::string, owned_value> read_value_owners(session& db, const query& what,
                                                               std::span<const std::string> values) {
  std::unordered_map<std::string, owned_value> owners;
  read_in_parts(db, what, values, [&](row& r) {
    auto value = r.text();
    const auto id = r.id(), account = r.id();
    owners[std::move(value)] = {id, account};
  });
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
  read_in_parts(db, properties_of_accounts, accounts, [&](row& r) {
    auto& property = properties[r.id()];
    property.account_id = r.id();
    property.from_platform = r.flag();
  });
  return properties;
}

by_id<stored_unit> stored_units(session& db, std::span<const domain::uuid> accounts) {
  by_id<stored_unit> units;
  read_in_parts(db, units_of_accounts, accounts, [&](row& r) {
    auto& unit = units[r.id()];
    unit.account_id = r.id();
    unit.internal_name = r.text();
    unit.from_platform = r.flag();
  });
  return units;
}

std::vector<platform_unit> units_from_platforms(session& db, std::span<const domain::uuid> accounts) {
  std::vector<platform_unit> units;
  read_in_parts(db, platform_units_of_accounts, accounts, [&](row& r) {
    const auto id = r.id(), account = r.id();
    const auto name = r.text();
    if (units.empty() || units.back().id != id) units.push_back({id, account, name, {}});
    auto platform = r.optional_text(), external_id = r.optional_text();
    if (platform && external_id)
      units.back().links.push_back({std::move(*platform), std::move(*external_id), {}});
  });
  return units;
}

stored_details read_stored_details(session& db, std::span<const domain::uuid> accounts) {
  stored_details details;
  read_in_parts(db, rents_of_accounts, accounts, [&](row& r) {
    auto& rents = details.month_rents[r.id()];
    const auto month = static_cast<unsigned>(r.integer());
    rents[month] = r.amount();
  });
  read_in_parts(db, windows_of_accounts, accounts, [&](row& r) {
    auto& window = details.windows[r.id()].emplace_back();
    window.min_start = r.day();
    window.max_start = r.day();
    window.min_end = r.day();
    window.max_end = r.day();
  });
  read_in_parts(db, blocks_of_accounts, accounts, [&](row& r) {
    auto& block = details.blocks[r.id()].emplace_back();
    block.id = r.id();
    block.nights.first = r.day();
    block.nights.last = r.last_night();
    block.source = parse_block_source(r.text());
    block.host = r.text();
  });
  read_in_parts(db, links_of_accounts, accounts, [&](row& r) {
    auto& link = details.links[r.id()].emplace_back();
    link.platform = r.text();
    link.external_id = r.text();
    link.url = r.optional_text();
  });
  details.exclusions = read_text_lists(db, exclusions_of_accounts, accounts);
  return details;
}

std::vector<domain::uuid> units_with_bookings(session& db, std::span<const domain::uuid> units) {
  return read_ids(db, booked_units, units);
}

std::vector<domain::uuid> properties_with_units(session& db, std::span<const domain::uuid> properties) {
  return read_ids(db, inhabited_properties, properties);
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
