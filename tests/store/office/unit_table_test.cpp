#include "store/office/history.hpp"
#include "store/office/office_scene.hpp"
#include "store/office/unit_table.hpp"
#include "store/office/units.hpp"

#include <gmock/gmock.h>

namespace roost::testing::unit_table_test {
using domain::portfolio_unit;
using store::office_result;
using ::testing::ElementsAre;
using ::testing::SizeIs;

class TablesOfUnits : public office_scene {
protected:
  using edit = std::function<void(portfolio_unit&)>;

  struct row {
    std::optional<domain::uuid> id;
    edit apply;
    bool is_current = true;
  };

  portfolio_unit stored(const domain::uuid& id = unit_id(1)) {
    return store::find_unit(session(), scope, id).value();
  }

  static store::unit_table table_of(const std::vector<row>& rows) {
    store::unit_table table;
    for (const auto& each : rows) table.ids.push_back(each.id);
    table.apply = [rows](std::size_t i, portfolio_unit& unit, bool is_new) {
      const auto before = unit;
      rows[i].apply(unit);
      if (is_new && unit.terms.id.is_nil()) unit.terms.id = rows[i].id.value_or(fresh_id());
      store::unit_row_edit done;
      if (unit.terms.capacity < 1) done.problems.emplace_back("capacity is wrong");
      if (!(before == unit)) done.changes = {{"unit", "1", "2"}};
      return done;
    };
    table.is_current = [rows](std::size_t i, const portfolio_unit&) { return rows[i].is_current; };
    return table;
  }

  store::unit_table_outcome write(const std::vector<row>& rows) {
    return store::write_unit_table(session(), node_->lease, scope, table_of(rows), author(), fresh_id);
  }
  store::unit_table_outcome plan(const std::vector<row>& rows) {
    return store::plan_unit_table(session(), scope, table_of(rows));
  }

  static std::vector<office_result> results(const store::unit_table_outcome& done) {
    std::vector<office_result> all;
    for (const auto& each : done.rows) all.push_back(each.result);
    return all;
  }

