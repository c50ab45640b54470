#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/engine/linked_units.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

namespace roost::testing::unit_edits_test {
/// The sample portfolio, whose first unit is `ext-1` on marketplace-a with a fixed rent of 650.
class UnitEdits : public on_each_store {
protected:
  static constexpr const char* later = "2026-11-21T09:30:00.000Z";

  void SetUp() override { node.emplace(session()); }

  static store::unit_edit to_fixed(std::int64_t cents) {
    store::unit_edit request{{unit_id(1), "marketplace-a", "ext-1", "ext-1"}, {}, fresh_id(), moment(later)};
    request.edit.rent = {cents};
    return request;
  }

  store::edit_outcome edit(const store::unit_edit& request) {
    return store::edit_units(session(), node->lease, std::span{&request, 1}).front();
  }

  std::vector<store::changelog_entry> changelog() { return store::changelog_of(session(), unit_id(1)); }

  domain::unit stored(unsigned long unit = 1) { return live_unit(session(), unit_id(unit)).second.terms; }

  std::optional<writer> node;
};
ROOST_ON_EACH_STORE(UnitEdits);

TEST_P(UnitEdits, WriteAllEditableTerms) {
  auto request = to_fixed(700'50);
  request.edit.min_stay_months = 2;
  request.edit.max_stay_months = 10;
  request.edit.extra_price_per_tenant = {50'00};
  const auto before = stored();
  const auto outcome = edit(request);
  ASSERT_TRUE(outcome.changed);
  EXPECT_EQ(outcome.changed->unit_id, unit_id(1));
  EXPECT_EQ(outcome.changed->account_id, account_id(1));
  EXPECT_EQ(outcome.changed->updated_at, moment(later));
  const auto after = stored();
  EXPECT_EQ(after.rent.amount, domain::money{700'50});
  EXPECT_EQ(after.min_stay_months, 2);
  EXPECT_EQ(after.max_stay_months, 10);
  EXPECT_EQ(after.extra_price_per_tenant, domain::money{50'00});
  EXPECT_EQ(after.updated_at, moment(later));
  EXPECT_EQ(after.created_at, before.created_at);
  EXPECT_EQ(after.internal_name, before.internal_name);
  EXPECT_EQ(stored(2).updated_at, before.updated_at); // another unit
}

TEST_P(UnitEdits, UpdateEachMonthOfASchedule) {
  auto request = to_fixed(600'00);
  request.edit.rent_fixed = false;
  request.edit.per_month = {{7, {800'00}}};
  edit(request);
  ASSERT_EQ(stored().rent.per_month.size(), 12U);
  request.edit.per_month = {{8, {900'00}}, {7, {800'00}}};
  request.entry_id = fresh_id();
  request.now = moment("2026-11-22T09:30:00.000Z");
  edit(request);
  const auto rents = stored().rent.per_month;
  EXPECT_EQ(rents[6].rent, domain::money{800'00});
  EXPECT_EQ(rents[6].updated_at, moment(later));
  EXPECT_EQ(rents[7].rent, domain::money{900'00});
  EXPECT_EQ(rents[7].created_at, moment(later));
  EXPECT_EQ(rents[7].updated_at, request.now);
  edit(to_fixed(600'00));
  EXPECT_TRUE(stored().rent.fixed);
  EXPECT_TRUE(stored().rent.per_month.empty());
}

TEST_P(UnitEdits, ClearTheAmountOfAVaryingRent) {
  auto request = to_fixed(655'00);
  request.edit.rent_fixed = false;
  const auto outcome = edit(request);
  ASSERT_TRUE(outcome.changed);
  EXPECT_EQ(outcome.changed->terms.rent.amount, domain::money{});
  EXPECT_EQ(stored().rent.amount, domain::money{});
  EXPECT_EQ(stored().rent.per_month[0].rent, domain::money{655'00});
  request.entry_id = fresh_id();
  EXPECT_FALSE(edit(request).changed); // no change
}

TEST_P(UnitEdits, AreListedInTheUnitsChangelogNewestFirst) {
  edit(to_fixed(700'00));
  auto second = to_fixed(750'25);
  second.edit.min_stay_months = 3;
  second.now = moment("2026-11-22T09:30:00.000Z");
  edit(second);
  const auto entries = changelog();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].id, second.entry_id);
  EXPECT_EQ(entries[0].account_id, account_id(1));
  EXPECT_EQ(entries[0].unit_id, unit_id(1));
  EXPECT_EQ(entries[0].changed_at, second.now);
  EXPECT_EQ(entries[0].changed_by, "marketplace-a");
  EXPECT_EQ(entries[0].changes,
            (std::vector<domain::field_change>{{"rent", "700", "750.25"}, {"minStayPeriod", "null", "3"}}));
  EXPECT_EQ(entries[1].changes, (std::vector<domain::field_change>{{"rent", "650", "700"}}));
  EXPECT_EQ(store::changelog_of(session(), unit_id(1), 1).size(), 1U);
  EXPECT_TRUE(store::changelog_of(session(), unit_id(2)).empty());
}

TEST_P(UnitEdits, RecordEachValueAsJsonWhenTheyClearASchedule) {
  auto request = to_fixed(600'00);
  request.edit.rent_fixed = false;
  edit(request);
  edit(to_fixed(600'00));
  const auto changes = changelog().front().changes;
  ASSERT_EQ(changes.size(), 14U);
  EXPECT_EQ(changes[0], (domain::field_change{"isRentFixed", "false", "true"}));
  EXPECT_EQ(changes[1], (domain::field_change{"rent", "0", "600"}));
  EXPECT_EQ(changes[13], (domain::field_change{"rentsPerMonth.12", "600", "null"}));
}

TEST_P(UnitEdits, AreWrittenInOrderWithinAGroup) {
  const auto before = position_of(session());
  std::vector requests{to_fixed(700'00), to_fixed(750'00), to_fixed(750'00), to_fixed(760'00)};
  requests[3].unit.linked_as = "ext-9";
  for (auto& request : requests) request.audit = {fresh_id(), request.now, "token", "listing update", "", ""};
  const auto outcomes = store::edit_units(session(), node->lease, requests);
  ASSERT_EQ(outcomes.size(), 4U);
  EXPECT_EQ(outcomes[0].changed->terms.rent.amount, domain::money{700'00});
  EXPECT_EQ(outcomes[0].point.position, before + 1);
  EXPECT_EQ(outcomes[1].changed->terms.rent.amount, domain::money{750'00});
  EXPECT_EQ(outcomes[1].point.position, before + 2);
  EXPECT_TRUE(outcomes[2].found);
  EXPECT_FALSE(outcomes[2].changed);
  EXPECT_EQ(outcomes[2].point, outcomes[1].point);
  EXPECT_FALSE(outcomes[3].found);
  EXPECT_EQ(store::newest_point(session()), outcomes[1].point);
  EXPECT_EQ(store::entries_after(session(), before, 10).at(0).at, outcomes[0].point);
  EXPECT_EQ(stored().rent.amount, domain::money{750'00});
  const auto entries = changelog();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].changes, (std::vector<domain::field_change>{{"rent", "700", "750"}}));
  EXPECT_EQ(store::list_audit(session(), 10).size(), 2U);
  EXPECT_EQ(store::count_audit(session(), {account_id(1)}), 2) << "the landlord can read them";
}

TEST_P(UnitEdits, WithoutChangesWriteNothing) {
  const auto position = store::newest_point(session());
  const auto before = stored();
  const auto outcome = edit(to_fixed(650'00));
  EXPECT_TRUE(outcome.found);
  EXPECT_FALSE(outcome.changed);
  EXPECT_EQ(outcome.point, position);
  EXPECT_EQ(store::newest_point(session()), position);
  EXPECT_EQ(stored().updated_at, before.updated_at);
  EXPECT_TRUE(changelog().empty());
}

TEST_P(UnitEdits, DoNotInvalidateDecisionsInFlight) {
  const auto outcome = edit(to_fixed(700'00));
  EXPECT_EQ(store::newest_point(session()), outcome.point);
  const auto request = sample_request(1);
  node->insert({request});
  EXPECT_TRUE(node->decide({accept(request, unit_id(1))}).stale.empty());
}

TEST_P(UnitEdits, CanBeReadByAServerThatDidNotMakeThem) {
  const auto before = position_of(session());
  edit(to_fixed(700'00));
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].change.kind, store::change_kind::unit);
  EXPECT_EQ(entries[0].change.accounts, std::vector{account_id(1)});
  const auto read = store::edited_units(session(), entries[0].change.units);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].unit_id, unit_id(1));
  EXPECT_EQ(read[0].terms.rent.amount, domain::money{700'00});
  ASSERT_EQ(read[0].blocks.size(), 1U);
  EXPECT_EQ(read[0].blocks[0].nights.first, day("2027-03-01"));
}

TEST_P(UnitEdits, ReturnTheUnitsBlocksForItsCalendar) {
  const auto outcome = edit(to_fixed(700'00));
  ASSERT_EQ(outcome.changed->blocks.size(), 1U);
  EXPECT_EQ(outcome.changed->blocks[0].nights.first, day("2027-03-01"));
}

TEST_P(UnitEdits, FindNoUnitUnderTheIdOfARoomThatIsLinkedItself) {
  auto request = to_fixed(700'00);
  request.unit.requested_as = "ext-1_7";
  EXPECT_TRUE(edit(request).found);
  auto file = sample_portfolio();
  auto& room = file.accounts[0].properties[0].units[1];
  room.links = {{"marketplace-a", "ext-1_7", {}}};
  room.terms.archived = true;
  import_sample(session(), file);
  request.edit.rent = {800'00};
  EXPECT_FALSE(edit(request).found);
  EXPECT_EQ(stored().rent.amount, domain::money{650'00});
  request.unit.requested_as = "ext-1_8";
  request.entry_id = fresh_id();
  EXPECT_TRUE(edit(request).found);
}

TEST_P(UnitEdits, FindNoUnitUnderTheIdOfARoomThatAnotherLandlordLinked) {
  auto file = sample_portfolio();
  auto& other = file.accounts.emplace_back(sample_account(2, 1, 20));
  other.properties[0].units[0].links = {{"marketplace-a", "ext-1_7", {}}};
  import_sample(session(), file);
  auto request = to_fixed(700'00);
  request.unit.requested_as = "ext-1_7";
  EXPECT_FALSE(edit(request).found);
  EXPECT_EQ(stored().rent.amount, domain::money{650'00});
}

TEST_P(UnitEdits, FindAUnitWhoseIdAnotherLandlordHasLinkedToo) {
  auto file = sample_portfolio();
  auto& other = file.accounts.emplace_back(sample_account(2, 1, 20));
  other.properties[0].units[0].links = {{"marketplace-a", "ext-1", {}}};
  import_sample(session(), file);
  EXPECT_TRUE(edit(to_fixed(700'00)).found);
}

TEST_P(UnitEdits, FindNoUnitThatIsHiddenOrNotLinked) {
  const auto finds = [&](auto change) {
    auto request = to_fixed(700'00);
    change(request);
    return edit(request).found;
  };
  EXPECT_FALSE(finds([](auto& request) { request.unit.linked_as = "ext-2"; }));
  EXPECT_FALSE(finds([](auto& request) { request.unit.platform = "marketplace-b"; }));
  EXPECT_FALSE(finds([](auto& request) { request.unit.id = unit_id(99); }));
  auto file = sample_portfolio();
  auto& unit = file.accounts[0].properties[0].units[0];
  unit.excluded_from = {"marketplace-a"};
  import_sample(session(), file);
  EXPECT_FALSE(finds([](auto&) {}));
  unit.excluded_from = {"marketplace-b"};
  unit.terms.archived = true;
  import_sample(session(), file);
  EXPECT_FALSE(finds([](auto&) {}));
  unit.terms.archived = false;
  file.accounts[0].properties[0].details.archived = true;
  import_sample(session(), file);
  EXPECT_FALSE(finds([](auto&) {}));
  file.accounts[0].properties[0].details.archived = false;
  import_sample(session(), file);
  EXPECT_TRUE(finds([](auto&) {}));
}

TEST_P(UnitEdits, AcceptAUnitWithoutUsableRent) {
  edit(to_fixed(0));
  EXPECT_EQ(stored().rent.amount, domain::money{0});
  EXPECT_TRUE(edit(to_fixed(500'00)).changed);
}

TEST_P(UnitEdits, RequireTheLease) {
  auto other = store().open();
  store::release(session(), node->lease);
  take_lease(other, "node-b");
  EXPECT_THROW(edit(to_fixed(700'00)), store::lease_lost);
  EXPECT_EQ(stored().rent.amount, domain::money{650'00});
  EXPECT_TRUE(changelog().empty());
}

/// Only PostgreSQL has concurrent writers.
class UnitEditsWithAnotherWriter : public UnitEdits {};
ROOST_ON_POSTGRESQL(UnitEditsWithAnotherWriter);

TEST_P(UnitEditsWithAnotherWriter, DoNotWaitForAnotherWriterOfTheUnit) {
  auto other = store().open();
  store::transaction import(other, store::transaction::purpose::write);
  other.internals().write({"touch", "update units set floor = '3'"});
  const auto locked = edit(to_fixed(700'00));
  EXPECT_TRUE(locked.found);
  EXPECT_TRUE(locked.locked);
  EXPECT_FALSE(locked.changed);
  import.commit();
  EXPECT_TRUE(edit(to_fixed(700'00)).changed);
}

TEST_P(UnitEditsWithAnotherWriter, AreWrittenNextToALockedUnit) {
  auto other = store().open();
  store::transaction import(other, store::transaction::purpose::write);
  other.internals().write({"touch", "update units set floor = '3' where internal_name = 'Room 1'"});
  std::vector requests{to_fixed(700'00), to_fixed(700'00)};
  requests[1].unit.id = unit_id(2);
  requests[1].unit.linked_as = requests[1].unit.requested_as = "ext-2";
  const auto outcomes = store::edit_units(session(), node->lease, requests);
  EXPECT_TRUE(outcomes[0].locked);
  EXPECT_TRUE(outcomes[1].changed);
}

TEST_P(UnitEdits, AreDeletedWithTheirUnit) {
  edit(to_fixed(700'00));
  auto file = sample_portfolio();
  auto& units = file.accounts[0].properties[0].units;
  units.erase(units.begin());
  import_sample(session(), file);
  EXPECT_TRUE(changelog().empty());
}

} // namespace roost::testing::unit_edits_test
