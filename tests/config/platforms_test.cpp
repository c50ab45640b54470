#include "config/loading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::config::platforms_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string entry(const std::string& name, const std::string& kind, const std::string& prefix,
                  const std::string& more = "") {
  return "[[platforms]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\nprefix = \"" + prefix + "\"\n" +
         more;
}

TEST(Platforms, HaveUniqueNamesAndPrefixes) {
  EXPECT_THAT(lines_about(entry("a", "room-sharing", "one") + entry("a", "room-sharing", "one")),
              ElementsAre(HasSubstr("5: platforms[1].name: \"a\" is already used at "),
                          HasSubstr("5: platforms[1].prefix: \"one\" is already used at ")));
}

TEST(Platforms, RequireNameKindAndPrefix) {
  EXPECT_THAT(lines_about("[[platforms]]\ndomains = [\"a.example\"]\n"),
              ElementsAre("1: platforms[0].name: is missing", "1: platforms[0].kind: is missing",
                          "1: platforms[0].prefix: is missing"));
}

TEST(Platforms, CannotUseAReservedPrefix) {
  for (const auto* prefix :
       {"auth", "oauth", "ai-usage", ".well-known", "ical-integration", "ical-integration-json", "explorer"})
    EXPECT_THAT(lines_about(entry("a", "room-sharing", prefix)),
                ElementsAre(HasSubstr("is reserved for the service's own routes")))
        << prefix;
  EXPECT_THAT(lines_about(entry("a", "room-sharing", "authors")), IsEmpty());
}

TEST(Platforms, CannotUseThePathOfAnotherDocument) {
  for (const auto* kind : {"booking-engine", "room-sharing"})
    EXPECT_THAT(lines_about(entry("a", kind, "engine") + entry("b", "room-sharing", "engine-json")),
                ElementsAre(HasSubstr(
                    "platforms[1].prefix: \"engine-json\" is the path of an OpenAPI document of a")));
  EXPECT_THAT(lines_about(entry("a", "room-sharing", "engine") + entry("b", "room-sharing", "engine-json-2")),
              IsEmpty());
}

TEST(Platforms, CannotUseThePathOfAWebhookDocument) {
  const auto problems_with = [](const std::string& kind, const std::string& prefix) {
    return lines_about(entry("b", kind, "market") + entry("c", "room-sharing", prefix));
  };
  EXPECT_THAT(problems_with("marketplace-b", "market-webhook-json"),
              ElementsAre(HasSubstr(
                  "platforms[1].prefix: \"market-webhook-json\" is the path of an OpenAPI document of b")));
  EXPECT_THAT(problems_with("marketplace-b", "market-webhook"),
              ElementsAre(HasSubstr("platforms[1].prefix: \"market-webhook\" would put its OpenAPI document "
                                    "at the path of the webhook document of b")));
  for (const auto* prefix : {"market-webhooks", "market-webhook-json-2"})
    EXPECT_THAT(problems_with("marketplace-b", prefix), IsEmpty()) << prefix;
  for (const auto* prefix : {"market-webhook", "market-webhook-json"}) // the others have one document each
    EXPECT_THAT(problems_with("marketplace-a", prefix), IsEmpty()) << prefix;
}

TEST(Platforms, HaveAPrefixOfOnePathSegment) {
  for (const auto* prefix : {"", "a/b", "/a", "a b", "é", ".", ".."})
    EXPECT_THAT(lines_about(entry("a", "room-sharing", prefix)),
                ElementsAre(HasSubstr("is not one path segment")))
        << prefix;
}

TEST(Platforms, HaveALowerCaseName) {
  for (const auto* name : {"", "Marketplace-A", "-a", "a b"})
    EXPECT_THAT(lines_about(entry(name, "room-sharing", "a")),
                ElementsAre(HasSubstr("is not a name of lower-case")))
        << name;
}

TEST(Platforms, MayNameAnAccountOnlyForASingleLandlord) {
  const std::string account = "account = \"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001\"\n";
  EXPECT_THAT(lines_about(entry("a", "single-landlord", "a", account)), IsEmpty());
  EXPECT_THAT(lines_about(entry("a", "marketplace-a", "a", account)),
              ElementsAre(HasSubstr("platforms[0].account: is only allowed for the kind single-landlord")));
  EXPECT_THAT(lines_about(entry("a", "single-landlord", "a", "account = \"mine\"\n")),
              ElementsAre(HasSubstr("5: platforms[0].account: \"mine\" is not an account's id")));
}

