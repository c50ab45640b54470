#include "http/partner/partner_bodies.hpp"
#include "http/support/refusal.hpp"
#include "support/edited_json.hpp"

#include <gmock/gmock.h>

/// POST /<engine-prefix>/property-listing: the fields of a body, and the messages of refusals.
namespace roost::http::testing::property_body_test {
using support::edit;
using support::edited;

constexpr std::string_view full =
    R"({"id":"P1","address":"Rua 1","floor":"3","internal_name":"House","incompleteRentType":"biweekly",)"
    R"("paidAtMovinDate":"Security Deposit","securityDeposit":"600.50","extraAdministrativeFee":150,)"
    R"("cleaningLadyPrice":45,"billsIncluded":true,"billsMax":60,"photos":["x"],"amenities":{},"houseRules":7,)"
    R"("rooms":[{"id":7,"accommodation":"rooms","internalName":"A","number":3,"rent":650.505,"fixedRent":true,)"
    R"("periodStayMin":1,"periodStayMax":11,"periodStayMaxBoolean":"true","numPeople":2,"extraTenantsPrice":50}]})";

domain::property_request read(std::string body) { return parse_property_request(body); }
domain::property_request read(const std::vector<edit>& edits) { return read(edited(full, edits)); }

std::string refusal(std::string body) { return refusal_of(parse_property_request, std::move(body)); }
std::string refusal(const std::vector<edit>& edits) { return refusal(edited(full, edits)); }

const std::string number = " must be a number conforming to the specified constraints",
                  out_of_range = "A numeric value is out of range.",
                  too_long = "A value is too long for its field.", format = "A value has an invalid format.";

TEST(PropertyBody, ReadsEveryField) {
  const auto request = read(std::string{full});
  EXPECT_EQ(request.id, "P1");
  EXPECT_EQ(request.address, "Rua 1");
  EXPECT_EQ(request.floor, "3");
  EXPECT_EQ(request.internal_name, "House");
  EXPECT_EQ(request.part_month, domain::part_month::fortnightly);
  EXPECT_TRUE(request.only_deposit_at_move_in);
  EXPECT_EQ(request.security_deposit.cents, 600'50);
  EXPECT_EQ(request.admin_fee.cents, 150'00);
  EXPECT_EQ(request.cleaning_fee.cents, 45'00);
  EXPECT_TRUE(request.bills_included);
  EXPECT_EQ(request.bills_max, domain::money{60'00});
  ASSERT_EQ(request.rooms.size(), 1U);
  const auto& room = request.rooms[0];
  EXPECT_EQ(room.id, "7");
  EXPECT_FALSE(room.whole_property);
  EXPECT_EQ(room.internal_name, "A");
  EXPECT_EQ(room.number, "3");
  EXPECT_EQ(room.rent.cents, 650'51);
  EXPECT_TRUE(room.rent_fixed);
  EXPECT_EQ(room.min_stay_months, 1);
  EXPECT_EQ(room.max_stay_months, 11);
  EXPECT_EQ(room.capacity, 2);
  EXPECT_EQ(room.extra_price_per_tenant.cents, 50'00);
}

TEST(PropertyBody, UsesDefaultsForMissingAndNullFields) {
  for (const auto* body :
       {R"({"id":"P1","address":"Rua 1","rooms":[{}]})",
        R"({"id":"P1","address":"Rua 1","floor":null,"internal_name":" ","securityDeposit":null,)"
        R"("rooms":[{"id":null,"accommodation":null,"internalName":"","numPeople":null}]})"}) {
    const auto request = read(std::string{body});
    EXPECT_EQ(request.floor, "");
    EXPECT_EQ(request.internal_name, std::nullopt);
    EXPECT_EQ(request.part_month, domain::part_month::daily);
    EXPECT_FALSE(request.only_deposit_at_move_in);
    EXPECT_EQ(request.security_deposit.cents, 0);
    EXPECT_FALSE(request.bills_included);
    EXPECT_EQ(request.bills_max, std::nullopt);
    ASSERT_EQ(request.rooms.size(), 1U);
    EXPECT_TRUE(request.rooms[0].whole_property);
    EXPECT_EQ(request.rooms[0].internal_name, std::nullopt);
    EXPECT_FALSE(request.rooms[0].rent_fixed);
    EXPECT_EQ(request.rooms[0].capacity, 1);
    EXPECT_EQ(request.rooms[0].max_stay_months, 0);
  }
  EXPECT_TRUE(read(R"({"id":"P1","address":"Rua 1"})").rooms.empty());
  EXPECT_TRUE(read(R"({"id":"P1","address":"Rua 1","rooms":null})").rooms.empty());
}

TEST(PropertyBody, RecognizesOnlyExactWords) {
  EXPECT_FALSE(read({{"/paidAtMovinDate", R"("security deposit")"}}).only_deposit_at_move_in);
  EXPECT_TRUE(read({{"/rooms/0/accommodation", R"("Rooms")"}}).rooms[0].whole_property);
  EXPECT_EQ(read({{"/rooms/0/periodStayMaxBoolean", R"("TRUE")"}}).rooms[0].max_stay_months, 0);
  EXPECT_EQ(read({{"/rooms/0/periodStayMaxBoolean", ""}}).rooms[0].max_stay_months, 0);
  EXPECT_EQ(read({{"/incompleteRentType", R"("fortnightly")"}}).part_month, domain::part_month::fortnightly);
  EXPECT_EQ(read({{"/incompleteRentType", R"("monthly")"}}).part_month, domain::part_month::monthly);
}

TEST(PropertyBody, AcceptsIdsThatAreStringsOrNumbersWithAnyCharacters) {
  const auto id = [](const std::string& json) { return read({{"/rooms/0/id", json}}).rooms[0].id; };
  EXPECT_EQ(id(R"("a/b%2F ü")"), "a/b%2F ü");
  EXPECT_EQ(id("7.0"), "7");
  EXPECT_EQ(id("1.5"), "1.5");
  EXPECT_EQ(id("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(read({{"/id", R"("100%/é")"}}).id, "100%/é");
  EXPECT_EQ(read({{"/rooms/0/accommodation", R"("flat")"}, {"/rooms/0/id", R"("a_b")"}}).rooms[0].id,
            ""); // unused
}

TEST(PropertyBody, RefusesMissingFieldsAndOtherTypes) {
  EXPECT_EQ(refusal("{}"), "id must be a string, address must be a string");
  EXPECT_EQ(refusal(R"({"id":5,"address":5})"), "id must be a string, address must be a string");
  EXPECT_EQ(refusal(R"({"id":"","address":" "})"), "id must be a string, address must be a string");
  const std::vector<std::pair<edit, std::string>> rules{
      {{"/floor", "3"}, "floor must be a string"},
      {{"/internal_name", "[]"}, "internal_name must be a string"},
      {{"/incompleteRentType", R"("weekly")"},
       "incompleteRentType must be one of the following values: daily, monthly, biweekly, fortnightly"},
      {{"/paidAtMovinDate", "true"}, "paidAtMovinDate must be a string"},
      {{"/securityDeposit", "600"}, "securityDeposit must be a string"},
      {{"/extraAdministrativeFee", R"("150")"},
       "extraAdministrativeFee must not be less than 0, extraAdministrativeFee" + number},
      {{"/cleaningLadyPrice", "-1"}, "cleaningLadyPrice must not be less than 0"},
      {{"/billsIncluded", R"("yes")"}, "billsIncluded must be a boolean value"},
      {{"/billsMax", "-0.01"}, "billsMax must not be less than 0"},
      {{"/rooms", "{}"}, "rooms must be an array"},
      {{"/rooms/0", "7"}, "rooms.each value in nested property rooms must be either object or array"},
      {{"/rooms/0/id", ""}, "rooms.0.id must be a string or a number"},
      {{"/rooms/0/id", "true"}, "rooms.0.id must be a string or a number"},
      {{"/rooms/0/id", R"("")"}, "rooms.0.id must be a string or a number"},
      {{"/rooms/0/accommodation", "1"}, "rooms.0.accommodation must be a string"},
      {{"/rooms/0/internalName", "1"}, "rooms.0.internalName must be a string"},
      {{"/rooms/0/number", R"("3")"}, "rooms.0.number" + number},
      {{"/rooms/0/rent", "-1"}, "rooms.0.rent must not be less than 0"},
      {{"/rooms/0/fixedRent", R"("true")"}, "rooms.0.fixedRent must be a boolean value"},
      {{"/rooms/0/periodStayMin", "-1"}, "rooms.0.periodStayMin must not be less than 0"},
      {{"/rooms/0/periodStayMaxBoolean", "true"}, "rooms.0.periodStayMaxBoolean must be a string"},
      {{"/rooms/0/numPeople", "0"}, "rooms.0.numPeople must not be less than 1"},
      {{"/rooms/0/extraTenantsPrice", "[]"},
       "rooms.0.extraTenantsPrice must not be less than 0, rooms.0.extraTenantsPrice" + number},
      {{"/pets", "1"}, "property pets should not exist"}};
  for (const auto& [change, message] : rules)
    EXPECT_EQ(refusal({change}), message) << change.pointer << " = " << change.json;
}

TEST(PropertyBody, AcceptsUnknownFieldsOfARoom) {
  EXPECT_EQ(refusal({{"/rooms/0/photos", "[]"}, {"/rooms/0/balcony", "true"}}), "");
}

TEST(PropertyBody, RefusesValuesThatNoColumnHolds) {
  const std::vector<std::pair<edit, std::string>> rules{
      {{"/id", '"' + std::string(257, 'x') + '"'}, too_long},
      {{"/address", '"' + std::string(257, 'x') + '"'}, too_long},
      {{"/rooms/0/internalName", '"' + std::string(257, 'x') + '"'}, too_long},
      {{"/internal_name", R"("two\nlines")"}, format},
      {{"/rooms/0/id", R"("a\u0000")"}, format},
      {{"/extraAdministrativeFee", "100000000"}, out_of_range},
      {{"/securityDeposit", R"("100000000")"}, out_of_range},
      {{"/securityDeposit", R"("1e999")"}, out_of_range},
      {{"/rooms/0/rent", "1e308"}, out_of_range},
      {{"/rooms/0/periodStayMin", "1.5"}, format},
      {{"/rooms/0/periodStayMax", "1201"}, out_of_range},
      {{"/rooms/0/numPeople", "1001"}, out_of_range},
      {{"/rooms/0/numPeople", "1.5"}, format}};
  for (const auto& [change, message] : rules)
    EXPECT_EQ(refusal({change}), message) << change.pointer << " = " << change.json.substr(0, 60);
}

TEST(PropertyBody, ReadsAnAmountThatIsAString) {
  const auto deposit = [](const std::string& text) {
    return read({{"/securityDeposit", '"' + text + '"'}}).security_deposit.cents;
  };
  EXPECT_EQ(deposit("600"), 600'00);
  EXPECT_EQ(deposit("0.005"), 1);
  EXPECT_EQ(deposit("-0"), 0);
  for (const auto* text : {"", " ", "600 EUR", "6,00", "0x10", ".5", "01", "NaN", "+5"})
    EXPECT_EQ(refusal({{"/securityDeposit", '"' + std::string(text) + '"'}}),
              "securityDeposit must be a number string")
        << text;
  EXPECT_EQ(refusal({{"/securityDeposit", R"("-0.01")"}}), "securityDeposit must not be less than 0");
}

TEST(PropertyBody, RefusesIdsThatCouldNotBeFoundAgain) {
  EXPECT_EQ(refusal({{"/id", R"("P_1")"}}), "id must not contain an underscore");
  EXPECT_EQ(refusal({{"/rooms/0/id", R"("1_2")"}}), "rooms.0.id must not contain an underscore");
  const auto long_id = '"' + std::string(254, 'x') + '"';
  EXPECT_EQ(refusal({{"/id", long_id}}), "");
  EXPECT_EQ(refusal({{"/id", long_id}, {"/rooms/0/id", "77"}}), too_long); // together with the underscore
}

TEST(PropertyBody, RefusesTwoUnitsWithTheSameId) {
  const std::string room = R"({"id":"7","accommodation":"rooms","fixedRent":true})",
                    whole = R"({"fixedRent":true})";
  EXPECT_EQ(refusal({{"/rooms/-", room}}), "rooms.1.id must be unique"); // 7 and "7"
  EXPECT_EQ(refusal({{"/rooms/-", whole}}), "");
  EXPECT_EQ(refusal({{"/rooms", "[" + whole + "," + whole + "]"}}), "rooms.1.id must be unique");
}

TEST(PropertyBody, LeavesErrorsOfASingleRoomToItsCreation) {
  EXPECT_EQ(refusal({{"/rooms/0/fixedRent", "false"}}), "");
  EXPECT_EQ(refusal({{"/rooms/0/periodStayMin", "12"}}), "");
}

} // namespace roost::http::testing::property_body_test
