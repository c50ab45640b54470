#include "domain/platform.hpp"

#include <gtest/gtest.h>

namespace roost::domain::platform_test {
using enum platform_kind;

constexpr platform_kind every_kind[] = {marketplace_a, marketplace_b,   marketplace_c,
                                        marketplace_d, booking_engine,  channel_manager,
                                        room_sharing,  student_housing, single_landlord};

TEST(PlatformKinds, HaveTheNamesOfTheConfiguration) {
  EXPECT_EQ(to_string(marketplace_a), "marketplace-a");
  EXPECT_EQ(to_string(booking_engine), "booking-engine");
  EXPECT_EQ(to_string(single_landlord), "single-landlord");
  for (const auto kind : every_kind)
    EXPECT_EQ(parse_name<platform_kind>(to_string(kind)), kind) << to_string(kind);
}

TEST(PlatformKinds, RejectOtherNames) {
  for (const auto* text : {"", "marketplace", "Marketplace-A", "marketplace-e", "marketplace-a "})
    EXPECT_FALSE(parse_name<platform_kind>(text)) << text;
}

TEST(PlatformKinds, MatchByPropertyOnMarketplaceDAndTheEngineOnly) {
  for (const auto kind : every_kind)
    EXPECT_EQ(traits_of(kind).matches_by_property, kind == marketplace_d || kind == booking_engine)
        << to_string(kind);
}

} // namespace roost::domain::platform_test
