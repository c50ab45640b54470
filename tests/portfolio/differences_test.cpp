#include "portfolio/write.hpp"

#include <gtest/gtest.h>

namespace roost::portfolio::differences_test {

std::vector<difference> between(const domain::portfolio_unit& before, const domain::portfolio_unit& after) {
  return differences(before, after);
}

TEST(Differences, AreNoneBetweenEqualObjects) { EXPECT_EQ(between({}, {}), std::vector<difference>{}); }

TEST(Differences, ShowScalarsWithTheirDefaults) {
  domain::portfolio_unit after;
  after.terms.capacity = 2;
  after.terms.min_stay_months = 3;
  after.terms.room_label = "\"A\"";
  after.terms.archived = true;
  EXPECT_EQ(between({}, after), (std::vector<difference>{{"roomLabel", R"("")", R"("\"A\"")"},
                                                         {"capacity", "1", "2"},
                                                         {"minStayMonths", "null", "3"},
                                                         {"archived", "false", "true"}}));
}

TEST(Differences, ShowTheMembersOfAnObject) {
  domain::portfolio_unit before, after;
  before.terms.rent.amount = {540'50};
  after.terms.rent.amount = {560'00};
  EXPECT_EQ(between(before, after), (std::vector<difference>{{"rent.amount", "540.5", "560"}}));
  after.terms.rent = {false, {0}, {{1, {600'00}, {}, {}}}};
  EXPECT_EQ(between(before, after), (std::vector<difference>{{"rent.fixed", "true", "false"},
                                                             {"rent.amount", "540.5", "null"},
                                                             {"rent.perMonth", std::nullopt, std::nullopt}}));
}

TEST(Differences, ShowOnlyThatListsDiffer) {
  domain::portfolio_unit after;
  after.presentation.features = {"desk"};
  after.presentation.images = {{"https://a.example/1", false}};
  EXPECT_EQ(between({}, after), (std::vector<difference>{{"features", std::nullopt, std::nullopt},
                                                         {"images", std::nullopt, std::nullopt}}));
}

TEST(Differences, ShowAnObjectThatOnlyOneVersionHasAsAWhole) {
  domain::portfolio_account before, after;
  after.details.ai_budget = {{50'00}};
  EXPECT_EQ(differences(before, after),
            (std::vector<difference>{{"aiBudget", "null", R"({"monthly": 50, "warnAt": [0.5, 0.8, 1]})"}}));
  before.details.ai_budget = {{40'00}, {100}};
  EXPECT_EQ(differences(before, after),
            (std::vector<difference>{{"aiBudget.monthly", "40", "50"},
                                     {"aiBudget.warnAt", std::nullopt, std::nullopt}}));
}

TEST(Differences, ShowNoSecrets) {
  domain::portfolio_property before, after;
  before.details.wifi_password = "old-secret";
  after.details.wifi_password = "new-secret";
  EXPECT_EQ(differences(before, after),
            (std::vector<difference>{{"wifiPassword", std::nullopt, std::nullopt}}));
  domain::imported_calendar calendar, moved;
  calendar.url = "https://host-one.example/1.ics?s=old";
  moved.url = "https://host-one.example/1.ics?s=new";
  moved.every_seconds = 3'600;
  EXPECT_EQ(differences(calendar, moved),
            (std::vector<difference>{{"url", std::nullopt, std::nullopt}, {"every", "null", R"("1h")"}}));
  domain::portfolio_user user, changed;
  changed.details.password_hash = "$argon2id$x";
  EXPECT_EQ(differences(user, changed, password_hashes::written),
            (std::vector<difference>{{"password", std::nullopt, std::nullopt}}));
}

} // namespace roost::portfolio::differences_test
