#include "listings/publication.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace roost::listings::publication_test {

using domain::operator""_cents, domain::address, domain::money, domain::platform, domain::platform_kind,
    domain::property, domain::property_terms, domain::to_string, domain::unit;

struct membership {
  unit terms;
  property_terms property;
  platform on{.name = "marketplace-d", .kind = platform_kind::marketplace_d, .regions = {"Málaga", "Madrid"}};
  bool excluded = false;

  membership() {
    terms.rent.amount = 650'00_cents;
    property.city = "Madrid";
  }

  publication result() const { return publication_of(terms, property, on, excluded); }
};

TEST(Publication, IncludesAUnitThatMeetsEveryRule) {
  EXPECT_EQ(membership{}.result(), publication::published);
}

TEST(Publication, WithholdsAnExcludedUnit) {
  membership unit;
  unit.excluded = true;
  EXPECT_EQ(unit.result(), publication::withheld);
}

TEST(Publication, WithholdsAnArchivedUnitAndTheUnitsOfAnArchivedProperty) {
  membership unit, property;
  unit.terms.archived = true;
  property.property.archived = true;
  EXPECT_EQ(unit.result(), publication::withheld);
  EXPECT_EQ(property.result(), publication::withheld);
}

TEST(Publication, NeedsAUsableRent) {
  membership unit;
  unit.terms.rent.amount = 0_cents;
  EXPECT_EQ(unit.result(), publication::no_usable_rent);
}

TEST(Publication, RequiresARegionOnMarketplaceDOnly) {
  using enum platform_kind;
  membership unit;
  unit.property.city = "Lisboa";
  EXPECT_EQ(unit.result(), publication::unsupported_region);
  for (const auto kind : {marketplace_a, marketplace_b, marketplace_c, booking_engine, channel_manager,
                          room_sharing, student_housing, single_landlord}) {
    unit.on.kind = kind;
    EXPECT_EQ(unit.result(), publication::published) << to_string(kind);
  }
}

TEST(Publication, IgnoresCaseAndAccentsOfRegions) {
  membership unit;
  unit.property.city = "MALAGA";
  EXPECT_EQ(unit.result(), publication::published);
}

TEST(Publication, NamesTheFirstRuleThatFails) {
  membership unit;
  unit.property.city = "Lisboa";
  unit.terms.rent.amount = 0_cents;
  EXPECT_EQ(unit.result(), publication::no_usable_rent);
  unit.excluded = true;
  EXPECT_EQ(unit.result(), publication::withheld);
}

TEST(SamePlace, IgnoresLetterCase) {
  EXPECT_TRUE(same_place("Madrid", "mADRID"));
  EXPECT_TRUE(same_place("A CORUÑA", "a coruña"));
  EXPECT_TRUE(same_place("ŁÓDŹ", "łódź"));
  EXPECT_TRUE(same_place("ŒUVRE", "œuvre"));
}

TEST(SamePlace, IgnoresAccents) {
  const std::vector<std::pair<std::string, std::string>> same{{"Málaga", "Malaga"},
                                                              {"Córdoba", "Cordoba"},
                                                              {"A Coruña", "A Coruna"},
                                                              {"São Paulo", "Sao Paulo"},
                                                              {"Zürich", "Zurich"},
                                                              {"Kraków", "Krakow"},
                                                              {"Łódź", "Lodz"},
                                                              {"Plzeň", "Plzen"},
                                                              {"Győr", "Gyor"},
                                                              {"Århus", "Arhus"},
                                                              {"Tromsø", "Tromso"},
                                                              {"Reykjavík", "Reykjavik"},
                                                              {"Tîrgu", "Tirgu"},
                                                              {"București", "Bucuresti"},
                                                              {"Constanța", "Constanta"},
                                                              {"Gießen", "Giessen"},
                                                              {"Ærøskøbing", "Aeroskobing"},
                                                              {"Phœnix", "Phoenix"},
                                                              {"Þingvellir", "Thingvellir"},
                                                              {"Ĳmuiden", "IJmuiden"},
                                                              {"İzmir", "Izmir"},
                                                              {"Diyarbakır", "Diyarbakir"}};
  for (const auto& [accented, plain] : same) EXPECT_TRUE(same_place(accented, plain)) << accented;
}

TEST(SamePlace, IgnoresAccentsOfEveryAlphabet) {
  EXPECT_TRUE(same_place("Đà Nẵng", "Da Nang"));
  EXPECT_TRUE(same_place("Αθήνα", "αθηνα"));
  EXPECT_TRUE(same_place("МОСКВА", "москва"));
}

TEST(SamePlace, ComparesTextThatIsNotUtf8ByItsBytes) {
  EXPECT_TRUE(same_place("M\xe1LAGA", "m\xe1laga"));
  EXPECT_FALSE(same_place("M\xe1laga", "Malaga"));
}

TEST(SamePlace, TreatsCombiningAccentsAsPrecomposedLetters) {
  EXPECT_TRUE(same_place("Ma\u0301laga", "Málaga"));
  EXPECT_TRUE(same_place("A Corun\u0303a", "A Coruña"));
  EXPECT_TRUE(same_place("I\u0307zmir", "izmir"));
  EXPECT_TRUE(same_place("Za\u0328\u0301b", "Ząb")); // two marks on one letter
}

