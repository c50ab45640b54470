#include "store/portfolio/portfolio_import.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/random_portfolio.hpp"
#include "support/store.hpp"

#include <algorithm>
#include <map>

namespace roost::testing::import_plan_test {
using store::import_action;
using store::portfolio_part;

constexpr const char* later = "2026-11-21T09:30:00.000Z";

class ImportPlan : public on_each_store {
protected:
  void SetUp() override { import_sample(session(), file); }

  /// Returns the planned changes as sorted lines.
  std::vector<std::string> plan() {
    std::vector<std::string> lines;
    counts = {};
    problems =
        store::plan_import(session(), file, context_at(later), [&](const store::planned_account& each) {
          for (const auto& change : each.changes) {
            counts.add(change.action, change.part);
            lines.push_back(std::string(to_string(change.action)) + ' ' + std::string(name_of(change.part)) +
                            (change.key.empty() ? "" : ' ' + change.key) +
                            (change.to.empty() ? "" : " > " + change.to));
          }
        });
    std::ranges::sort(lines);
    return lines;
  }

  /// Imports without permission to remove anything.
  std::optional<store::change_counts> refused() {
    auto context = context_at(later);
    context.allow_removals = false;
    return store::import_portfolio(session(), file, context).refused;
  }

  domain::portfolio_account& account() { return file.accounts[0]; }
  std::vector<domain::portfolio_unit>& units() { return account().properties[0].units; }

