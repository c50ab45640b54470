#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// roost import, and its effect on a running server.
namespace roost::testing::import_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ROOST_FOR_EACH_STORE(Import);

/// Writes a portfolio file and returns its path.
std::string file_of(const workplace& place, const std::string& name, const std::string& text) {
  return place.folder().write(name, text).string();
}

TEST_P(Import, ReportsItsChanges) {
  const workplace place(GetParam());
  const auto name = file_of(place, "a.json", portfolio_of(3));
  const auto first = place.run({"import", name});
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.output, name + ": 1 account, 1 property, 3 units; added: 1 account, 1 platform card, 1 "
                                 "user, 1 property, 3 units, 24 links\n");
  EXPECT_THAT(first.errors, IsEmpty()); // no progress bar without a terminal
  EXPECT_EQ(place.run({"import", name}).output, name + ": 1 account, 1 property, 3 units; nothing changed\n");
  file_of(place, "a.json", portfolio_of(2, {{unit_pointer(0) + "/rent/amount", "651"}}));
  EXPECT_EQ(place.run({"import", "--allow-removals", name}).output,
            name + ": 1 account, 1 property, 2 units; changed: 1 unit; removed: 1 unit, 8 links\n");
}

TEST_P(Import, IsServedWithinASecond) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const auto changed =
      portfolio_of(2, {{account_pointer + "/platformCards/0/markup", R"({"mode":"fixed","value":10})"},
                       {unit_pointer(0) + "/rent/amount", "700"},
                       {unit_pointer(0) + "/blocks", R"([{"from":"2099-01-01","to":"2099-01-31"}])"},
                       {unit_pointer(1) + "/links/0/externalId", R"("renamed")"}});
  const auto before = std::chrono::steady_clock::now();
  place.import(changed); // returns when the server has applied it
  const auto single = partner.get("/listings/u1").body;
  EXPECT_EQ(json_at(single, "/rent"), "710");
  EXPECT_EQ(json_at(single, "/unavailabilities/0/from"), R"("2099-01-01")");
  EXPECT_EQ(partner.get("/listings/u2").status, 404U);
  EXPECT_EQ(partner.get("/listings/u3").status, 404U);
  EXPECT_EQ(partner.get("/listings/renamed").status, 200U);
  EXPECT_TRUE(eventually([&] { return json_at(partner.get("/listings").body, "/0/rent") == "710"; }, 1s));
  EXPECT_EQ(array_size(partner.get("/listings").body), 2U);
  EXPECT_LT(std::chrono::steady_clock::now() - before, 2s);

  place.import(portfolio_of(1)); // objects missing from the file are removed
  EXPECT_EQ(json_at(partner.get("/listings/u1").body, "/unavailabilities"), "[]");
  EXPECT_EQ(partner.get("/listings/renamed").status, 404U);
}

TEST_P(Import, ChangesTheUpdateTimeOnlyOfAChangedUnit) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const auto before = partner.get("/listings").body;
  place.import(
      portfolio_of(2, {{unit_pointer(1) + "/rent/amount", "651"},
                       {unit_pointer(0) + "/blocks", R"([{"from":"2099-01-01","to":"2099-01-31"}])"}}));
  for (const auto* field : {"/createdAt", "/updatedAt"}) // a block does not change the unit itself
    EXPECT_EQ(json_at(partner.get("/listings/u1").body, field), json_at(before, std::string("/0") + field));
  EXPECT_EQ(json_at(partner.get("/listings/u2").body, "/createdAt"), json_at(before, "/1/createdAt"));
  EXPECT_GT(json_at(partner.get("/listings/u2").body, "/updatedAt"), json_at(before, "/1/updatedAt"));
}

TEST_P(Import, ReportsEveryProblemWithItsPositionAndChangesNothing) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const auto before = partner.get("/listings").body;
  const auto bad = file_of(
      place, "bad.json",
      portfolio_of(3, {{unit_pointer(0) + "/rent/amount", "700"}, // a valid change among the invalid ones
                       {account_pointer + "/currency", R"("EURO")"},
                       {account_pointer + "/companyName", ""},
                       {account_pointer + "/colour", R"("green")"},
                       {account_pointer + "/platformCards/0/platform", R"("nope")"},
                       {unit_pointer(0) + "/rent/amount", "650.123"},
                       {unit_pointer(1) + "/internalName", R"("Room 1")"},
                       {unit_pointer(1) + "/blocks", R"([{"from":"2099-01-31","to":"2099-01-01"}])"},
                       {unit_pointer(2) + "/links/0",
                        R"({"platform":"marketplace-a","url":"https://evil.example/1"})"},
                       {unit_pointer(2) + "/links/1", R"({"platform":"marketplace-b","url":"771"})"},
                       {unit_pointer(2) + "/links/2/externalId", R"("u1")"}}));
  const auto good = file_of(place, "good.json", portfolio_of(1));
  const auto result = place.run({"import", good, bad});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, IsEmpty()); // no file is imported
  const std::vector<std::string> expected{
      account_pointer + "/companyName: is required",
      account_pointer + "/currency: must be the ISO 4217 code of a currency, like EUR",
      account_pointer + "/colour: is not a known field",
      account_pointer + "/platformCards/0/platform: is not a configured platform",
      unit_pointer(0) + "/rent/amount: must be a number with at most two decimals",
      unit_pointer(1) + "/internalName: is already used by " + unit_pointer(0),
      unit_pointer(1) + "/blocks/0/from: must not be after to",
      unit_pointer(2) +
          "/links/0/url: must be on the domain of marketplace-a (marketplace-a.example), not evil.example",
      unit_pointer(2) + "/links/1/url: must be",
      unit_pointer(2) + "/links/2",
  };
  for (const auto& line : expected) EXPECT_THAT(result.errors, HasSubstr(bad + ": " + line));
  EXPECT_EQ(std::ranges::count(result.errors, '\n'), static_cast<std::ptrdiff_t>(expected.size()))
      << result.errors;
  EXPECT_EQ(partner.get("/listings").body, before);
  EXPECT_EQ(json_at(partner.get("/listings/u1").body, "/rent"), "650");
}