TEST(Platforms, MayNameRegionsOnlyForMarketplaceD) {
  EXPECT_THAT(lines_about(entry("a", "marketplace-d", "a", "regions = [\"Málaga\"]\n")), IsEmpty());
  EXPECT_THAT(lines_about(entry("a", "marketplace-c", "a", "regions = [\"Málaga\"]\n")),
              ElementsAre(HasSubstr("platforms[0].regions: is only allowed for the kind marketplace-d")));
}

TEST(Platforms, RequireRegionsForMarketplaceD) {
  for (const auto* none : {"", "regions = []\n"})
    EXPECT_THAT(lines_about(entry("a", "marketplace-d", "a", none)),
                ElementsAre("1: platforms[0].regions: is missing, so nothing would be published; name the "
                            "cities it accepts, for example [\"Madrid\"]"));
  EXPECT_THAT(lines_about(entry("a", "marketplace-d", "a", "regions = [\"\"]\n")),
              ElementsAre(HasSubstr("5: platforms[0].regions: \"\" in the list is not a city")));
}

TEST(Platforms, MayOnlySubmitUnlessTheyHaveFurtherRights) {
  const auto rights_of = [](const std::string& more) {
    const tests::temporary_folder folder;
    const auto file = folder.write("my.toml", entry("a", "room-sharing", "a", more));
    return load(with_file(file)).values.platforms.at(0).may;
  };
  using enum domain::platform_right;
  EXPECT_THAT(rights_of(""), IsEmpty());
  EXPECT_THAT(rights_of("may = []\n"), IsEmpty());
  EXPECT_THAT(rights_of("may = [\"hold\", \"change\", \"cancel\"]\n"), ElementsAre(hold, change, cancel));
}

TEST(Platforms, CannotHaveUnknownOrRepeatedRights) {
  const auto lines = [](const std::string& more) {
    return lines_about(entry("a", "room-sharing", "a", more));
  };
  EXPECT_THAT(
      lines("may = [\"refund\"]\n"),
      ElementsAre("5: platforms[0].may: \"refund\" in the list is not a right (cancel, change or hold); "
                  "write for example [\"cancel\", \"hold\"]"));
  EXPECT_THAT(lines("may = [\"change\", \"change\"]\n"),
              ElementsAre("5: platforms[0].may: \"change\" is in the list twice"));
  EXPECT_THAT(lines("may = \"change\"\n"),
              ElementsAre(HasSubstr("5: platforms[0].may: \"change\" is not a list")));
}

TEST(Platforms, NameDomainsNotUrls) {
  EXPECT_THAT(lines_about(entry("a", "room-sharing", "a", "domains = [\"https://a.example\"]\n")),
              ElementsAre(HasSubstr("is not a domain in lower case")));
}

TEST(Platforms, SuggestASimilarKeyForAnUnknownOne) {
  EXPECT_THAT(lines_about(entry("a", "room-sharing", "a", "domain = [\"a.example\"]\n")),
              ElementsAre("5: platforms[0].domain: unknown key; did you mean platforms.domains?"));
}

TEST(Platforms, MayBeEmpty) { EXPECT_THAT(lines_about("platforms = []\n"), IsEmpty()); }

TEST(ShortTermHosts, HaveUniqueNamesAndDomains) {
  EXPECT_THAT(lines_about("[[short_term_hosts]]\nname = \"a\"\nmatch = [\"a.example\"]\n"
                          "[[short_term_hosts]]\nname = \"a\"\nmatch = [\"A\"]\nagents = [\"a b\"]\n"
                          "[[short_term_hosts]]\nname = \"\"\n"),
              ::testing::UnorderedElementsAre(
                  HasSubstr("short_term_hosts[1].name: \"a\" is already used at "),
                  HasSubstr("short_term_hosts[1].match: \"A\" in the list is not a domain"),
                  HasSubstr("short_term_hosts[1].agents: \"a b\" in the list is not a product"),
                  HasSubstr("short_term_hosts[2].name: \"\" is not a text"),
                  HasSubstr("short_term_hosts[2].match: is missing")));
}

} // namespace roost::config::platforms_test
