#include "store/portfolio/live.hpp"

#include "store/database/connection.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/stored_rows.hpp"
#include "store/portfolio/stored_units.hpp"

#include <future>
#include <mutex>

namespace roost::store {

namespace {

constexpr auto live_account_columns =
    columns(account_columns, column("landlord_key", &domain::account::landlord_key));
const selection every_account{"every_account", "select {columns} from accounts order by created_at, id",
                              live_account_columns};
const selection some_accounts{"some_accounts",
                              "select {columns} from accounts where id in {ids uuid} order by created_at, id",
                              live_account_columns};

const selection live_targets{"live_targets",
                             {"select {columns} from users where account_id in {ids uuid} and not deactivated"
                              " order by created_at, id",
                              "select {columns} from users where account_id in {ids uuid} and deactivated = 0"
                              " order by created_at, id"},
                             named<domain::uuid>("account_id"),
                             columns(column("id", &notification_target::user_id),
                                     column("email", &notification_target::email),
                                     column("role", &notification_target::role))};

const selection live_properties{
    "live_properties",
    "select {columns} from properties where account_id in {ids uuid} order by created_at, id",
    named<domain::uuid>("account_id"),
    columns(column("id", &live_property::id), nested(&live_property::terms, property_terms_columns))};

const selection live_units{
    "live_units", "select {columns} from units where account_id in {ids uuid} order by created_at, id",
    columns(unit_columns, column("created_at", &domain::unit::created_at),
            column("updated_at", &domain::unit::updated_at))};

const selection live_month_rents{"live_month_rents",
                                 "select {columns} from unit_month_rents r join units u on u.id = r.unit_id"
                                 " where u.account_id in {ids uuid} order by r.unit_id, r.month",
                                 named<domain::uuid>("r.unit_id"), month_rent_columns.of("r")};

/// Bookings block their nights from the day on which they were made.
constexpr auto booked_nights_columns = columns(
    column("k.id", &domain::block::id), column("k.check_in", &domain::block::nights, &domain::nights::first),
    column("k.last_night", &domain::block::nights, &domain::nights::last),
    column("'booking'", &domain::block::source), column("''", &domain::block::host),
    column("k.created_at", &domain::block::created_at), column("k.created_at", &domain::block::updated_at),
    column("k.revision", &domain::block::revision));
constexpr auto live_block_columns = columns(block_columns.of("b"), column("0", &domain::block::revision));
static_assert(same_members(live_block_columns, booked_nights_columns));

/// Holds block nights like blocks, without a revision: they do not change.
constexpr auto held_block_columns = columns(
    column("h.block_id", &domain::block::id),
    column("h.check_in", &domain::block::nights, &domain::nights::first),
    column<last_night_format>("h.last_night", &domain::block::nights, &domain::nights::last),
    column("'hold'", &domain::block::source), column("''", &domain::block::host),
    column("h.created_at", &domain::block::created_at), column("h.created_at", &domain::block::updated_at));
static_assert(same_members(block_columns, held_block_columns));

const selection live_blocks{
    "live_blocks",
    ("select * from (select {columns} from blocks b join units u on u.id = b.unit_id"
     " where u.account_id in {ids uuid} union all select k.unit_id, " +
     names_of(booked_nights_columns) +
     " from bookings k join units u on u.account_id = k.account_id and u.id = k.unit_id"
     " where u.account_id in {ids uuid} and k.status <> 'cancelled' union all select h.unit_id, " +
     names_of(held_block_columns) +
     ", 0 from holds h join units u on u.id = h.unit_id"
     " where u.account_id in {ids uuid} and h.ended_at is null) as n"
     " order by unit_id, first_night, id")
        .c_str(),
    named<domain::uuid>("b.unit_id"), live_block_columns};

const selection blocks_of_live_units{
    "blocks_of_live_units",
    "select {columns} from blocks where unit_id in {ids uuid} order by unit_id, first_night, id",
    named<domain::uuid>("unit_id"), block_columns};

const selection cancelled_of_accounts{
    "cancelled_of_accounts",
    "select {columns} from bookings k where k.account_id in {ids uuid} and k.status = 'cancelled'",
    columns(column("id", &cancelled_booking::id), column("unit_id", &cancelled_booking::unit_id)).of("k")};

const selection stays_of_bookings{
    "stays_of_bookings",
    "select {columns} from bookings k join tenants t on t.account_id = k.account_id and t.id = k.tenant_id"
    " where k.id in {ids uuid}",
    columns(column("k.unit_id", &live_stay::unit_id), nested(&live_stay::block, booked_nights_columns),
            column("k.status = 'cancelled'", &live_stay::is_cancelled),
            nested(&live_stay::tenant, tenant_columns.of("t")))};

const selection tenants_of_accounts{
    "tenants_of_accounts", "select {columns} from tenants where account_id in {ids uuid}", tenant_columns};
const selection tenants_by_id{
    "tenants_by_id", "select {columns} from tenants where account_id in {accounts uuid} and id in {ids uuid}",
    tenant_columns};
const selection all_tenants{"all_tenants", "select {columns} from tenants", tenant_columns};

/// Limits the memory that the client library needs for one result.
constexpr std::size_t accounts_per_read = 4;

/// Completes accounts whose settings have been read.
class account_reader {
public:
  account_reader(session& db, std::span<live_account> accounts)
      : connection_(db.internals()), accounts_(accounts) {
    std::vector<domain::uuid> ids;
    for (auto& account : accounts_) {
      ids.push_back(account.settings.id);
      by_account_.emplace(account.settings.id, &account);
    }
    parameters_ = {{"ids", connection_.list(ids)}};
  }

