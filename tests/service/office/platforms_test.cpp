#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What platforms read and request of an account, through the office API.
namespace roost::testing::office_platforms_test {
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class OfficePlatforms : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficePlatforms);
ROOST_FOR_SQLITE(OfficePlatformsOverHttp);

const std::string platforms_path = "/api/platforms";

/// Returns a member of a platform in the list.
std::string member(office_fixture& office, const std::string& platform, const std::string& pointer) {
  const auto listed = office.send("GET", platforms_path);
  for (int i = 0;; ++i) {
    const auto item = "/items/" + std::to_string(i);
    const auto name = json_at(listed.body, item + "/name");
    if (name.empty()) return "no such platform in " + listed.body;
    if (name == '"' + platform + '"') return json_at(listed.body, item + pointer);
  }
}

/// Creates a unit that is linked to marketplace A; returns its path.
std::string create_linked_unit(office_fixture& office, const std::string& name, const std::string& members) {
  const auto property = string_at(office.send("GET", "/api/units/" + unit_id(1)), "/propertyId");
  const auto created =
      office.send("POST", "/api/units",
                  R"({"propertyId":")" + property + R"(","internalName":")" + name + "\"," + members + "}");
  EXPECT_EQ(created.status, 201U) << created.body;
  auto path = "/api/units/" + string_at(created, "/id");
  const auto linked = office.send("PUT", path + "/links/marketplace-a",
                                  R"({"url":"https://www.marketplace-a.example/rooms/)" + name + R"("})",
                                  {{"If-None-Match", "*"}});
  EXPECT_EQ(linked.status, 200U) << linked.body;
  return path;
}

TEST_P(OfficePlatforms, CountPublishedAndWithheldUnitsWithReasons) {
  office_fixture office(GetParam());
  create_linked_unit(office, "free", R"("rent":{"fixed":true,"amount":0})");
  create_linked_unit(office, "old", R"("archived":true,"rent":{"fixed":true,"amount":0})");
  EXPECT_EQ(member(office, "marketplace-a", "/linked"), "3");
  EXPECT_EQ(member(office, "marketplace-a", "/published"), "1");
  EXPECT_EQ(member(office, "marketplace-a", "/withheld"), "2");
  EXPECT_EQ(
      member(office, "marketplace-a", "/reasons"),
      R"([{"code":"no_usable_rent","text":"It has no rent above 0, or a month without one.","units":2},)"
      R"({"code":"archived","text":"It is archived.","units":1}])");
  EXPECT_EQ(member(office, "marketplace-b", "/linked"), "1");
  EXPECT_EQ(member(office, "landlord-one", "/linked"), "3") << "it reads units without links, too";
  EXPECT_EQ(member(office, "landlord-one", "/published"), "1");
  EXPECT_EQ(member(office, "marketplace-a", "/mappingProblems"), "[]");
}

TEST_P(OfficePlatformsOverHttp, AreListedInPages) {
  office_fixture office(GetParam());
  const auto all = office.send("GET", platforms_path);
  const auto total = std::stoi(json_at(all.body, "/total"));
  ASSERT_GT(total, 2);
  EXPECT_EQ(json_at(all.body, "/next"), "null");
  std::vector<std::string> names;
  for (std::string after; names.size() <= static_cast<std::size_t>(total);) {
    const auto page = office.send("GET", platforms_path + "?limit=2" + after);
    ASSERT_EQ(page.status, 200U) << page.body;
    EXPECT_EQ(json_at(page.body, "/total"), std::to_string(total));
    for (const auto* item : {"/items/0/name", "/items/1/name"})
      if (const auto name = json_at(page.body, item); !name.empty()) names.push_back(name);
    if (json_at(page.body, "/next") == "null") break;
    after = "&after=" + string_at(page, "/next");
  }
  ASSERT_EQ(names.size(), static_cast<std::size_t>(total));
  for (int i = 0; i < total; ++i)
    EXPECT_EQ(names[static_cast<std::size_t>(i)], json_at(all.body, "/items/" + std::to_string(i) + "/name"));
  for (const auto* query : {"?limit=0", "?after=x", "?after=WyJ4Il0", "?colour=red"})
    EXPECT_EQ(office.send("GET", platforms_path + query).status, 400U) << query;
}

TEST_P(OfficePlatforms, CountDecidedRequestsAndRefusals) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto partner = office.partner_of("marketplace-a");
  ASSERT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_EQ(partner.post("/bookings", booking("u1", 40, 70)).status, 201U);
  ASSERT_TRUE(eventually([&] {
    return office.decisions() == std::vector<std::string>{"Failed", "Success"};
  }));
  EXPECT_EQ(member(office, "marketplace-a", "/submissions"), R"({"day":2,"week":2})");
  EXPECT_EQ(member(office, "marketplace-a", "/refusals"), R"({"day":1,"week":1})");
  EXPECT_EQ(member(office, "marketplace-b", "/submissions"), R"({"day":0,"week":0})");
}

TEST_P(OfficePlatforms, ShowWhenThePlatformReadAndWhenItsListWasBuilt) {
  office_fixture office(GetParam());
  EXPECT_EQ(member(office, "marketplace-a", "/lastRead"), "null");
  EXPECT_EQ(office.partner_of("marketplace-a").get("/listings").status, 200U);
  office.server->stop(); // writes the uses of tokens, which a running server does every minute
  office.restart();
  EXPECT_THAT(member(office, "marketplace-a", "/lastRead"), MatchesRegex("\"20.*:00.000Z\""));
  EXPECT_EQ(member(office, "marketplace-b", "/lastRead"), "null");
  ASSERT_TRUE(eventually([&] { return member(office, "marketplace-a", "/listBuiltAt") != "null"; }));
  EXPECT_THAT(member(office, "marketplace-a", "/listAgeSeconds"), MatchesRegex("[0-9]+"));
}

TEST_P(OfficePlatforms, HaveTheCardWithItsETag) {
  office_fixture office(GetParam());
  const auto path = platforms_path + "/marketplace-a/card";
  const auto card = office.send("GET", path);
  EXPECT_EQ(member(office, "marketplace-a", "/card"), json_at(card.body, ""));
  const auto current = card.headers.find("etag")->second;
  const auto quoted = R"("\")" + current.substr(1, current.size() - 2) + R"(\"")";
  EXPECT_EQ(member(office, "marketplace-a", "/etag"), quoted);
  office.partner_of("marketplace-a").get("/listings");
  EXPECT_EQ(member(office, "marketplace-a", "/etag"), quoted) << "it is the card's only";
  EXPECT_EQ(member(office, "marketplace-b", "/card"), "null");
  EXPECT_EQ(member(office, "marketplace-b", "/etag"), "null");
}

TEST_P(OfficePlatformsOverHttp, AreATable) {
  office_fixture office(GetParam());
  const auto table = office.send("GET", platforms_path, "", {{"Accept", "text/csv"}});
  EXPECT_THAT(table.body,
              StartsWith("name,card.integrationEmail,card.markup.mode,card.markup.value,"
                         "card.calendarBlockDays,card.allowChanges,card.allowHolds,linked,published,withheld,"
                         "reasons,lastRead,listBuiltAt,listAgeSeconds,submissions.day,submissions.week,"
                         "refusals.day,refusals.week,mappingProblems,etag\r\n"));
  EXPECT_THAT(table.body, HasSubstr("\r\nmarketplace-a,feeds@casaverde.example,"));
}

} // namespace roost::testing::office_platforms_test
