#include "listings/publication.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

namespace roost::listings::data_gaps_test {

using domain::address, domain::money, domain::platform_kind, domain::unit;

using enum platform_kind;

const address whole{"Calle Mayor", "12", "", "28013", "Madrid", "", "", "ES", 40.4, -3.7};

data_gaps only(std::initializer_list<data_gap> gaps) {
  data_gaps all;
  for (const auto gap : gaps) all.set(static_cast<std::size_t>(gap));
  return all;
}

/// Returns a unit with a price for each of the first months of the year.
unit seasonal(unsigned months) {
  unit terms;
  terms.rent.fixed = false;
  for (unsigned month = 1; month <= months; ++month)
    terms.rent.per_month.push_back({month, money{100'00}, {}, {}});
  return terms;
}

TEST(DataGaps, AreEmptyForACompleteUnit) {
  for (const auto kind : {marketplace_a, marketplace_b, marketplace_c, marketplace_d}) {
    EXPECT_TRUE(gaps_of(publication::published, unit{}, whole, kind).none());
    EXPECT_TRUE(gaps_of(publication::published, seasonal(12), whole, kind).none());
  }
}

TEST(DataGaps, IncludeEachRequiredPartOfAnAddress) {
  for (const auto part :
       {&address::street, &address::number, &address::postal_code, &address::city, &address::country_code}) {
    auto at = whole;
    at.*part = "";
    EXPECT_EQ(gaps_of(publication::published, unit{}, at, marketplace_a), only({data_gap::address}));
  }
  for (const auto part : {&address::latitude, &address::longitude}) {
    auto at = whole;
    (at.*part).reset();
    EXPECT_EQ(gaps_of(publication::published, unit{}, at, marketplace_c), only({data_gap::coordinates}));
  }
  EXPECT_EQ(gaps_of(publication::published, unit{}, {}, marketplace_d),
            only({data_gap::address, data_gap::coordinates}));
}

TEST(DataGaps, IncludeUnpricedMonthsIfTheyArePublished) {
  EXPECT_EQ(gaps_of(publication::published, seasonal(11), whole, marketplace_b),
            only({data_gap::month_price}));
  for (const auto kind : {marketplace_a, marketplace_c, marketplace_d}) // the highest month only
    EXPECT_TRUE(gaps_of(publication::published, seasonal(11), whole, kind).none());
}

TEST(DataGaps, AreOnlyTheReasonIfTheUnitIsOmitted) {
  EXPECT_EQ(gaps_of(publication::no_usable_rent, unit{}, {}, marketplace_b), only({data_gap::rent}));
  EXPECT_EQ(gaps_of(publication::unsupported_region, unit{}, {}, marketplace_d), only({data_gap::region}));
}

TEST(DataGaps, AreEmptyForAWithheldUnit) {
  EXPECT_TRUE(gaps_of(publication::withheld, seasonal(1), {}, marketplace_b).none());
}

} // namespace roost::listings::data_gaps_test
