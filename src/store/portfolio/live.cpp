#include "store/portfolio/live.hpp"

#include "store/columns/block_row.hpp"
#include "store/columns/enum_text.hpp"
#include "store/columns/json_columns.hpp"
#include "store/columns/tenant_row.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/portfolio_position.hpp"

#include <deque>
#include <future>
#include <mutex>
#include <unordered_map>

namespace roost::store {

namespace {

constexpr query live_accounts{
    "live_accounts",
    "select id, company_name, logo_url, currency, landlord_key, contract_type, check_in_time, check_out_time,"
    " advance_notice_days, payment_terms, native_engine, property_creation, tenant_categories, ai_areas"
    " from accounts where changed_version > :version or cast(:version as bigint) = 0"
    " or id in (select account_id from changelog where edit > :edits) order by created_at, id",
    14};

constexpr query live_cards{"live_cards",
                           "select account_id, platform, integration_email, markup_mode, markup_value,"
                           " calendar_block_days from platform_cards where account_id in {accounts uuid}"
                           " order by account_id, platform",
                           6};

constexpr query live_targets{
    "live_targets",
    "select account_id, id, email, role from users"
    " where account_id in {accounts uuid} and not deactivated order by created_at, id",
    4,
    "select account_id, id, email, role from users"
    " where account_id in {accounts uuid} and deactivated = 0 order by created_at, id"};

constexpr query live_properties{"live_properties",
                                "select id, account_id, cleaning_fee_enabled, cleaning_fee_cents,"
                                " cleaning_fee_frequency, monthly_bills_cents, membership_fee_cents,"
                                " parking_cents, city, contract_type, payment_terms, part_month, archived"
                                " from properties"
                                " where account_id in {accounts uuid} order by created_at, id",
                                13};

constexpr query live_units{
    "live_units",
    "select id, property_id, account_id, internal_name, kind, room_label, capacity, rent_fixed, rent_cents,"
    " min_stay_months, max_stay_months, extra_price_per_tenant_cents, extra_deposit_per_tenant_cents,"
    " bills_included, bills_max_cents, admin_fee_enabled, admin_fee_mode, admin_fee_cents, admin_fee_tiers,"
    " deposit_mode, deposit_value, exit_fee_cents, local_rent_cap_cents, preparation_days, "
    "advance_notice_days,"
    " short_term_ical_max_date, archived, created_at, updated_at"
    " from units where account_id in {accounts uuid} order by created_at, id",
    29};

constexpr query live_month_rents{"live_month_rents",
                                 "select r.unit_id, r.month, r.rent_cents, r.created_at, r.updated_at"
                                 " from unit_month_rents r join units u on u.id = r.unit_id"
                                 " where u.account_id in {accounts uuid} order by r.unit_id, r.month",
                                 5};

constexpr query live_windows{"live_windows",
                             "select w.unit_id, w.min_start, w.max_start, w.min_end, w.max_end"
                             " from booking_windows w join units u on u.id = w.unit_id"
                             " where u.account_id in {accounts uuid} order by w.unit_id, w.position",
                             5};

/// A booking blocks its nights from the day it was made.
constexpr query live_blocks{
    "live_blocks",
    "select b.unit_id, b.id, b.first_night, b.last_night, b.source, b.host, b.created_at, b.updated_at"
    " from blocks b join units u on u.id = b.unit_id where u.account_id in {accounts uuid}"
    " union all"
    " select k.unit_id, k.id, k.check_in, k.last_night, 'booking', '', k.created_at, k.created_at"
    " from bookings k join units u on u.account_id = k.account_id and u.id = k.unit_id"
    " where u.account_id in {accounts uuid} and k.status <> 'cancelled' order by 1, 3, 2",
    8};

/// What a running server may still hold nights for. What a platform cancels goes through the server itself.
constexpr query live_cancelled{
    "live_cancelled",
    "select k.unit_id, k.id from bookings k join units u on u.account_id = k.account_id and u.id = k.unit_id"
    " where u.account_id in {accounts uuid} and k.status = 'cancelled' and k.cancelled_by = 'landlord'",
    2};

constexpr query live_links{"live_links",
                           "select unit_id, platform, external_id, url from links"
                           " where account_id in {accounts uuid} order by unit_id, platform",
                           4};

constexpr query live_exclusions{
    "live_exclusions",
    "select e.unit_id, e.platform from exclusions e join units u on u.id = e.unit_id"
    " where u.account_id in {accounts uuid} order by e.unit_id, e.platform",
    2};

constexpr query tenants_of_accounts{"tenants_of_accounts",
                                    "select id, account_id, first_name, last_name, email, fiscal_id, phone, "
                                    "nationality, category from tenants"
                                    " where account_id in {accounts uuid}",
                                    9};
constexpr query all_tenants{"all_tenants",
                            "select id, account_id, first_name, last_name, email, fiscal_id, phone, "
                            "nationality, category from tenants",
                            9};

/// How many accounts are read at a time: what a client library holds of a result is bounded by it.
constexpr std::size_t accounts_a_read = 4;

domain::account read_account(row& r) {
  domain::account account;
  account.id = r.id();
  account.company_name = r.text();
  account.logo_url = r.optional_text();
  account.currency = r.text();
  account.landlord_key = r.text();
  account.contract_type = r.text();
  account.check_in_time = r.text();
  account.check_out_time = r.text();
  account.advance_notice_days = r.small_integer();
  read_json(r.text(), account.payment_terms);
  account.native_engine = r.flag();
  account.property_creation = r.flag();
  read_json(r.text(), account.tenant_categories);
  read_json(r.text(), account.ai_areas);
  return account;
}

domain::unit read_unit(row& r) {
  domain::unit unit;
  unit.id = r.id();
  unit.property_id = r.id();
  unit.account_id = r.id();
  unit.internal_name = r.text();
  unit.kind = parse_unit_kind(r.text());
  unit.room_label = r.text();
  unit.capacity = r.small_integer();
  unit.rent.fixed = r.flag();
  unit.rent.amount = r.amount();
  unit.min_stay_months = r.optional_integer();
  unit.max_stay_months = r.optional_integer();
  unit.extra_price_per_tenant = r.amount();
  unit.extra_deposit_per_tenant = r.amount();
  unit.bills.included = r.flag();
  unit.bills.max_value = r.optional_amount();
  unit.admin_fee.enabled = r.flag();
  unit.admin_fee.mode = parse_fee_mode(r.text());
  unit.admin_fee.value = r.amount();
  read_json(r.text(), unit.admin_fee.tiers);
  unit.deposit.mode = parse_deposit_mode(r.text());
  unit.deposit.value = r.integer();
  unit.exit_fee = r.amount();
  unit.local_rent_cap = r.optional_amount();
  unit.preparation_days = r.small_integer();
  unit.advance_notice_days = r.optional_integer();
  unit.short_term_ical_max_date = r.optional_day();
  unit.archived = r.flag();
  unit.created_at = r.moment();
  unit.updated_at = r.moment();
  return unit;
}

domain::tenant read_tenant(row& r) {
  domain::tenant tenant;
  tenant.id = r.id();
  tenant.account_id = r.id();
  tenant.details = read_tenant_details(r);
  tenant.category = r.optional_text();
  return tenant;
}

/// Reads everything that belongs to some accounts, which are there already, into them.
class account_reader {
public:
  account_reader(session& db, std::span<live_account> accounts, bool again)
      : on_(db.internals()), accounts_(accounts), again_(again) {
    std::vector<domain::uuid> ids;
    for (auto& account : accounts_) {
      ids.push_back(account.settings.id);
      by_account_.emplace(account.settings.id, &account);
    }
    with_ = {{"accounts", on_.list(ids)}};
  }

