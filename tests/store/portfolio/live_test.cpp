#include "store/portfolio/live.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

namespace roost::testing::live_test {

ROOST_FOR_EACH_STORE(Presentations);

domain::portfolio rich_portfolio() {
  auto file = sample_portfolio(2, 2);
  auto& property = file.accounts[0].properties[0].details;
  property.type = domain::property_type::residence;
  property.address = {"Calle Mayor",         "12",  "3",  "28013", "Madrid",
                      "Comunidad de Madrid", "Sol", "ES", 40.4168, -3.7038};
  property.partner_currency = "GBP";
  property.cleaning_fee = {true, {45'00}, "once"};
  property.monthly_bills = domain::money{80'00};
  property.membership_fee = domain::money{25'50};
  property.parking = domain::money{30'00};
  property.size_square_metres = 96;
  property.wifi_password = "secret";
  property.features = {"elevator", "\"odd\" name"};
  property.rules = {"no-smoking"};
  property.description = {{"en", "A long table"}, {"es", "Una mesa larga"}};
  property.images = {{"https://images.example/a.jpg", false}, {"https://images.example/stock.jpg", true}};
  auto& unit = file.accounts[0].properties[0].units[0].presentation;
  unit = {.size_square_metres = 12,
          .floor = "3B",
          .min_age = 18,
          .max_age = 40,
          .registration_number = "VT-1",
          .energy_class = "B",
          .features = {"desk"},
          .title = {{"en", "A room"}},
          .description = {{"en", "With sun"}},
          .images = {{"https://images.example/bed.jpg", false}}};
  return file;
}

store::presentation read(store::session& db, const domain::uuid& unit,
                         const char* platform = "marketplace-a") {
  const std::vector ids{unit};
  return store::presentations(db, ids, platform).at(unit);
}

TEST_P(Presentations, HaveTheImportedValues) {
  const auto file = rich_portfolio();
  import_sample(session(), file);
  const auto actual = read(session(), unit_id(1));
  const auto& expected = file.accounts[0].properties[0];
  EXPECT_EQ(actual.property->id, property_id(1));
  EXPECT_EQ(actual.property->account_id, account_id(1));
  EXPECT_EQ(actual.property->type, expected.details.type);
  EXPECT_EQ(actual.property->address, expected.details.address);
  EXPECT_EQ(actual.property->partner_currency, "GBP");
  EXPECT_EQ(actual.property->cleaning_fee, expected.details.cleaning_fee);
  EXPECT_EQ(actual.property->monthly_bills, expected.details.monthly_bills);
  EXPECT_EQ(actual.property->membership_fee, expected.details.membership_fee);
  EXPECT_EQ(actual.property->parking, expected.details.parking);
  EXPECT_EQ(actual.property->size_square_metres, 96);
  EXPECT_EQ(actual.property->features, expected.details.features);
  EXPECT_EQ(actual.property->rules, expected.details.rules);
  EXPECT_EQ(actual.property->description, expected.details.description);
  EXPECT_EQ(actual.property->images, expected.details.images);
  const auto& presentation = expected.units[0].presentation;
  EXPECT_EQ(actual.unit.size_square_metres, 12);
  EXPECT_EQ(actual.unit.floor, "3B");
  EXPECT_EQ(actual.unit.min_age, 18);
  EXPECT_EQ(actual.unit.max_age, 40);
  EXPECT_EQ(actual.unit.registration_number, "VT-1");
  EXPECT_EQ(actual.unit.energy_class, "B");
  EXPECT_EQ(actual.unit.features, presentation.features);
  EXPECT_EQ(actual.unit.title, presentation.title);
  EXPECT_EQ(actual.unit.description, presentation.description);
  EXPECT_EQ(actual.unit.images, presentation.images);
  EXPECT_EQ(actual.link_url, "https://marketplace-a.example/1");
}

TEST_P(Presentations, DoNotContainTheWifiPassword) {
  import_sample(session(), rich_portfolio());
  EXPECT_FALSE(read(session(), unit_id(1)).property->wifi_password);
}

TEST_P(Presentations, ShareTheirProperty) {
  import_sample(session(), rich_portfolio());
  const std::vector ids{unit_id(1), unit_id(2)};
  const auto both = store::presentations(session(), ids, "marketplace-a");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both.at(unit_id(1)).property, both.at(unit_id(2)).property);
}

TEST_P(Presentations, HaveTheLinkUrlOfTheRequestedPlatform) {
  import_sample(session(), rich_portfolio());
  EXPECT_FALSE(read(session(), unit_id(1), "marketplace-b").link_url);
}

TEST_P(Presentations, OmitUnitsThatNoLongerExist) {
  import_sample(session(), rich_portfolio());
  const std::vector ids{unit_id(1), unit_id(99)};
  EXPECT_EQ(store::presentations(session(), ids, "marketplace-a").size(), 1U);
  EXPECT_TRUE(store::presentations(session(), {}, "marketplace-a").empty());
}

ROOST_FOR_EACH_STORE(LiveUnits);

TEST_P(LiveUnits, AreReadAloneAsWithTheirAccount) {
  auto file = sample_portfolio(2, 2);
  auto& unit = file.accounts[0].properties[0].units[0];
  unit.terms.rent = {false, {}, {{.month = 3, .rent = {700'00}}, {.month = 4, .rent = {710'00}}}};
  unit.terms.booking_windows = {{day("2027-01-01"), day("2027-02-01"), day("2027-03-01"), day("2027-04-01")}};
  unit.excluded_from = {"marketplace-c"};
  import_sample(session(), file);
  std::vector<store::live_unit> expected;
  const std::vector accounts{account_id(1)};
  store::load_live(session(), accounts, [&](store::live_account account) {
    for (auto& property : account.properties) std::ranges::move(property.units, std::back_inserter(expected));
  });
  ASSERT_GE(expected.size(), 2U);
  ASSERT_FALSE(expected[0].links.empty());
  for (const auto& each : expected) {
    const std::vector ids{each.terms.id};
    const auto read = store::live_units_of(session(), ids);
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].terms, each.terms);
    EXPECT_EQ(read[0].links, each.links);
    EXPECT_EQ(read[0].excluded_from, each.excluded_from);
    EXPECT_EQ(read[0].blocks, each.blocks);
  }
  const std::vector unknown{unit_id(99)};
  EXPECT_TRUE(store::live_units_of(session(), unknown).empty());
}

} // namespace roost::testing::live_test
