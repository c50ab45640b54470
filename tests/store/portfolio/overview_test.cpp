#include "store/portfolio/overview.hpp"
#include "store/support/sample_hold.hpp"
#include "store/support/sample_portfolio.hpp"
#include "support/store.hpp"

namespace roost::testing::overview_test {

/// The sample portfolio with a rent of each kind.
class UnitOverview : public on_each_store {
protected:
  void SetUp() override {
    auto file = sample_portfolio(1, 4);
    auto& units = file.accounts[0].properties[0].units;
    units[1].terms.rent = {false, {}, {{2, {800'00}}, {7, {600'50}}, {8, {700'00}}}};
    units[2].terms.rent = {false, {}, {}};
    units[3].terms.rent = {};
    import_sample(session(), file);
  }

  store::unit_overview unit(unsigned long n) {
    return store::list_units(session(), {.id = unit_id(n)}, 1).at(0);
  }
};
ROOST_ON_EACH_STORE(UnitOverview);

TEST_P(UnitOverview, ShowsAFixedRent) {
  EXPECT_EQ(unit(1).fixed_rent, domain::money{650'00});
  EXPECT_EQ(unit(1).lowest_rent, std::nullopt);
  EXPECT_EQ(unit(1).highest_rent, std::nullopt);
}

TEST_P(UnitOverview, ShowsTheRangeOfARentThatVariesByMonth) {
  EXPECT_EQ(unit(2).fixed_rent, std::nullopt);
  EXPECT_EQ(unit(2).lowest_rent, domain::money{600'50});
  EXPECT_EQ(unit(2).highest_rent, domain::money{800'00});
}

TEST_P(UnitOverview, ShowsNoRentIfThereIsNone) {
  for (const auto number : {3UL, 4UL}) {
    EXPECT_EQ(unit(number).fixed_rent, std::nullopt);
    EXPECT_EQ(unit(number).lowest_rent, std::nullopt);
    EXPECT_EQ(unit(number).highest_rent, std::nullopt);
  }
}

TEST_P(UnitOverview, ShowsWhichPlatformHoldsNights) {
  const hold_row held{"hold-1", "2027-05-01", "2027-05-10", "2027-05-11"};
  insert_hold(session(), held);
  const auto taken = [&](const char* first, const char* last) {
    return store::taken_nights_of(session(), unit_id(1), day(first), day(last));
  };
  const auto nights = taken("2027-03-31", "2027-05-01");
  ASSERT_EQ(nights.size(), 2U);
  EXPECT_EQ(nights[0].by, "manual");
  EXPECT_EQ(nights[1].by, "hold");
  EXPECT_EQ(nights[1].id, held.block_id);
  EXPECT_EQ(nights[1].platform, "marketplace-a");
  EXPECT_EQ(nights[1].first, day("2027-05-01"));
  EXPECT_EQ(nights[1].last, day("2027-05-11"));
  EXPECT_TRUE(taken("2027-05-12", "2027-05-20").empty());
  end_holds(session());
  EXPECT_TRUE(taken("2027-05-01", "2027-05-20").empty());
}

} // namespace roost::testing::overview_test
