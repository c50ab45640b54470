#include "store/portfolio/portfolio_export.hpp"

#include "store/calendars/calendar_settings.hpp"
#include "store/database/error.hpp"
#include "store/portfolio/between_imports.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <tuple>

namespace roost::store {

namespace {

const selection exported_keys{"exported_keys", "select {columns} from accounts",
                              named<std::string>("landlord_key"), named<domain::uuid>("id")};
const selection exported_account{
    "exported_account", "select {columns} from accounts where id = :account",
    columns(account_columns, column("landlord_key", &domain::account::landlord_key))};
const selection exported_users{"exported_users", "select {columns} from users where account_id = :account",
                               columns(user_columns, column("account_id", &domain::user::account_id),
                                       column("password_hash", &domain::user::password_hash))};
const selection exported_properties{"exported_properties", exact_properties("account_id = :account"),
                                    exact_property_columns, named<bool>("origin_platform is not null")};

const selection exported_units{
    "exported_units", "select {columns} from units where account_id = :account",
    columns(nested(&domain::portfolio_unit::terms, unit_columns),
            nested(&domain::portfolio_unit::presentation, unit_presentation_columns))};

constexpr std::size_t records_per_page = 5'000;
const selection exported_usage{
    "exported_usage",
    "select {columns} from ai_usage where account_id = :account and (created_at, id) > (:after, :after_id)"
    " order by created_at, id limit :page",
    columns(column("account_id", &domain::ai_usage_record::account_id), usage_columns)};

const selection rents_of_accounts{"rents_of_accounts",
                                  "select {columns} from unit_month_rents r join units u on u.id = r.unit_id "
                                  "where u.account_id in {ids uuid}",
                                  named<domain::uuid>("r.unit_id"), named<unsigned>("r.month"),
                                  named<domain::money>("r.rent_cents")};
const selection blocks_of_accounts{
    "blocks_of_accounts",
    "select {columns} from blocks b join units u on u.id = b.unit_id where u.account_id in {ids uuid}"
    " and b.calendar_id is null",
    named<domain::uuid>("b.unit_id"), noted_block_columns.of("b")};
const selection calendars_of_accounts{"calendars_of_accounts",
                                      "select {columns} from unit_calendars c join units u on u.id = "
                                      "c.unit_id where u.account_id in {ids uuid}",
                                      named<domain::uuid>("c.unit_id"), calendar_setting_columns.of("c")};

// Texts are sorted here and compared by bytes: a database may order them differently.

void read_users(session& db, const parameters& account, domain::portfolio_account& to) {
  db.internals().read(exported_users, account, [&](domain::user&& user) {
    to.users.push_back({std::move(user), std::nullopt, true});
  });
  std::ranges::sort(to.users, {},
                    [](const auto& user) { return std::tie(user.details.email, user.details.id); });
}

void read_properties(session& db, const parameters& account, stored_account& to) {
  db.internals().read(exported_properties, account, [&](domain::property&& property, bool from_platform) {
    if (from_platform) to.from_platform.insert(property.id);
    to.account.properties.push_back({std::move(property), {}});
  });
  std::ranges::sort(to.account.properties, {}, [](const auto& property) {
    return std::tie(property.details.internal_name, property.details.id);
  });
}

/// Removes and returns a unit's part of the account's details.
template <typename Value>
Value take(by_id<Value>& from, const domain::uuid& unit) {
  const auto match = from.find(unit);
  return match == from.end() ? Value{} : std::move(match->second);
}

void move_details(stored_details& from, domain::portfolio_unit& to) {
  const auto& id = to.terms.id;
  for (const auto& [month, rent] : take(from.month_rents, id))
    to.terms.rent.per_month.push_back({month, rent, {}, {}});
  to.terms.booking_windows = take(from.windows, id);
  to.blocks = take(from.blocks, id);
  std::ranges::sort(to.blocks, {}, [](const auto& block) {
    return std::tie(block.nights.first, block.nights.last, block.id);
  });
  to.calendars = take(from.calendars, id);
  std::ranges::sort(to.calendars, {}, [](const auto& each) { return std::tie(each.name, each.id); });
  to.links = take(from.links, id);
  std::ranges::sort(to.links, {}, &domain::link::platform);
  to.excluded_from = take(from.exclusions, id);
  std::ranges::sort(to.excluded_from);
}

void read_units(session& db, const parameters& account, domain::portfolio_account& to) {
  by_id<domain::portfolio_property*> properties;
  for (auto& property : to.properties) properties.emplace(property.details.id, &property);
  db.internals().read(exported_units, account, [&](domain::portfolio_unit&& unit) {
    // Without a snapshot, its property may have been created after the properties were read.
    if (auto* property = rows_of(properties, unit.terms.property_id))
      property->units.push_back(std::move(unit));
  });
  auto details = read_stored_details(db, {&to.details.id, 1});
  for (auto& property : to.properties) {
    std::ranges::sort(property.units, {},
                      [](const auto& unit) { return std::tie(unit.terms.internal_name, unit.terms.id); });
    for (auto& unit : property.units) move_details(details, unit);
  }
}

void read_usage(session& db, const domain::uuid& account,
                const std::function<void(std::span<const domain::ai_usage_record>)>& take) {
  auto after = domain::parse_timestamp("0001-01-01T00:00:00.000Z").value();
  domain::uuid after_id{};
  for (;;) {
    const auto page = db.internals().read_all(
        exported_usage,
        {{"account", account}, {"after", after}, {"after_id", after_id}, {"page", records_per_page}});
    take(page);
    if (page.size() < records_per_page) return;
    after = page.back().created_at;
    after_id = page.back().id;
  }
}

} // namespace

stored_details read_stored_details(session& db, std::span<const domain::uuid> accounts) {
  stored_details details;
  read_in_parts(db, rents_of_accounts, accounts,
                [&](const domain::uuid& unit, unsigned month, domain::money rent) {
                  details.month_rents[unit][month] = rent;
                });
  details.windows = read_lists(db, windows_of_accounts, accounts);
  details.blocks = read_lists(db, blocks_of_accounts, accounts);
  details.calendars = read_lists(db, calendars_of_accounts, accounts);
  details.links = read_lists(db, links_of_accounts, accounts);
  details.exclusions = read_lists(db, exclusions_of_accounts, accounts);
  return details;
}

std::optional<stored_account> read_account(session& db, const domain::uuid& id) {
  const parameters account{{"account", id}};
  auto details = db.internals().read_one(exported_account, account);
  if (!details) return std::nullopt;
  stored_account stored;
  stored.account.details = std::move(*details);
  stored.account.details.cards = rows_of(read_lists(db, cards_of_accounts, std::span(&id, 1)), id);
  std::ranges::sort(stored.account.details.cards, {}, &domain::platform_card::platform);
  read_users(db, account, stored.account);
  read_properties(db, account, stored);
  read_units(db, account, stored.account);
  return stored;
}

std::vector<domain::uuid> accounts_to_export(session& db, std::span<const domain::uuid> requested) {
  std::vector<std::pair<std::string, domain::uuid>> accounts;
  db.internals().read(exported_keys, {}, [&](std::string&& key, const domain::uuid& id) {
    if (requested.empty() || std::ranges::find(requested, id) != requested.end())
      accounts.emplace_back(std::move(key), id);
  });
  std::ranges::sort(accounts);
  std::vector<domain::uuid> ids;
  ids.reserve(accounts.size());
  for (const auto& [key, id] : accounts) ids.push_back(id);
  return ids;
}

left_out_parts export_account(session& db, const domain::uuid& id, const export_sink& sink) {
  transaction_between_imports txn(db, transaction::purpose::read);
  auto stored = read_account(db, id);
  if (!stored) throw failure("there is no account " + domain::to_string(id) + " any more");
  left_out_parts left_out;
  left_out.properties = std::erase_if(stored->account.properties, [&](const auto& property) {
    return stored->from_platform.contains(property.details.id);
  });
  for (auto& property : stored->account.properties)
    for (auto& unit : property.units)
      left_out.calendars += std::erase_if(unit.calendars, [](const auto& each) { return !each.url; });
  sink.account(stored->account);
  read_usage(db, id, sink.usage);
  txn.commit();
  return left_out;
}

} // namespace roost::store
