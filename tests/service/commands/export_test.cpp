#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

/// roost export, import --plan and --allow-removals.
namespace roost::testing::export_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fs = std::filesystem;

ROOST_FOR_EACH_STORE(Export);
ROOST_FOR_SQLITE(ExportToAFile);
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

TEST_P(Export, RoundTripsTheDemoWithoutChanges) {
  workplace place(GetParam());
  place.run_or_throw({"import", demo});
  const auto before = rows_of(place);
  place.run_or_throw({"export", "--out", "all.json"});
  EXPECT_THAT(place.run_or_throw({"import", "--plan", "all.json"}),
              HasSubstr("all.json: nothing would change"));
  EXPECT_THAT(place.run_or_throw({"import", "all.json"}), HasSubstr("; nothing changed\n"));
  EXPECT_EQ(rows_of(place), before); // including passwords
}

TEST_P(Export, RoundTripsAUnitChangedByTheBookingEngine) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  {
    running_roost server(place);
    const auto update = listing_update("u1", {{"/isRentFixed", "false"},
                                              {"/rent", "655"},
                                              {"/rentsPerMonth", R"([{"month":7,"rent":800.5}])"},
                                              {"/minStayPeriod", "2"},
                                              {"/extraPricePerTenant", "50"}});
    ASSERT_EQ(server.partner_of("booking-engine").put("/listing", update).status, 200U);
    EXPECT_EQ(server.stop(), 0);
  }
  const auto before = rows_of(place);
  place.run_or_throw({"export", "--out", "all.json"});
  EXPECT_EQ(place.run_or_throw({"import", "--plan", "all.json"}), "all.json: nothing would change\n");
  EXPECT_THAT(place.run_or_throw({"import", "all.json"}), HasSubstr("; nothing changed\n"));
  EXPECT_EQ(rows_of(place), before);
}

TEST_P(Export, IsReproducedByAnImportedStore) {
  workplace source(GetParam()), target(GetParam());
  source.run_or_throw({"import", demo});
  for (const auto& options : std::vector<std::vector<std::string>>{{}, {"--with-password-hashes"}}) {
    std::vector<std::string> arguments{"export"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto text = source.run_or_throw(arguments);
    target.import(text);
    EXPECT_EQ(target.run_or_throw(arguments), text);
  }
}

TEST_P(Export, WritesAPrivateFilePerAccountIntoAFolder) {
  workplace place(GetParam());
  place.run_or_throw({"import", demo});
  place.run_or_throw({"export", "--out", "files/"});
  std::size_t files = 0;
  for (const auto& each : fs::directory_iterator(place.folder() / "files")) {
    EXPECT_EQ(each.status().permissions(), fs::perms::owner_read | fs::perms::owner_write) << each.path();
    EXPECT_EQ(place.run({"import", "--plan", each.path().string()}).output,
              each.path().string() + ": nothing would change\n");
    ++files;
  }
  EXPECT_EQ(files, 4U);
}

TEST_P(ExportToAFile, OverwritesAFileOnlyWithForce) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const auto file = place.folder().write("mine.json", "mine");
  const auto refused = place.run({"export", "--out", "mine.json"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.errors, HasSubstr("mine.json: already exists; --force overwrites it"));
  EXPECT_EQ(content_of(file), "mine");
  place.run_or_throw({"export", "--out", "mine.json", "--force"});
  EXPECT_THAT(content_of(file), HasSubstr("roost-portfolio/1"));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_P(ExportToAFile, WritesThroughASymbolicLink) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  fs::create_directory(place.folder() / "elsewhere");
  const auto file = place.folder().write("elsewhere/mine.json", "mine");
  const auto link = place.folder() / "link.json";
  fs::create_symlink("elsewhere/mine.json", link);
  EXPECT_EQ(place.run({"export", "--out", "link.json"}).status, 1);
  EXPECT_EQ(content_of(file), "mine");
  place.run_or_throw({"export", "--out", "link.json", "--force"});
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file)));
  EXPECT_THAT(content_of(file), HasSubstr("roost-portfolio/1"));
}

TEST_P(ExportToAFile, ReplacesOnlyRegularFiles) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const auto pipe = place.folder() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("pipe", place.folder() / "to-pipe");
  fs::create_symlink("nothing", place.folder() / "to-nothing");
  const auto expect_refused = [&](const std::string& path, const std::string& error) {
    for (const auto& force : std::vector<std::vector<std::string>>{{}, {"--force"}}) {
      std::vector<std::string> arguments{"export", "--out", path};
      arguments.insert(arguments.end(), force.begin(), force.end());
      const auto refused = place.run(arguments);
      EXPECT_EQ(refused.status, 1);
      EXPECT_EQ(refused.errors, "roost: " + path + ": " + error + "\n"); // without a hint
    }
  };
  expect_refused("pipe", "is not a regular file");
  expect_refused("to-pipe", "is not a regular file");
  expect_refused("to-nothing", "is a dangling symbolic link");
  EXPECT_TRUE(fs::is_fifo(fs::symlink_status(pipe)));
  EXPECT_TRUE(fs::is_symlink(place.folder() / "to-pipe"));
  EXPECT_FALSE(fs::exists(place.folder() / "pipe.unfinished"));
}

TEST_P(Export, ReportsTheNumberOfOmittedProperties) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.store().open().internals().script(
      "test_mark", "update properties set origin_platform = 'booking-engine', origin_id = 'P7'");
  EXPECT_EQ(place.run({"export"}).errors, "left out: 1 property created by a platform; an import keeps it\n");
}