  void read() {
    append(cards_of_accounts, by_account_, &live_account::settings, &domain::account::cards);
    append(live_targets, by_account_, &live_account::targets);
    read_properties();
    read_units();
    append(live_month_rents, by_unit_, &live_unit::terms, &domain::unit::rent,
           &domain::rent_terms::per_month);
    append(windows_of_accounts, by_unit_, &live_unit::terms, &domain::unit::booking_windows);
    append(live_blocks, by_unit_, &live_unit::blocks);
    append(links_of_accounts, by_unit_, &live_unit::links);
    append(exclusions_of_accounts, by_unit_, &live_unit::excluded_from);
  }

private:
  /// Reads rows of an id and a value. Appends each value to the list of its owner at `path`.
  template <typename Selection, typename Owners, typename... Path>
  void append(const Selection& rows, const Owners& owners, Path... path) {
    connection_.read(rows, parameters_, [&](const domain::uuid& id, auto value) {
      follow(*owners.at(id), path...).push_back(std::move(value));
    });
  }

  void read_properties() {
    append(live_properties, by_account_, &live_account::properties);
    for (auto& account : accounts_)
      for (auto& property : account.properties) by_property_.emplace(property.id, &property);
  }

  void read_units() {
    connection_.read(live_units, parameters_, [&](domain::unit&& terms) {
      by_property_.at(terms.property_id)->units.emplace_back().terms = std::move(terms);
    });
    for (auto& account : accounts_)
      for (auto& property : account.properties) {
        property.units.shrink_to_fit();
        for (auto& unit : property.units) by_unit_.emplace(unit.terms.id, &unit);
      }
  }

  session::connection& connection_;
  std::span<live_account> accounts_;
  parameters parameters_;
  std::unordered_map<domain::uuid, live_account*, domain::uuid_hash> by_account_;
  std::unordered_map<domain::uuid, live_property*, domain::uuid_hash> by_property_;
  std::unordered_map<domain::uuid, live_unit*, domain::uuid_hash> by_unit_;
};

/// The accounts that remain to be read, by one or two sessions.
class live_load {
public:
  live_load(std::vector<domain::account> accounts, const std::function<void(live_account)>& take)
      : accounts_(std::move(accounts)), take_(take) {}

  bool is_small() const { return accounts_.size() <= accounts_per_read; }

  void run(session& db) {
    for (auto batch = next(); !batch.empty(); batch = next()) {
      account_reader(db, batch).read();
      const std::scoped_lock lock(take_mutex_);
      for (auto& account : batch) take_(std::move(account));
    }
  }

private:
  std::vector<live_account> next() {
    const std::scoped_lock lock(next_mutex_);
    std::vector<live_account> batch;
    while (next_ < accounts_.size() && batch.size() < accounts_per_read)
      batch.push_back({std::move(accounts_[next_++]), {}, {}});
    return batch;
  }

