#include "rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::portfolio::rules_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RequiredFields, AreReportedIfMissing) {
  for (const std::string& pointer : {account + "/id",
                                     account + "/companyName",
                                     account + "/currency",
                                     account + "/landlordKey",
                                     account + "/platformCards/0/platform",
                                     account + "/tenantCategories/1/name",
                                     account + "/users/0/id",
                                     account + "/users/0/email",
                                     account + "/users/0/role",
                                     account + "/platformCards/0/markup/mode",
                                     account + "/aiBudget/monthly",
                                     account + "/aiUsage/0/id",
                                     account + "/aiUsage/0/feature",
                                     account + "/aiUsage/0/createdAt",
                                     property + "/id",
                                     property + "/internalName",
                                     property + "/images/0/url",
                                     unit + "/id",
                                     unit + "/internalName",
                                     unit + "/deposit/mode",
                                     unit + "/adminFee/tiers/0/fromDays",
                                     unit + "/bookingWindows/0/minEndDate",
                                     unit + "/blocks/0/from",
                                     unit + "/blocks/0/to",
                                     unit + "/links/0/platform"})
    EXPECT_THAT(problems_of(edited(whole_document, {{pointer, ""}})), ElementsAre(pointer + ": is required"));
}

TEST(Types, AreExact) {
  expect_rules({
      {account + "/companyName", "7", "must be text"},
      {account + "/companyName", "null", "must be text"},
      {account + "/bookingEngine", "[]", "must be an object"},
      {account + "/bookingEngine/native", "1", "must be true or false"},
      {account + "/bookingEngine/native", "\"true\"", "must be true or false"},
      {account + "/platformCards/0/allowChanges", "1", "must be true or false"},
      {account + "/platformCards/0/allowHolds", "\"yes\"", "must be true or false"},
      {account + "/users", "{}", "must be an array"},
      {account + "/users", "null", "must be an array"},
      {account + "/aiAreas", "[]", "must be an object"},
      {unit + "/capacity", "\"2\"", "must be a whole number from 1 to 1000"},
      {unit + "/exitFee", "\"35\"", "must be a number with at most two decimals"},
      {unit + "/exitFee", "null", "must be a number with at most two decimals"},
      {unit + "/title", "\"Room\"", "must be an object"},
      {unit + "/features/0", "1", "must be text"},
  });
}

TEST(Null, StandsForAMissingOptionalValue) {
  for (const std::string& pointer : {account + "/logoUrl",
                                     account + "/aiBudget",
                                     account + "/platformCards/0/integrationEmail",
                                     account + "/platformCards/0/calendarBlockDays",
                                     account + "/users/0/password",
                                     property + "/partnerCurrency",
                                     property + "/monthlyBills",
                                     property + "/membershipFee",
                                     property + "/parking",
                                     property + "/sizeSquareMetres",
                                     property + "/wifiPassword",
                                     unit + "/minStayMonths",
                                     unit + "/maxStayMonths",
                                     unit + "/bills/maxValue",
                                     unit + "/localRentCap",
                                     unit + "/advanceNoticeDays",
                                     unit + "/blocks/0/id",
                                     unit + "/blocks/0/to",
                                     unit + "/blocks/1/host",
                                     unit + "/shortTermIcalMaxDate",
                                     unit + "/sizeSquareMetres",
                                     unit + "/floor",
                                     unit + "/minAge",
                                     unit + "/maxAge",
                                     unit + "/registrationNumber",
                                     unit + "/energyClass",
                                     account + "/aiUsage/0/userId",
                                     account + "/aiUsage/0/metadata"})
    EXPECT_THAT(problems_of(edited(whole_document, {{pointer, "null"}})), IsEmpty()) << pointer;
}

