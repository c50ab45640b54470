#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

/// Stays that are checked in and out by their dates.
namespace roost::testing::stays_test {

constexpr const char* cancel_all =
    "update bookings set status = 'cancelled', cancelled_by = 'landlord', cancelled_at = created_at";

ROOST_FOR_EACH_STORE(Stays);

TEST_P(Stays, AdvanceOnTheirDates) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.decide({accept(request, unit_id(1))});
  const auto advance = [&](const char* today) {
    return store::advance_stays(session(), node.lease, day(today));
  };
  EXPECT_EQ(advance("2027-03-31").checked_in, 0);
  EXPECT_EQ(advance("2027-04-01").checked_in, 1);
  EXPECT_EQ(advance("2027-04-01").checked_in, 0);
  EXPECT_EQ(advance("2027-04-30").checked_out, 0);
  EXPECT_EQ(advance("2027-05-01").checked_out, 1);
}

TEST_P(Stays, AdvanceThroughBothStatesTogetherIfTheyAreOver) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.decide({accept(request, unit_id(1))});
  const auto advanced = store::advance_stays(session(), node.lease, day("2028-01-01"));
  EXPECT_EQ(advanced.checked_in, 1);
  EXPECT_EQ(advanced.checked_out, 1);
}

TEST_P(Stays, AdvanceWithoutThoseThatTheDatabaseRejects) {
  writer node(session());
  import_sample(session(), sample_portfolio(1, 5));
  node.follow();
  std::vector<domain::booking_request> requests;
  std::vector<domain::decision> decisions;
  for (unsigned long n = 1; n <= 5; ++n) {
    requests.push_back(sample_request(n));
    decisions.push_back(accept(requests.back(), unit_id(n)));
  }
  node.insert(requests);
  node.decide(decisions);
  const auto rejected = decisions[2].booking->id;
  reject_changes(session(), "bookings", "status", "new.id = '" + domain::to_string(rejected) + "'");
  const auto advanced = store::advance_stays(session(), node.lease, day("2028-01-01"));
  EXPECT_EQ(advanced.checked_in, 4);
  EXPECT_EQ(advanced.checked_out, 4);
  ASSERT_EQ(advanced.rejected.size(), 1U);
  EXPECT_EQ(advanced.rejected[0].item, rejected);
  const auto again = store::advance_stays(session(), node.lease, day("2028-01-01"), std::vector{rejected});
  EXPECT_TRUE(again.rejected.empty()) << "it is left out";
  EXPECT_THAT(advanced.rejected[0].reason, ::testing::AnyOf("SQLSTATE P0001", "of SQLite"));
}

/// Only PostgreSQL has concurrent writers.
class StaysWithAnotherWriter : public Stays {};
ROOST_ON_POSTGRESQL(StaysWithAnotherWriter);

TEST_P(StaysWithAnotherWriter, DoNotWaitForACancellationInProgress) {
  writer node(session());
  const auto first = sample_request(1), second = sample_request(2);
  node.insert({first, second});
  node.decide({accept(first, unit_id(1)), accept(second, unit_id(2))});
  auto other = store().open();
  store::transaction cancelling(other, store::transaction::purpose::write);
  other.internals().script("cancel", cancel_all + std::string(" where request_id = '") +
                                         domain::to_string(first.id) + "'");
  EXPECT_EQ(store::advance_stays(session(), node.lease, first.check_in).checked_in, 1);
}

TEST_P(Stays, DoNotAdvanceOnceCancelled) {
  writer node(session());
  const auto request = sample_request(1);
  node.insert({request});
  node.decide({accept(request, unit_id(1))});
  session().internals().script("cancel", cancel_all);
  EXPECT_EQ(store::advance_stays(session(), node.lease, day("2028-01-01")).checked_in, 0);
}

} // namespace roost::testing::stays_test
