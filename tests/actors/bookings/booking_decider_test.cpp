#include "actors/bookings/booking_decider.hpp"
#include "support/sample_portfolio.hpp"

#include <gtest/gtest.h>

namespace roost::actors::booking_decider_test {
using testing::numbered_id;

/// A booking of a landlord's only unit that the calendar allowed. Refusals are mailed to two recipients.
class AllowedBooking : public ::testing::Test {
protected:
  AllowedBooking() {
    pending.request.id = numbered_id(1);
    pending.request.platform = "marketplace-a";
    pending.request.received_at = now();
    allowed.decision.request_id = pending.request.id;
    allowed.decision.state = domain::request_state::success;
    allowed.decision.booking.emplace().unit_id = numbered_id(2);
    allowed.unit.name = "Room 2";
  }

  static domain::timestamp now() { return domain::timestamp{std::chrono::hours{500'000}}; }

  static directory sample_directory(const domain::uuid& account_id = numbered_id(3)) {
    auto account = std::make_shared<directory_account>();
    account->id = account_id;
    auto settings = testing::sample_account(1).details;
    settings.id = account->id;
    account->settings = std::make_shared<const domain::account>(settings);
    account->contacts = std::make_shared<const account_contacts>(
        account_contacts{.company_name = "Casa Sol", .mail_to = {"a@casa.example", "b@casa.example"}});
    auto setup = std::make_shared<unit_setup>();
    setup->terms.id = numbered_id(2);
    setup->terms.created_at = now();
    account->units.push_back({{}, account.get(), setup});
    return {1, testing::sample_platforms(), {account}};
  }

  std::optional<pending_decision> replacement_after(storage_error error) const {
    auto decided = allowed;
    decided.request = std::make_shared<const store::pending_request>(pending);
    return decider.replacement_for(decided, current, error);
  }

  directory current = sample_directory();
  booking_decider decider{{testing::sample_platforms(), now, [] { return numbered_id(9); }}};
  store::pending_request pending;
  pending_decision allowed;
};

TEST_F(AllowedBooking, IsRefusedWhenItsNightsAreTakenInTheDatabase) {
  const auto replacement = replacement_after(storage_error::overlapping_stay);
  ASSERT_TRUE(replacement);
  EXPECT_EQ(replacement->decision.request_id, pending.request.id);
  EXPECT_EQ(replacement->decision.state, domain::request_state::failed);
  EXPECT_EQ(replacement->decision.reason, domain::refusal::overlapping_nights);
  EXPECT_FALSE(replacement->decision.booking);
  ASSERT_EQ(replacement->decision.notifications.size(), 1U);
  EXPECT_EQ(replacement->decision.notifications[0].account_id, numbered_id(3));
  EXPECT_EQ(replacement->decision.notifications[0].title, "Booking refused: Room 2");
  EXPECT_EQ(replacement->decision.notifications[0].unit_id, numbered_id(2));
  ASSERT_EQ(replacement->decision.mails.size(), 2U);
  EXPECT_EQ(replacement->decision.mails[1].to, "b@casa.example");
  EXPECT_EQ(replacement->request->request.received_at, now());
  EXPECT_FALSE(replacement->calendar); // it no longer holds any nights
}

TEST_F(AllowedBooking, IsRefusedWithoutANotificationWhenItsUnitIsGone) {
  allowed.decision.booking->unit_id = numbered_id(8);
  const auto replacement = replacement_after(storage_error::overlapping_stay);
  ASSERT_TRUE(replacement);
  EXPECT_EQ(replacement->decision.reason, domain::refusal::overlapping_nights);
  EXPECT_TRUE(replacement->decision.notifications.empty());
  EXPECT_TRUE(replacement->decision.mails.empty());
}

TEST_F(AllowedBooking, IsRefusedWithANotificationToASingleLandlordEvenWhenItsUnitIsGone) {
  pending.request.platform = "landlord-one"; // of account 1
  current = sample_directory(numbered_id(1));
  allowed.decision.booking->unit_id = numbered_id(8);
  const auto replacement = replacement_after(storage_error::overlapping_stay);
  ASSERT_TRUE(replacement);
  ASSERT_EQ(replacement->decision.notifications.size(), 1U);
  EXPECT_EQ(replacement->decision.notifications[0].account_id, numbered_id(1));
  EXPECT_EQ(replacement->decision.mails.size(), 2U);
}

TEST_F(AllowedBooking, IsDroppedWhenTheDatabaseHasItsReference) {
  const auto replacement = replacement_after(storage_error::duplicate_reference);
  ASSERT_TRUE(replacement);
  EXPECT_EQ(replacement->decision.state, domain::request_state::dropped);
  EXPECT_FALSE(replacement->decision.reason);
  EXPECT_TRUE(replacement->decision.notifications.empty());
}

TEST_F(AllowedBooking, IsNotReplacedAfterAnyOtherFailure) {
  for (const auto error : {storage_error::unavailable, storage_error::lease_lost,
                           storage_error::already_decided, storage_error::failed})
    EXPECT_FALSE(replacement_after(error)) << to_string(error);
}

TEST_F(AllowedBooking, IsNotReplacedIfTheDecisionHasNoBooking) {
  allowed.decision.booking.reset();
  EXPECT_FALSE(replacement_after(storage_error::overlapping_stay));
}

} // namespace roost::actors::booking_decider_test
