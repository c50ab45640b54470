#include "store/database/connection.hpp"
#include "store/portfolio/office_import_scene.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <utility>

/// Imports of units and properties that the office creates, changes and deletes.
namespace roost::testing::office_overlay_test {
using ::testing::IsEmpty;
using ::testing::SizeIs;

using numbers = std::vector<std::vector<unsigned>>;

class ImportsNextToTheOffice : public office_import_scene {
protected:
  /// The office creates unit 7 in the first property.
  void create_unit() {
    office([](auto& account) { account.properties[0].units.push_back(full_unit(7)); },
           {mark_of(part::unit, unit_id(7), state::created)});
  }

  /// The office changes the rent of unit 1.
  void change_unit() {
    office([](auto& account) { account.properties[0].units[0].terms.rent.amount = {700'00}; },
           {mark_of(part::unit, unit_id(1), state::changed)});
  }

  /// The office deletes unit 1.
  void delete_unit() {
    office([](auto& account) { account.properties[0].units.erase(account.properties[0].units.begin()); },
           {mark_of(part::unit, unit_id(1), state::deleted)});
  }

  domain::money rent_of(unsigned long unit) { return unit_in(stored(), unit).terms.rent.amount; }
};
ROOST_ON_EACH_STORE(ImportsNextToTheOffice);

// Units

TEST_P(ImportsNextToTheOffice, KeepAUnitThatTheOfficeCreated) {
  office(
      [](auto& account) {
        auto unit = full_unit(7);
        unit.excluded_from = {"marketplace-b"};
        account.properties[0].units.push_back(unit);
      },
      {mark_of(part::unit, unit_id(7), state::created)});
  const auto before = portfolio_rows(session());
  for (int i = 0; i < 2; ++i) {
    const auto result = import_strictly();
    EXPECT_FALSE(result.refused) << "it does not count as a removal";
    EXPECT_FALSE(result.refused_by_office);
    EXPECT_EQ(portfolio_rows(session()), before);
  }
  import_over_the_office();
  EXPECT_EQ(portfolio_rows(session()), before) << "also if the office may be overwritten";
}

TEST_P(ImportsNextToTheOffice, KeepTheUnitsOfTheFileNextToACreatedOne) {
  create_unit();
  units()[0].terms.capacity = 2;
  units().erase(units().begin() + 1);
  import();
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 7}}));
  EXPECT_EQ(unit_in(stored(), 1).terms.capacity, 2);
}

TEST_P(ImportsNextToTheOffice, AcceptACreatedUnitWithItsValues) {
  create_unit();
  units().push_back(full_unit(7));
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(marks(), SizeIs(1));
  units().pop_back();
  import();
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2, 7}})) << "it is still the office's";
}

