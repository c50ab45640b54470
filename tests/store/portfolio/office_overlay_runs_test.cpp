#include "store/database/connection.hpp"
#include "store/engine/linked_units.hpp"
#include "store/portfolio/office_import_scene.hpp"
#include "store/support/sample_booking.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <stdexcept>
#include <utility>

/// How imports next to the office run: their problems, plans, pieces, and writes of the office meanwhile.
namespace roost::testing::office_overlay_runs_test {
using store::import_action;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Problems

class ProblemsNextToTheOffice : public office_import_scene {
protected:
  void create_unit(const domain::portfolio_unit& unit) {
    office([&](auto& account) { account.properties[0].units.push_back(unit); },
           {mark_of(part::unit, unit.terms.id, state::created)});
  }
};
ROOST_ON_EACH_STORE(ProblemsNextToTheOffice);

TEST_P(ProblemsNextToTheOffice, AreNamesAndLinksOfACreatedUnit) {
  create_unit(full_unit(7));
  auto unit = full_unit(8);
  unit.terms.internal_name = "Room 7";
  unit.links[0].external_id = "ext-7";
  units().push_back(unit);
  const auto before = portfolio_rows(session());
  const auto problems = import().problems;
  EXPECT_THAT(
      problems,
      ElementsAre("/accounts/0/properties/0/units/2/internalName: is in use by a unit that the office "
                  "created",
                  "/accounts/0/properties/0/units/2/links/0: is in use by a unit that the office "
                  "created"));
  EXPECT_EQ(store::plan_import(session(), file, context_at("2026-11-22T09:30:00.000Z"), [](const auto&) {}),
            problems);
  EXPECT_EQ(portfolio_rows(session()), before);
  units().back() = full_unit(8);
  EXPECT_THAT(import().problems, IsEmpty());
}

TEST_P(ProblemsNextToTheOffice, AreASecondWholeProperty) {
  auto whole = full_unit(7);
  whole.terms.kind = domain::unit_kind::property;
  create_unit(whole);
  units()[1].terms.kind = domain::unit_kind::property;
  EXPECT_THAT(import().problems,
              ElementsAre("/accounts/0/properties/0/units/1/kind: the office has created a unit of kind "
                          "property in the property"));
}

TEST_P(ProblemsNextToTheOffice, AreTheIdsOfCreatedLinks) {
  office(
      [](auto& account) {
        account.properties[0].units[0].links.push_back({"marketplace-b", "new", {}});
      },
      {mark_of(part::link, unit_id(1), state::created, "marketplace-b")});
  units()[1].links.push_back({"marketplace-b", "new", {}});
  EXPECT_THAT(
      import().problems,
      ElementsAre("/accounts/0/properties/0/units/1/links/1: is in use by a link that the office created"));
}

TEST_P(ProblemsNextToTheOffice, AreAddressesOfCreatedUsers) {
  office(
      [](auto& account) {
        account.users.push_back(account.users[0]);
        account.users[1].details.id = user_id(77);
        account.users[1].details.email = "new@landlord.example";
      },
      {mark_of(part::user, user_id(77), state::created)});
  file.accounts[1].users[0].details.email = "NEW@landlord.example";
  EXPECT_THAT(import().problems,
              ElementsAre("/accounts/1/users/0/email: is in use by a user that the office created"))
      << "also in another account";
}

TEST_P(ProblemsNextToTheOffice, DoNotConcernWhatTheOfficeDeleted) {
  office(
      [](auto& account) {
        account.users.clear();
        account.properties[0].units.erase(account.properties[0].units.begin());
      },
      {mark_of(part::user, user_id(1), state::deleted), mark_of(part::unit, unit_id(1), state::deleted)});
  auto other = sample_portfolio(3);
  other.accounts.erase(other.accounts.begin(), other.accounts.begin() + 2);
  other.accounts[0].users[0].details.email = "user1@landlord.example";
  ASSERT_THAT(import_sample(session(), other).problems, IsEmpty());
  EXPECT_THAT(import().problems, IsEmpty());
  units()[1].terms.id = unit_id(5);
  EXPECT_THAT(import().problems,
              ElementsAre("/accounts/0/properties/0/units/1/id: is in use elsewhere in the store"))
      << "pointers are those of the file";
}

// Plans

class PlansNextToTheOffice : public office_import_scene {
protected:
  /// Returns the planned changes, those of the office first.
  std::vector<std::string> plan(bool overwrites = false) {
    store::change_counts counts, office;
    auto context = context_at("2026-11-22T09:30:00.000Z");
    context.overwrite_office = overwrites;
    EXPECT_THAT(store::plan_import(session(), file, context,
                                   [&](const store::planned_account& each) {
                                     for (const auto& change : each.changes)
                                       counts.add(change.action, change.part);
                                     office += each.office;
                                     units_ += each.account.properties[0].units.size();
                                   }),
                IsEmpty());
    return {office.text(), counts.text()};
  }