  domain::portfolio file = sample_portfolio();
  store::change_counts counts;
  std::vector<std::string> problems;
};
ROOST_ON_EACH_STORE(ImportPlan);

using lines = std::vector<std::string>;

TEST_P(ImportPlan, IsEmptyForTheSameFile) {
  EXPECT_EQ(plan(), lines{});
  EXPECT_FALSE(refused());
}

TEST_P(ImportPlan, WritesNothing) {
  account().details.company_name = "Other";
  account().users.clear();
  units().erase(units().begin());
  units()[0].links.clear();
  units().push_back(full_unit(77));
  file.accounts.push_back(sample_account(2, 3, 100));
  const auto before = portfolio_rows(session());
  const auto position = position_of(session());
  EXPECT_FALSE(plan().empty());
  EXPECT_EQ(portfolio_rows(session()), before);
  EXPECT_EQ(position_of(session()), position);
}

TEST_P(ImportPlan, ListsAdditions) {
  file.accounts.push_back(sample_account(2, 1, 100));
  EXPECT_EQ(plan(), (lines{"added account", "added block 2027-03-01 > 2027-03-31",
                           "added booking window 2027-01-01 2027-02-01 2027-06-01 2027-07-31",
                           "added link marketplace-a", "added platform card marketplace-a", "added property",
                           "added unit", "added user"}));
}

TEST_P(ImportPlan, ListsRemovals) {
  account().details.cards.clear();
  account().users.clear();
  units()[0].blocks.clear();
  units()[0].links.clear();
  units()[0].terms.booking_windows.clear();
  EXPECT_EQ(plan(),
            (lines{"removed block", "removed booking window 2027-01-01 2027-02-01 2027-06-01 2027-07-31",
                   "removed link marketplace-a", "removed platform card marketplace-a", "removed user"}));
}

TEST_P(ImportPlan, ListsALinkAndAWindowAsChangedRatherThanReplaced) {
  units()[0].links[0].url = "https://marketplace-a.example/other";
  units()[0].terms.booking_windows[0].max_end = day("2027-08-31");
  EXPECT_EQ(plan(), (lines{"changed booking window 2027-01-01 2027-02-01 2027-06-01 2027-07-31 > 2027-01-01 "
                           "2027-02-01 2027-06-01 2027-08-31",
                           "changed link marketplace-a"}));
  EXPECT_FALSE(refused());
}

TEST_P(ImportPlan, ListsAnOmittedMonthButNotTheMonthsOfARentThatBecomesFixed) {
  units()[0].terms.rent = {false, {0}, {{1, {600'00}}, {2, {600'00}}}};
  import_sample(session(), file);
  units()[0].terms.rent.per_month.pop_back();
  EXPECT_EQ(plan(), (lines{"removed month rent 2"}));
  EXPECT_TRUE(refused());
  units()[0].terms.rent = {true, {600'00}, {}};
  EXPECT_EQ(plan(), lines{});
  EXPECT_FALSE(refused());
}

TEST_P(ImportPlan, ListsOmittedUnitsAsRemovedOrIfBookedAsArchived) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.decide({accept(request, unit_id(1))});
  account().properties.clear();
  EXPECT_EQ(plan(), (lines{"archived property", "archived unit", "removed block",
                           "removed booking window 2027-01-01 2027-02-01 2027-06-01 2027-07-31",
                           "removed link marketplace-a", "removed unit"}));
  const auto refusal = refused();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->text(import_action::removed), "1 unit, 1 link, 1 booking window, 1 block");
  EXPECT_EQ(refusal->text(import_action::archived), "1 property, 1 unit");
  import_sample(session(), file, later);
  EXPECT_EQ(plan(), lines{}); // already archived
  EXPECT_FALSE(refused());
}

TEST_P(ImportPlan, ListsTheDetailsOfARemovedUnitExceptABlockThatMoves) {
  units()[0].excluded_from = {"marketplace-a"};
  units()[0].blocks = {{.id = numbered_id(7, 1), .nights = {day("2027-03-01"), day("2027-03-31")}},
                       {.id = numbered_id(7, 2), .nights = {day("2027-05-01"), day("2027-05-31")}}};
  import_sample(session(), file);
  units()[1].blocks.push_back(units()[0].blocks[1]);
  units().erase(units().begin());
  EXPECT_EQ(plan(),
            (lines{"removed block", "removed booking window 2027-01-01 2027-02-01 2027-06-01 2027-07-31",
                   "removed exclusion marketplace-a", "removed link marketplace-a", "removed unit"}));
  import_sample(session(), file, later);
  EXPECT_EQ(count_rows(session(), "blocks"), 2); // the other unit's own, and the one that moved to it
}

TEST_P(ImportPlan, ListsANewOrderOfWindows) {
  auto& windows = units()[0].terms.booking_windows;
  windows.push_back({day("2028-01-01"), day("2028-02-01"), day("2028-06-01"), day("2028-07-31")});
  import_sample(session(), file);
  std::ranges::reverse(windows);
  EXPECT_EQ(plan(), lines{"changed booking window"});
  EXPECT_EQ(units_that_are(import_sample(session(), file, later).summary, store::import_action::changed), 1U);
  EXPECT_EQ(plan(), lines{});
}

TEST_P(ImportPlan, ListsNewUsageRecords) {
  domain::ai_usage_record record;
  record.id = numbered_id(8, 1);
  record.provider = record.model = "larkspur";
  account().ai_usage = {record};
  EXPECT_EQ(plan(), lines{"added usage record"});
  import_sample(session(), file);
  EXPECT_EQ(plan(), lines{});
}

TEST_P(ImportPlan, ReportsConflicts) {
  file.accounts.push_back(sample_account(2, 0, 0));
  import_sample(session(), file);
  file.accounts.pop_back();
  account().details.landlord_key = "landlord-2";
  EXPECT_EQ(plan(), lines{});
  EXPECT_EQ(problems, lines{"/accounts/0/landlordKey: is in use by another account"});
}

TEST_P(ImportPlan, HasTheSameCountsAsTheImport) {
  domain::for_random_cases(6, [&](std::mt19937& random) {
    test_store fresh(GetParam());
    auto db = fresh.open();
    random_portfolio make(random);
    auto before = make.file(1), after = make.file(1);
    after.accounts[0].details.id = before.accounts[0].details.id;
    for (auto& property : after.accounts[0].properties) {
      property.details.account_id = after.accounts[0].details.id;
      for (auto& unit : property.units) unit.terms.account_id = after.accounts[0].details.id;
    }
    import_sample(db, before);
    store::change_counts planned;
    store::plan_import(db, after, context_at(later), [&](const store::planned_account& each) {
      for (const auto& change : each.changes) planned.add(change.action, change.part);
    });
    std::map<portfolio_part, std::int64_t> rows;
    const auto count_all = [&] {
      std::map<portfolio_part, std::int64_t> all;
      for (const auto& [part, table] :
           std::vector<std::pair<portfolio_part, const char*>>{{portfolio_part::card, "platform_cards"},
                                                               {portfolio_part::user, "users"},
                                                               {portfolio_part::property, "properties"},
                                                               {portfolio_part::unit, "units"},
                                                               {portfolio_part::link, "links"},
                                                               {portfolio_part::exclusion, "exclusions"},
                                                               {portfolio_part::window, "booking_windows"},
                                                               {portfolio_part::block, "blocks"}})
        all[part] = count_rows(db, table);
      return all;
    };
    rows = count_all();
    import_sample(db, after, later);
    for (const auto& [part, count] : count_all())
      EXPECT_EQ(count - rows[part],
                static_cast<std::int64_t>(planned.count(import_action::added, part)) -
                    static_cast<std::int64_t>(planned.count(import_action::removed, part)))
          << name_of(part);
  });
}

class Removals : public ImportPlan {};
ROOST_ON_EACH_STORE(Removals);

TEST_P(Removals, AreRefusedWithoutPermissionAndNothingIsWritten) {
  account().details.company_name = "Other";
  account().details.cards.clear();
  units().pop_back();
  const auto before = portfolio_rows(session());
  const auto refusal = refused();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->text(import_action::removed),
            "1 platform card, 1 unit, 1 link, 1 booking window, 1 block");
  EXPECT_EQ(portfolio_rows(session()), before);
  import_sample(session(), file, later);
  EXPECT_EQ(count_rows(session(), "units"), 1);
}

TEST_P(Removals, AreRefusedInPieces) {
  if (GetParam() != store_kind::sqlite) return;
  take_lease(session());
  serve(session());
  account().details.company_name = "Other";
  units().pop_back();
  auto context = context_at(later);
  context.allow_removals = false;
  context.max_units_at_once = 0;
  const auto before = portfolio_rows(session());
  EXPECT_TRUE(store::import_portfolio(session(), file, context).refused);
  EXPECT_EQ(portfolio_rows(session()), before);
  EXPECT_EQ(count_rows(session(), "import_steps"), 0);
  EXPECT_EQ(count_rows(session(), "pending_import"), 0);
  context.allow_removals = true;
  EXPECT_FALSE(store::import_portfolio(session(), file, context).refused);
  EXPECT_EQ(count_rows(session(), "units"), 1);
}

} // namespace roost::testing::import_plan_test
