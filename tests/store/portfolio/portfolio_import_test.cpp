#include "store/database/error.hpp"
#include "store/database/store_state.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <algorithm>

namespace roost::testing::portfolio_import_test {
constexpr const char* first_time = "2026-11-20T09:30:00.000Z";
constexpr const char* later = "2026-11-21T09:30:00.000Z";

struct live_portfolio {
  store::stream_point at;
  std::vector<store::live_account> accounts;
};

live_portfolio load(store::session& from) {
  live_portfolio live;
  live.at = store::load_live(
      from, [&](store::live_account account) { live.accounts.push_back(std::move(account)); });
  return live;
}

class PortfolioImport : public on_each_store {
protected:
  store::import_result import(const char* now = first_time) { return import_sample(session(), file, now); }

  /// Imports the file, and returns the portfolio as a server reads it afterwards.
  live_portfolio imported(const char* now = first_time) {
    EXPECT_EQ(import(now).problems, std::vector<std::string>{});
    return load(session());
  }

  std::vector<domain::portfolio_unit>& units() { return file.accounts[0].properties[0].units; }

  domain::portfolio file = sample_portfolio();
};
ROOST_ON_EACH_STORE(PortfolioImport);

const store::live_unit& only(const live_portfolio& live, const domain::uuid& id) {
  for (const auto& account : live.accounts)
    for (const auto& property : account.properties)
      for (const auto& unit : property.units)
        if (unit.terms.id == id) return unit;
  throw std::runtime_error("there is no such unit");
}

/// A copy has moved the store since the command that imports has checked it.
TEST_P(PortfolioImport, StaysOutOfAStoreThatWasMovedMeanwhile) {
  store::write_move_marker(session(), "the new store");
  EXPECT_THROW(import(), store::moved_store);
  EXPECT_TRUE(load(session()).accounts.empty());
}

TEST_P(PortfolioImport, ImportsEveryTermOfAUnit) {
  auto& terms = units()[0].terms;
  terms.kind = domain::unit_kind::bed;
  terms.capacity = 3;
  terms.rent = {false, {0}, {{1, {600'00}}, {12, {700'50}}}};
  terms.min_stay_months = 1;
  terms.max_stay_months = 12;
  terms.extra_price_per_tenant = {10'00};
  terms.extra_deposit_per_tenant = {20'00};
  terms.bills = {true, domain::money{0}};
  terms.admin_fee = {true, domain::fee_mode::tiered, {0}, {{1, {99'50}}, {90, {150'00}}}};
  terms.deposit = {domain::deposit_mode::rent_multiple, 150};
  terms.exit_fee = {5'00};
  terms.local_rent_cap = domain::money{9'999'999'999};
  terms.preparation_days = 2;
  terms.advance_notice_days = 7;
  terms.short_term_ical_max_date = day("2028-02-29");
  terms.export_address = numbered_id(9, 77);
  terms.archived = true;
  units()[0].blocks = {{.nights = {day("2027-08-01"), domain::no_end},
                        .host = domain::boxed_text{"host-one"},
                        .source = domain::block_source::channel}};
  units()[0].excluded_from = {"marketplace-b"};

  const auto live = imported();
  const auto& read = only(live, terms.id);
  EXPECT_EQ(read.terms.kind, terms.kind);
  EXPECT_EQ(read.terms.capacity, 3);
  EXPECT_FALSE(read.terms.rent.fixed);
  ASSERT_EQ(read.terms.rent.per_month.size(), 2u);
  EXPECT_EQ(read.terms.rent.per_month[1].month, 12u);
  EXPECT_EQ(read.terms.rent.per_month[1].rent.cents, 700'50);
  EXPECT_EQ(read.terms.min_stay_months, 1);
  EXPECT_EQ(read.terms.max_stay_months, 12);
  EXPECT_EQ(read.terms.extra_price_per_tenant.cents, 10'00);
  EXPECT_EQ(read.terms.extra_deposit_per_tenant.cents, 20'00);
  EXPECT_TRUE(read.terms.bills.included);
  EXPECT_EQ(read.terms.bills.max_value, domain::money{0});
  EXPECT_EQ(read.terms.admin_fee.mode, domain::fee_mode::tiered);
  ASSERT_EQ(read.terms.admin_fee.tiers.size(), 2u);
  EXPECT_EQ(read.terms.admin_fee.tiers[1].from_days, 90);
  EXPECT_EQ(read.terms.admin_fee.tiers[0].value.cents, 99'50);
  EXPECT_EQ(read.terms.deposit.mode, domain::deposit_mode::rent_multiple);
  EXPECT_EQ(read.terms.deposit.value, 150);
  EXPECT_EQ(read.terms.exit_fee.cents, 5'00);
  EXPECT_EQ(read.terms.local_rent_cap->cents, 9'999'999'999); // beyond 32 bits
  EXPECT_EQ(read.terms.preparation_days, 2);
  EXPECT_EQ(read.terms.advance_notice_days, 7);
  EXPECT_EQ(read.terms.short_term_ical_max_date, day("2028-02-29"));
  EXPECT_EQ(read.terms.export_address, numbered_id(9, 77));
  EXPECT_TRUE(read.terms.archived);
  EXPECT_EQ(read.terms.created_at, moment(first_time));
  ASSERT_EQ(read.blocks.size(), 1u);
  EXPECT_EQ(read.blocks[0].nights.last, domain::no_end);
  EXPECT_EQ(read.blocks[0].host, "host-one");
  EXPECT_EQ(read.links, units()[0].links);
  EXPECT_EQ(read.excluded_from, units()[0].excluded_from);
}

TEST_P(PortfolioImport, ImportsTheAccountItsCardsAndItsUsers) {
  auto& account = file.accounts[0];
  account.details.logo_url = "https://landlord.example/logo.png";
  account.details.payment_terms.monthly_due_day = 5;
  account.details.native_engine = true;
  auto deactivated = account.users[0];
  deactivated.details.id = user_id(2);
  deactivated.details.email = "gone@landlord.example";
  deactivated.details.deactivated = true;
  account.users.push_back(deactivated);
  const auto live = imported();
  ASSERT_EQ(live.accounts.size(), 1u);
  EXPECT_EQ(live.accounts[0].settings, account.details);
  ASSERT_EQ(live.accounts[0].targets.size(), 1u);
  EXPECT_EQ(live.accounts[0].targets[0].email, "user1@landlord.example");
  EXPECT_EQ(live.accounts[0].properties[0].terms.city, "Madrid");
}

TEST_P(PortfolioImport, ImportsThePropertyTermsThatFeedsShow) {
  auto& property = file.accounts[0].properties[0].details;
  property.cleaning_fee = {true, {45'50}, "weekly"};
  property.monthly_bills = domain::money{60'00};
  property.membership_fee = domain::money{25'00};
  property.parking = domain::money{0};
  const auto terms = imported().accounts[0].properties[0].terms;
  EXPECT_EQ(terms.cleaning_fee, property.cleaning_fee);
  EXPECT_EQ(terms.monthly_bills, property.monthly_bills);
  EXPECT_EQ(terms.membership_fee, property.membership_fee);
  EXPECT_EQ(terms.parking, property.parking);
  EXPECT_FALSE(terms.archived);
}

TEST_P(PortfolioImport, ChangesNoTimeWhenNothingChanged) {
  units()[0].terms.rent = {false, {0}, {{1, {600'00}}}};
  const auto before = imported();
  const auto again = import(later);
  EXPECT_EQ(units_that_are(again.summary, store::import_action::added), 0u);
  EXPECT_EQ(units_that_are(again.summary, store::import_action::changed), 0u);
  const auto after = load(session());
  EXPECT_GT(after.at.position, before.at.position);
  for (const auto& id : {unit_id(1), unit_id(2)}) {
    const auto &old_unit = only(before, id), &new_unit = only(after, id);
    EXPECT_EQ(new_unit.terms.created_at, moment(first_time));
    EXPECT_EQ(new_unit.terms.updated_at, moment(first_time));
    ASSERT_EQ(new_unit.blocks.size(), 1u);
    EXPECT_EQ(new_unit.blocks[0].id, old_unit.blocks[0].id);
    EXPECT_EQ(new_unit.blocks[0].created_at, moment(first_time));
  }
  EXPECT_EQ(only(after, unit_id(1)).terms.rent.per_month[0].updated_at, moment(first_time));
}

TEST_P(PortfolioImport, ChangesAUnitsTimeOnlyWithItsOwnData) {
  units()[0].terms.rent = {false, {0}, {{1, {600'00}}, {2, {610'00}}}};
  import();
  int minute = 0;
  const auto updated_after = [&](auto change) {
    const auto now =
        "2026-12-01T00:" + std::string(minute < 10 ? "0" : "") + std::to_string(minute) + ":00.000Z";
    ++minute;
    change(units()[0]);
    return only(imported(now.c_str()), unit_id(1)).terms.updated_at == moment(now.c_str());
  };
  EXPECT_TRUE(updated_after([](auto& unit) { unit.terms.capacity = 4; }));
  EXPECT_TRUE(updated_after([](auto& unit) { unit.terms.internal_name = "Another name"; }));
  EXPECT_TRUE(updated_after([](auto& unit) { unit.presentation.title = {{"en", "New"}}; }));
  EXPECT_TRUE(updated_after([](auto& unit) { unit.terms.booking_windows.clear(); }));
  EXPECT_TRUE(updated_after([](auto& unit) { unit.terms.rent.per_month[1].rent = {620'00}; }));
  EXPECT_FALSE(updated_after([](auto& unit) { unit.blocks.clear(); }));
  EXPECT_FALSE(updated_after([](auto& unit) { unit.links.clear(); }));
  EXPECT_FALSE(updated_after([](auto& unit) { unit.excluded_from = {"marketplace-a"}; }));
  const auto rents = only(load(session()), unit_id(1)).terms.rent.per_month;
  EXPECT_EQ(rents[0].updated_at, moment(first_time)); // each month has its own times
  EXPECT_GT(rents[1].updated_at, moment(first_time));
  EXPECT_EQ(rents[1].created_at, moment(first_time));
}

TEST_P(PortfolioImport, RemovesOmittedDetails) {
  units()[0].excluded_from = {"marketplace-b"};
  units()[0].terms.rent = {false, {0}, {{1, {600'00}}, {2, {610'00}}}};
  import();
  units()[0].links.clear();
  units()[0].blocks.clear();
  units()[0].excluded_from.clear();
  units()[0].terms.booking_windows.clear();
  units()[0].terms.rent.per_month.pop_back();
  file.accounts[0].details.cards.clear();
  file.accounts[0].users.clear();
  const auto live = imported(later);
  const auto& unit = only(live, unit_id(1));
  EXPECT_TRUE(unit.links.empty());
  EXPECT_TRUE(unit.blocks.empty());
  EXPECT_TRUE(unit.excluded_from.empty());
  EXPECT_TRUE(unit.terms.booking_windows.empty());
  EXPECT_EQ(unit.terms.rent.per_month.size(), 1u);
  EXPECT_TRUE(live.accounts[0].settings.cards.empty());
  EXPECT_TRUE(live.accounts[0].targets.empty());
}

TEST_P(PortfolioImport, RemovesOmittedUnitsWithoutBookings) {
  import();
  units().pop_back();
  const auto result = import(later);
  EXPECT_EQ(units_that_are(result.summary, store::import_action::removed), 1u);
  EXPECT_EQ(load(session()).accounts[0].properties[0].units.size(), 1u);
  file.accounts[0].properties.clear();
  EXPECT_TRUE(imported(later).accounts[0].properties.empty());
}

TEST_P(PortfolioImport, CountsEachChangedRowOnce) {
  file = sample_portfolio(3);
  EXPECT_EQ(import().summary.counts.text(), "added: 3 accounts, 3 platform cards, 3 users, 3 properties, 6 "
                                            "units, 6 links, 6 booking windows, 6 blocks");
  EXPECT_EQ(import(later).summary.counts.text(), "");
  auto& accounts = file.accounts;
  std::swap(accounts[0].details.landlord_key, accounts[1].details.landlord_key);
  accounts[0].details.company_name = "Casa Verde";
  std::swap(accounts[0].users[0].details.email, accounts[1].users[0].details.email);
  accounts[1].users[0].details.role = "Owner";
  accounts[0].details.cards[0].markup.value = 700;
  accounts[2].properties[0].details.address.city = "Porto";
  units()[0].terms.internal_name = "Room A";
  units()[0].terms.capacity = 3;
  EXPECT_EQ(import(later).summary.counts.text(),
            "changed: 2 accounts, 1 platform card, 2 users, 1 property, 1 unit");
}

TEST_P(PortfolioImport, ArchivesOmittedUnitsWithBookings) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.decide({accept(request, unit_id(1))});
  file.accounts[0].properties.clear();
  const auto result = import(later);
  EXPECT_EQ(units_that_are(result.summary, store::import_action::archived), 1u);
  EXPECT_EQ(units_that_are(result.summary, store::import_action::removed), 1u);
  const auto live = load(session());
  ASSERT_EQ(live.accounts[0].properties.size(), 1u);
  EXPECT_TRUE(live.accounts[0].properties[0].terms.archived);
  ASSERT_EQ(live.accounts[0].properties[0].units.size(), 1u);
  const auto& kept = live.accounts[0].properties[0].units[0];
  EXPECT_TRUE(kept.terms.archived);
  ASSERT_EQ(kept.links.size(), 1u);
  EXPECT_EQ(kept.links[0].external_id, "ext-1");
  EXPECT_TRUE(std::ranges::any_of(
      kept.blocks, [](const auto& block) { return block.source == domain::block_source::booking; }));
}

TEST_P(PortfolioImport, ReusesTheNameOfAnArchivedUnit) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.decide({accept(request, unit_id(1))});
  units().erase(units().begin());
  units().push_back(full_unit(3));
  units().back().terms.internal_name = "Room 1";
  units().back().links[0].external_id = "ext-1";
  const auto live = imported(later);
  EXPECT_EQ(only(live, unit_id(3)).terms.internal_name, "Room 1");
  EXPECT_EQ(only(live, unit_id(3)).links[0].external_id, "ext-1");
  EXPECT_TRUE(only(live, unit_id(1)).terms.archived);
  EXPECT_TRUE(only(live, unit_id(1)).links.empty());
}

TEST_P(PortfolioImport, KeepsBookingsTheirBlocksAndTenants) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.decide({accept(request, unit_id(1))});
  units()[0].blocks.clear();
  const auto live = imported(later);
  ASSERT_EQ(only(live, unit_id(1)).blocks.size(), 1u);
  EXPECT_EQ(only(live, unit_id(1)).blocks[0].source, domain::block_source::booking);
  EXPECT_EQ(store::load_tenants(session(), {}).size(), 1u);
}

TEST_P(PortfolioImport, SwapsUniqueValuesWithinAFile) {
  file = sample_portfolio(2, 2);
  import();
  std::swap(file.accounts[0].details.landlord_key, file.accounts[1].details.landlord_key);
  std::swap(file.accounts[0].users[0].details.email, file.accounts[1].users[0].details.email);
  std::swap(units()[0].terms.internal_name, units()[1].terms.internal_name);
  std::swap(units()[0].links, units()[1].links);
  const auto live = imported(later);
  EXPECT_EQ(only(live, unit_id(1)).terms.internal_name, "Room 2");
  EXPECT_EQ(only(live, unit_id(2)).links[0].external_id, "ext-1");
  for (const auto& account : live.accounts)
    EXPECT_EQ(account.settings.landlord_key,
              account.settings.id == account_id(1) ? "landlord-2" : "landlord-1");
}

TEST_P(PortfolioImport, IdentifiesBlocksByTheirIds) {
  units()[0].blocks = {{.id = numbered_id(7, 1), .nights = {day("2027-03-01"), day("2027-03-31")}}};
  import();
  std::swap(units()[0].blocks, units()[1].blocks);
  units()[1].blocks[0].nights.last = day("2027-04-30");
  const auto live = imported(later);
  ASSERT_EQ(only(live, unit_id(2)).blocks.size(), 1u);
  const auto& moved = only(live, unit_id(2)).blocks[0];
  EXPECT_EQ(moved.id, numbered_id(7, 1));
  EXPECT_EQ(moved.nights.last, day("2027-04-30"));
  EXPECT_EQ(moved.created_at, moment(first_time));
  EXPECT_EQ(moved.updated_at, moment(later));
}

TEST_P(PortfolioImport, SkipsKnownUsageRecords) {
  domain::ai_usage_record record;
  record.id = numbered_id(8, 1);
  record.provider = "vendor";
  record.model = "model";
  record.cost = domain::parse_decimal("0.000123456789").value();
  record.metadata = R"({"a":[1,"x"]})";
  record.created_at = moment(first_time);
  file.accounts[0].ai_usage = {record, record};
  EXPECT_TRUE(import().problems.empty());
  EXPECT_TRUE(import(later).problems.empty());
  EXPECT_EQ(count_rows(session(), "ai_usage"), 1);
}

TEST_P(PortfolioImport, ReportsItsProgress) {
  file = sample_portfolio(3, 1100);
  std::vector<std::size_t> reported;
  auto context = context_at(first_time);
  context.progress = [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 3300u);
    reported.push_back(done);
  };
  const auto result = store::import_portfolio(session(), file, context);
  EXPECT_EQ(result.summary.accounts, 3u);
  EXPECT_EQ(result.summary.properties, 3u);
  EXPECT_EQ(result.summary.units, 3300u);
  EXPECT_EQ(units_that_are(result.summary, store::import_action::added), 3300u);
  EXPECT_TRUE(std::ranges::is_sorted(reported));
  EXPECT_EQ(reported.back(), 3300u);
}

TEST_P(PortfolioImport, AcceptsAnEmptyFile) {
  file.accounts.clear();
  EXPECT_TRUE(import().problems.empty());
  EXPECT_TRUE(load(session()).accounts.empty());
}

TEST_P(PortfolioImport, NamesTheChangedAccountsInTheChangeStream) {
  file = sample_portfolio(2, 2);
  const auto first = imported();
  file.accounts.erase(file.accounts.begin());
  import(later);
  const auto entries = store::entries_after(session(), first.at.position, 10);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].change.kind, store::change_kind::account);
  EXPECT_EQ(entries[0].change.accounts, std::vector{account_id(2)});
  std::vector<store::live_account> changed;
  const auto at = store::load_live(session(), entries[0].change.accounts, [&](store::live_account account) {
    changed.push_back(std::move(account));
  });
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].settings.id, account_id(2));
  EXPECT_EQ(at, store::newest_point(session()));
}

} // namespace roost::testing::portfolio_import_test
