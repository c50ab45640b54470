#include "cli/import_plan.hpp"
#include "portfolio/parse.hpp"
#include "portfolio/write.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/stored_rows.hpp"
#include "support/patterns.hpp"
#include "support/random_portfolio.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace roost::testing::import_plan_test {
constexpr const char* first_time = "2026-11-20T09:30:00.000Z";
constexpr const char* later = "2026-11-21T09:30:00.000Z";

ROOST_FOR_EACH_STORE(PrintedPlan);

using ids = std::set<std::string>;

/// Shuffles the lists of a portfolio, and makes random changes.
class edited_portfolio {
public:
  explicit edited_portfolio(std::mt19937& random) : random_(random) {}

  void edit(domain::portfolio_account& account) {
    auto& details = account.details;
    shuffle(details.cards, details.tenant_categories, details.payment_terms.confirmation,
            details.payment_terms.check_in, account.users, account.properties, account.ai_usage);
    if (chance()) details.company_name += " Ltd";
    if (chance() && !details.cards.empty()) details.cards[0].markup = {domain::markup_mode::fixed, 7'00};
    if (chance()) drop_one(details.cards);
    if (chance() && !account.users.empty()) account.users[0].details.first_name += "x";
    if (chance()) drop_one(account.users);
    for (auto& property : account.properties) edit(property);
    if (chance()) drop_one(account.properties);
  }

private:
  bool chance() { return domain::int_between(random_, 1, 100) <= 5; }

  template <typename... Values>
  void shuffle(std::vector<Values>&... lists) {
    const auto maybe = [&](auto& list) {
      if (domain::int_between(random_, 0, 1) == 0) std::ranges::shuffle(list, random_);
    };
    (maybe(lists), ...);
  }

  template <typename Value>
  static void drop_one(std::vector<Value>& list) {
    if (!list.empty()) list.pop_back();
  }

  void edit(domain::portfolio_property& property) {
    auto& details = property.details;
    if (chance()) shuffle(details.features, details.rules, details.images);
    shuffle(property.units);
    if (chance()) details.parking = domain::money{12'00};
    for (auto& unit : property.units) edit(unit);
    if (chance()) drop_one(property.units);
  }

  void edit(domain::portfolio_unit& unit) {
    auto& terms = unit.terms;
    shuffle(terms.rent.per_month, terms.booking_windows, unit.blocks, unit.calendars, unit.links,
            unit.excluded_from);
    if (chance()) shuffle(unit.presentation.features, unit.presentation.images);
    if (chance()) terms.internal_name += "x";
    if (chance()) terms.rent = {true, {651'00}, {}};
    if (chance()) terms.rent = {false, {}, {{3, {652'00}, {}, {}}, {9, {653'00}, {}, {}}}};
    if (chance()) drop_one(terms.booking_windows);
    if (chance()) terms.archived = !terms.archived;
    if (chance()) unit.presentation.floor = "7";
    if (chance() && !unit.blocks.empty()) unit.blocks[0].nights.last = domain::no_end;
    if (chance()) drop_one(unit.blocks);
    if (chance() && !unit.calendars.empty()) unit.calendars[0].url = "https://other.example/1.ics?s=secret";
    if (chance() && !unit.calendars.empty()) unit.calendars[0].host = "";
    if (chance()) drop_one(unit.calendars);
    if (chance()) drop_one(unit.links);
    if (chance()) drop_one(unit.excluded_from);
  }

  std::mt19937& random_;
};

/// Writes the portfolio and parses it like an import.
domain::portfolio read_back(const domain::portfolio& file) {
  portfolio::context context;
  for (const auto kind : {domain::platform_kind::marketplace_a, domain::platform_kind::marketplace_b,
                          domain::platform_kind::booking_engine}) {
    const std::string name{domain::to_string(kind)};
    context.platforms.push_back({.name = name, .kind = kind, .prefix = name, .domains = {name + ".example"}});
  }
  context.roles = {"Admin", "Owner"};
  context.short_term_hosts = {"host-one"};
  context.is_password_hash = [](std::string_view text) { return text.starts_with("$argon2id$"); };
  auto result = portfolio::parse(portfolio::written(file, portfolio::password_hashes::written), context);
  if (const auto* problems = std::get_if<std::vector<portfolio::problem>>(&result))
    throw std::logic_error(to_string(problems->front()));
  return std::get<domain::portfolio>(std::move(result));
}

/// Returns the output of `roost import --plan`: the ids by action and part.
std::map<std::string, ids> planned(const test_store& db, const domain::portfolio& file) {
  config::settings settings;
  settings.store.url = db.url();
  ::testing::internal::CaptureStdout();
  const auto status = cli::print_plans({.format = cli::list_format::json}, settings, {"file.json"}, {file});
  std::fflush(stdout);
  const auto text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, 0) << text;
  EXPECT_EQ(text.find("secret"), std::string::npos) << "URLs of calendars are secrets";
  std::map<std::string, ids> changes;
  for (const auto& line :
       all_matches(text, R"re("action":"(\w+)","part":"([a-z ]+)","name":.*,"id":"([0-9a-f-]{36})")re"))
    changes[line[1] + ' ' + line[2]].insert(line[3]);
  EXPECT_EQ(changes.empty(), text == "[]\n") << text;
  return changes;
}

/// Returns the ids of the rows of a table that match a condition.
ids rows_of(store::session& db, const std::string& table, const std::string& condition = "") {
  const auto text = "select {columns} from " + table + condition;
  const store::selection rows{text.c_str(), text.c_str(), store::named<std::string>("cast(id as text)")};
  const auto matches = db.internals().read_all(rows);
  return {matches.begin(), matches.end()};
}

/// Returns the ids of the rows that an import has changed since their creation.
ids changed_rows(store::session& db, const std::string& table) {
  return rows_of(db, table, " where updated_at <> created_at");
}

/// Returns the units with changes, including their windows and months, that exist before and after the
/// import.
ids changed_units(const std::map<std::string, ids>& plan, const ids& before, const ids& after) {
  ids units;
  for (const auto& [change, rows] : plan)
    if (change == "changed unit" || change.ends_with(" booking window") || change.ends_with(" month rent"))
      for (const auto& id : rows)
        if (before.contains(id) && after.contains(id)) units.insert(id);
  return units;
}

TEST_P(PrintedPlan, MatchesTheImportForAnyOrderOfLists) {
  domain::for_random_cases(3, [&](std::mt19937& random) {
    const test_store fresh(GetParam());
    auto db = fresh.open();
    auto file = random_portfolio(random).file(9); // a store takes longer to make than an account
    ASSERT_TRUE(import_sample(db, file, first_time).problems.empty());
    for (auto& account : file.accounts) edited_portfolio(random).edit(account);
    const auto edited = read_back(file);
    const auto rows = portfolio_rows(db);
    const auto units = rows_of(db, "units");

    auto plan = planned(fresh, edited);
    const auto result = import_sample(db, edited, later);
    ASSERT_TRUE(result.problems.empty());
    EXPECT_EQ(plan.empty(), portfolio_rows(db) == rows);
    EXPECT_EQ(changed_units(plan, units, rows_of(db, "units")), changed_rows(db, "units"));
    EXPECT_EQ(units_that_are(result.summary, store::import_action::changed),
              changed_rows(db, "units").size());
    EXPECT_EQ(plan["changed account"], changed_rows(db, "accounts"));
    EXPECT_EQ(plan["changed user"], changed_rows(db, "users"));
    EXPECT_EQ(plan["changed property"], changed_rows(db, "properties"));
    EXPECT_EQ(plan["changed block"], changed_rows(db, "blocks"));
    EXPECT_EQ(plan["changed imported calendar"], changed_rows(db, "unit_calendars"));
    for (const auto part :
         {store::portfolio_part::account, store::portfolio_part::user, store::portfolio_part::property,
          store::portfolio_part::block, store::portfolio_part::calendar})
      EXPECT_EQ(result.summary.counts.count(store::import_action::changed, part),
                plan["changed " + std::string(store::name_of(part))].size())
          << store::name_of(part);
  });
}

TEST_P(PrintedPlan, NamesCalendarsAndNeverShowsTheirUrls) {
  const test_store fresh(GetParam());
  auto db = fresh.open();
  auto file = sample_portfolio();
  auto& units = file.accounts[0].properties[0].units;
  units[0].calendars = {{numbered_id(8, 1), "Host one", "https://host.example/1.ics?s=secret", "", {}},
                        {numbered_id(8, 2), "Host two", "https://host.example/2.ics?s=secret", "", {}}};
  import_sample(db, file, first_time);
  units[1].calendars = {units[0].calendars[1],
                        {numbered_id(8, 3), "Host three", "https://host.example/3", "", {}}};
  units[0].calendars.pop_back();
  units[0].calendars[0].url = "https://host.example/other.ics?s=secret";
  units[0].calendars[0].every_seconds = 3'600;
  config::settings settings;
  settings.store.url = fresh.url();
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(cli::print_plans({.format = cli::list_format::csv}, settings, {"file.json"}, {file}), 0);
  std::fflush(stdout);
  const auto text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
  const auto has_row = [&](const std::string& row) { return text.find(row) != std::string::npos; };
  const std::string part = "imported calendar,";
  EXPECT_TRUE(
      has_row("changed," + part + "\"Room 1, Host one\"," + domain::to_string(numbered_id(8, 1)) + ",url,,"))
      << text;
  EXPECT_TRUE(has_row(",every,null,\"\"\"1h\"\"\"")) << text;
  EXPECT_TRUE(has_row("removed," + part + "\"Room 1, Host two\"")) << text;
  EXPECT_TRUE(has_row("added," + part + "\"Room 2, Host two\"")) << text;
  EXPECT_TRUE(has_row("added," + part + "\"Room 2, Host three\"")) << text;
}

ROOST_FOR_EACH_STORE(CommonPasswords);

/// Returns the problems of the passwords in a file.
std::string password_problems(store::session& db, const domain::portfolio& file) {
  ::testing::internal::CaptureStderr();
  const bool has_problem = cli::print_password_problems(db, {"file.json"}, {file});
  std::fflush(stderr);
  auto text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(has_problem, !text.empty());
  return text;
}

TEST_P(CommonPasswords, AreRefusedUnlessTheyAreCurrent) {
  constexpr security::password_cost cost{8, 1, 1};
  const test_store fresh(GetParam());
  auto db = fresh.open();
  auto stored = sample_portfolio(2), file = stored;
  for (auto& account : stored.accounts) {
    account.users[0].keeps_password = false;
    account.users[0].details.password_hash = security::hash_password("password1", cost);
  }
  ASSERT_TRUE(import_sample(db, stored, first_time).problems.empty());
  for (auto& account : file.accounts) account.users[0].password = "password1";
  EXPECT_EQ(password_problems(db, file), "");
  auto& second = file.accounts[1].users;
  second.push_back(second[0]);
  second[1].details.id = numbered_id(4, 3);
  second[1].details.email = "new@landlord.example";
  EXPECT_EQ(password_problems(db, file), "file.json: /accounts/1/users/1/password: must not be one of the "
                                         "most common passwords\n");
  second[1].password = "ana-only";
  second[0].password = "qwerty123";
  EXPECT_EQ(password_problems(db, file), "file.json: /accounts/1/users/0/password: must not be one of the "
                                         "most common passwords\n");
}

} // namespace roost::testing::import_plan_test
