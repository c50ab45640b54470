#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/engine/linked_units.hpp"
#include "store/office/office_scene.hpp"
#include "store/office/properties.hpp"
#include "store/office/units.hpp"
#include "support/random_portfolio.hpp"

#include <gmock/gmock.h>

namespace roost::testing::units_test {
using domain::portfolio_unit;
using store::office_result;
using store::office_state;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class UnitsOfTheOffice : public office_scene {
protected:
  static bool is_current(const portfolio_unit&) { return true; }

  portfolio_unit stored(const domain::uuid& id = unit_id(1)) {
    return store::find_unit(session(), scope, id).value();
  }

  store::office_outcome<portfolio_unit> change_unit(const std::function<void(portfolio_unit&)>& edit,
                                                    const domain::uuid& id = unit_id(1)) {
    const store::office_change<portfolio_unit> request{id, is_current, [&](portfolio_unit& unit) {
                                                         edit(unit);
                                                         return store::office_edit{{}, {{"unit", "1", "2"}}};
                                                       }};
    return store::change_unit(session(), node_->lease, scope, request, author());
  }

  store::office_outcome<portfolio_unit> create_unit(const domain::uuid& id, const std::string& name,
                                                    const std::string& hash = "hash") {
    auto unit = stored();
    unit.links.clear();
    unit.terms.id = id;
    unit.terms.internal_name = name;
    return store::create_unit(session(), node_->lease, scope, {unit, hash, {}}, author());
  }

  store::office_outcome<portfolio_unit> delete_unit(const domain::uuid& id) {
    return store::delete_unit(session(), node_->lease, scope, {id, is_current}, author());
  }

  /// Returns the states of the marks of a part.
  std::vector<office_state> marks(store::office_part part) {
    std::vector<office_state> states;
    for (const auto& each : store::marks_of(session(), std::vector{account_id(1)}))
      if (each.part == part) states.push_back(each.state);
    return states;
  }
};
ROOST_ON_EACH_STORE(UnitsOfTheOffice);

TEST_P(UnitsOfTheOffice, WithoutAUsableRentAreThoseThatTheDomainNames) {
  using domain::money;
  std::vector<domain::rent_terms> rents(6);
  rents[0] = {.fixed = true, .amount = money{1}, .per_month = {}};
  rents[1] = {.fixed = true, .amount = money{0}, .per_month = {}};
  rents[2] = {.fixed = false, .amount = money{0}, .per_month = {}};
  rents[3] = {.fixed = false, .amount = money{0}, .per_month = {{1, money{600'00}, {}, {}}}};
  rents[4] = {
      .fixed = false, .amount = money{0}, .per_month = {{1, money{600'00}, {}, {}}, {2, money{0}, {}, {}}}};
  rents[5] = {.fixed = false, .amount = money{0}, .per_month = {{3, money{0}, {}, {}}}};
  for (const auto& rent : rents) {
    change_unit([&](portfolio_unit& unit) { unit.terms.rent = rent; });
    EXPECT_EQ(store::units_without_rent(session(), account_id(1)).contains(unit_id(1)),
              !domain::has_usable_rent(stored().terms))
        << rent.fixed << ' ' << rent.per_month.size();
  }
  EXPECT_FALSE(store::units_without_rent(session(), account_id(2)).contains(unit_id(1)));
}

TEST_P(UnitsOfTheOffice, LeaveATraceOfEachChange) {
  const auto before = store::newest_point(session());
  const auto changed = change_unit([](portfolio_unit& unit) {
    unit.terms.capacity = 7;
    unit.presentation.floor = "3";
  });
  ASSERT_EQ(changed.result, office_result::changed);
  EXPECT_EQ(changed.resource, stored());
  EXPECT_EQ(changed.resource.terms.capacity, 7);
  EXPECT_EQ(changed.point.position, before.position + 1);
  EXPECT_THAT(marks(store::office_part::unit), ElementsAre(office_state::changed));
  const auto entries = store::changelog_of(session(), unit_id(1));
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_EQ(entries[0].changed_by, "ana@landlord.example");
  EXPECT_THAT(store::list_audit(session(), 10), SizeIs(1));
}

TEST_P(UnitsOfTheOffice, AreAChangeOfTheUnitUnlessOtherResourcesDependOnIt) {
  const auto change_after = [this](const std::function<void(portfolio_unit&)>& edit) {
    const auto before = store::newest_point(session());
    change_unit(edit);
    return store::entries_after(session(), before.position, 10).at(0).change;
  };
  const auto priced = change_after([](portfolio_unit& unit) { unit.terms.exit_fee = {45'00}; });
  EXPECT_EQ(priced.kind, store::change_kind::unit);
  EXPECT_THAT(priced.units, ElementsAre(unit_id(1)));
  EXPECT_EQ(priced.subjects, priced.units);
  for (const std::function<void(portfolio_unit&)>& edit :
       {std::function([](portfolio_unit& unit) { unit.links.clear(); }),
        std::function([](portfolio_unit& unit) { unit.excluded_from.emplace_back("marketplace-b"); }),
        std::function([](portfolio_unit& unit) { unit.terms.export_address = unit_id(77); }),
        std::function([](portfolio_unit& unit) { unit.terms.archived = true; })})
    EXPECT_EQ(change_after(edit).kind, store::change_kind::account);
}

TEST_P(UnitsOfTheOffice, KeepTheTimeOfTheirChangeIfOnlyTheirLinksChange) {
  const auto before = stored();
  const auto unlinked = change_unit([](portfolio_unit& unit) { unit.links.clear(); });
  EXPECT_EQ(unlinked.resource.terms.updated_at, before.terms.updated_at);
  EXPECT_THAT(marks(store::office_part::unit), IsEmpty());
  EXPECT_THAT(marks(store::office_part::link),
              ::testing::AllOf(SizeIs(before.links.size()), ::testing::Each(office_state::deleted)));
}

TEST_P(UnitsOfTheOffice, CanBeCreatedAgainAfterTheirPropertyWasDeleted) {
  const auto property = fresh_id(), unit = fresh_id();
  domain::portfolio_property created;
  created.details.id = property;
  created.details.internal_name = "Rua 9";
  ASSERT_EQ(store::create_property(session(), node_->lease, scope, {created, "hash", {}}, author()).result,
            office_result::created);
  ASSERT_EQ(create_unit(unit, "Rua 9 A").result, office_result::created);
  ASSERT_EQ(change_unit([&](portfolio_unit& moved) { moved.terms.property_id = property; }, unit).result,
            office_result::changed);
  const auto always = [](const domain::portfolio_property&) { return true; };
  ASSERT_EQ(store::delete_property(session(), node_->lease, scope, {property, always}, author()).result,
            office_result::deleted);
  EXPECT_EQ(store::find_unit(session(), scope, unit), std::nullopt);
  EXPECT_EQ(create_unit(unit, "Rua 9 A", "another").result, office_result::created);
}

TEST_P(UnitsOfTheOffice, CountAsCreatedWhenTheyLeaveAPropertyFromAPlatform) {
  domain::portfolio_property own;
  own.details.id = fresh_id();
  own.details.internal_name = "Rua 9";
  store::create_property(session(), node_->lease, scope, {own, {}, {}}, author());
  change_unit([&](portfolio_unit& moved) { moved.terms.property_id = own.details.id; }, unit_id(2));
  EXPECT_THAT(marks(store::office_part::unit), ElementsAre(office_state::changed)) << "from the file";
  session().internals().script("engine",
                               "update properties set origin_platform = 'engine', origin_id = '7' where id ="
                               " (select property_id from units where internal_name = 'Room 1')");
  change_unit([](portfolio_unit& unit) { unit.terms.capacity = 9; });
  EXPECT_THAT(marks(store::office_part::unit), ElementsAre(office_state::changed, office_state::changed));
  change_unit([&](portfolio_unit& moved) { moved.terms.property_id = own.details.id; });
  EXPECT_THAT(marks(store::office_part::unit), ElementsAre(office_state::created, office_state::changed));
}

TEST_P(UnitsOfTheOffice, AreArchivedInsteadOfDeletedIfTheyHaveBookings) {
  book("2027-03-05", "2027-03-10");
  const auto archived = delete_unit(unit_id(1));
  EXPECT_EQ(archived.result, office_result::archived);
  EXPECT_TRUE(stored().terms.archived);
  EXPECT_EQ(delete_unit(unit_id(1)).result, office_result::archived) << "again";
}

TEST_P(UnitsOfTheOffice, NameThePlatformThatChangedThem) {
  store::unit_edit edit;
  const auto link = stored().links.at(0);
  edit.unit = {unit_id(1), link.platform, link.external_id, link.external_id};
  edit.edit.rent = {777'00};
  edit.entry_id = fresh_id();
  edit.now = moment("2026-11-21T12:00:00.000Z");
  ASSERT_TRUE(store::edit_units(session(), node_->lease, std::span{&edit, 1})[0].changed);
  const store::office_change<portfolio_unit> request{unit_id(1), [](const portfolio_unit&) { return false; },
                                                     [](portfolio_unit&) { return store::office_edit{}; }};
  const auto outdated = store::change_unit(session(), node_->lease, scope, request, author());
  EXPECT_EQ(outdated.result, office_result::outdated);
  EXPECT_EQ(outdated.last.by, link.platform);
  EXPECT_EQ(outdated.last.at, edit.now);
}

TEST_P(UnitsOfTheOffice, OfAnotherOwnerOrAccountAreUnknown) {
  const auto unit = stored();
  scope.owner_id = fresh_id();
  EXPECT_EQ(store::find_unit(session(), scope, unit_id(1)), std::nullopt);
  EXPECT_EQ(store::list_units(session(), scope, {}, {}, 10).total, 0);
  EXPECT_EQ(change_unit([](portfolio_unit&) {}).result, office_result::not_found);
  domain::portfolio_property created;
  created.details.id = fresh_id();
  created.details.internal_name = "Rua 9";
  const auto own = store::create_property(session(), node_->lease, scope, {created, {}, {}}, author());
  EXPECT_EQ(own.resource.details.owner_id, scope.owner_id);
  created.details.id = fresh_id();
  created.details.owner_id = fresh_id();
  EXPECT_EQ(store::create_property(session(), node_->lease, scope, {created, {}, {}}, author()).result,
            office_result::refused);
  scope = {account_id(2), {}};
  EXPECT_EQ(store::find_unit(session(), scope, unit_id(1)), std::nullopt);
  EXPECT_EQ(store::create_unit(session(), node_->lease, scope, {unit, "hash", {}}, author()).result,
            office_result::other_request);
}

/// Returns units with unusual values.
std::vector<portfolio_unit> random_units(std::mt19937& random) {
  std::vector<portfolio_unit> units;
  for (auto& account : random_portfolio(random).file(2).accounts)
    for (auto& property : account.properties) std::ranges::move(property.units, std::back_inserter(units));
  return units;
}

/// Sets most values to those of another unit, as a request does: without times and in any order.
void set_values(portfolio_unit& unit, portfolio_unit values, std::mt19937& random) {
  const auto before = unit.terms;
  unit = std::move(values);
  unit.terms.id = before.id;
  unit.terms.property_id = before.property_id;
  unit.terms.account_id = {};
  unit.terms.kind = before.kind;
  if (domain::int_between(random, 0, 1) == 0) unit.terms.internal_name = before.internal_name;
  for (auto& rent : unit.terms.rent.per_month) rent.created_at = rent.updated_at = {};
  std::ranges::shuffle(unit.terms.rent.per_month, random);
  std::ranges::shuffle(unit.links, random);
  std::ranges::shuffle(unit.excluded_from, random);
}

TEST_P(UnitsOfTheOffice, AreReturnedAsTheyAreStored) {
  create(creation("2027-03-01", "2027-03-04"));
  domain::for_random_cases(20, [this](std::mt19937& random) {
    for (auto& values : random_units(random)) {
      const auto set = [&](portfolio_unit& unit) { set_values(unit, values, random); };
      for (const auto* time : {"changed", "written again"}) {
        const auto changed = change_unit(set);
        ASSERT_EQ(changed.result, office_result::changed) << changed.problem;
        ASSERT_EQ(changed.resource, stored()) << time;
      }
      const auto unlinked = change_unit([](portfolio_unit& unit) { unit.links.clear(); });
      ASSERT_EQ(unlinked.resource, stored()) << "without links";
      const auto renamed = change_unit(
          [&](portfolio_unit& unit) { unit.terms.internal_name = domain::to_string(fresh_id()); });
      ASSERT_EQ(renamed.resource, stored()) << "under another name";
      const auto repriced = change_unit([&](portfolio_unit& unit) {
        for (auto& rent : unit.terms.rent.per_month)
          if (rent.month % 2 == 0) rent.rent.cents += 1;
      });
      ASSERT_EQ(repriced.resource, stored()) << "with other rents";
      auto another = unlinked.resource;
      set_values(another, values, random);
      another.terms.id = fresh_id();
      another.terms.internal_name = domain::to_string(another.terms.id);
      another.terms.export_address.reset();
      const auto created =
          store::create_unit(session(), node_->lease, scope, {another, "hash", {}}, author());
      ASSERT_EQ(created.result, office_result::created) << created.problem;
      ASSERT_EQ(created.resource, stored(another.terms.id)) << "created";
      delete_unit(another.terms.id);
    }
  });
}

TEST_P(UnitsOfTheOffice, ChangeWithTheirRentsAndWindows) {
  const auto edits = {std::function([](portfolio_unit& unit) {
                        unit.terms.rent = {false, {}, {{4, {777'00}, {}, {}}}};
                      }),
                      std::function([](portfolio_unit& unit) {
                        unit.terms.rent.per_month.push_back({5, {888'00}, {}, {}});
                      }),
                      std::function([](portfolio_unit& unit) {
                        unit.terms.booking_windows = {
                            {day("2027-01-01"), day("2027-02-01"), day("2027-03-01"), day("2027-04-01")}};
                      }),
                      std::function([](portfolio_unit& unit) { unit.terms.internal_name = "Attic"; })};
  for (const auto& edit : edits) {
    const auto by = author();
    const auto before = stored().terms.updated_at;
    change_unit(edit);
    EXPECT_GT(stored().terms.updated_at, before);
    EXPECT_GT(stored().terms.updated_at, by.now);
  }
}

/// Only PostgreSQL has concurrent writers.
class ConcurrentUnitsOfTheOffice : public UnitsOfTheOffice {};
ROOST_ON_POSTGRESQL(ConcurrentUnitsOfTheOffice);

TEST_P(ConcurrentUnitsOfTheOffice, WaitForNoTransactionThatHoldsWhatTheyNeed) {
  for (const std::string table : {"units", "properties", "accounts"}) {
    auto other = store().open();
    store::transaction holding(other, store::transaction::purpose::write);
    other.internals().script("hold", "select 1 from " + table + " for update");
    if (table != "units") {
      EXPECT_THROW(create_unit(fresh_id(), "Another"), store::unavailable) << table;
    }
    if (table != "properties") {
      EXPECT_THROW(change_unit([](portfolio_unit& unit) { unit.terms.capacity = 9; }), store::unavailable)
          << table;
    }
  }
}

TEST_P(ConcurrentUnitsOfTheOffice, DoNotWaitForAnImportToDeleteOrRenameThem) {
  auto other = store().open();
  store::transaction importing(other, store::transaction::purpose::write);
  other.internals().script("insert", "insert into exclusions (unit_id, platform)"
                                     " select id, 'marketplace-c' from units");
  EXPECT_EQ(change_unit([](portfolio_unit& unit) { unit.terms.capacity = 9; }).result, office_result::changed)
      << "refers to no key";
  EXPECT_THROW(change_unit([](portfolio_unit& unit) { unit.terms.internal_name = "Attic"; }),
               store::unavailable);
  EXPECT_THROW(delete_unit(unit_id(2)), store::unavailable);
  const auto always = [](const domain::portfolio_property&) { return true; };
  EXPECT_THROW(
      store::delete_property(session(), node_->lease, scope, {stored().terms.property_id, always}, author()),
      store::unavailable);
  EXPECT_EQ(stored().terms.internal_name, "Room 1");
}

} // namespace roost::testing::units_test
