#include "cli/import_plan.hpp"
#include "portfolio/parse.hpp"
#include "portfolio/write.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/stored_rows.hpp"
#include "support/random_portfolio.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace roost::testing::import_plan_test {
constexpr const char* first_time = "2026-11-20T09:30:00.000Z";
constexpr const char* later = "2026-11-21T09:30:00.000Z";

ROOST_FOR_EACH_STORE(PrintedPlan);

using ids = std::set<std::string>;

/// Puts the lists of a portfolio into another order, and changes something here and there.
class edited_portfolio {
public:
  explicit edited_portfolio(std::mt19937& random) : random_(random) {}

  void edit(domain::portfolio_account& account) {
    auto& details = account.details;
    shuffle(details.cards, details.tenant_categories, details.payment_terms.confirmation,
            details.payment_terms.check_in, account.users, account.properties, account.ai_usage);
    if (happens()) details.company_name += " Ltd";
    if (happens() && !details.cards.empty()) details.cards[0].markup = {domain::markup_mode::fixed, 7'00};
    if (happens()) drop_one(details.cards);
    if (happens() && !account.users.empty()) account.users[0].details.first_name += "x";
    if (happens()) drop_one(account.users);
    for (auto& property : account.properties) edit(property);
    if (happens()) drop_one(account.properties);
  }

private:
  bool happens() { return domain::int_between(random_, 1, 100) <= 5; }

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
    if (happens()) shuffle(details.features, details.rules, details.images);
    shuffle(property.units);
    if (happens()) details.parking = domain::money{12'00};
    for (auto& unit : property.units) edit(unit);
    if (happens()) drop_one(property.units);
  }

  void edit(domain::portfolio_unit& unit) {
    auto& terms = unit.terms;
    shuffle(terms.rent.per_month, terms.booking_windows, unit.blocks, unit.links, unit.excluded_from);
    if (happens()) shuffle(unit.presentation.features, unit.presentation.images);
    if (happens()) terms.internal_name += "x";
    if (happens()) terms.rent = {true, {651'00}, {}};
    if (happens()) terms.rent = {false, {}, {{3, {652'00}, {}, {}}, {9, {653'00}, {}, {}}}};
    if (happens()) drop_one(terms.booking_windows);
    if (happens()) terms.archived = !terms.archived;
    if (happens()) unit.presentation.floor = "7";
    if (happens() && !unit.blocks.empty()) unit.blocks[0].nights.last = domain::no_end;
    if (happens()) drop_one(unit.blocks);
    if (happens()) drop_one(unit.links);
    if (happens()) drop_one(unit.excluded_from);
  }

  std::mt19937& random_;
};

/// The portfolio as an import reads it.
domain::portfolio read_back(const domain::portfolio& file) {
  portfolio::context with;
  for (const auto kind : {domain::platform_kind::marketplace_a, domain::platform_kind::marketplace_b,
                          domain::platform_kind::booking_engine}) {
    const std::string name{domain::to_string(kind)};
    with.platforms.push_back({.name = name, .kind = kind, .prefix = name, .domains = {name + ".example"}});
  }
  with.roles = {"Admin", "Owner"};
  with.short_term_hosts = {"host-one"};
  with.is_password_hash = [](std::string_view text) { return text.starts_with("$argon2id$"); };
  auto result = portfolio::parse(portfolio::written(file, portfolio::password_hashes::written), with);
  if (const auto* problems = std::get_if<std::vector<portfolio::problem>>(&result))
    throw std::logic_error(to_string(problems->front()));
  return std::get<domain::portfolio>(std::move(result));
}

/// What `roost import --plan` tells: the ids, each with what happens to which part.
std::map<std::string, ids> planned(const test_store& in, const domain::portfolio& file) {
  config::settings settings;
  settings.store.url = in.url();
  ::testing::internal::CaptureStdout();
  const auto status = cli::print_plans({.format = cli::list_format::json}, settings, {"file.json"}, {file});
  std::fflush(stdout);
  const auto text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, 0) << text;
  std::map<std::string, ids> told;
  static const std::regex line(R"re("action":"(\w+)","part":"([a-z ]+)","name":.*,"id":"([0-9a-f-]{36})")re");
  for (std::sregex_iterator each(text.begin(), text.end(), line), end; each != end; ++each)
    told[each->str(1) + ' ' + each->str(2)].insert(each->str(3));
  EXPECT_EQ(told.empty(), text == "[]\n") << text;
  return told;
}

/// The rows of a table that an import has changed since they were made, or all of them.
ids rows_of(store::session& db, const std::string& table, const std::string& condition = "") {
  const auto text = "select {columns} from " + table + condition;
  const store::selection rows{text.c_str(), text.c_str(), store::named<std::string>("cast(id as text)")};
  const auto found = db.internals().read_all(rows);
  return {found.begin(), found.end()};
}
ids changed_rows(store::session& db, const std::string& table) {
  return rows_of(db, table, " where updated_at <> created_at");
}

/// Of units that are there before and after it: windows and months are theirs.
ids units_told(const std::map<std::string, ids>& told, const ids& before, const ids& after) {
  ids units;
  for (const auto& [what, which] : told)
    if (what == "changed unit" || what.ends_with(" booking window") || what.ends_with(" month rent"))
      for (const auto& id : which)
        if (before.contains(id) && after.contains(id)) units.insert(id);
  return units;
}

TEST_P(PrintedPlan, TellsWhatTheImportThenWritesWhateverTheOrderOfLists) {
  domain::for_random_cases(3, [&](std::mt19937& random) {
    const test_store fresh(GetParam());
    auto db = fresh.open();
    auto file = random_portfolio(random).file(9); // a store takes longer to make than an account
    ASSERT_TRUE(import_sample(db, file, first_time).problems.empty());
    for (auto& account : file.accounts) edited_portfolio(random).edit(account);
    const auto wanted = read_back(file);
    const auto rows = portfolio_rows(db);
    const auto units = rows_of(db, "units");

    auto told = planned(fresh, wanted);
    const auto done = import_sample(db, wanted, later);
    ASSERT_TRUE(done.problems.empty());
    EXPECT_EQ(told.empty(), portfolio_rows(db) == rows);
    EXPECT_EQ(units_told(told, units, rows_of(db, "units")), changed_rows(db, "units"));
    EXPECT_EQ(done.summary.units_that_are(store::import_action::changed), changed_rows(db, "units").size());
    EXPECT_EQ(told["changed account"], changed_rows(db, "accounts"));
    EXPECT_EQ(told["changed user"], changed_rows(db, "users"));
    EXPECT_EQ(told["changed property"], changed_rows(db, "properties"));
    EXPECT_EQ(told["changed block"], changed_rows(db, "blocks"));
    for (const auto part : {store::portfolio_part::account, store::portfolio_part::user,
                            store::portfolio_part::property, store::portfolio_part::block})
      EXPECT_EQ(done.summary.counts.count(store::import_action::changed, part),
                told["changed " + std::string(store::name_of(part))].size())
          << store::name_of(part);
  });
}

} // namespace roost::testing::import_plan_test
