#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Properties, the account and its cards through the office API.
namespace roost::testing::office_properties_test {
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class OfficeProperties : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeProperties);
class OfficeAccount : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeAccount);
class OfficeCards : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(OfficeCards);

const std::string properties_path = "/api/properties", card_path = "/api/platforms/marketplace-a/card";

header_fields if_match(const raw_response& seen) { return {{"If-Match", seen.headers.find("etag")->second}}; }

TEST_P(OfficeProperties, AreCreatedWithTheirUnits) {
  office_fixture office(GetParam());
  const auto created = office.send(
      "POST", properties_path,
      R"({"internalName":"Rua 1","address":{"city":"Lisboa"},"units":[{"internalName":"Rua 1 A"},)"
      R"({"internalName":"Rua 1 B","rent":{"fixed":true,"amount":400}}]})");
  ASSERT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(json_at(created.body, "/address/city"), R"("Lisboa")");
  const auto units = office.send("GET", "/api/units?property=" + string_at(created, "/id"));
  EXPECT_EQ(json_at(units.body, "/total"), "2");
  EXPECT_EQ(json_at(units.body, "/items/1/rent/amount"), "400");
  const auto changes = office.send("GET", "/api/units/" + string_at(units, "/items/1/id") + "/changes");
  EXPECT_EQ(json_at(changes.body, "/total"), "1");
  EXPECT_EQ(json_at(changes.body, "/items/0/by"), R"("ana@casaverde.example")");
  const auto taken = office.send("POST", properties_path,
                                 R"({"internalName":"Rua 2","units":[{"internalName":"Rua 1 A"}]})");
  EXPECT_EQ(taken.status, 409U);
  EXPECT_EQ(string_at(taken, "/message"), "units[0].internalName is the name of another unit");
  EXPECT_EQ(json_at(office.send("GET", properties_path + "?q=rua").body, "/total"), "1")
      << "nothing was written";
}

TEST_P(OfficeProperties, ChangeInTheStateThatTheClientHasRead) {
  office_fixture office(GetParam());
  const auto listed = office.send("GET", properties_path);
  const auto path = properties_path + "/" + string_at(listed, "/items/0/id");
  const auto property = office.send("GET", path);
  const auto changed =
      office.send("PATCH", path, R"({"address":{"street":"Rua 9","latitude":38.7223,"longitude":-9.1393}})",
                  if_match(property));
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(json_at(changed.body, "/address/latitude"), "38.7223");
  EXPECT_EQ(json_at(changed.body, "/address/city"), R"("")") << "replaced as a whole";
  const auto outdated = office.send("PATCH", path, R"({"internalName":"Casa"})", if_match(property));
  EXPECT_EQ(outdated.status, 412U);
  EXPECT_EQ(json_at(outdated.body, "/changed"), R"(["address"])");
  EXPECT_EQ(json_at(outdated.body, "/changedBy"), R"("ana@casaverde.example")");
}