TEST_P(ImportsNextToTheOffice, AreRefusedIfTheyWouldChangeACreatedUnit) {
  create_unit();
  units().push_back(full_unit(7));
  units().back().terms.rent.amount = {999'00};
  EXPECT_EQ(refused_changes(), "1 unit");
  EXPECT_EQ(rent_of(7), domain::money{650'00});
  import_over_the_office();
  EXPECT_EQ(rent_of(7), domain::money{999'00});
  EXPECT_THAT(marks(), IsEmpty());
  units().pop_back();
  import();
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}})) << "it is imported now";
}

TEST_P(ImportsNextToTheOffice, AreRefusedIfTheyWouldSetBackAnyValueOfAChangedUnit) {
  file.accounts[0].properties.push_back(property_with(7, {}));
  import();
  const auto original = file;
  using unit = domain::portfolio_unit;
  write_as_office(session(), {mark_of(part::unit, unit_id(1), state::changed)});
  const std::vector<std::function<void(unit&)>> edits{
      [](unit& each) { each.terms.rent.amount = {1'00}; },
      [](unit& each) { each.terms.internal_name = "Other"; },
      [](unit& each) { each.terms.archived = true; },
      [](unit& each) {
        each.terms.rent = {false, {}, {{1, {600'00}, {}, {}}}};
      },
      [](unit& each) { each.terms.booking_windows.clear(); },
      [](unit& each) { each.terms.advance_notice_days = 3; },
      [](unit& each) {
        each.presentation.title = {{"en", "Other"}};
      }};
  for (const auto& edit : edits) {
    file = original;
    edit(units()[0]);
    EXPECT_EQ(refused_changes(), "1 unit");
  }
  file = original;
  account().properties[1].units.push_back(units()[0]);
  units().erase(units().begin());
  EXPECT_EQ(refused_changes(), "1 unit") << "in another property";
  file = original;
  units()[0].links.clear();
  units()[0].blocks.clear();
  units()[0].excluded_from = {"marketplace-b"};
  EXPECT_EQ(refused_changes(), "") << "not among its values";
}

TEST_P(ImportsNextToTheOffice, OwnAChangedUnitAgainOnceAFileHasItsValues) {
  change_unit();
  units()[0].terms.rent.amount = {700'00};
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(marks(), IsEmpty());
  units()[0].terms.rent.amount = {800'00};
  EXPECT_EQ(refused_changes(), "") << "otherwise this unit could never be imported again";
  EXPECT_EQ(rent_of(1), domain::money{800'00});
}

TEST_P(ImportsNextToTheOffice, SetBackAChangedUnitOnlyWithPermission) {
  change_unit();
  EXPECT_EQ(refused_changes(), "1 unit");
  EXPECT_EQ(rent_of(1), domain::money{700'00});
  import_over_the_office();
  EXPECT_EQ(rent_of(1), domain::money{650'00});
  EXPECT_THAT(marks(), IsEmpty());
  units()[0].terms.rent.amount = {800'00};
  EXPECT_EQ(refused_changes(), "") << "it is imported now";
}

TEST_P(ImportsNextToTheOffice, RemoveAChangedUnitThatTheFileOmits) {
  change_unit();
  units().erase(units().begin());
  EXPECT_TRUE(import_strictly().refused);
  EXPECT_EQ(refused_changes(), "");
  EXPECT_EQ(unit_numbers(stored()), (numbers{{2}}));
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsNextToTheOffice, DoNotBringBackADeletedUnit) {
  delete_unit();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(refused_changes(), "");
    EXPECT_EQ(unit_numbers(stored()), (numbers{{2}}));
  }
  EXPECT_THAT(marks(), SizeIs(1));
}

TEST_P(ImportsNextToTheOffice, BringBackADeletedUnitWithPermission) {
  delete_unit();
  import_over_the_office();
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}}));
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsNextToTheOffice, AddADeletedUnitAgainOnceAFileHasOmittedIt) {
  delete_unit();
  const auto unit = units()[0];
  units().erase(units().begin());
  import();
  EXPECT_THAT(marks(), IsEmpty());
  units().push_back(unit);
  import();
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}}));
}

// Properties

TEST_P(ImportsNextToTheOffice, KeepAPropertyThatTheOfficeCreated) {
  office([](auto& account) { account.properties.push_back(property_with(7, {})); },
         {mark_of(part::property, property_id(7), state::created)});
  EXPECT_FALSE(import_strictly().refused);
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}, {}}));
}

TEST_P(ImportsNextToTheOffice, KeepOnlyTheCreatedUnitsOfACreatedProperty) {
  office(
      [](auto& account) {
        account.properties.push_back(property_with(7, {full_unit(7), full_unit(8)}));
      },
      {mark_of(part::property, property_id(7), state::created),
       mark_of(part::unit, unit_id(7), state::created)});
  EXPECT_TRUE(import_strictly().refused);
  import();
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}, {7}}));
}