  void read() {
    read_accounts_own();
    read_properties();
    read_units();
    read_terms();
    read_calendars();
    if (again_) read_cancelled();
  }

private:
  void read_accounts_own() {
    on_.read(live_cards, with_, [&](row& r) {
      auto& cards = by_account_.at(r.id())->settings.cards;
      domain::platform_card card;
      card.platform = r.text();
      card.integration_email = r.optional_text();
      card.markup.mode = parse_markup_mode(r.text());
      card.markup.value = r.integer();
      card.calendar_block_days = r.optional_integer();
      cards.push_back(std::move(card));
    });
    on_.read(live_targets, with_, [&](row& r) {
      auto& targets = by_account_.at(r.id())->targets;
      notification_target target;
      target.user_id = r.id();
      target.email = r.text();
      target.role = r.text();
      targets.push_back(std::move(target));
    });
  }

  void read_properties() {
    on_.read(live_properties, with_, [&](row& r) {
      live_property property;
      property.id = r.id();
      auto& properties = by_account_.at(r.id())->properties;
      auto& terms = property.terms;
      terms.cleaning_fee.enabled = r.flag();
      terms.cleaning_fee.value = r.amount();
      terms.cleaning_fee.frequency = r.text();
      terms.monthly_bills = r.optional_amount();
      terms.membership_fee = r.optional_amount();
      terms.parking = r.optional_amount();
      terms.city = r.text();
      terms.contract_type = r.optional_text();
      if (const auto due = r.optional_text()) read_json(*due, terms.payment_terms.emplace());
      terms.part_month = parse_part_month(r.text());
      terms.archived = r.flag();
      properties.push_back(std::move(property));
    });
    for (auto& account : accounts_)
      for (auto& property : account.properties) by_property_.emplace(property.id, &property);
  }