TEST_P(OfficeProperties, AreDeletedWithTheirUnitsUnlessTheseHaveBookings) {
  office_fixture office(GetParam(), {{"bookings.cycle", "\"1s\""}});
  const auto created = office.send("POST", properties_path,
                                   R"({"internalName":"Rua 1","units":[{"internalName":"Rua 1 A"}]})");
  const auto path = properties_path + "/" + string_at(created, "/id");
  EXPECT_EQ(office.send("DELETE", path, "", if_match(created)).status, 204U);
  EXPECT_EQ(office.send("GET", path).status, 404U);
  EXPECT_EQ(json_at(office.send("GET", "/api/units").body, "/total"), "1");
  EXPECT_THAT(office.place.run_or_throw({"audit", "list"}), HasSubstr(R"(: "Rua 1 A" to null; )"))
      << "first, because the description may be cut off";
  ASSERT_EQ(office.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  ASSERT_TRUE(eventually([&] { return office.decisions() == std::vector<std::string>{"Success"}; }));
  const auto booked = properties_path + "/" + string_at(office.send("GET", properties_path), "/items/0/id");
  const auto archived = office.send("DELETE", booked, "", {{"If-Match", "*"}});
  EXPECT_EQ(archived.status, 200U) << archived.body;
  EXPECT_EQ(json_at(archived.body, "/archived"), "true");
  EXPECT_EQ(office.partner_of("marketplace-a").get("/listings/u1").status, 404U);
}

TEST_P(OfficeProperties, KeepTheWifiPasswordOutOfTheAuditLog) {
  office_fixture office(GetParam());
  const auto path = properties_path + "/" + string_at(office.send("GET", properties_path), "/items/0/id");
  ASSERT_EQ(office.send("PATCH", path, R"({"wifiPassword":"hunter2hunter2"})", {{"If-Match", "*"}}).status,
            200U);
  const auto log = office.place.run_or_throw({"audit", "list"});
  EXPECT_THAT(log, HasSubstr("wifiPassword"));
  EXPECT_THAT(log, Not(HasSubstr("hunter2")));
}

TEST_P(OfficeAccount, HasSettingsThatChange) {
  office_fixture office(GetParam());
  const auto account = office.send("GET", "/api/account");
  ASSERT_EQ(account.status, 200U) << account.body;
  EXPECT_EQ(json_at(account.body, "/currency"), R"("EUR")");
  const auto changed = office.send(
      "PATCH", "/api/account", R"({"companyName":"Casa Azul","checkInTime":"16:00","advanceNoticeDays":3})",
      if_match(account));
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(string_at(changed, "/companyName"), "Casa Azul");
  EXPECT_EQ(json_at(office.ana.get("/auth/me", office.token).body, "/account/companyName"), R"("Casa Azul")");
  EXPECT_EQ(office.send("PATCH", "/api/account", R"({"companyName":"Other"})", if_match(account)).status,
            412U);
  EXPECT_EQ(office.send("PATCH", "/api/account", R"({"currency":"USD"})", if_match(changed)).status, 400U);
}

TEST_P(OfficeCards, AreCreatedChangedAndRemoved) {
  office_fixture office(GetParam());
  const auto card = office.send("GET", card_path);
  ASSERT_EQ(card.status, 200U) << card.body;
  const auto changed =
      office.send("PUT", card_path, R"({"markup":{"mode":"percentage","value":10}})", if_match(card));
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_THAT(office.partner_of("marketplace-a").get("/listings/u1").body, HasSubstr(R"("rent":715,)"));
  EXPECT_EQ(office.send("PUT", card_path, "{}", {{"If-None-Match", "*"}}).status, 412U) << "it exists";
  EXPECT_EQ(office.send("DELETE", card_path, "", if_match(changed)).status, 204U);
  EXPECT_EQ(office.send("GET", card_path).status, 404U);
  EXPECT_THAT(office.partner_of("marketplace-a").get("/listings/u1").body, HasSubstr(R"("rent":650,)"));
  const auto created = office.send("PUT", card_path, R"({"calendarBlockDays":90})", {{"If-None-Match", "*"}});
  EXPECT_EQ(created.status, 201U) << created.body;
  EXPECT_EQ(office.send("PUT", card_path, "{}").status, 428U);
  const auto log = office.send("GET", "/api/audit");
  EXPECT_THAT(json_at(log.body, "/items/0/detail"), HasSubstr("calendarBlockDays: null to 90"));
  EXPECT_EQ(json_at(log.body, "/items/1/action"), R"("card deletion")");
  EXPECT_THAT(json_at(log.body, "/items/1/detail"), HasSubstr(" to null"));
  EXPECT_THAT(json_at(log.body, "/items/2/detail"), HasSubstr(R"(markup: )"));
}

TEST_P(OfficeCards, SayWhenAnImportChangedThem) {
  office_fixture office(GetParam());
  const auto card = office.send("GET", card_path);
  office.place.import(portfolio_of(1, {{account_pointer + "/platformCards/0/calendarBlockDays", "30"}}));
  const auto refused = office.send("PUT", card_path, "{}", if_match(card));
  EXPECT_EQ(refused.status, 412U) << refused.body;
  EXPECT_EQ(string_at(refused, "/changedBy"), "import");
  EXPECT_THAT(string_at(refused, "/changedAt"), StartsWith(day_from_now(0)));
}

} // namespace roost::testing::office_properties_test
