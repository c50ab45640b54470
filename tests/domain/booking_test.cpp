#include "domain/booking.hpp"

#include <gtest/gtest.h>

namespace roost::domain::booking_test {
TEST(RequestStates, HaveTheNamesOfTheSpecification) {
  EXPECT_EQ(to_string(request_state::pending), "New");
  EXPECT_EQ(to_string(request_state::success), "Success");
  EXPECT_EQ(to_string(request_state::failed), "Failed");
  EXPECT_EQ(to_string(request_state::dropped), "Dropped");
}

TEST(BookingStatuses, HaveTheNamesOfTheSpecification) {
  EXPECT_EQ(to_string(booking_status::confirmed), "confirmed");
  EXPECT_EQ(to_string(booking_status::checked_in), "checked_in");
  EXPECT_EQ(to_string(booking_status::checked_out), "checked_out");
  EXPECT_EQ(to_string(booking_status::cancelled), "cancelled");
}

TEST(References, AreCaseInsensitiveIfTheyAreUuids) {
  EXPECT_EQ(normalized_reference("7B0A4D4E-8F0C-4F6B-9A51-0D6E6B1C2F3A"),
            "7b0a4d4e-8f0c-4f6b-9a51-0d6e6b1c2f3a");
  EXPECT_EQ(normalized_reference("AB-17"), "AB-17");
  EXPECT_EQ(normalized_reference(""), "");
}

TEST(Refusals, HaveIdentifiersForLogsAndTheStore) {
  EXPECT_EQ(to_string(refusal::unit_not_linked), "unit_not_linked");
  EXPECT_EQ(to_string(refusal::overlapping_nights), "overlapping_nights");
  EXPECT_EQ(to_string(refusal::held_nights), "held_nights");
  EXPECT_EQ(to_string(refusal::provider_payment_missing), "provider_payment_missing");
  EXPECT_EQ(to_string(refusal::check_out_not_after_check_in), "check_out_not_after_check_in");
  for (std::size_t i = 0; i < refusal_names.size(); ++i)
    EXPECT_EQ(parse_name<refusal>(refusal_names[i]), static_cast<refusal>(i)) << refusal_names[i];
}

TEST(Refusals, MayBeAboutTakenNights) {
  for (std::size_t i = 0; i < refusal_names.size(); ++i) {
    const auto reason = static_cast<refusal>(i);
    EXPECT_EQ(is_about_nights(reason),
              reason == refusal::overlapping_nights || reason == refusal::held_nights)
        << refusal_names[i];
  }
}

} // namespace roost::domain::booking_test