  std::size_t units_ = 0; ///< of all plans
};
ROOST_ON_EACH_STORE(PlansNextToTheOffice);

TEST_P(PlansNextToTheOffice, NeitherRemoveWhatItCreatedNorAddWhatItDeleted) {
  office(
      [](auto& account) {
        account.properties[0].units[0] = full_unit(7);
        account.properties[0].units[1].links.clear();
        account.users.clear();
      },
      {mark_of(part::unit, unit_id(7), state::created), mark_of(part::unit, unit_id(1), state::deleted),
       mark_of(part::link, unit_id(2), state::deleted, "marketplace-a"),
       mark_of(part::user, user_id(1), state::deleted)});
  const auto rows = portfolio_rows(session());
  const auto marks_before = marks();
  EXPECT_THAT(plan(), ElementsAre("", ""));
  EXPECT_EQ(units_, 4U) << "two in each account";
  EXPECT_THAT(plan(true), ElementsAre("", "added: 1 user, 1 unit, 2 links, 1 booking window, 1 block"));
  EXPECT_EQ(portfolio_rows(session()), rows);
  EXPECT_EQ(marks(), marks_before);
}

TEST_P(PlansNextToTheOffice, ShowWhatTheFileSetsBack) {
  office(
      [](auto& account) {
        account.details.company_name = "Other";
        account.properties[0].units[0].terms.capacity = 3;
        account.properties[0].units[0].links[0].external_id = "other";
      },
      {mark_of(part::account, account_id(1), state::changed), mark_of(part::unit, unit_id(1), state::changed),
       mark_of(part::link, unit_id(1), state::changed, "marketplace-a")});
  for (const auto overwrites : {false, true})
    EXPECT_THAT(plan(overwrites), ElementsAre("changed: 1 account, 1 unit, 1 link", "changed: 1 link"))
        << "changes of rows with an id are not listed";
}

// Imports in pieces

class PiecesNextToTheOffice : public office_import_scene {
protected:
  void SetUp() override {
    file = sample_portfolio(2, 1'000);
    office_import_scene::SetUp();
    take_lease(session());
  }

  store::import_result import_in_pieces() {
    serve(session());
    context.max_units_at_once = 0;
    return store::import_portfolio(session(), file, context);
  }

  /// Lets the import ask for a new id for each unit of the first account.
  void add_blocks() {
    for (auto& unit : units()) unit.blocks = {{.nights = {day("2027-08-01"), day("2027-08-09")}}};
  }

  store::import_context context = context_at("2026-11-22T09:30:00.000Z");
};
ROOST_ON_STORES(OnSqlite, PiecesNextToTheOffice, store_kind::sqlite);

TEST_P(PiecesNextToTheOffice, RespectIt) {
  office(
      [](auto& account) {
        account.properties[0].units.push_back(full_unit(7'000));
        account.properties[0].units.erase(account.properties[0].units.begin());
      },
      {mark_of(part::unit, unit_id(7'000), state::created), mark_of(part::unit, unit_id(1), state::deleted),
       mark_of(part::unit, unit_id(8'000), state::deleted)});
  context.allow_removals = false;
  EXPECT_FALSE(import_in_pieces().refused);
  EXPECT_EQ(unit_in(stored(), 7'000).terms.internal_name, "Room 7000");
  EXPECT_EQ(stored().properties[0].units.size(), 1'000U);
  EXPECT_THAT(marks(), SizeIs(2)) << "the file omits unit 8000";
  EXPECT_EQ(count_rows(session(), "import_steps"), 0);
}

TEST_P(PiecesNextToTheOffice, AreRefusedIfTheyWouldSetItBack) {
  office([](auto& account) { account.properties[0].units[0].terms.capacity = 3; },
         {mark_of(part::unit, unit_id(1), state::changed)});
  const auto refused = import_in_pieces().refused_by_office;
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->text(import_action::changed), "1 unit");
  EXPECT_EQ(unit_in(stored(), 1).terms.capacity, 3);
  EXPECT_THAT(marks(), SizeIs(1));
  context.overwrite_office = true;
  EXPECT_FALSE(import_in_pieces().refused_by_office);
  EXPECT_EQ(unit_in(stored(), 1).terms.capacity, 1);
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(PiecesNextToTheOffice, StartOverWhenItWritesMeanwhile) {
  office([](auto& account) { account.properties[0].units.pop_back(); },
         {mark_of(part::unit, unit_id(1'000), state::deleted)});
  add_blocks();
  auto other = store().open();
  int new_ids = 0;
  context.new_id = [&] { // for the new blocks, while the steps are collected
    if (++new_ids == 3) {
      other.internals().script("erase", "delete from users where email = 'user1@landlord.example'");
      write_as_office(other, {mark_of(part::user, user_id(1), state::deleted)});
    }
    return fresh_id();
  };
  EXPECT_FALSE(import_in_pieces().refused_by_office);
  EXPECT_GT(new_ids, 1'500) << "twice for each unit";
  EXPECT_THAT(stored().users, IsEmpty());
  EXPECT_THAT(marks(), SizeIs(2)) << "each attempt reads the file as it was";
}

TEST_P(PiecesNextToTheOffice, AreFinishedByAnotherProcess) {
  office([](auto& account) { account.users.clear(); }, {mark_of(part::user, user_id(1), state::deleted)});
  account().users.clear();
  context.progress = [](std::size_t, std::size_t) { throw std::runtime_error("killed"); };
  EXPECT_THROW(import_in_pieces(), std::runtime_error);
  EXPECT_THAT(marks(), SizeIs(1));
  auto other = store().open();
  store::write_pending_import(other);
  EXPECT_THAT(marks(), IsEmpty());
}

/// Only PostgreSQL has concurrent writers.
class ConcurrentImportsNextToTheOffice : public office_import_scene {
protected:
  /// Imports the file. Lets another session write the first time that the import has read the store.
  template <typename Write>
  store::import_result import_during(Write write) {
    auto other = store().open();
    auto context = context_at("2026-11-22T09:30:00.000Z");
    context.allow_removals = allows_removals;
    context.progress = [&, has_written = false](std::size_t, std::size_t) mutable {
      ++reads;
      if (!std::exchange(has_written, true)) write(other);
    };
    return store::import_portfolio(session(), file, context);
  }

  bool allows_removals = true;
  int reads = 0; ///< at least one for each attempt
};
ROOST_ON_POSTGRESQL(ConcurrentImportsNextToTheOffice);

TEST_P(ConcurrentImportsNextToTheOffice, StartOverWhenItWritesMeanwhile) {
  office([](auto& account) { account.properties[0].units.pop_back(); },
         {mark_of(part::unit, unit_id(2), state::deleted)});
  units()[0].terms.capacity = 3;
  const auto result = import_during([](store::session& other) {
    other.internals().script("delete", "delete from users where email = 'user1@landlord.example'");
    write_as_office(other, {mark_of(part::user, user_id(1), state::deleted)});
  });
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(reads, 2);
  EXPECT_THAT(stored().users, IsEmpty());
  EXPECT_EQ(unit_in(stored(), 1).terms.capacity, 3);
  EXPECT_THAT(marks(), SizeIs(2)) << "each attempt reads the file as it was";
}

TEST_P(ConcurrentImportsNextToTheOffice, AreRefusedIfItChangesAnImportedValueMeanwhile) {
  const auto result = import_during([](store::session& other) {
    other.internals().script("edit",
                             "update users set first_name = 'Eva' where email = 'user1@landlord.example'");
    write_as_office(other, {mark_of(part::user, user_id(1), state::changed)});
  });
  ASSERT_TRUE(result.refused_by_office);
  EXPECT_EQ(result.refused_by_office->text(import_action::changed), "1 user");
  EXPECT_EQ(stored().users[0].details.first_name, "Eva");
}

TEST_P(ConcurrentImportsNextToTheOffice, ReportANameThatItTakesMeanwhile) {
  office([](auto& account) { account.properties[0].units.push_back(full_unit(7)); },
         {mark_of(part::unit, unit_id(7), state::created)});
  units()[0].terms.internal_name = "Sauna"; // imports write names last
  const auto result = import_during([](store::session& other) {
    other.internals().script("rename",
                             "update units set internal_name = 'Sauna' where internal_name = 'Room 7'");
    write_as_office(other, {mark_of(part::unit, unit_id(7), state::changed)});
  });
  EXPECT_THAT(result.problems, ElementsAre("/accounts/0/properties/0/units/0/internalName: is in use by a "
                                           "unit that the office created"));
}

TEST_P(ConcurrentImportsNextToTheOffice, KeepWhatABookingEngineWritesToACreatedUnitMeanwhile) {
  office([](auto& account) { account.properties[0].units.push_back(full_unit(7)); },
         {mark_of(part::unit, unit_id(7), state::created)});
  units()[0].terms.capacity = 3;
  writer engine(session());
  store::unit_edit edit;
  edit.unit = {unit_id(7), "marketplace-a", "ext-7", "ext-7"};
  edit.edit.rent = {777'00};
  edit.entry_id = fresh_id();
  edit.now = moment("2026-11-21T12:00:00.000Z");
  const auto result = import_during([&](store::session& other) {
    ASSERT_TRUE(store::edit_units(other, engine.lease, std::span{&edit, 1})[0].changed);
  });
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(reads, 2);
  EXPECT_EQ(unit_in(stored(), 7).terms.rent.amount, domain::money{777'00});
  EXPECT_EQ(unit_in(stored(), 1).terms.capacity, 3);
}

TEST_P(ConcurrentImportsNextToTheOffice, StartOverWhenItDeletesAUnitThatTheyRemove) {
  for (const auto may_remove : {true, false}) {
    file = sample_portfolio(2);
    import_over_the_office();
    units().pop_back();
    allows_removals = may_remove;
    reads = 0;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = import_during([](store::session& other) {
      other.internals().script("delete", "delete from units where internal_name = 'Room 2'");
      write_as_office(other, {mark_of(part::unit, unit_id(2), state::deleted)});
    });
    EXPECT_THAT(result.problems, IsEmpty());
    EXPECT_FALSE(result.refused) << "nothing is left to remove";
    EXPECT_EQ(reads, 2);
    EXPECT_EQ(unit_numbers(stored()), (std::vector<std::vector<unsigned>>{{1}}));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{8})
        << "without waiting for the lock of a row that does not exist";
  }
}

} // namespace roost::testing::office_overlay_runs_test