  void read_units() {
    on_.read(live_units, with_, [&](row& r) {
      live_unit unit;
      unit.terms = read_unit(r);
      by_property_.at(unit.terms.property_id)->units.push_back(std::move(unit));
    });
    for (auto& account : accounts_)
      for (auto& property : account.properties) {
        property.units.shrink_to_fit();
        for (auto& unit : property.units) by_unit_.emplace(unit.terms.id, &unit);
      }
  }

  void read_terms() {
    on_.read(live_month_rents, with_, [&](row& r) {
      auto& rents = unit(r).terms.rent.per_month;
      domain::month_rent rent;
      rent.month = static_cast<unsigned>(r.integer());
      rent.rent = r.amount();
      rent.created_at = r.moment();
      rent.updated_at = r.moment();
      rents.push_back(rent);
    });
    on_.read(live_windows, with_, [&](row& r) {
      auto& windows = unit(r).terms.booking_windows;
      domain::booking_window window;
      window.min_start = r.day();
      window.max_start = r.day();
      window.min_end = r.day();
      window.max_end = r.day();
      windows.push_back(window);
    });
  }

  void read_calendars() {
    on_.read(live_blocks, with_, [&](row& r) {
      auto& blocks = unit(r).blocks;
      blocks.push_back(read_block(r));
    });
    on_.read(live_links, with_, [&](row& r) {
      auto& links = unit(r).links;
      domain::link link;
      link.platform = r.text();
      link.external_id = r.text();
      link.url = r.optional_text();
      links.push_back(std::move(link));
    });
    on_.read(live_exclusions, with_, [&](row& r) {
      auto& excluded = unit(r).excluded_from;
      excluded.push_back(r.text());
    });
  }

  void read_cancelled() {
    on_.read(live_cancelled, with_, [&](row& r) {
      auto& cancelled = unit(r).cancelled;
      cancelled.push_back(r.id());
    });
  }

  live_unit& unit(row& r) { return *by_unit_.at(r.id()); }

  session::connection& on_;
  std::span<live_account> accounts_;
  bool again_; // the server has them in memory
  parameters with_;
  std::unordered_map<domain::uuid, live_account*, domain::uuid_hash> by_account_;
  std::unordered_map<domain::uuid, live_property*, domain::uuid_hash> by_property_;
  std::unordered_map<domain::uuid, live_unit*, domain::uuid_hash> by_unit_;
};

/// Accounts to read, given out to one or two sessions.
class live_load {
public:
  live_load(std::deque<domain::account> accounts, bool again, const std::function<void(live_account)>& take)
      : waiting_(std::move(accounts)), again_(again), take_(take) {}

  bool is_small() const { return waiting_.size() <= accounts_a_read; }

  void run(session& db) {
    for (auto batch = next(); !batch.empty(); batch = next()) {
      account_reader(db, batch, again_).read();
      const std::scoped_lock turn(taking_);
      for (auto& account : batch) take_(std::move(account));
    }
  }

private:
  std::vector<live_account> next() {
    const std::scoped_lock turn(choosing_);
    std::vector<live_account> batch;
    for (; !waiting_.empty() && batch.size() < accounts_a_read; waiting_.pop_front())
      batch.push_back({std::move(waiting_.front()), {}, {}});
    return batch;
  }

  std::mutex choosing_, taking_;
  std::deque<domain::account> waiting_;
  bool again_;
  const std::function<void(live_account)>& take_;
};

} // namespace

portfolio_position load_live(session& db, const portfolio_position& since,
                             const std::function<void(live_account)>& take, session* beside) {
  transaction within(db, transaction::purpose::read);
  const auto position = current_position(db);
  std::deque<domain::account> changed;
  db.internals().read(live_accounts, {{"version", to_cell(since.version)}, {"edits", to_cell(since.edits)}},
                      [&](row& r) { changed.push_back(read_account(r)); });
  live_load load(std::move(changed), since.version > 0, take);
  if (!beside || load.is_small()) {
    load.run(db);
  } else {
    auto other_half = std::async(std::launch::async, [&] {
      transaction too(*beside, transaction::purpose::read);
      if (current_position(*beside) != position) throw unavailable("the portfolio changed while it was read");
      load.run(*beside);
      too.commit();
    });
    load.run(db);
    other_half.get();
  }
  within.commit();
  return position;
}

std::vector<domain::tenant> load_tenants(session& db, std::span<const domain::uuid> accounts) {
  std::vector<domain::tenant> tenants;
  const auto each = [&](row& r) { tenants.push_back(read_tenant(r)); };
  if (accounts.empty()) {
    db.internals().read(all_tenants, {}, each);
  } else {
    db.internals().read(tenants_of_accounts, {{"accounts", db.internals().list(accounts)}}, each);
  }
  return tenants;
}

} // namespace roost::store