TEST_P(Import, RefusesAFileThatConflictsWithTheStore) {
  const workplace place(GetParam());
  place.import(portfolio_of(1));
  const auto name =
      file_of(place, "other.json",
              portfolio_of(1, {{account_pointer + "/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002")"}}));
  const auto result = place.run({"import", name});
  EXPECT_EQ(result.status, 1);
  for (const auto& place_of :
       {account_pointer + "/landlordKey", property_pointer + "/id", unit_pointer(0) + "/id"})
    EXPECT_THAT(result.errors, HasSubstr(name + ": " + place_of + ": is in use")) << place_of;
}

TEST_P(Import, RefusesCommonPasswordsBeforeItWritesAnyFile) {
  const workplace place(GetParam());
  const auto password = account_pointer + "/users/0/password";
  const auto good = file_of(place, "good.json", portfolio_of(1));
  const auto bad = file_of(place, "bad.json", portfolio_of(1, {{password, R"("qwerty123")"}}));
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"import", good, bad}, {"import", "--plan", good, bad}}) {
    const auto result = place.run(command);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.errors, bad + ": " + password + ": must not be one of the most common passwords\n");
    EXPECT_THAT(result.output, IsEmpty());
  }
}

TEST_P(Import, WritesNothingWithCheck) {
  workplace place(GetParam());
  const auto good = file_of(place, "good.json", portfolio_of(1));
  const auto bad = file_of(place, "bad.json", portfolio_of(1, {{account_pointer + "/currency", ""}}));
  const running_roost server(place);
  const auto checked = place.run({"import", "--check", good});
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.output, "no problems found\n");
  EXPECT_EQ(place.run({"import", "--check", good, bad}).status, 1);
  EXPECT_EQ(server.partner_of("marketplace-a").get("/listings").body, "[]");
}

TEST_P(Import, ReportsThePositionOfASyntaxError) {
  const workplace place(GetParam());
  struct file {
    std::string text, problem;
  };
  for (const auto& [text, problem] : std::vector<file>{
           {"", ": line 1, column 1: is not JSON"},
           {"{\n  \"format\":\n", ": line 3, column 1: is not JSON"},
           {"{\"format\":\"roost-portfolio/1\",}", ": line 1, column 31: is not JSON"},
           {"[]", ": must be an object"},
           {"{}", ": /format: is required"},
           {R"({"format":"roost-portfolio/2","accounts":[]})", ": /format: must be"},
           {std::string(100'000, '['), ": "},
           {std::string("\0\0", 2), ": line 1, column 1: is not JSON"},
       }) {
    const auto result = place.run({"import", file_of(place, "bad.json", text)});
    EXPECT_EQ(result.status, 1) << text.substr(0, 40);
    EXPECT_THAT(result.errors, HasSubstr("bad.json" + problem));
  }
}

TEST_P(Import, ReadsAPipe) {
  const workplace place(GetParam());
  const auto result = place.run({"import", "/dev/stdin"}, portfolio_of(20));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("20 units; added: 1 account, "));
}

TEST_P(Import, ArchivesABookedUnitMissingFromTheFile) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  EXPECT_EQ(partner.post("/bookings", booking("u2", 30, 60)).status, 201U);
  server.wait_for_event("booking_created");
  const auto name = file_of(place, "less.json", portfolio_of(1));
  EXPECT_EQ(place.run_or_throw({"import", "--allow-removals", name}),
            name + ": 1 account, 1 property, 1 unit; archived: 1 unit\n");
  EXPECT_EQ(partner.get("/listings/u2").status, 404U);
  place.import(portfolio_of(2)); // the unit returns with its booking
  EXPECT_EQ(json_at(partner.get("/listings/u2").body, "/unavailabilities/0/from"),
            '"' + day_from_now(30) + '"');
}

TEST_P(Import, AcceptsTheShippedDemo) {
  workplace place(GetParam());
  const auto demo = std::string(ROOST_SOURCE_DIR) + "/config/demo-portfolio.json";
  EXPECT_THAT(place.run_or_throw({"import", demo}), HasSubstr("demo-portfolio.json: "));
  const running_roost server(place);
  for (const auto* platform :
       {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d", "booking-engine",
        "channel-manager", "room-sharing", "student-housing", "landlord-one"})
    EXPECT_GE(array_size(server.partner_of(platform).get("/listings").body), 1U) << platform;
}

} // namespace roost::testing::import_test