TEST_P(Export, SelectsOneAccountAndRefusesUnknownOnes) {
  workplace place(GetParam());
  place.run_or_throw({"import", demo});
  place.import(portfolio_of(1));
  const auto text = place.run_or_throw({"export", "--account", account_id});
  EXPECT_EQ(json_at(text, "/accounts/0/id"), '"' + account_id + '"');
  EXPECT_EQ(json_at(text, "/accounts/1"), "");
  const auto unknown = place.run({"export", "--account", "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1fffff"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.output, IsEmpty());
  EXPECT_EQ(place.run({"export", "--account", "nobody"}).status, 2);
}

TEST_P(Export, IncludesPasswordHashesOnlyOnRequest) {
  workplace place(GetParam());
  place.import(portfolio_of(1)); // with a password
  EXPECT_THAT(place.run_or_throw({"export"}), Not(HasSubstr("assword")));
  EXPECT_THAT(place.run_or_throw({"export", "--with-password-hashes"}),
              HasSubstr(R"("passwordHash": "$argon2id$)"));
}

TEST(ExportWithoutAStore, CreatesNone) {
  const workplace place(store_kind::sqlite, false);
  const auto result = place.run({"export"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.errors, HasSubstr("roost migrate"));
  EXPECT_EQ(place.run({"import", "--plan", demo}).status, 1);
}

TEST_P(Plan, ListsTheChangesOfAnImportWithoutWritingThem) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  place.folder().write("next.json",
                       portfolio_of(2, {{unit_pointer(0) + "/rent/amount", "651"},
                                        {unit_pointer(1) + "/capacity", "3"},
                                        {account_pointer + "/users/0/password", R"("ana-new-one")"},
                                        {unit_pointer(0) + "/id", '"' + unit_id(9) + '"'}}));
  const auto before = rows_of(place);
  const auto plan = place.run_or_throw({"import", "--plan", "next.json"});
  EXPECT_EQ(rows_of(place), before);
  EXPECT_THAT(plan, AllOf(HasSubstr("casa-verde  added  unit  Room 1  " + unit_id(9)),
                          HasSubstr("changed  unit  Room 2  " + unit_id(2) + "  capacity: 2 -> 3"),
                          HasSubstr("removed  unit  Room 3"), HasSubstr("password"),
                          HasSubstr("next.json: removed: 2 units"), HasSubstr("requires --allow-removals")));
  EXPECT_THAT(plan, Not(HasSubstr("another")));
  EXPECT_THAT(plan, Not(HasSubstr("argon2id")));
}

TEST_P(Plan, ListsAChangedOrderOfBookingWindows) {
  workplace place(GetParam());
  const std::string first =
      R"({"minStartDate":"2099-01-01","maxStartDate":"2099-02-01","minEndDate":"2099-06-01","maxEndDate":"2099-07-01"})";
  const std::string second =
      R"({"minStartDate":"2099-01-01","maxStartDate":"2099-03-01","minEndDate":"2099-06-01","maxEndDate":"2099-07-01"})";
  const auto windows = [&](const std::string& one, const std::string& other) {
    return portfolio_of(1, {{unit_pointer(0) + "/bookingWindows", "[" + one + "," + other + "]"}});
  };
  place.import(windows(first, second));
  place.folder().write("next.json", windows(second, first));
  EXPECT_EQ(place.run_or_throw({"import", "--plan", "next.json"}),
            "casa-verde  changed  booking window  Room 1  " + unit_id(1) +
                "  order\nnext.json: changed: 1 booking window\n");
  EXPECT_THAT(place.run_or_throw({"import", "next.json"}),
              HasSubstr("; changed: 1 unit, 1 booking window\n"));
}

TEST_P(Plan, SupportsJson) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.folder().write("next.json", portfolio_of(1, {{unit_pointer(0) + "/rent/amount", "651"}}));
  const auto plan = place.run_or_throw({"import", "--plan", "--json", "next.json"});
  EXPECT_EQ(json_at(plan, "/0/action"), R"("changed")");
  EXPECT_EQ(json_at(plan, "/0/part"), R"("unit")");
  EXPECT_EQ(json_at(plan, "/0/member"), R"("rent.amount")");
  EXPECT_EQ(json_at(plan, "/0/from"), "650");
  EXPECT_EQ(json_at(plan, "/0/to"), "651");
  EXPECT_EQ(json_at(plan, "/1"), "");
  EXPECT_EQ(place.run({"import", "--json", "next.json"}).status, 2);
}

TEST_P(Plan, ReportsTheSameConflictsAsAnImport) {
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

TEST_P(Removals, ListThePartsOfARemovedUnit) {
  workplace place(GetParam());
  place.import(portfolio_of(
      2, {{unit_pointer(1) + "/blocks", R"([{"from":"2099-01-01","to":"2099-01-31"}])"},
          {unit_pointer(1) + "/excludedFrom", R"(["marketplace-b"])"},
          {unit_pointer(1) + "/links", "[]"},
          {unit_pointer(1) + "/rent", R"({"fixed":false,"perMonth":[{"month":1,"rent":600}]})"}}));
  place.folder().write("next.json", portfolio_of(1));
  const auto id = "  " + unit_id(2) + "\n";
  const auto plan = place.run_or_throw({"import", "--plan", "next.json"});
  EXPECT_THAT(plan, AllOf(HasSubstr("removed  unit  Room 2" + id),
                          HasSubstr("removed  exclusion  Room 2, marketplace-b" + id),
                          HasSubstr("removed  block  Room 2, 2099-01-01 to 2099-01-31  "),
                          HasSubstr("next.json: removed: 1 unit, 1 exclusion, 1 block\n")));
}

TEST_P(Removals, RequireAFlag) {
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
  EXPECT_THAT(place.run_or_throw({"import", "--allow-removals", "next.json"}),
              HasSubstr("removed: 2 units, 16 links"));
}

} // namespace roost::testing::export_test
