#include "mail/manual_notices.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <array>

namespace roost::mail::manual_notices_test {
using domain::operator""_date;

domain::booking_request stay(const char* platform) {
  domain::booking_request request;
  request.platform = platform;
  request.tenant.first_name = "Ida";
  request.tenant.last_name = "Berg";
  request.check_in = "2027-02-01"_date;
  request.check_out = "2027-03-01"_date;
  return request;
}

constexpr std::string_view by = "ana@landlord.example";

TEST(ManualNotices, NameWhoBookedAndWhichLimitsTheStayExceeds) {
  const auto request = stay("");
  constexpr std::array warnings{domain::stay_warning::longer_than_maximum};
  const auto notice =
      booked_by_hand_notice({{}, {}, {}, {}, by}, {"Room 1", "Madrid", {}, request}, warnings);
  EXPECT_EQ(notice.kind, "booking_created");
  EXPECT_EQ(notice.request_id, std::nullopt);
  EXPECT_EQ(notice.body,
            "Ida Berg stays from 1 February 2027 to 1 March 2027 (28 nights), 1 person. Booked here "
            "by ana@landlord.example. Please check this stay: It is longer than the unit's maximum "
            "stay.");
}

TEST(ManualNotices, SayWithWhomToSettleACancellation) {
  const auto by_hand = stay("");
  auto notice = cancelled_by_hand_notice({{}, {}, {}, {}, by}, {"Room 1", "Madrid", {}, by_hand}, "Ill\n");
  EXPECT_EQ(notice.body,
            "The stay of Ida Berg from 1 February 2027 to 1 March 2027 (28 nights) was cancelled here by "
            "ana@landlord.example. The nights are free again. Please settle it with the guest: "
            "nothing is refunded. Reason: Ill");
  const auto sold = stay("marketplace-a");
  notice = cancelled_by_hand_notice({{}, {}, {}, {}, by}, {"Room 1", "Madrid", {}, sold}, "");
  EXPECT_EQ(
      notice.body,
      "The stay of Ida Berg from 1 February 2027 to 1 March 2027 (28 nights), booked on marketplace-a, was "
      "cancelled here by ana@landlord.example. The nights are free again. marketplace-a is not notified, "
      "and nothing is refunded: please settle it with marketplace-a.");
}

TEST(ManualNotices, DescribeAChangeByBothStays) {
  const auto before = stay("");
  auto after = before;
  after.check_out = "2027-02-08"_date;
  after.occupants = 2;
  const domain::uuid unit{{1}};
  const auto notice = changed_by_hand_notice({{}, {}, {}, {}, by}, {"Room 1", "Madrid", {}, before},
                                             {"Room 2", "Madrid", unit, after}, {});
  EXPECT_EQ(notice.unit_id, unit);
  EXPECT_EQ(notice.kind, "booking_changed");
  EXPECT_EQ(notice.title, "Booking changed: Room 1, Madrid");
  EXPECT_EQ(notice.body,
            "The stay of Ida Berg from 1 February 2027 to 1 March 2027 (28 nights) was changed here by "
            "ana@landlord.example. It is now in Room 2, Madrid, from 1 February 2027 to 8 February "
            "2027 (7 nights), 2 people. Please settle it with the guest: payments that you received "
            "stay as they are.");
}

} // namespace roost::mail::manual_notices_test
