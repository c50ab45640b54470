#include "store/database/connection.hpp"
#include "store/portfolio/portfolio_export.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/stored_rows.hpp"
#include "support/random_portfolio.hpp"
#include "support/store.hpp"

#include <algorithm>

namespace roost::testing::portfolio_export_test {
constexpr const char* first_time = "2026-11-20T09:30:00.000Z";
constexpr const char* later = "2026-11-21T09:30:00.000Z";

ROOST_FOR_EACH_STORE(PortfolioExport);

/// Exports all accounts with their usage records.
domain::portfolio exported(store::session& from) {
  domain::portfolio file;
  for (const auto& id : store::accounts_to_export(from, {}))
    store::export_account(
        from, id,
        {.account = [&](const domain::portfolio_account& account) { file.accounts.push_back(account); },
         .usage =
             [&](std::span<const domain::ai_usage_record> records) {
               auto& all = file.accounts.back().ai_usage;
               all.insert(all.end(), records.begin(), records.end());
             }});
  return file;
}

/// Clears the times of creation and change, which files do not contain.
domain::portfolio without_times(domain::portfolio file) {
  for (auto& account : file.accounts)
    for (auto& property : account.properties) {
      property.details.created_at = property.details.updated_at = {};
      for (auto& unit : property.units)
        for (auto& block : unit.blocks) block.created_at = block.updated_at = {};
    }
  return file;
}

/// Compares part by part, so that a failure shows which one differs.
void expect_same(const domain::portfolio_account& read, const domain::portfolio_account& file) {
  EXPECT_EQ(read.details, file.details);
  EXPECT_EQ(read.users, file.users);
  EXPECT_EQ(read.ai_usage, file.ai_usage);
  ASSERT_EQ(read.properties.size(), file.properties.size());
  for (std::size_t i = 0; i < file.properties.size(); ++i) {
    const auto &a = read.properties[i], &b = file.properties[i];
    EXPECT_EQ(a.details.address.latitude, b.details.address.latitude);
    EXPECT_EQ(a.details, b.details);
    ASSERT_EQ(a.units.size(), b.units.size());
    for (std::size_t j = 0; j < b.units.size(); ++j) {
      const auto &unit = a.units[j], &expected = b.units[j];
      EXPECT_EQ(unit.terms, expected.terms);
      EXPECT_EQ(unit.presentation, expected.presentation);
      EXPECT_EQ(unit.blocks, expected.blocks);
      EXPECT_EQ(unit.calendars, expected.calendars);
      EXPECT_EQ(unit.links, expected.links);
      EXPECT_EQ(unit.excluded_from, expected.excluded_from);
    }
  }
}

/// Returns the file without password hashes.
domain::portfolio keeping_passwords(domain::portfolio file) {
  for (auto& account : file.accounts)
    for (auto& user : account.users) {
      user.details.password_hash.reset();
      user.keeps_password = true;
    }
  return file;
}

store::import_result import_strictly(store::session& into, const domain::portfolio& file, const char* now) {
  auto context = context_at(now);
  context.allow_removals = false;
  return store::import_portfolio(into, file, context);
}

TEST_P(PortfolioExport, ReturnsTheImportedPortfolio) {
  domain::for_random_cases(6, [&](std::mt19937& random) {
    test_store fresh(GetParam());
    auto db = fresh.open();
    auto file = random_portfolio(random).file(3);
    ASSERT_TRUE(import_strictly(db, file, first_time).problems.empty());
    std::ranges::sort(file.accounts, {}, [](const auto& account) { return account.details.landlord_key; });
    auto read = without_times(exported(db));
    for (auto& account : read.accounts)
      for (auto& user : account.users) user.keeps_password = false;
    ASSERT_EQ(read.accounts.size(), file.accounts.size());
    for (std::size_t i = 0; i < file.accounts.size(); ++i) expect_same(read.accounts[i], file.accounts[i]);
  });
}

TEST_P(PortfolioExport, ChangesNoRowWhenImportedAgain) {
  domain::for_random_cases(6, [&](std::mt19937& random) {
    test_store fresh(GetParam());
    auto db = fresh.open();
    import_strictly(db, random_portfolio(random).file(3), first_time);
    const auto before = portfolio_rows(db);
    ASSERT_FALSE(before.empty());
    const auto again = import_strictly(db, keeping_passwords(exported(db)), later);
    EXPECT_FALSE(again.refused);
    EXPECT_EQ(again.problems, std::vector<std::string>{});
    EXPECT_EQ(units_that_are(again.summary, store::import_action::added) +
                  units_that_are(again.summary, store::import_action::changed) +
                  units_that_are(again.summary, store::import_action::removed),
              0U);
    EXPECT_EQ(portfolio_rows(db), before);
  });
}

TEST_P(PortfolioExport, IsTheSameAfterAnImportIntoAnotherStore) {
  domain::for_random_cases(3, [&](std::mt19937& random) {
    test_store first(GetParam()), second(GetParam());
    auto from = first.open(), to = second.open();
    import_strictly(from, random_portfolio(random).file(3), first_time);
    const auto moved = keeping_passwords(exported(from));
    import_strictly(to, moved, later);
    EXPECT_EQ(without_times(exported(to)), without_times(moved));
  });
}

TEST_P(PortfolioExport, OmitsPropertiesCreatedByAPlatform) {
  auto file = sample_portfolio(1, 2);
  file.accounts[0].properties.push_back(file.accounts[0].properties[0]);
  auto& created = file.accounts[0].properties[1];
  created.details.id = property_id(7);
  created.units = {full_unit(7)};
  import_sample(session(), file, first_time);
  constexpr store::query mark{
      "test_mark",
      "update properties set origin_platform = 'booking-engine', origin_id = 'P7' where id = :id"};
  session().internals().write(mark, {{"id", store::to_cell(property_id(7))}});
  std::size_t properties = 0;
  const auto left_out =
      store::export_account(session(), account_id(1),
                            {.account = [&](const auto& account) { properties = account.properties.size(); },
                             .usage = [](auto) {}});
  EXPECT_EQ(left_out.properties, 1U);
  EXPECT_EQ(properties, 1U);
  const auto before = portfolio_rows(session());
  EXPECT_FALSE(import_strictly(session(), keeping_passwords(exported(session())), later).refused);
  EXPECT_EQ(portfolio_rows(session()), before); // the property is unchanged, and still the platform's
}

TEST_P(PortfolioExport, SelectsTheRequestedAccounts) {
  auto file = sample_portfolio(3, 1);
  file.accounts[0].details.landlord_key = "zebra";
  import_sample(session(), file);
  EXPECT_EQ(store::accounts_to_export(session(), {}),
            (std::vector{account_id(2), account_id(3), account_id(1)}));
  const std::vector requested{account_id(1), account_id(3), account_id(9)};
  EXPECT_EQ(store::accounts_to_export(session(), requested), (std::vector{account_id(3), account_id(1)}));
  EXPECT_THROW(store::export_account(session(), account_id(9), {}), std::runtime_error);
}

TEST_P(PortfolioExport, PagesThroughTheLedger) {
  auto file = sample_portfolio(1, 1);
  for (unsigned long n = 0; n < 5'003; ++n) {
    domain::ai_usage_record record;
    record.id = numbered_id(8, n);
    record.provider = record.model = "larkspur";
    record.created_at = moment(first_time) + std::chrono::milliseconds{n % 7};
    file.accounts[0].ai_usage.push_back(record);
  }
  import_sample(session(), file);
  const auto records = exported(session()).accounts[0].ai_usage;
  ASSERT_EQ(records.size(), 5'003U);
  EXPECT_TRUE(std::ranges::is_sorted(records, {},
                                     [](const auto& each) { return std::pair(each.created_at, each.id); }));
}

TEST_P(PortfolioExport, KeepsPasswordsThatTheFileOmits) {
  auto file = sample_portfolio(1, 1);
  auto& user = file.accounts[0].users[0];
  user.details.password_hash = "a hash";
  user.keeps_password = false;
  import_sample(session(), file, first_time);
  user.details.password_hash.reset();
  user.keeps_password = true;
  user.details.first_name = "Anna";
  import_sample(session(), file, later);
  EXPECT_EQ(exported(session()).accounts[0].users[0].details.password_hash, "a hash");
  EXPECT_EQ(exported(session()).accounts[0].users[0].details.first_name, "Anna");
  user.keeps_password = false; // null: none
  import_sample(session(), file, later);
  EXPECT_EQ(exported(session()).accounts[0].users[0].details.password_hash, std::nullopt);
}

TEST_P(PortfolioExport, HasTheLanguagesThatNewUsersHadInAFile) {
  auto file = sample_portfolio(1, 1);
  auto& language = file.accounts[0].users[0].details.language;
  const auto imported = [&] {
    import_sample(session(), file, later);
    return exported(session()).accounts[0].users[0].details.language;
  };
  language = domain::language::es;
  EXPECT_EQ(imported(), domain::language::es) << "a new user";
  language = domain::language::en;
  EXPECT_EQ(imported(), domain::language::es) << "the user may have chosen it";
  file.accounts[0].users[0].details.first_name = "Anna";
  EXPECT_EQ(imported(), domain::language::es) << "other changes keep it";
}

} // namespace roost::testing::portfolio_export_test
