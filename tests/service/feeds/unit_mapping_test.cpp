#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The mapping of a pasted URL to the ID that a partner reads (Partner API, Unit mapping record).
namespace roost::testing::unit_mapping_test {
using ::testing::AllOf;
using ::testing::HasSubstr;

ROOST_FOR_SQLITE(UnitMapping);

struct pasted {
  std::string platform, url, id;
};

const std::vector<pasted> mapping_table{
    {"marketplace-a", "https://www.marketplace-a.example/rooms/8812?lang=es&staticId=771", "771"},
    {"marketplace-b", "https://marketplace-b.example/en/room/551/madrid", "551"},
    {"marketplace-c", "https://marketplace-c.example/flats/c-9/", "c-9"},
    {"marketplace-d", "https://marketplace-d.example/house/12/7", "12_7"},
    {"booking-engine", "http://stay.booking-engine.example/house/P1/R2", "P1_R2"},
    {"channel-manager", "https://channel-manager.example/units/cm-1", "cm-1"},
    {"room-sharing", "https://room-sharing.example/es/madrid/4711#photos", "4711"},
    {"student-housing", "https://student-housing.example/s/s-19", "s-19"}};

std::string link(const std::string& platform, const std::string& url) {
  return R"({"platform":")" + platform + R"(","url":")" + url + R"("})";
}

std::string links_of_table() {
  std::string links;
  for (const auto& [platform, url, id] : mapping_table)
    links += (links.empty() ? "[" : ",") + link(platform, url);
  return links + ']';
}

TEST_P(UnitMapping, ExtractsTheIdFromTheUrlOnEveryPlatform) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{unit_pointer(0) + "/links", links_of_table()}}));
  const running_roost server(place);
  for (const auto& [platform, url, id] : mapping_table) {
    const auto partner = server.partner_of(platform);
    EXPECT_EQ(json_at(partner.get("/listings").body, "/0/externalId"), '"' + id + '"') << url;
    EXPECT_EQ(json_at(partner.get("/listings/" + id).body, "/externalId"), '"' + id + '"') << url;
  }
}

TEST_P(UnitMapping, ChangesTheIdOfAUnitWithItsUrl) {
  workplace place(GetParam());
  const auto linked_to = [](const std::string& id) {
    return portfolio_of(1, {{unit_pointer(0) + "/links",
                             "[" + link("marketplace-a", "https://marketplace-a.example/" + id) + "]"}});
  };
  place.import(linked_to("old"));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  EXPECT_EQ(partner.get("/listings/old").status, 200U);
  place.import(linked_to("new"));
  EXPECT_TRUE(eventually([&] { return partner.get("/listings/new").status == 200; }));
  EXPECT_EQ(partner.get("/listings/old").status, 404U);
  EXPECT_TRUE(eventually([&] {
    const auto list = partner.get("/listings").body;
    return array_size(list) == 1 && json_at(list, "/0/externalId") == R"("new")";
  }));
}

TEST_P(UnitMapping, RefusesUrlsThatNameNoUnitOfThePlatform) {
  workplace place(GetParam());
  const auto url = unit_pointer(0) + "/links/0/url";
  for (const auto& [pasted, error] : std::vector<std::pair<std::string, std::string>>{
           {"771", "must be the unit's full URL on the platform, not a bare ID"},
           {"https://notmarketplace-a.example/771", "must be on the domain of marketplace-a"},
           {"https://marketplace-a.example.evil.example/771", "must be on the domain of marketplace-a"},
           {"https://marketplace-b.example/room/771", "must be on the domain of marketplace-a"},
           {"https://marketplace-a.example@evil.example/771", "must be a well-formed http or https URL"},
           {"https://marketplace-a.example/", "holds no ID at the end of its path"}}) {
    place.folder().write("file.json", portfolio_of(1, {{unit_pointer(0) + "/links",
                                                        "[" + link("marketplace-a", pasted) + "]"}}));
    const auto result = place.run({"import", "file.json"});
    EXPECT_EQ(result.status, 1) << pasted;
    EXPECT_THAT(result.errors, AllOf(HasSubstr(url), HasSubstr(error))) << pasted;
  }
}

TEST_P(UnitMapping, FindsAPropertysUnitByTheIdOfARoomOnlyOnMarketplaceDAndTheEngine) {
  workplace place(GetParam());
  const auto links = [](const std::string& id) {
    std::string all;
    for (const auto* platform : {"marketplace-d", "booking-engine", "student-housing"})
      all += (all.empty() ? "[" : ",") +
             (R"({"platform":")" + std::string(platform) + R"(","externalId":")" + id + R"("})");
    return all + ']';
  };
  place.import(portfolio_of(
      2, {{unit_pointer(0) + "/links", links("12")}, {unit_pointer(1) + "/links", links("12_7")}}));
  const running_roost server(place);
  for (const auto* platform : {"marketplace-d", "booking-engine"}) {
    const auto partner = server.partner_of(platform);
    const auto id_found_by = [&](const std::string& id) {
      return json_at(partner.get("/listings/" + id).body, "/externalId");
    };
    EXPECT_EQ(id_found_by("12"), R"("12")") << platform;
    EXPECT_EQ(id_found_by("12_7"), R"("12_7")") << platform; // the exact link takes precedence
    EXPECT_EQ(id_found_by("12_8"), R"("12")") << platform;
    EXPECT_EQ(id_found_by("12_"), R"("12")") << platform;
    for (const std::string id : {"13_7", "1_2", "_12", "12-8", "120_7"})
      EXPECT_EQ(partner.get("/listings/" + id).status, 404U) << platform << ' ' << id;
    EXPECT_EQ(partner.post("/bookings", booking("12_8", 30, 60)).status, 201U);
    EXPECT_TRUE(eventually([&] {
      return !json_at(partner.get("/listings/12").body, "/unavailabilities/0").empty();
    })) << platform;
  }
  EXPECT_EQ(server.partner_of("student-housing").get("/listings/12_8").status, 404U);
}

} // namespace roost::testing::unit_mapping_test
