#include "actors/support/booking_world.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Requests whose unit is gone or whose ID now belongs to another unit: repeats, and mails about refusals.
namespace roost::testing::booking_repeats_test {
using domain::request_state;
using ::testing::UnorderedElementsAre;

/// The first landlord's unit u1 is booked, and changed afterwards.
class Repeats : public booking_world {
protected:
  void SetUp() override {
    booking_world::SetUp();
    enqueue(booked);
    decide(booked);
    run_to_end(); // a run that goes on would decide later requests
  }

  void withdraw(const domain::booking_request& request) {
    store::withdrawal by{request.platform, request.reference.value(), {}, {}};
    by.unit_of = [](const domain::booking_request&) { return std::nullopt; };
    by.audit = [](const domain::uuid&, const std::optional<domain::uuid>&) { return store::audit_entry{}; };
    ASSERT_EQ(store::withdraw_requests(session(), lease, by).ids.size(), 1U);
  }

  /// Submits a request for u1 with this reference, for free nights. Returns its state.
  request_state resubmit(const std::optional<std::string>& reference) {
    std::vector repeated{request(2, 1, "2027-06-01", "2027-07-01")};
    repeated[0].reference = reference;
    enqueue(repeated);
    decide(repeated);
    return state_of(repeated[0]);
  }

  static domain::portfolio without_first_unit() {
    auto file = sample();
    auto& units = file.accounts[0].properties[0].units;
    units.erase(units.begin());
    return file;
  }

  /// Returns a second landlord with a unit that is u1, too.
  static domain::portfolio_account second_landlord() {
    auto account = sample_account(2);
    auto unit = sample_unit(500);
    unit.links[0].external_id = "u1";
    add_unit(account, std::move(unit));
    return account;
  }

  const std::vector<domain::booking_request> booked{request(1, 1, "2027-02-01", "2027-03-01")};
};
ROOST_ON_EACH_STORE(Repeats);

TEST_P(Repeats, AreDroppedWhenTheirUnitIsGone) {
  import(without_first_unit());
  EXPECT_EQ(resubmit(booked[0].reference), request_state::dropped);
  EXPECT_EQ(mails->count(), 0U);
}

TEST_P(Repeats, OfAWithdrawnRequestAreDropped) {
  std::vector withdrawn{request(3, 1, "2027-06-01", "2027-07-01")};
  enqueue(withdrawn);
  withdraw(withdrawn[0]);
  EXPECT_EQ(resubmit(withdrawn[0].reference), request_state::dropped);
  EXPECT_EQ(count_rows(session(), "bookings"), 1);
  EXPECT_EQ(mails->count(), 0U);
}

TEST_P(Repeats, BelongToTheLandlordWhoseBookingTheyRepeat) {
  import(without_first_unit());
  ASSERT_EQ(resubmit(booked[0].reference), request_state::dropped);
  EXPECT_EQ(count_rows(session(), "booking_requests where state = 'Dropped' and account_id = '" +
                                      domain::to_string(numbered_id(1)) + "'"),
            1);
}

TEST_P(Repeats, AreDroppedWhenTheirUnitIsArchived) {
  auto file = sample();
  file.accounts[0].properties[0].units[0].terms.archived = true;
  import(file);
  EXPECT_EQ(resubmit(booked[0].reference), request_state::dropped);
}

TEST_P(Repeats, AreDroppedWhenTheirUnitIsArchivedAndAnotherHasItsId) {
  auto file = sample();
  file.accounts[0].properties[0].units[0].terms.archived = true;
  file.accounts.push_back(second_landlord());
  import(file);
  EXPECT_EQ(resubmit(booked[0].reference), request_state::dropped);
}

TEST_P(Repeats, AreRecognizedOnlyInTheAccountOfTheBooking) {
  auto file = sample();
  file.accounts[0].properties[0].units[0].links.clear();
  file.accounts.push_back(second_landlord());
  import(file);
  EXPECT_EQ(resubmit(booked[0].reference), request_state::success);
}

TEST_P(Repeats, AreRecognizedOnlyByTheSameReference) {
  import(without_first_unit());
  EXPECT_EQ(resubmit(domain::to_string(numbered_id(0x300000))), request_state::failed);
  auto unnamed = request(3, 1, "2027-06-01", "2027-07-01");
  unnamed.reference.reset();
  enqueue({unnamed});
  decide({unnamed});
  EXPECT_EQ(state_of(unnamed), request_state::failed);
}

/// The recipients of mails about refusals.
class RefusalMails : public booking_world {
protected:
  std::vector<std::string> recipients(std::size_t count) {
    EXPECT_TRUE(eventually([&] { return mails->count() == count; }));
    std::lock_guard lock{mails->mutex};
    std::vector<std::string> addresses;
    for (const auto& mail : mails->sent) addresses.push_back(mail.to);
    return addresses;
  }
};
ROOST_ON_EACH_STORE(RefusalMails);

TEST_P(RefusalMails, ReachTheLandlordOfASingleLandlordPlatformEvenIfTheUnitIsUnknown) {
  std::vector refused{request(1, 999, "2027-02-01", "2027-03-01"),
                      request(2, 999, "2027-02-01", "2027-03-01")};
  refused[0].platform = "landlord-one";
  enqueue(refused);
  decide(refused);
  EXPECT_EQ(state_of(refused[0]), request_state::failed);
  EXPECT_EQ(state_of(refused[1]), request_state::failed); // its landlord is unknown
  EXPECT_THAT(recipients(1), UnorderedElementsAre("user1@landlord.example"));
}

TEST_P(RefusalMails, ReachAllActiveUsersOfAnAccountWithoutAnActiveAdmin) {
  auto file = sample();
  auto& users = file.accounts[0].users;
  users[0].details.role = "Manager";
  users.push_back(users[1]);
  users[2].details.id = numbered_id(0x503);
  users[2].details.email = "gone@landlord.example";
  users[2].details.role = "Admin";
  users[2].details.deactivated = true;
  import(file);
  auto unpaid = request(1, 1, "2027-02-01", "2027-03-01");
  unpaid.provider_payment.reset();
  enqueue({unpaid});
  decide({unpaid});
  EXPECT_THAT(recipients(2), UnorderedElementsAre("user1@landlord.example", "user2@landlord.example"));
}

} // namespace roost::testing::booking_repeats_test