  static edit named(const std::string& name) {
    return [name](portfolio_unit& unit) { unit.terms.internal_name = name; };
  }
  static edit new_unit(const std::string& name) {
    return [name](portfolio_unit& unit) {
      unit.terms.property_id = property_id(1);
      unit.terms.internal_name = name;
      unit.terms.kind = domain::unit_kind::room;
      unit.terms.rent = {false, {}, {{1, domain::money{500'00}, {}, {}}, {2, domain::money{600'00}, {}, {}}}};
    };
  }
  static edit with_capacity(int capacity) {
    return [capacity](portfolio_unit& unit) { unit.terms.capacity = capacity; };
  }
  static void nothing(portfolio_unit&) {}
};
ROOST_ON_EACH_STORE(TablesOfUnits);

TEST_P(TablesOfUnits, CreateAndChangeUnitsInOneStep) {
  const auto before = position_of(session());
  const auto id = fresh_id();
  const auto done = write({{unit_id(1), with_capacity(7)},
                           {id, new_unit("New A")},
                           {{}, new_unit("New B")},
                           {unit_id(2), nothing}});
  ASSERT_EQ(done.result, office_result::changed);
  EXPECT_THAT(results(done), ElementsAre(office_result::changed, office_result::created,
                                         office_result::created, office_result::unchanged));
  EXPECT_EQ(done.point.position, before + 1) << "one position for all";
  EXPECT_EQ(stored().terms.capacity, 7);
  EXPECT_EQ(stored(id).terms.internal_name, "New A");
  EXPECT_EQ(stored(id).terms.rent.per_month.size(), 2U);
  EXPECT_EQ(stored(done.rows[2].unit.terms.id).terms.internal_name, "New B");
  const auto audit = store::list_audit(session(), 10);
  ASSERT_THAT(audit, SizeIs(3)) << "one entry for each written unit";
  const auto entries = store::list_unit_changes(session(), scope, id, {}, 10, store::with_total::no)->items;
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_EQ(entries[0].by, "ana@landlord.example");
  EXPECT_EQ(std::ranges::count(audit, entries[0].id, &store::audit_entry::id), 1)
      << "with the id of its entry";
  EXPECT_EQ(std::ranges::count(audit, "unit creation", &store::audit_entry::action), 2);
  const auto entry = store::entries_after(session(), before, 10);
  ASSERT_THAT(entry, SizeIs(1));
  EXPECT_THAT(entry[0].change.units, SizeIs(3));
}

TEST_P(TablesOfUnits, WriteNothingIfNothingDiffers) {
  const auto before = position_of(session());
  const auto done = write({{unit_id(1), nothing}});
  EXPECT_EQ(done.result, office_result::changed);
  EXPECT_THAT(results(done), ElementsAre(office_result::unchanged));
  EXPECT_EQ(position_of(session()), before);
  EXPECT_THAT(store::list_audit(session(), 10), SizeIs(0));
}

TEST_P(TablesOfUnits, WriteNothingIfOneRowIsRefused) {
  const auto before = stored(unit_id(2));
  const auto done = write({{unit_id(2), with_capacity(9)},
                           {unit_id(1), with_capacity(0)},
                           {{}, named("x")},
                           {unit_id(2), nothing}});
  EXPECT_EQ(done.result, office_result::refused);
  EXPECT_THAT(done.rows[1].problems, ElementsAre("capacity is wrong"));
  EXPECT_THAT(done.rows[3].problems, ElementsAre("id is the id of an earlier row"));
  EXPECT_EQ(stored(unit_id(2)), before);
}

TEST_P(TablesOfUnits, ReportUnknownPropertiesOfAllRows) {
  const auto other = [](portfolio_unit& unit) { unit.terms.property_id = property_id(2); };
  const auto done = write({{unit_id(1), other}, {{}, named("New")}});
  EXPECT_EQ(done.result, office_result::refused);
  for (const auto& row : done.rows)
    EXPECT_THAT(row.problems, ElementsAre("propertyId must be a property of the account"));
}

TEST_P(TablesOfUnits, ReportOutdatedRowsThatWouldChangeSomething) {
  const auto done = write({{unit_id(1), with_capacity(7), false}, {unit_id(2), nothing, false}});
  EXPECT_EQ(done.result, office_result::outdated);
  EXPECT_THAT(results(done), ElementsAre(office_result::outdated, office_result::unchanged));
  EXPECT_EQ(done.rows[0].last.by, store::changed_by_import);
  EXPECT_EQ(done.rows[0].unit, stored());
}

TEST_P(TablesOfUnits, ExchangeNames) {
  const auto first = stored(unit_id(1)).terms.internal_name, second = stored(unit_id(2)).terms.internal_name;
  const auto done = write({{unit_id(1), named(second)}, {unit_id(2), named("Third")}, {{}, new_unit(first)}});
  ASSERT_EQ(done.result, office_result::changed);
  EXPECT_EQ(stored(unit_id(1)).terms.internal_name, second);
  EXPECT_EQ(stored(unit_id(2)).terms.internal_name, "Third");
  EXPECT_EQ(stored(done.rows[2].unit.terms.id).terms.internal_name, first);
  EXPECT_GT(stored(unit_id(1)).terms.updated_at, moment("2026-11-21T00:00:00.000Z"));
}

TEST_P(TablesOfUnits, SwapTheNamesOfTwoUnits) {
  const auto first = stored(unit_id(1)).terms.internal_name, second = stored(unit_id(2)).terms.internal_name;
  const auto done = write({{unit_id(1), named(second)}, {unit_id(2), named(first)}});
  ASSERT_EQ(done.result, office_result::changed);
  EXPECT_EQ(stored(unit_id(1)).terms.internal_name, second);
  EXPECT_EQ(stored(unit_id(2)).terms.internal_name, first);
}

TEST_P(TablesOfUnits, ForgetHowDeletedUnitsWithTheirIdsWereCreated) {
  const auto id = fresh_id(), other = fresh_id();
  for (const auto& each : {id, other, unit_id(9)})
    store::remember_creation(session(), scope, each, "request");
  ASSERT_EQ(write({{id, new_unit("New A")}, {other, new_unit("New B")}, {{}, new_unit("New C")}}).result,
            office_result::changed);
  EXPECT_FALSE(store::is_repeated(session(), scope, id, "request"));
  EXPECT_FALSE(store::is_repeated(session(), scope, other, "request"));
  EXPECT_TRUE(store::is_repeated(session(), scope, unit_id(9), "request"));
}

TEST_P(TablesOfUnits, LookUpLastChangesOnlyIfTheTableIsOutdated) {
  const auto refused = write({{unit_id(1), with_capacity(7), false}, {unit_id(2), with_capacity(0)}});
  ASSERT_EQ(refused.result, office_result::refused);
  EXPECT_EQ(refused.rows[0].last.by, "");
}

TEST_P(TablesOfUnits, RefuseNamesAndIdsThatAreTaken) {
  const auto name = stored(unit_id(2)).terms.internal_name;
  const auto other_account = file_.accounts[1].properties[0].units[0].terms.id;
  const auto done = write({{unit_id(1), named(name)},
                           {{}, new_unit("Same")},
                           {{}, new_unit("Same")},
                           {other_account, new_unit("Mine")}});
  EXPECT_EQ(done.result, office_result::conflicting);
  EXPECT_THAT(done.rows[0].problems, ElementsAre("internalName is the name of another unit"));
  EXPECT_THAT(done.rows[1].problems, SizeIs(0));
  EXPECT_THAT(done.rows[2].problems, ElementsAre("internalName is the name of another unit"));
  EXPECT_THAT(done.rows[3].problems, ElementsAre("id is the id of another unit"));
}

TEST_P(TablesOfUnits, HaveOneWholeUnitInAProperty) {
  const auto whole = [](portfolio_unit& unit) { unit.terms.kind = domain::unit_kind::property; };
  const auto done = write({{unit_id(1), whole}, {unit_id(2), whole}});
  EXPECT_EQ(done.result, office_result::conflicting);
  EXPECT_THAT(done.rows[1].problems, ElementsAre("kind is property, but the property has another such unit"));
}

TEST_P(TablesOfUnits, ConflictWithUnitsThatTheyLeaveAsTheyAre) {
  const auto nothing = [](portfolio_unit&) {};
  const auto whole = [](portfolio_unit& unit) { unit.terms.kind = domain::unit_kind::property; };
  const auto named_like_other = [name = stored(unit_id(2)).terms.internal_name](portfolio_unit& unit) {
    unit.terms.internal_name = name;
  };
  const auto named = write({{unit_id(1), named_like_other}, {unit_id(2), nothing}});
  EXPECT_EQ(named.result, office_result::conflicting);
  EXPECT_THAT(named.rows[0].problems, ElementsAre("internalName is the name of another unit"));
  ASSERT_EQ(write({{unit_id(2), whole}}).result, office_result::changed);
  for (const auto& rows : {std::vector<row>{{unit_id(1), whole}, {unit_id(2), nothing}},
                           std::vector<row>{{unit_id(2), nothing}, {unit_id(1), whole}}})
    EXPECT_EQ(write(rows).result, office_result::conflicting);
}

TEST_P(TablesOfUnits, ChangeOnlyUnitsThatOwnersSee) {
  scope.owner_id = fresh_id();
  const auto done = write({{unit_id(1), with_capacity(7)}});
  EXPECT_NE(done.result, office_result::changed) << "the row would create a unit";
  scope.owner_id.reset();
  EXPECT_NE(stored().terms.capacity, 7);
}

TEST_P(TablesOfUnits, ArePlannedWithoutBeingWritten) {
  const auto position = position_of(session());
  const std::vector<row> rows{{unit_id(1), with_capacity(7)}, {{}, new_unit("New")}};
  const auto planned = plan(rows);
  EXPECT_EQ(position_of(session()), position);
  EXPECT_EQ(results(planned), results(write(rows)));
  EXPECT_EQ(plan({{unit_id(1), with_capacity(0)}}).result, office_result::refused);
  EXPECT_EQ(plan({{unit_id(1), with_capacity(8), false}}).result, office_result::outdated);
  EXPECT_EQ(plan({{unit_id(1), named(stored(unit_id(2)).terms.internal_name)}}).result,
            office_result::conflicting);
}

TEST_P(TablesOfUnits, LeaveMarksForImports) {
  const auto id = fresh_id();
  write({{unit_id(1), with_capacity(7)}, {id, new_unit("New")}});
  const auto state = [&](const domain::uuid& unit) {
    return store::find_mark(session(), store::office_part::unit, unit).value().state;
  };
  EXPECT_EQ(state(unit_id(1)), store::office_state::changed);
  EXPECT_EQ(state(id), store::office_state::created);
}

} // namespace roost::testing::unit_table_test
