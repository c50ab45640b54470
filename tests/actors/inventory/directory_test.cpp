#include "actors/inventory/directory.hpp"
#include "support/sample_portfolio.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::actors::directory_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::numbered_id;

constexpr std::size_t marketplace = 0, engine = 1;

using unit_links = std::vector<platform_link>;

/// An account with an Integration Email for each platform that is named, and units with these links; they
/// were made one after the other.
std::shared_ptr<const directory_account> landlord(unsigned number, const std::vector<unit_links>& units,
                                                  const std::map<std::string, std::string>& emails = {}) {
  auto settings = std::make_shared<domain::account>(testing::sample_account(number).details);
  for (const auto& [platform, email] : emails)
    settings->cards.push_back({.platform = platform, .integration_email = email});
  auto account = std::make_shared<directory_account>();
  account->id = settings->id;
  account->settings = settings;
  for (const auto& links : units) {
    auto setup = std::make_shared<unit_setup>();
    setup->terms.id = numbered_id(static_cast<unsigned>(number * 100 + account->units.size()));
    setup->links = links;
    const domain::timestamp created{std::chrono::seconds{account->units.size() * 10 + number}};
    account->units.push_back({setup->terms.id, {}, account.get(), created, setup});
  }
  return account;
}

directory known(std::vector<std::shared_ptr<const directory_account>> accounts) {
  return directory(1, testing::sample_platforms(), std::move(accounts));
}

std::vector<domain::uuid> ids(const std::vector<const directory_account*>& accounts) {
  std::vector<domain::uuid> all;
  for (const auto* account : accounts) all.push_back(account->id);
  return all;
}

TEST(LandlordKeys, NameTheirAccount) {
  const auto all = known({landlord(1, {}), landlord(2, {})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "landlord-2")), ElementsAre(numbered_id(2)));
  EXPECT_THAT(all.accounts_for(marketplace, "Landlord-2"), IsEmpty());
  EXPECT_THAT(all.accounts_for(marketplace, "landlord-3"), IsEmpty());
  EXPECT_THAT(all.accounts_for(marketplace, ""), IsEmpty());
}

TEST(LandlordKeys, MayBeTheIntegrationEmailOfThePlatformsCardInAnyLetterCase) {
  const auto all = known({landlord(1, {}, {{"marketplace-a", "Feeds@House.example"}}),
                          landlord(2, {}, {{"booking-engine", "feeds@house.example"}})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "feeds@HOUSE.example")), ElementsAre(numbered_id(1)));
  EXPECT_THAT(ids(all.accounts_for(engine, "feeds@house.example")), ElementsAre(numbered_id(2)));
  EXPECT_THAT(all.accounts_for(marketplace, "other@house.example"), IsEmpty());
}

TEST(LandlordKeys, NameEveryAccountThatSharesAnEmail) {
  const std::map<std::string, std::string> shared{{"marketplace-a", "feeds@house.example"}};
  const auto all = known({landlord(3, {}, shared), landlord(1, {}, shared), landlord(2, {})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "feeds@house.example")),
              ElementsAre(numbered_id(1), numbered_id(3)));
}

TEST(LandlordKeys, GoBeforeEmails) {
  const auto all = known({landlord(1, {}), landlord(2, {}, {{"marketplace-a", "landlord-1"}})});
  EXPECT_THAT(ids(all.accounts_for(marketplace, "landlord-1")), ElementsAre(numbered_id(1)));
}

TEST(NamesOfUnits, AreTheLinkedIdOrTheUuidOfAUnitWithoutOne) {
  const auto all = known({landlord(1, {{{marketplace, "a1"}, {engine, "5_2"}}, {{engine, "5"}}})});
  const auto& linked = *all.find_unit(numbered_id(100));
  const auto& other = *all.find_unit(numbered_id(101));
  EXPECT_TRUE(all.is_named(linked, marketplace, "a1"));
  EXPECT_FALSE(all.is_named(linked, marketplace, "A1"));
  EXPECT_FALSE(all.is_named(linked, marketplace, domain::to_string(linked.id)));
  EXPECT_FALSE(all.is_named(linked, marketplace, "5_2"));
  EXPECT_TRUE(all.is_named(other, marketplace, domain::to_string(other.id)));
  EXPECT_FALSE(all.is_named(other, marketplace, domain::to_string(linked.id)));
  EXPECT_FALSE(all.is_named(other, marketplace, ""));
}

TEST(NamesOfUnits, OfAWholePropertyAreThoseOfItsRooms) {
  const auto all = known({landlord(1, {{{engine, "5"}, {marketplace, "5"}}, {{engine, "6_1"}}})});
  const auto& whole = *all.find_unit(numbered_id(100));
  const auto& room = *all.find_unit(numbered_id(101));
  EXPECT_TRUE(all.is_named(whole, engine, "5"));
  EXPECT_TRUE(all.is_named(whole, engine, "5_7"));
  EXPECT_FALSE(all.is_named(whole, engine, "55_7"));
  EXPECT_FALSE(
      all.is_named(whole, marketplace, "5_7")); // only marketplace D and the engine have rooms in IDs
  EXPECT_TRUE(all.is_named(room, engine, "6_1"));
  EXPECT_FALSE(all.is_named(room, engine, "6"));
  EXPECT_FALSE(all.is_named(room, engine, "6_2"));
}

TEST(NamesOfUnits, AreLookedForAmongSomeAccounts) {
  const auto all = known({landlord(1, {{{marketplace, "shared"}}, {}}),
                          landlord(2, {{{marketplace, "shared"}}, {{marketplace, "own"}}})});
  const auto first = all.accounts_for(marketplace, "landlord-1");
  const auto second = all.accounts_for(marketplace, "landlord-2");
  EXPECT_EQ(all.find_of(first, marketplace, "shared")->id, numbered_id(100));
  EXPECT_EQ(all.find_of(second, marketplace, "shared")->id, numbered_id(200));
  EXPECT_EQ(all.find(marketplace, "shared")->id, numbered_id(100)); // made first
  EXPECT_EQ(all.find_of(second, marketplace, "own")->id, numbered_id(201));
  EXPECT_EQ(all.find_of(first, marketplace, "own"), nullptr);
  EXPECT_EQ(all.find_of(first, marketplace, domain::to_string(numbered_id(101)))->id, numbered_id(101));
  EXPECT_EQ(all.find_of(second, marketplace, domain::to_string(numbered_id(101))), nullptr);
  EXPECT_EQ(all.find_of({}, marketplace, "shared"), nullptr);
}

TEST(UnitsOnAPlatform, StandInTheOrderInWhichTheyWereMade) {
  const auto all = known(
      {landlord(2, {{{marketplace, "c"}}, {{marketplace, "d"}}}), landlord(1, {{{marketplace, "b"}}, {}})});
  std::vector<domain::uuid> order;
  for (const auto* unit : all.units_on(marketplace)) order.push_back(unit->id);
  EXPECT_THAT(order, ElementsAre(numbered_id(100), numbered_id(200), numbered_id(201)));
  EXPECT_EQ(all.units_on(2).size(), 2U); // every unit of landlord-one's account
  EXPECT_EQ(all.unit_count(), 4U);
}

} // namespace roost::actors::directory_test