TEST_P(ImportsNextToTheOffice, KeepThePropertyOfACreatedUnit) {
  for (const auto with_mark : {false, true}) {
    create_unit();
    if (with_mark) write_as_office(session(), {mark_of(part::property, property_id(1), state::changed)});
    const auto omitted = std::exchange(account().properties, {property_with(2'000, {})});
    const auto before = stored().properties[0].details;
    EXPECT_EQ(import_strictly().refused->text(store::import_action::removed),
              "2 units, 2 links, 2 booking windows, 2 blocks");
    import();
    EXPECT_EQ(stored().properties[0].details, before) << "it stays as it is";
    EXPECT_EQ(unit_numbers(stored()), (numbers{{7}, {}}));
    EXPECT_THAT(marks(), SizeIs(with_mark ? 2 : 1));
    account().properties = omitted;
  }
}

TEST_P(ImportsNextToTheOffice, SetBackAChangedPropertyOnlyWithPermission) {
  office([](auto& account) { account.properties[0].details.address.city = "Porto"; },
         {mark_of(part::property, property_id(1), state::changed)});
  EXPECT_EQ(refused_changes(), "1 property");
  EXPECT_EQ(stored().properties[0].details.address.city, "Porto");
  import_over_the_office();
  EXPECT_EQ(stored().properties[0].details.address.city, "Madrid");
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsNextToTheOffice, AcceptAChangedPropertyWithItsValues) {
  write_as_office(session(), {mark_of(part::property, property_id(1), state::changed)});
  units()[0].terms.capacity = 3;
  EXPECT_EQ(refused_changes(), "");
  EXPECT_EQ(unit_in(stored(), 1).terms.capacity, 3);
}

TEST_P(ImportsNextToTheOffice, RemoveAChangedPropertyThatTheFileOmits) {
  write_as_office(session(), {mark_of(part::property, property_id(1), state::changed)});
  account().properties.clear();
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(stored().properties, IsEmpty());
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsNextToTheOffice, DoNotBringBackADeletedProperty) {
  office([](auto& account) { account.properties.clear(); },
         {mark_of(part::property, property_id(1), state::deleted)});
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(stored().properties, IsEmpty()) << "with the units that the file has in it";
  import_over_the_office();
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}}));
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsNextToTheOffice, AreRefusedIfADeletedPropertyHasUnitsThatExistElsewhere) {
  office([](auto& account) { account.properties = {property_with(7, account.properties[0].units)}; },
         {mark_of(part::property, property_id(1), state::deleted),
          mark_of(part::property, property_id(7), state::created)});
  EXPECT_EQ(refused_changes(), "1 property");
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}}));
  import_over_the_office();
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}, {}})) << "in the file's property";
}

TEST_P(ImportsNextToTheOffice, LeaveUnitsOfPropertiesFromPlatformsToTheOffice) {
  office(
      [](auto& account) {
        account.properties.push_back(property_with(7, {full_unit(7), full_unit(8)}));
      },
      {mark_of(part::property, property_id(7), state::changed),
       mark_of(part::unit, unit_id(7), state::changed), mark_of(part::unit, unit_id(8), state::created),
       mark_of(part::link, unit_id(7), state::changed, "marketplace-a")});
  session().internals().script("engine", "update properties set origin_platform = 'engine', origin_id = '7'"
                                         " where internal_name = 'Calle Mayor 7'");
  EXPECT_FALSE(import_strictly().refused);
  EXPECT_EQ(unit_numbers(stored()), (numbers{{1, 2}, {7, 8}}));
  EXPECT_THAT(marks(), SizeIs(4));
}

/// An account that the office has changed, with all kinds of marks.
class ExportsOfTheOffice : public office_import_scene {};
ROOST_ON_EACH_STORE(ExportsOfTheOffice);

TEST_P(ExportsOfTheOffice, CanBeImportedAgain) {
  office(
      [](auto& account) {
        account.details.company_name = "Other";
        account.details.cards = {{"marketplace-b", {}, {}, 30}};
        account.users[0].details.first_name = "Eva";
        account.users.push_back(account.users[0]);
        account.users[1].details.id = user_id(77);
        account.users[1].details.email = "new@landlord.example";
        account.properties.push_back(property_with(7, {full_unit(7)}));
        auto& units = account.properties[0].units;
        units[0].links[0].external_id = "other";
        units[0].terms.rent.amount = {700'00};
        units[0].excluded_from = {"marketplace-b"};
        units.pop_back();
      },
      {mark_of(part::account, account_id(1), state::changed),
       mark_of(part::card, account_id(1), state::created, "marketplace-b"),
       mark_of(part::card, account_id(1), state::deleted, "marketplace-a"),
       mark_of(part::user, user_id(1), state::changed), mark_of(part::user, user_id(77), state::created),
       mark_of(part::property, property_id(7), state::created),
       mark_of(part::unit, unit_id(7), state::created), mark_of(part::unit, unit_id(1), state::changed),
       mark_of(part::unit, unit_id(2), state::deleted),
       mark_of(part::link, unit_id(1), state::changed, "marketplace-a"),
       mark_of(part::exclusion, unit_id(1), state::created, "marketplace-b")});
  const auto before = portfolio_rows(session());
  store::export_account(
      session(), account_id(1),
      {.account = [&](const domain::portfolio_account& exported) { file.accounts = {exported}; },
       .usage = [](std::span<const domain::ai_usage_record>) {}});
  for (int i = 0; i < 2; ++i) {
    const auto result = import_strictly();
    EXPECT_EQ(result.problems, std::vector<std::string>{});
    EXPECT_FALSE(result.refused);
    EXPECT_FALSE(result.refused_by_office);
    EXPECT_EQ(portfolio_rows(session()), before);
  }
}

} // namespace roost::testing::office_overlay_test
