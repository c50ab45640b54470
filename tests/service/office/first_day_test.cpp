#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The steps of "A first day" in docs/office-api.md.
namespace roost::testing::office_first_day_test {
using ::testing::HasSubstr;

class FirstDay : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(FirstDay);

TEST_P(FirstDay, LeadsFromAnEmptyAccountToABookedRoom) {
  office_fixture office(
      GetParam(), {{"bookings.cycle", "\"1s\""}},
      {{account_pointer + "/properties", "[]"}, {account_pointer + "/platformCards", "[]"}});
  ASSERT_EQ(json_at(office.send("GET", "/api/units").body, "/total"), "0");
  const auto card = office.send(
      "PUT", "/api/platforms/marketplace-a/card",
      R"({"integrationEmail":"bookings@casaverde.example","markup":{"mode":"percentage","value":5}})",
      {{"If-None-Match", "*"}});
  ASSERT_EQ(card.status, 201U) << card.body;
  const auto property = office.send(
      "POST", "/api/properties",
      R"({"internalName":"Rua 1","address":{"city":"Lisboa"},)"
      R"("units":[{"internalName":"Rua 1 A","kind":"room","rent":{"fixed":true,"amount":650}}]})");
  ASSERT_EQ(property.status, 201U) << property.body;
  const auto units = office.send("GET", "/api/units?property=" + string_at(property, "/id"));
  const auto unit = "/api/units/" + string_at(units, "/items/0/id");
  const auto unlinked = office.send("GET", unit + "/preview/marketplace-a");
  EXPECT_EQ(string_at(unlinked, "/reasons/0/code"), "not_linked");
  const auto linked =
      office.send("PUT", unit + "/links/marketplace-a",
                  R"({"url":"https://www.marketplace-a.example/rooms/rua-1-a"})", {{"If-None-Match", "*"}});
  ASSERT_EQ(linked.status, 200U) << linked.body;
  EXPECT_EQ(json_at(office.send("GET", unit + "/preview/marketplace-a").body, "/published"), "true");
  const auto partner = office.partner_of("marketplace-a");
  EXPECT_THAT(partner.get("/listings/rua-1-a").body, HasSubstr(R"("rent":683,)"));
  const auto block = office.send("POST", unit + "/blocks", R"({"from":"2027-02-01","to":"2027-02-10"})");
  ASSERT_EQ(block.status, 201U) << block.body;
  ASSERT_EQ(partner.post("/bookings", booking("rua-1-a", 300, 330)).status, 201U);
  EXPECT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  EXPECT_EQ(office.place.run({"export"}).status, 0);
  office.place.run_or_throw({"export", "--out", (office.place.folder() / "exported.json").string()});
  office.place.run_or_throw({"import", (office.place.folder() / "exported.json").string()});
  EXPECT_THAT(partner.get("/listings/rua-1-a").body, HasSubstr(R"("rent":683,)")) << "exports import back";
}

} // namespace roost::testing::office_first_day_test