  std::mutex next_mutex_, take_mutex_;
  std::vector<domain::account> accounts_;
  std::size_t next_ = 0;
  const std::function<void(live_account)>& take_;
};

struct shown_unit {
  domain::uuid id{}, property_id{};
  domain::unit_presentation shown;
};

const selection shown_properties{
    "shown_properties",
    "select {columns} from properties where id in (select property_id from units where id in {units uuid})",
    property_columns};

const selection shown_units{"shown_units", "select {columns} from units where id in {units uuid}",
                            columns(column("id", &shown_unit::id),
                                    column("property_id", &shown_unit::property_id),
                                    nested(&shown_unit::shown, unit_presentation_columns))};

const selection shown_links{
    "shown_links",
    "select {columns} from links where platform = :platform and url is not null and unit_id in {units uuid}",
    named<domain::uuid>("unit_id"), named<std::string>("url")};

} // namespace

stream_point load_live(session& db, const std::function<void(live_account)>& take, session* second) {
  transaction txn(db, transaction::purpose::read);
  refuse_while_importing(db);
  const auto point = newest_point(db);
  live_load load(db.internals().read_all(every_account), take);
  if (!second || load.is_small()) {
    load.run(db);
  } else {
    auto other_half = std::async(std::launch::async, [&] {
      transaction second_txn(*second, transaction::purpose::read);
      refuse_while_importing(*second);
      load.run(*second);
      second_txn.commit();
    });
    load.run(db);
    other_half.get();
  }
  txn.commit();
  return point;
}

stream_point load_live(session& db, std::span<const domain::uuid> accounts,
                       const std::function<void(live_account)>& take) {
  transaction txn(db, transaction::purpose::read);
  const auto point = newest_point(db);
  live_load(db.internals().read_all(some_accounts, {{"ids", db.internals().list(accounts)}}), take).run(db);
  txn.commit();
  return point;
}

std::vector<live_unit> live_units_of(session& db, std::span<const domain::uuid> units) {
  const transaction txn(db, transaction::purpose::read);
  auto blocks = read_lists(db, blocks_of_live_units, units);
  std::vector<live_unit> read;
  for (auto& unit : read_units_without_blocks(db, units)) {
    const auto id = unit.terms.id;
    read.push_back(
        {std::move(unit.terms), std::move(blocks[id]), std::move(unit.links), std::move(unit.excluded_from)});
  }
  return read;
}

std::vector<std::string> recipients_of(std::span<const notification_target> targets,
                                       const std::function<bool(const std::string& role)>& is_notified) {
  std::vector<std::string> addresses;
  for (const auto& target : targets)
    if (is_notified(target.role)) addresses.push_back(target.email);
  if (addresses.empty())
    for (const auto& target : targets) addresses.push_back(target.email);
  return addresses;
}

std::vector<notification_target> targets_of(session& db, const domain::uuid& account) {
  std::vector<notification_target> targets;
  db.internals().read(
      live_targets, {{"ids", db.internals().list(std::span{&account, 1})}},
      [&](const domain::uuid&, notification_target&& target) { targets.push_back(std::move(target)); });
  return targets;
}

std::vector<cancelled_booking> cancelled_bookings(session& db, std::span<const domain::uuid> accounts) {
  return db.internals().read_all(cancelled_of_accounts, {{"ids", db.internals().list(accounts)}});
}

std::vector<live_stay> live_stays(session& db, std::span<const domain::uuid> bookings) {
  return db.internals().read_all(stays_of_bookings, {{"ids", db.internals().list(bookings)}});
}

std::vector<domain::tenant> load_tenants(session& db, std::span<const domain::uuid> accounts) {
  auto& connection = db.internals();
  if (accounts.empty()) return connection.read_all(all_tenants);
  return connection.read_all(tenants_of_accounts, {{"ids", connection.list(accounts)}});
}

std::vector<domain::tenant> find_tenants(session& db, std::span<const domain::uuid> accounts,
                                         std::span<const domain::uuid> ids) {
  auto& connection = db.internals();
  return connection.read_all(tenants_by_id,
                             {{"accounts", connection.list(accounts)}, {"ids", connection.list(ids)}});
}

std::unordered_map<domain::uuid, presentation, domain::uuid_hash>
presentations(session& db, std::span<const domain::uuid> units, std::string_view platform) {
  transaction txn(db, transaction::purpose::read);
  refuse_while_importing(db);
  auto& connection = db.internals();
  const auto ids = connection.list(units);
  std::unordered_map<domain::uuid, std::shared_ptr<const domain::property>, domain::uuid_hash> properties;
  connection.read(shown_properties, {{"units", ids}}, [&](domain::property&& property) {
    const auto id = property.id;
    properties.emplace(id, std::make_shared<const domain::property>(std::move(property)));
  });
  std::unordered_map<domain::uuid, presentation, domain::uuid_hash> result;
  connection.read(shown_units, {{"units", ids}}, [&](shown_unit&& unit) {
    result[unit.id] = {properties.at(unit.property_id), std::move(unit.shown), {}};
  });
  connection.read(shown_links, {{"platform", platform}, {"units", ids}},
                  [&](const domain::uuid& id, std::string&& url) {
                    if (const auto unit = result.find(id); unit != result.end())
                      unit->second.link_url = std::move(url);
                  });
  txn.commit();
  return result;
}

} // namespace roost::store