/// Every letter of Latin-1 Supplement and Latin Extended-A, by its form without accents.
const std::vector<std::pair<std::string, std::string>> accented_letters{{"ÀÁÂÃÄÅàáâãäåĀāĂăĄą", "a"},
                                                                        {"ÇçĆćĈĉĊċČč", "c"},
                                                                        {"ÐðĎďĐđ", "d"},
                                                                        {"ÈÉÊËèéêëĒēĔĕĖėĘęĚě", "e"},
                                                                        {"ĜĝĞğĠġĢģ", "g"},
                                                                        {"ĤĥĦħ", "h"},
                                                                        {"ÌÍÎÏìíîïĨĩĪīĬĭĮįİı", "i"},
                                                                        {"Ĵĵ", "j"},
                                                                        {"Ķķĸ", "k"},
                                                                        {"ĹĺĻļĽľĿŀŁł", "l"},
                                                                        {"ÑñŃńŅņŇňŉŊŋ", "n"},
                                                                        {"ÒÓÔÕÖØòóôõöøŌōŎŏŐő", "o"},
                                                                        {"ŔŕŖŗŘř", "r"},
                                                                        {"ŚśŜŝŞşŠšſȘș", "s"},
                                                                        {"ŢţŤťŦŧȚț", "t"},
                                                                        {"ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲų", "u"},
                                                                        {"Ŵŵ", "w"},
                                                                        {"ÝýÿŶŷŸ", "y"},
                                                                        {"ŹźŻżŽž", "z"},
                                                                        {"Ææ", "ae"},
                                                                        {"ß", "ss"},
                                                                        {"Þþ", "th"},
                                                                        {"Œœ", "oe"},
                                                                        {"Ĳĳ", "ij"}};

TEST(SamePlace, SupportsEveryAccentedLatinLetter) {
  std::size_t letters = 0;
  for (const auto& [accented, plain] : accented_letters)
    for (std::size_t i = 0; i < accented.size(); i += 2, ++letters)
      EXPECT_TRUE(same_place(accented.substr(i, 2), plain)) << accented.substr(i, 2) << " is no " << plain;
  EXPECT_EQ(letters, 64U - 2U + 128U + 4U); // × and ÷ are not letters; Ș, ș, Ț and ț are from another block
}

TEST(SamePlace, KeepsOtherCharacters) {
  EXPECT_FALSE(same_place("3×4", "3÷4"));
  EXPECT_FALSE(same_place("×", ""));
  EXPECT_TRUE(same_place("東京", "東京"));
  EXPECT_FALSE(same_place("東京", "京都"));
  EXPECT_FALSE(same_place("Αθήνα", "Αθηνα2"));
}

TEST(SamePlace, DistinguishesPlaces) {
  EXPECT_FALSE(same_place("Madrid", "Madri"));
  EXPECT_FALSE(same_place("Madrid", "Madrid "));
  EXPECT_FALSE(same_place("Valencia", "Palencia"));
  EXPECT_FALSE(same_place("", "Madrid"));
}

TEST(SamePlace, AcceptsTextThatIsCutInsideALetter) {
  EXPECT_FALSE(same_place("M\xc3", "Ma"));
  EXPECT_FALSE(same_place("\xc3", ""));
  EXPECT_TRUE(same_place("M\xc3", "m\xc3"));
}

using enum platform_kind;

const address complete_address{"Calle Mayor", "12", "", "28013", "Madrid", "", "", "ES", 40.4, -3.7};

/// Returns exactly these gaps.
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
    EXPECT_TRUE(gaps_of(publication::published, unit{}, complete_address, kind).none());
    EXPECT_TRUE(gaps_of(publication::published, seasonal(12), complete_address, kind).none());
  }
}

TEST(DataGaps, IncludeEachRequiredPartOfAnAddress) {
  for (const auto part :
       {&address::street, &address::number, &address::postal_code, &address::city, &address::country_code}) {
    auto at = complete_address;
    at.*part = "";
    EXPECT_EQ(gaps_of(publication::published, unit{}, at, marketplace_a), only({data_gap::address}));
  }
  for (const auto part : {&address::latitude, &address::longitude}) {
    auto at = complete_address;
    (at.*part).reset();
    EXPECT_EQ(gaps_of(publication::published, unit{}, at, marketplace_c), only({data_gap::coordinates}));
  }
  EXPECT_EQ(gaps_of(publication::published, unit{}, {}, marketplace_d),
            only({data_gap::address, data_gap::coordinates}));
}

TEST(DataGaps, IncludeUnpricedMonthsIfTheyArePublished) {
  EXPECT_EQ(gaps_of(publication::published, seasonal(11), complete_address, marketplace_b),
            only({data_gap::month_price}));
  for (const auto kind : {marketplace_a, marketplace_c, marketplace_d}) // the highest month only
    EXPECT_TRUE(gaps_of(publication::published, seasonal(11), complete_address, kind).none());
}

TEST(DataGaps, AreOnlyTheReasonIfTheUnitIsOmitted) {
  EXPECT_EQ(gaps_of(publication::no_usable_rent, unit{}, {}, marketplace_b), only({data_gap::rent}));
  EXPECT_EQ(gaps_of(publication::unsupported_region, unit{}, {}, marketplace_d), only({data_gap::region}));
}

TEST(DataGaps, AreEmptyForAWithheldUnit) {
  EXPECT_TRUE(gaps_of(publication::withheld, seasonal(1), {}, marketplace_b).none());
}

} // namespace roost::listings::publication_test
