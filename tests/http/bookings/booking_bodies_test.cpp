#include "http/bookings/booking_bodies.hpp"
#include "http/protocol/error.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace roost::http::booking_bodies_test {

const std::string stay = R"({"unitId":"0193a0a0-0000-7000-8000-000000000001","platform":"marketplace-a",
"checkInDate":"2027-02-01","checkOutDate":"2027-05-01","occupants":2,"tenant":{"firstName":"Ada",
"email":"ada@guests.example","fiscalId":""}})";

std::vector<domain::platform> platforms() {
  domain::platform platform;
  platform.name = "marketplace-a";
  return {platform};
}

std::string edited(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(BookingBodies, AreReadWithTheConfiguredPlatform) {
  const auto configured = platforms();
  auto text = stay;
  const auto body = read_booking_creation(text, configured);
  EXPECT_EQ(body.platform, &configured.front());
  EXPECT_EQ(body.occupants, 2);
  EXPECT_EQ(body.tenant.fiscal_id, std::nullopt) << "an empty text counts as missing";
  EXPECT_EQ(body.id, std::nullopt);
}

TEST(BookingBodies, NeedAConfiguredPlatformAndDatesInOrder) {
  auto text = edited(edited(stay, "marketplace-a", "elsewhere"), "2027-05-01", "2027-01-01");
  try {
    read_booking_creation(text, platforms());
    FAIL() << "accepted";
  } catch (const error& refused) {
    EXPECT_EQ(refused.message,
              "checkOutDate must be after checkInDate, platform must be a configured platform");
  }
}

TEST(BookingBodies, NameEveryMemberThatCannotBeStored) {
  auto text = edited(edited(edited(stay, R"("fiscalId":"")", R"("phone":7,"nationality":"E1")"),
                            R"("firstName":"Ada")", R"("firstName":"")"),
                     R"("occupants":2)", R"("occupants":0,"platformProviderPaymentValue":100000000)");
  try {
    read_booking_creation(text, platforms());
    FAIL() << "accepted";
  } catch (const error& refused) {
    EXPECT_EQ(
        refused.message,
        "occupants must not be less than 1, tenant.firstName is required, tenant.phone must be a string, "
        "tenant.nationality must be an ISO 3166-1 country code of two letters, like ES, "
        "platformProviderPaymentValue must be below 100000000");
  }
}

TEST(BookingBodies, HaveOneTextForTheSameRequest) {
  const auto text_of_body = [configured = platforms()](std::string text) {
    return text_of(read_booking_creation(text, configured));
  };
  const auto text = text_of_body(stay);
  EXPECT_EQ(text, text_of_body(edited(stay, R"("occupants":2)", R"("occupants":2.0)")));
  EXPECT_NE(text, text_of_body(edited(stay, R"("occupants":2)", R"("occupants":3)")));
  EXPECT_NE(text, text_of_body(edited(stay, "ada@", "eva@")));
  EXPECT_NE(text, text_of_body(edited(stay, R"("fiscalId":"")", R"("fiscalId":"X1")")));
}

} // namespace roost::http::booking_bodies_test