TEST(Text, HasALengthInCharactersAndNoControlCharacters) {
  const auto name = account + "/companyName";
  expect_rules({
      {name, quoted(repeated("é", 256)), ""},
      {name, quoted(repeated("é", 257)), "must not be longer than 256 characters"},
      {name, "\"\"", "must not be blank"},
      {name, R"(" \t ")", "must not be blank"},
      {name, R"("a\u0000b")", "must not hold control characters"},
      {name, R"("a\nb")", "must not hold control characters"},
      {name, R"("a\u007f")", "must not hold control characters"},
      {property + "/description/en", quoted(repeated("x", 20'000)), ""},
      {property + "/description/en", quoted(repeated("x", 20'001)),
       "must not be longer than 20000 characters"},
      {property + "/description/en", R"("a\u0000b")", "must not hold control characters"},
      {property + "/address/street", "\"\"", ""},
  });
}

TEST(Money, IsAnExactNumberOfCents) {
  const auto fee = unit + "/exitFee";
  const std::string decimals = "must be a number with at most two decimals";
  expect_rules({
      {fee, "0", ""},
      {fee, "0.01", ""},
      {fee, "99999999.99", ""},
      {fee, "100000000", "must be below 100000000"},
      {fee, "1e300", "must be below 100000000"},
      {fee, "-0.01", "must not be less than 0"},
      {fee, "99.995", decimals},
      {fee, "true", decimals},
  });
  const auto problems_with = [](const std::string& number) {
    return problems_of(replaced(whole_document, "\"exitFee\": 35", "\"exitFee\": " + number));
  };
  for (const std::string good : {"35.10", "35.100", "3.5e1", "3510E-2", "0.0e5", "-0", "0.29", "1.15"})
    EXPECT_THAT(problems_with(good), IsEmpty()) << good;
  for (const std::string bad : {"35.001", "35.000000000000000000001", "3.5e-3", "1e-9999999999999999999"})
    EXPECT_THAT(problems_with(bad), ElementsAre(unit + "/exitFee: " + decimals)) << bad;
  EXPECT_EQ(parsed(replaced(whole_document, "\"exitFee\": 35", "\"exitFee\": 1.15"))
                .accounts[0]
                .properties[0]
                .units[0]
                .terms.exit_fee,
            domain::money{115});
}

TEST(Integers, AreWholeAndInRange) {
  expect_rules({
      {unit + "/capacity", "1", ""},
      {unit + "/capacity", "1000", ""},
      {unit + "/capacity", "1001", "must be a whole number from 1 to 1000"},
      {unit + "/capacity", "1.5", "must be a whole number from 1 to 1000"},
      {unit + "/capacity", "18446744073709551617", "must be a whole number from 1 to 1000"},
      {unit + "/preparationDays", "-1", "must be a whole number from 0 to 366"},
      {unit + "/advanceNoticeDays", "3651", "must be a whole number from 0 to 3650"},
      {unit + "/maxStayMonths", "1201", "must be a whole number from 0 to 1200"},
      {unit + "/sizeSquareMetres", "0", "must be a whole number from 1 to 1000000"},
      {unit + "/maxAge", "151", "must be a whole number from 0 to 150"},
      {account + "/paymentTerms/monthlyDueDay", "28", ""},
      {account + "/paymentTerms/monthlyDueDay", "0", "must be a whole number from 1 to 28"},
      {account + "/paymentTerms/monthlyDueDay", "29", "must be a whole number from 1 to 28"},
      {account + "/platformCards/0/calendarBlockDays", "-1", "must be a whole number from 0 to 3650"},
  });
}

TEST(Ids, AreCanonicalUuids) {
  const auto id = unit + "/id";
  expect_rules({
      {id, "\"0B2F7F8E-5A51-4D0C-9D2F-3F0A3F1F00FF\"", ""},
      {id, "\"0b2f7f8e5a514d0c9d2f3f0a3f1f00ff\"", "must be a UUID"},
      {id, "\"{0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f00ff}\"", "must be a UUID"},
      {id, "null", "must be a UUID"},
      {id, "\"00000000-0000-0000-0000-000000000000\"", "must not be the nil UUID"},
  });
}

TEST(Codes, AreThoseOfTheirStandards) {
  const std::string currency = "must be the ISO 4217 code of a currency, like EUR";
  const std::string country = "must be an ISO 3166-1 country code of two capital letters, like ES";
  const std::string language = "must be under a language of two lower-case letters";
  expect_rules({
      {account + "/currency", "\"PLN\"", ""},
      {account + "/currency", "\"eur\"", currency},
      {account + "/currency", "\"XXX\"", currency},
      {account + "/currency", "\"ABC\"", currency},
      {account + "/currency", "\"R E\"", currency},
      {account + "/currency", "\"EURO\"", currency},
      {property + "/partnerCurrency", "\"\"", currency},
      {property + "/address/countryCode", "\"PT\"", ""},
      {property + "/address/countryCode", "\"pt\"", country},
      {property + "/address/countryCode", "\"UK\"", country},
      {property + "/address/countryCode", "\"E \"", country},
      {property + "/description/pt", "\"Terceiro.\"", ""},
      {property + "/description/EN", "\"Third.\"", language},
      {unit + "/title/eng", "\"Room\"", language},
  });
}

TEST(AiBudgets, HaveAnAmountAndAscendingThresholds) {
  const auto budget = account + "/aiBudget", shares = budget + "/warnAt";
  const std::string range = "must be greater than 0 and at most 10";
  expect_rules({
      {budget, R"({"monthly": 0.01})", ""},
      {budget, "50", "must be an object"},
      {budget + "/monthly", "0", "must be greater than 0"},
      {budget + "/monthly", "0.001", "must be a number with at most two decimals"},
      {budget + "/monthly", "-1", "must not be less than 0"},
      {budget + "/monthly", "99999999.99", ""},
      {budget + "/monthly", "100000000", "must be below 100000000"},
      {shares, "[0.01, 10]", ""},
      {shares, "[]", "must have 1 to 10 elements"},
      {shares, "[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1]", ""},
      {shares, "[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1,1.1]", "must have 1 to 10 elements"},
      {shares, "0.5", "must be an array"},
      {shares + "/0", "0", range},
      {shares + "/2", "10.01", range},
      {shares + "/2", "11", "must be below 11"},
      {shares + "/0", "0.125", "must be a number with at most two decimals"},
      {shares + "/1", "0.5", "must be greater than the one before"},
  });
}

TEST(Choices, AreOneOfTheAllowedWords) {
  expect_rules({
      {property + "/type", "\"residence\"", ""},
      {property + "/type", "\"villa\"", "must be one of apartment, house, studio, residence"},
      {property + "/type", "null", "must be one of apartment, house, studio, residence"},
      {unit + "/kind", "\"Room\"", "must be one of property, room, bed"},
      {unit + "/blocks/0/source", "\"booking\"", "must be one of manual, channel"},
      {account + "/aiAreas/team", "\"edit\"", ""},
      {account + "/aiAreas/team", "\"off\"", "must be one of edit, read-only"},
      {account + "/aiAreas/teams", "\"edit\"", "is not a known area; did you mean \"team\"?"},
      {account + "/paymentTerms/checkIn/0", "\"rent\"",
       "must be one of firstRent, lastRent, deposit, adminFee, cleaningFee"},
  });
}

TEST(Formats, AreChecked) {
  const std::string time = "must be a time written HH:MM", date = "must be a real date written YYYY-MM-DD";
  const std::string email = "must be an email address", url = "must be an http or https URL";
  expect_rules({
      {account + "/checkInTime", "\"00:00\"", ""},
      {account + "/checkInTime", "\"23:59\"", ""},
      {account + "/checkInTime", "\"24:00\"", time},
      {account + "/checkInTime", "\"9:00\"", time},
      {account + "/checkInTime", "\"09:60\"", time},
      {account + "/checkInTime", "\"0a:00\"", time},
      {unit + "/blocks/0/from", "\"2027-02-30\"", date},
      {unit + "/blocks/0/from", "\"2027-3-1\"", date},
      {unit + "/shortTermIcalMaxDate", "20271231", date},
      {account + "/users/0/email", "\"a@b.co\"", ""},
      {account + "/users/0/email", quoted("max@münchen.example"), ""},
      {account + "/users/0/email", quoted(repeated("e\u0301", 22) + "@casa.example"),
       ""}, // 44 bytes composed
      {account + "/users/0/email", quoted("john..doe@docomo.example"), email},
      {account + "/users/0/email", quoted("a@b"), email},
      {account + "/users/0/email", quoted("a@b_c.example"), email},
      {account + "/users/0/email", quoted("a@127.0.0.1"), email},
      {account + "/users/0/email", "\"ana\"", email},
      {account + "/users/0/email", "\"@b.example\"", email},
      {account + "/users/0/email", "\"a@\"", email},
      {account + "/users/0/email", "\"a@b@c.example\"", email},
      {account + "/users/0/email", "\"a b@c.example\"", email},
      {account + "/users/0/email", "\"Ana <a@b.example>\"", email},
      {account + "/users/0/email", R"("a@b.example\r\nBcc: x@y")", email},
      {account + "/platformCards/0/integrationEmail", "\"\"", email},
      {account + "/platformCards/0/integrationEmail", quoted("feeds..a@casaverde.example"), email},
      {account + "/logoUrl", "\"ftp://casaverde.example/logo\"", url},
      {account + "/logoUrl", "\"logo.png\"", url},
      {account + "/logoUrl", "\"https://\"", url},
      {property + "/images/0/url", "\"javascript:alert(1)\"", url},
      {property + "/images/0/url", quoted("https://a.example/" + repeated("x", 2'031)),
       "must not be longer than 2048 characters"},
  });
}

TEST(Coordinates, AreDegreesAndComeTogether) {
  expect_rules({
      {property + "/address/latitude", "-90", ""},
      {property + "/address/latitude", "90.0001", "must be a number from -90 to 90"},
      {property + "/address/longitude", "180", ""},
      {property + "/address/longitude", "\"3\"", "must be a number from -180 to 180"},
      {property + "/address/longitude", "", "is required with the other one"},
      {property + "/address/latitude", "null", "is required with the other one"},
  });
}

TEST(Stays, HaveAMinimumUpToTheMaximum) {
  expect_rules({
      {unit + "/minStayMonths", "11", ""},
      {unit + "/minStayMonths", "12", "must not be greater than maxStayMonths"},
      {unit + "/maxStayMonths", "0", ""},
      {unit + "/minAge", "41", "must not be greater than maxAge"},
  });
}

TEST(BookingWindows, AreInOrder) {
  const auto window = unit + "/bookingWindows/0";
  expect_rules({
      {window + "/minStartDate", "\"2027-02-01\"", ""},
      {window + "/minStartDate", "\"2027-02-02\"", "must not be after maxStartDate"},
      {window + "/minEndDate", "\"2027-08-01\"", "must not be after maxEndDate"},
  });
  EXPECT_THAT(problems_of(edited(whole_document, {{window + "/minStartDate", "\"2027-06-01\""},
                                                  {window + "/maxStartDate", "\"2027-07-31\""}})),
              ElementsAre(window + "/minStartDate: must be before minEndDate",
                          window + "/maxStartDate: must be before maxEndDate"));
}

TEST(Blocks, AreInOrderAndNameAHostOnlyForAChannel) {
  const auto block = unit + "/blocks/0";
  expect_rules({
      {block + "/from", "\"2027-03-31\"", ""},
      {block + "/from", "\"2027-04-01\"", "must not be after to"},
      {block + "/host", "\"host-one\"", "belongs to channel blocks only"},
      {unit + "/blocks/1/host", "\"host-two\"", ""},
      {unit + "/blocks/1/host", "", ""},
      {unit + "/blocks/1/host", "\"host-tow\"",
       "is not a configured short-term host; did you mean \"host-two\"?"},
  });
}

TEST(Users, HaveAConfiguredRoleAndAPasswordOfSixCharacters) {
  const auto user = account + "/users/0";
  expect_rules({
      {user + "/role", "\"Viewer\"", ""},
      {user + "/role", "\"admin\"", "is not a configured role; did you mean \"Admin\"?"},
      {user + "/password", "\"áéíóúñ\"", ""},
      {user + "/password", "\"áéíóú\"", "must have at least 6 characters"},
      {user + "/password", "\"\"", "must have at least 6 characters"},
  });
}

TEST(Users, NameAnOwnerOnlyInTheOwnersRole) {
  const auto user = account + "/users/0";
  const auto owner = quoted("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0007");
  expect_rules({
      {user + "/ownerId", owner, "must be left out unless the role is Owner"},
      {user + "/ownerId", "null", ""},
      {user + "/ownerId", "7", "must be a UUID"},
      {property + "/ownerId", "null", ""},
      {property + "/ownerId", "\"\"", "must be a UUID"},
  });
  EXPECT_THAT(
      problems_of(edited(whole_document, {{user + "/role", "\"Owner\""}, {user + "/ownerId", owner}})),
      IsEmpty());
  EXPECT_THAT(problems_of(edited(whole_document, {{user + "/role", "\"Owner\""}})), IsEmpty());
}

TEST(UsageRecords, AreRowsOfTheLedger) {
  const auto row = account + "/aiUsage/0";
  expect_rules({
      {row + "/feature", "\"faq_generation\"", ""},
      {row + "/feature", "\"chat\"",
       "must be one of landlord_chat, utility_bill_extraction, booking_communication_summary, "
       "faq_generation, "
       "ticket_priority_analysis, cashflow_invoice_analysis"},
      {row + "/inputTokens", "-1", "must be a whole number from 0 to 1000000000000"},
      {row + "/totalTokens", "", ""},
      {row + "/totalTokens", "99", "must be the sum of the four counters, 100"},
      {row + "/accountId", "", ""},
      {row + "/accountId", "\"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0009\"",
       "must be the ID of the enclosing account"},
      {row + "/cost", "-0.5", "must not be less than 0"},
      {row + "/cost", "\"0\"", "must be a number"},
      {row + "/metadata", "[]", "must be an object"},
      {row + "/currency", "\"EUR\"", "must be USD"},
      {row + "/pricingSnapshot", "null", "must be an object"},
      {row + "/pricingSnapshot", "{}", ""},
      {row + "/pricingSnapshot/currency", "\"EUR\"", "must be USD"},
      {row + "/pricingSnapshot/perMTok", "3", "must be an object"},
      {row + "/pricingSnapshot/perMTok/input", "-3", "must not be less than 0"},
      {row + "/pricingSnapshot/perMTok/cached", "0.3", ""},
      {row + "/metadata/note", R"("a\u0000")", "must not hold control characters"},
      {row + "/metadata", R"({"note": ")" + repeated("x", 19'980) + R"("})", ""},
      {row + "/metadata", R"({"note": ")" + repeated("x", 20'000) + R"("})",
       "must not be longer than 20000 characters"},
      {row + "/createdAt", "\"yesterday\"", "must be a UTC time written like 2026-11-20T09:30:00.000Z"},
  });
}

TEST(Links, CanBeSplitIntoPropertyAndRoomForMarketplaceDAndTheEngine) {
  const std::string message =
      "must hold the ID of a property, or of a property and a room joined with \"_\", neither of "
      "them empty or with an underscore of its own";
  const auto link = unit + "/links/1";
  std::vector<rule> rules;
  for (const auto* id : {"12_r_7", "_x", "x_"}) rules.push_back({link + "/externalId", quoted(id), message});
  for (const auto* id : {"12", "12_7"}) rules.push_back({link + "/externalId", quoted(id), ""});
  expect_rules(rules);
  for (const std::string platform : {"marketplace-d", "booking-engine"}) {
    const auto url = [&](const std::string& path) {
      return problems_of(
          edited(whole_document, {{link, R"({"platform":")" + platform + R"(","url":"https://)" + platform +
                                             ".example/house/" + path + "\"}"}}));
    };
    EXPECT_THAT(url("12/7"), IsEmpty());
    EXPECT_THAT(url("12_7"), IsEmpty());
    EXPECT_THAT(url("12_r/7"), ElementsAre(link + "/url: " + message));
    EXPECT_THAT(url("12/r_7"), ElementsAre(link + "/url: " + message));
  }
  expect_rules({{unit + "/links/0", R"({"platform":"marketplace-a","externalId":"12_r_7"})", ""}});
}

} // namespace roost::portfolio::rules_test
