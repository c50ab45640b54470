#include "document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::portfolio::json_tree_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

TEST(MalformedJson, IsOneProblemWithLineAndColumn) {
  EXPECT_THAT(problems_of(""), ElementsAre("line 1, column 1: is not JSON: The document is empty"));
  EXPECT_THAT(problems_of("{\n  \"é\": 1 x }"),
              ElementsAre("line 2, column 10: is not JSON: Missing a comma or '}' after an object member"));
  EXPECT_THAT(problems_of("{\"format\": [1, 2\n"),
              ElementsAre(StartsWith("line 2, column 1: is not JSON: Missing a comma or ']'")));
}

TEST(MalformedJson, HidesTheProblemsBeforeIt) {
  const auto document = edited(whole_document, {{account + "/currency", "7"}, {"/format", "null"}});
  ASSERT_EQ(problems_of(document).size(), 2u);
  const auto cut = document.substr(0, document.size() - 1);
  EXPECT_THAT(problems_of(cut), ElementsAre(StartsWith("line 1, column " + std::to_string(cut.size() + 1))));
}

TEST(MalformedJson, IsFoundInEveryForm) {
  const std::string head = R"({"format": )";
  for (const std::string& value : {std::string{"01"},           std::string{"+1"},
                                   std::string{"1."},           std::string{"tru"},
                                   std::string{"NaN"},          std::string{"'a'"},
                                   std::string{"\"a\tb\""},     std::string{"\"\\x\""},
                                   std::string{"\"a"},          std::string{"[1,]"},
                                   std::string{"{\"a\":1,}"},   std::string{"{a:1}"},
                                   std::string{"/* */ 1"},      std::string{"\"\xff\""},
                                   std::string{"\"\xc0\xaf\""}, std::string{"\"\\ud800\""},
                                   std::string{"\"\\udc00\""},  std::string{"\"\\ud800\\u0041\""},
                                   std::string{"1e999."},       std::string(100, '[') + std::string(100, ']'),
                                   std::string(100'000, '['),   std::string{"1\0", 2}}) {
    EXPECT_THAT(problems_of(head + value + "}"), ElementsAre(StartsWith("line 1, column ")))
        << value.substr(0, 20);
  }
  EXPECT_THAT(problems_of(std::string{whole_document} + "{}"), ElementsAre(StartsWith("line ")));
  EXPECT_THAT(problems_of(std::string{whole_document} + std::string(1, '\0')),
              ElementsAre(StartsWith("line ")));
}

TEST(Root, IsAnObjectWithFormatAndAccounts) {
  EXPECT_THAT(problems_of("[]"), ElementsAre("must be an object"));
  EXPECT_THAT(problems_of("7"), ElementsAre("must be an object"));
  EXPECT_THAT(problems_of("{}"), ElementsAre("/format: is required", "/accounts: is required"));
  EXPECT_THAT(problems_of(R"({"format": "roost-portfolio/2", "accounts": {}})"),
              ElementsAre("/format: must be \"roost-portfolio/1\"", "/accounts: must be an array"));
  EXPECT_THAT(problems_of(R"({"format": "roost-portfolio/1", "accounts": [7, null]})"),
              ElementsAre("/accounts/0: must be an object", "/accounts/1: must be an object"));
}

TEST(UnknownFields, AreProblemsWithTheNearestName) {
  EXPECT_THAT(problems_of(edited(whole_document, {{"/acounts", "[]"}})),
              ElementsAre("/acounts: is not a known field; did you mean \"accounts\"?"));
  EXPECT_THAT(problems_of(edited(whole_document, {{unit + "/internalname", "1"}})),
              ElementsAre(unit + "/internalname: is not a known field; did you mean \"internalName\"?"));
  EXPECT_THAT(problems_of(edited(whole_document, {{unit + "/zzz", "{}"}})),
              ElementsAre(unit + "/zzz: is not a known field"));
  EXPECT_THAT(problems_of(edited(whole_document, {{unit + "/rent/" + std::string(5'000, 'x'), "1"}})),
              ElementsAre(unit + "/rent/" + std::string(5'000, 'x') + ": is not a known field"));
}

TEST(UnknownFields, AreProblemsInEveryObject) {
  for (const std::string& object : {std::string{},
                                    account,
                                    account + "/paymentTerms",
                                    account + "/bookingEngine",
                                    account + "/tenantCategories/0",
                                    account + "/platformCards/0",
                                    account + "/platformCards/0/markup",
                                    account + "/users/0",
                                    account + "/aiUsage/0",
                                    property,
                                    property + "/address",
                                    property + "/cleaningFee",
                                    property + "/images/0",
                                    unit,
                                    unit + "/rent",
                                    unit + "/bills",
                                    unit + "/adminFee",
                                    unit + "/adminFee/tiers/0",
                                    unit + "/deposit",
                                    unit + "/bookingWindows/0",
                                    unit + "/blocks/0",
                                    unit + "/calendars/0",
                                    unit + "/links/0"})
    EXPECT_THAT(problems_of(edited(whole_document, {{object + "/q", "1"}})),
                ElementsAre(object + "/q: is not a known field"));
}

TEST(Problems, AreOneLineWhateverNamesContain) {
  EXPECT_THAT(problems_of(replaced(whole_document, "\"exitFee\"", "\"a\\nb\"")),
              ElementsAre(unit + "/a b: is not a known field"));
}

TEST(Pointers, EscapeSlashAndTilde) {
  EXPECT_THAT(problems_of(edited(whole_document, {{unit + "/a~1b~0c", "1"}})),
              ElementsAre(unit + "/a~1b~0c: is not a known field"));
  EXPECT_THAT(problems_of(replaced(whole_document, "\"exitFee\"", "\"\"")),
              ElementsAre(unit + "/: is not a known field"));
}

TEST(RepeatedKeys, AreProblemsInEveryObject) {
  EXPECT_THAT(problems_of(replaced(whole_document, "\"exitFee\": 35", "\"exitFee\": 35, \"exitFee\": 35")),
              ElementsAre(unit + "/exitFee: is given twice"));
  EXPECT_THAT(problems_of(replaced(whole_document, "\"es\": \"Tercero.\"", "\"en\": \"Tercero.\"")),
              ElementsAre(property + "/description/en: is given twice"));
  EXPECT_THAT(problems_of(replaced(whole_document, "\"pages\": 2", "\"pages\": [{\"a\": 1, \"a\": 1}]")),
              ElementsAre(account + "/aiUsage/0/metadata/pages/0/a: is given twice"));
  EXPECT_THAT(problems_of(replaced(whole_document, "\"format\": \"roost-portfolio/1\"",
                                   "\"accounts\": [], \"format\": \"roost-portfolio/1\"")),
              ElementsAre("/accounts: is given twice"));
}

TEST(Numbers, MayHaveAnySize) {
  const std::string digits(400, '7');
  for (const auto& number : {std::string{"1e400"}, std::string{"1e99999999999999999999"}, digits}) {
    EXPECT_THAT(problems_of(replaced(whole_document, "\"exitFee\": 35", "\"exitFee\": " + number)),
                ElementsAre(unit + "/exitFee: must be below 100000000"));
    EXPECT_THAT(problems_of(replaced(whole_document, "40.4168", number)),
                ElementsAre(property + "/address/latitude: must be a number from -90 to 90"));
    EXPECT_THAT(
        problems_of(replaced(whole_document, "\"pages\": 2", "\"pages\": " + number)),
        ElementsAre(account +
                    "/aiUsage/0/metadata/pages: must not have more than 308 digits before the point"));
  }
  EXPECT_THAT(problems_of(replaced(whole_document, "40.4168", "1e-400")), IsEmpty());
  EXPECT_THAT(problems_of(replaced(whole_document, "\"pages\": 2", "\"pages\": -1e307")), IsEmpty());
}

TEST(Numbers, AreReadWithTheOthersOfTheDocumentOnceOneIsTooBig) {
  const auto document = edited(whole_document, {{account + "/currency", "7"}, {unit + "/capacity", "0"}});
  const auto expected = problems_of(document);
  ASSERT_EQ(expected.size(), 2u);
  const auto more = [](std::string_view text) { return std::string{text.substr(0, text.rfind('}'))}; };
  EXPECT_THAT(problems_of(more(document) + R"(, "other": [1e400, 7]})"),
              UnorderedElementsAre("/other: is not a known field", expected[0], expected[1]));
}

TEST(EscapedText, IsRead) {
  const auto file =
      parsed(replaced(whole_document, "Casa Verde Rentals", "Caf\\u00e9 \\ud83c\\udfe0 \\\"V\\\""));
  EXPECT_EQ(file.accounts[0].details.company_name, "Café 🏠 \"V\"");
  EXPECT_THAT(problems_of(replaced(whole_document, "Third floor.", "Third floor\\t\\r\\n")), IsEmpty());
}

TEST(Problems, AreReportedTogetherInTheOrderOfTheDocument) {
  const auto document = edited(whole_document, {{"/format", "1"},
                                                {account + "/currency", "\"EURO\""},
                                                {account + "/landlordKey", ""},
                                                {account + "/users/0/role", "\"Admn\""},
                                                {unit + "/capacity", "0"},
                                                {unit + "/rent/amount", "650.005"},
                                                {unit + "/colour", "1"},
                                                {"/accounts/1", R"({"id": "x"})"}});
  EXPECT_THAT(problems_of(document),
              ElementsAre("/format: must be \"roost-portfolio/1\"",
                          account + "/currency: must be the ISO 4217 code of a currency, like EUR",
                          account + "/users/0/role: is not a configured role; did you mean \"Admin\"?",
                          unit + "/capacity: must be a whole number from 1 to 1000",
                          unit + "/rent/amount: must be a number with at most two decimals",
                          unit + "/colour: is not a known field", account + "/landlordKey: is required",
                          "/accounts/1/id: must be a UUID", "/accounts/1/companyName: is required",
                          "/accounts/1/currency: is required", "/accounts/1/landlordKey: is required"));
}

} // namespace roost::portfolio::json_tree_test
