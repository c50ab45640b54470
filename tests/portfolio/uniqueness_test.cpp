#include "document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::portfolio::uniqueness_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string second_account = R"({"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f1001", "companyName": "B",
    "currency": "EUR", "landlordKey": "b", "properties": [{"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f1003",
    "internalName": "Calle Mayor 12", "units": [{"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f1004",
    "internalName": "CM12 Room 1", "links": [{"platform": "marketplace-a", "externalId": "771"}]}]}]})";
const std::string second_unit =
    R"({"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f2004", "internalName": "CM12 Room 2"})";

/// Returns the problems of the whole document with a second account, a second unit in the first account, and
/// these edits.
std::vector<std::string> problems_with(const std::vector<edit>& edits) {
  std::vector<edit> all{{"/accounts/1", second_account}, {property + "/units/1", second_unit}};
  all.insert(all.end(), edits.begin(), edits.end());
  return problems_of(edited(whole_document, all));
}

std::string id(int last) { return "\"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f000" + std::to_string(last) + "\""; }

TEST(Uniqueness, IsRequiredOnlyWithinItsKindAndScope) {
  // Two accounts may use the same unit names and external IDs, two kinds the same id.
  EXPECT_THAT(problems_with({}), IsEmpty());
  EXPECT_THAT(problems_with({{"/accounts/1/properties/0/id", id(4)}}), IsEmpty());
}

TEST(Uniqueness, HoldsForIdsOverTheWholeFile) {
  EXPECT_THAT(problems_with({{"/accounts/1/id", id(1)}}),
              ElementsAre("/accounts/1/id: is already used by /accounts/0"));
  EXPECT_THAT(problems_with({{"/accounts/1/properties/0/id", id(3)}}),
              ElementsAre("/accounts/1/properties/0/id: is already used by /accounts/0/properties/0"));
  EXPECT_THAT(problems_with({{"/accounts/1/properties/0/units/0/id", id(4)}}),
              ElementsAre("/accounts/1/properties/0/units/0/id: is already used by " + unit));
  EXPECT_THAT(problems_with({{property + "/units/1/id", "\"0B2F7F8E-5A51-4D0C-9D2F-3F0A3F1F0004\""}}),
              ElementsAre(property + "/units/1/id: is already used by " + unit));
  EXPECT_THAT(problems_with({{unit + "/blocks/1/id", id(5)}}),
              ElementsAre(unit + "/blocks/1/id: is already used by " + unit + "/blocks/0"));
  EXPECT_THAT(
      problems_with({{"/accounts/1/properties/0/units/0/calendars",
                      R"([{"id": )" + id(8) + R"(, "name": "A", "url": "https://a.example/a.ics"}])"}}),
      ElementsAre("/accounts/1/properties/0/units/0/calendars/0/id: is already used by " + unit +
                  "/calendars/0"));
  EXPECT_THAT(problems_with({{"/accounts/1/users",
                              R"([{"id": )" + id(2) + R"(, "email": "b@b.example", "role": "Admin"}])"}}),
              ElementsAre("/accounts/1/users/0/id: is already used by /accounts/0/users/0"));
  EXPECT_THAT(problems_with({{"/accounts/1/aiUsage", R"([{"id": )" + id(6) + R"(, "feature": "faq_generation",
                                "provider": "p", "model": "m", "createdAt": "2026-01-01T00:00:00.000Z"}])"}}),
              ElementsAre("/accounts/1/aiUsage/0/id: is already used by /accounts/0/aiUsage/0"));
}

TEST(Uniqueness, HoldsForExportAddressesAndTheIdsOfUnitsWithoutOne) {
  const auto second = property + "/units/1", address = id(9), of_first = unit + "/exportAddress";
  EXPECT_THAT(problems_with({{of_first, address}, {second + "/exportAddress", address}}),
              ElementsAre(second + ": has the export address of " + unit));
  const std::string second_id = "\"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0019\"";
  EXPECT_THAT(problems_with({{second + "/id", second_id}, {of_first, second_id}}),
              ElementsAre(second + ": has the export address of " + unit));
  EXPECT_THAT(problems_with(
                  {{second + "/id", second_id}, {of_first, second_id}, {second + "/exportAddress", address}}),
              IsEmpty());
}

TEST(Uniqueness, HoldsForLandlordKeysAndEmailsInAnyCase) {
  EXPECT_THAT(problems_with({{"/accounts/1/landlordKey", "\"casa-verde\""}}),
              ElementsAre("/accounts/1/landlordKey: is already used by /accounts/0"));
  EXPECT_THAT(problems_with({{"/accounts/1/landlordKey", "\"Casa-Verde\""}}), IsEmpty());
  EXPECT_THAT(problems_with({{"/accounts/1/landlordKey", "\"  \""}}),
              ElementsAre("/accounts/1/landlordKey: must not be blank"));
  EXPECT_THAT(problems_with({{"/accounts/1/users", R"([{"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f1002",
                                "email": "Ana@CasaVerde.example", "role": "Admin"}])"}}),
              ElementsAre("/accounts/1/users/0/email: is already used by /accounts/0/users/0"));
}

TEST(Uniqueness, HoldsForEmailsInOtherLettersOfAnyScript) {
  const auto second_user = [](const std::string& email) {
    return edit{"/accounts/1/users", R"([{"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f1002", "email": ")" + email +
                                         R"(", "role": "Admin"}])"};
  };
  const edit first{"/accounts/0/users/0/email", R"("müller@straße.example")"};
  EXPECT_THAT(problems_with({first, second_user("MÜLLER@STRASSE.example")}),
              ElementsAre("/accounts/1/users/0/email: is already used by /accounts/0/users/0"));
  EXPECT_THAT(problems_with({first, second_user("muller@strasse.example")}), IsEmpty());
}

