#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/workplace.hpp"
#include "store/support/portfolio_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

/// roost export, import --plan and --allow-removals.
namespace roost::testing::export_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fs = std::filesystem;

ROOST_FOR_EACH_STORE(Export);
ROOST_FOR_EACH_STORE(Plan);
ROOST_FOR_EACH_STORE(Removals);

const std::string demo = ROOST_SOURCE_DIR "/config/demo-portfolio.json";

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::vector<std::string> rows_of(workplace& place) {
  auto db = place.store().open();
  return portfolio_rows(db);
}

TEST_P(Export, OfTheDemonstrationImportsAsNoChange) {
  workplace place(GetParam());
  place.run_well({"import", demo});
  const auto before = rows_of(place);
  place.run_well({"export", "--out", "all.json"});
  EXPECT_THAT(place.run_well({"import", "--plan", "all.json"}), HasSubstr("all.json: nothing would change"));
  EXPECT_THAT(place.run_well({"import", "all.json"}), HasSubstr("(0 new, 0 changed)"));
  EXPECT_EQ(rows_of(place), before); // passwords, too
}

TEST_P(Export, OfOneStoreMakesAnotherThatExportsTheSame) {
  workplace from(GetParam()), to(GetParam());
  from.run_well({"import", demo});
  for (const auto& options : std::vector<std::vector<std::string>>{{}, {"--with-password-hashes"}}) {
    std::vector<std::string> arguments{"export"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto text = from.run_well(arguments);
    to.import(text);
    EXPECT_EQ(to.run_well(arguments), text);
  }
}

TEST_P(Export, WritesAPrivateFileForEachAccountIntoAFolder) {
  workplace place(GetParam());
  place.run_well({"import", demo});
  place.run_well({"export", "--out", "files/"});
  std::size_t files = 0;
  for (const auto& each : fs::directory_iterator(place.folder() / "files")) {
    EXPECT_EQ(each.status().permissions(), fs::perms::owner_read | fs::perms::owner_write) << each.path();
    EXPECT_EQ(place.run({"import", "--plan", each.path().string()}).output,
              each.path().string() + ": nothing would change\n");
    ++files;
  }
  EXPECT_EQ(files, 4U);
}

TEST_P(Export, OverwritesNothingUnlessTold) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const auto file = place.folder().write("mine.json", "mine");
  const auto refused = place.run({"export", "--out", "mine.json"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.errors, HasSubstr("mine.json: is there already; --force overwrites it"));
  EXPECT_EQ(content_of(file), "mine");
  place.run_well({"export", "--out", "mine.json", "--force"});
  EXPECT_THAT(content_of(file), HasSubstr("roost-portfolio/1"));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_P(Export, TakesOneAccountAndRefusesUnknownOnes) {
  workplace place(GetParam());
  place.run_well({"import", demo});
  place.import(portfolio_of(1));
  const auto text = place.run_well({"export", "--account", account_id});
  EXPECT_EQ(json_at(text, "/accounts/0/id"), '"' + account_id + '"');
  EXPECT_EQ(json_at(text, "/accounts/1"), "");
  const auto unknown = place.run({"export", "--account", "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1fffff"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.output, IsEmpty());
  EXPECT_EQ(place.run({"export", "--account", "nobody"}).status, 2);
}

TEST_P(Export, HoldsPasswordHashesOnlyWhenTold) {
  workplace place(GetParam());
  place.import(portfolio_of(1)); // with a password
  EXPECT_THAT(place.run_well({"export"}), Not(HasSubstr("assword")));
  EXPECT_THAT(place.run_well({"export", "--with-password-hashes"}),
              HasSubstr(R"("passwordHash": "$argon2id$)"));
}

TEST(ExportWithoutAStore, MakesNone) {
  const workplace place(store_kind::sqlite, false);
  const auto result = place.run({"export"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.errors, HasSubstr("roost migrate"));
  EXPECT_EQ(place.run({"import", "--plan", demo}).status, 1);
}

TEST_P(Plan, TellsWhatAnImportWouldDoAndWritesNothing) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  place.folder().write("next.json", portfolio_of(2, {{unit_at(0) + "/rent/amount", "651"},
                                                     {unit_at(1) + "/capacity", "3"},
                                                     {the_account + "/users/0/password", R"("another")"},
                                                     {unit_at(0) + "/id", '"' + unit_id(9) + '"'}}));
  const auto before = rows_of(place);
  const auto plan = place.run_well({"import", "--plan", "next.json"});
  EXPECT_EQ(rows_of(place), before);
  EXPECT_THAT(plan, AllOf(HasSubstr("casa-verde  added  unit  Room 1  " + unit_id(9)),
                          HasSubstr("changed  unit  Room 2  " + unit_id(2) + "  capacity: 2 -> 3"),
                          HasSubstr("removed  unit  Room 3"), HasSubstr("password"),
                          HasSubstr("next.json: removed: 2 units"), HasSubstr("needs --allow-removals")));
  EXPECT_THAT(plan, Not(HasSubstr("another")));
  EXPECT_THAT(plan, Not(HasSubstr("argon2id")));
}

TEST_P(Plan, IsJsonForMachines) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.folder().write("next.json", portfolio_of(1, {{unit_at(0) + "/rent/amount", "651"}}));
  const auto plan = place.run_well({"import", "--plan", "--json", "next.json"});
  EXPECT_EQ(json_at(plan, "/0/action"), R"("changed")");
  EXPECT_EQ(json_at(plan, "/0/part"), R"("unit")");
  EXPECT_EQ(json_at(plan, "/0/member"), R"("rent.amount")");
  EXPECT_EQ(json_at(plan, "/0/from"), "650");
  EXPECT_EQ(json_at(plan, "/0/to"), "651");
  EXPECT_EQ(json_at(plan, "/1"), "");
  EXPECT_EQ(place.run({"import", "--json", "next.json"}).status, 2);
}

TEST_P(Plan, TellsContradictionsAsAnImportDoes) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.folder().write(
      "other.json",
      edited(empty_portfolio, {{"/accounts/0/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f00aa")"}}));
  const auto planned = place.run({"import", "--plan", "other.json"});
  const auto imported = place.run({"import", "other.json"});
  EXPECT_EQ(planned.status, 1);
  EXPECT_EQ(planned.errors, imported.errors);
  EXPECT_THAT(planned.errors, HasSubstr("/accounts/0/landlordKey: is in use by another account"));
}

TEST_P(Removals, NeedAFlag) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  place.folder().write("next.json", portfolio_of(1));
  const auto before = rows_of(place);
  const auto refused = place.run({"import", "next.json"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.errors,
              AllOf(HasSubstr("next.json: would remove 2 units, 16 links: nothing was written"),
                    HasSubstr("--plan"), HasSubstr("--allow-removals")));
  EXPECT_THAT(refused.output, IsEmpty());
  EXPECT_EQ(rows_of(place), before);
  EXPECT_THAT(place.run_well({"import", "--allow-removals", "next.json"}), HasSubstr("2 removed"));
}

} // namespace roost::testing::export_test
