#include "domain/booking.hpp"

#include <gtest/gtest.h>

namespace roost::domain {
namespace {

TEST(RequestStates, HaveTheNamesOfTheSpecification) {
  EXPECT_EQ(to_string(request_state::created), "New");
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

TEST(Refusals, HaveOneWordEachForLogsAndTheStore) {
  EXPECT_EQ(to_string(refusal::unit_not_linked), "unit_not_linked");
  EXPECT_EQ(to_string(refusal::overlapping_nights), "overlapping_nights");
  EXPECT_EQ(to_string(refusal::provider_payment_missing), "provider_payment_missing");
  EXPECT_EQ(to_string(refusal::check_out_not_after_check_in), "check_out_not_after_check_in");
}

} // namespace
} // namespace roost::domain