TEST(Uniqueness, HoldsForUnitNamesOfAnAccount) {
  EXPECT_THAT(problems_with({{property + "/units/1/internalName", "\"CM12 Room 1\""}}),
              ElementsAre(property + "/units/1/internalName: is already used by " + unit));
}

TEST(Cards, AreUniquePerPlatform) {
  const auto cards = account + "/platformCards";
  EXPECT_THAT(problems_with({{cards + "/1", R"({"platform": "marketplace-b"})"}}), IsEmpty());
  EXPECT_THAT(problems_with({{cards + "/1", R"({"platform": "marketplace-a"})"}}),
              ElementsAre(cards + "/1/platform: has a card already"));
  EXPECT_THAT(
      problems_with({{cards + "/1", R"({"platform": "marketplace-x"})"}}),
      ElementsAre(cards + "/1/platform: is not a configured platform; did you mean \"marketplace-a\"?"));
}

TEST(TenantCategories, HaveUniqueNamesAndOneDefault) {
  const auto categories = account + "/tenantCategories";
  EXPECT_THAT(problems_with({{categories + "/1/name", "\"Platform guest\""}}),
              ElementsAre(categories + "/1/name: is the name of another category"));
  EXPECT_THAT(problems_with({{categories + "/1/integrationDefault", "true"}}),
              ElementsAre(categories + "/1/integrationDefault: must be true for one category at most"));
}

TEST(WholeUnits, AreUniquePerPropertyAndMayCoexistWithRooms) {
  EXPECT_THAT(problems_with({{unit + "/kind", "\"property\""}}), IsEmpty());
  EXPECT_THAT(problems_with({{unit + "/kind", "\"property\""}, {property + "/units/1/kind", "\"property\""}}),
              ElementsAre(property + "/units/1: is a second unit of kind property"));
}

TEST(Links, NameAPlatformAndOneOfUrlAndExternalId) {
  const auto link = unit + "/links/0";
  EXPECT_THAT(problems_with({{link + "/platform", "\"marketplace-z\""}}),
              ElementsAre(link + "/platform: is not a configured platform; did you mean \"marketplace-a\"?"));
  EXPECT_THAT(problems_with({{link + "/url", ""}}),
              ElementsAre(link + ": must have either url or externalId"));
  EXPECT_THAT(problems_with({{link + "/url", "null"}}),
              ElementsAre(link + ": must have either url or externalId"));
  EXPECT_THAT(problems_with({{link + "/externalId", "\"1\""}}),
              ElementsAre(link + ": must have either url or externalId"));
  EXPECT_THAT(problems_with({{link + "/url", "null"}, {link + "/externalId", "\"771\""}}), IsEmpty());
}

TEST(Links, FollowTheMapping) {
  const auto url = unit + "/links/0/url";
  EXPECT_THAT(problems_with({{url, "\"771\""}}),
              ElementsAre(url + ": must be the unit's full URL on the platform, not a bare ID"));
  EXPECT_THAT(problems_with({{url, "\"https://marketplace-b.example/rooms/8812\""}}),
              ElementsAre(url + ": must be on the domain of marketplace-a (marketplace-a.example), not "
                                "marketplace-b.example"));
  EXPECT_THAT(problems_with({{url, "\"https://marketplace-a.example/\""}}),
              ElementsAre(url + ": holds no ID at the end of its path"));
}

/// Returns the unit's ID on a platform for the URL that its landlord pasted.
std::string id_from(const std::string& platform, const std::string& url) {
  const auto file = parsed(
      edited(whole_document,
             {{unit + "/links", R"([{"platform": ")" + platform + R"(", "url": ")" + url + R"("}])"}}));
  return file.accounts[0].properties[0].units[0].links.at(0).external_id;
}

TEST(Links, HaveTheIdOfTheirUrl) {
  EXPECT_EQ(id_from("marketplace-a", "https://marketplace-a.example/rooms/8812?staticId=771"), "771");
  EXPECT_EQ(id_from("marketplace-a", "https://marketplace-a.example/rooms/8812"), "8812");
  EXPECT_EQ(id_from("marketplace-b", "https://marketplace-b.example/en/room/551/sol"), "551");
  EXPECT_EQ(id_from("marketplace-c", "https://marketplace-c.example/flat/9"), "9");
  EXPECT_EQ(id_from("marketplace-d", "https://marketplace-d.example/house/12/7"), "12_7");
  EXPECT_EQ(id_from("booking-engine", "https://www.booking-engine.example/house/P1"), "P1");
}

TEST(Links, AreOnThePlatformsDomainOrBelowIt) {
  const auto url = unit + "/links/0/url";
  for (const std::string host :
       {"marketplace-a.example", "www.marketplace-a.example", "es.m.MARKETPLACE-A.example"})
    EXPECT_THAT(problems_with({{url, "\"https://" + host + "/rooms/1\""}}), IsEmpty()) << host;
  for (const std::string host : {"notmarketplace-a.example", "marketplace-a.example.evil.example",
                                 "marketplace-a-example.evil.example", "example"})
    EXPECT_THAT(
        problems_with({{url, "\"https://" + host + "/rooms/1\""}}),
        ElementsAre(url + ": must be on the domain of marketplace-a (marketplace-a.example), not " + host));
}

TEST(Links, HaveAnExternalIdOf1To256Characters) {
  const auto external_id = unit + "/links/1/externalId";
  const std::string refusal = ": must be text of 1 to 256 characters without control characters";
  EXPECT_THAT(problems_with({{external_id, '"' + std::string(256, 'x') + '"'}}), IsEmpty());
  for (const std::string& bad :
       {std::string{"\"\""}, '"' + std::string(257, 'x') + '"', std::string{"7"}, std::string{R"("a\nb")"}})
    EXPECT_THAT(problems_with({{external_id, bad}}), ElementsAre(external_id + refusal));
}

TEST(Links, AreUniquePerPlatformAndUnitAndPerPlatformAndId) {
  EXPECT_THAT(problems_with({{unit + "/links/2", R"({"platform": "marketplace-a", "externalId": "772"})"}}),
              ElementsAre(unit + "/links/2/platform: is linked to this unit already"));
  const auto links = property + "/units/1/links";
  EXPECT_THAT(problems_with({{links, R"([{"platform": "marketplace-a", "externalId": "771"}])"}}),
              ElementsAre(links + "/0: is already used by " + unit + "/links/0"));
  EXPECT_THAT(problems_with({{links, R"([{"platform": "marketplace-b", "externalId": "771"}])"}}), IsEmpty());
  EXPECT_THAT(problems_with({{links, R"([{"platform": "booking-engine", "externalId": "P1"}])"}}), IsEmpty());
  // Another URL may contain the same ID.
  EXPECT_THAT(
      problems_with(
          {{links, R"([{"platform": "marketplace-a", "url": "https://marketplace-a.example/771/"}])"}}),
      ElementsAre(links + "/0: is already used by " + unit + "/links/0"));
}

TEST(Exclusions, NameConfiguredPlatformsOnce) {
  const auto excluded = unit + "/excludedFrom";
  EXPECT_THAT(problems_with({{excluded, R"(["marketplace-a", "marketplace-b"])"}}), IsEmpty());
  EXPECT_THAT(problems_with({{excluded, R"(["marketplace-a", "marketplace-a", "nowhere"])"}}),
              ElementsAre(excluded + "/1: is named twice", excluded + "/2: is not a configured platform"));
}

} // namespace roost::portfolio::uniqueness_test
