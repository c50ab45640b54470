#include "store/audit/audit.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/connection.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

/// Cancellations of what is not decided yet.
namespace roost::testing::withdrawals_test {
using store::outcome_status;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string platform = "marketplace-a", reference = "reference-1";

class Withdrawals : public on_each_store {
protected:
  void SetUp() override { desk.emplace(session()); }

  /// Submits request n with the reference of request 1.
  domain::booking_request submit(unsigned long n) {
    auto request = sample_request(n);
    request.reference = reference;
    desk->insert({request});
    return request;
  }

  std::vector<domain::uuid> withdraw(std::optional<store::lease> held = std::nullopt) {
    store::withdrawal by{platform, reference, {}, {}};
    by.unit_of = [](const domain::booking_request&) { return store::booked_unit{account_id(1), unit_id(1)}; };
    by.audit = [](const domain::uuid& request, const std::optional<domain::uuid>& account) {
      return store::audit_entry{request,
                                moment("2026-11-21T10:00:00.000Z"),
                                "token 1",
                                "booking withdrawal",
                                domain::to_string(request),
                                reference,
                                account};
    };
    return store::withdraw_requests(session(), held.value_or(desk->lease), by).ids;
  }

  outcome_status status() { return store::find_outcome(session(), platform, reference).value().status; }

  std::optional<writer> desk;
};
ROOST_ON_EACH_STORE(Withdrawals);

TEST_P(Withdrawals, AreOfEveryPendingRequestWithTheReference) {
  const auto first = submit(1), second = submit(2);
  desk->insert({sample_request(3)});
  EXPECT_THAT(withdraw(), ElementsAre(first.id, second.id));
  const auto pending = store::pending_requests(session(), 0, 10);
  ASSERT_EQ(pending.size(), 1U);
  EXPECT_EQ(pending.front().request.id, sample_request(3).id);
  EXPECT_EQ(status(), outcome_status::cancelled);
  EXPECT_EQ(store::requests_by_state(session()).failed, 2);
}

TEST_P(Withdrawals, AreOutcomesThatFollowersLearnOf) {
  submit(1);
  withdraw();
  const auto page = store::outcomes_after(session(), platform, 0, 10);
  ASSERT_EQ(page.outcomes.size(), 1U);
  const auto& outcome = page.outcomes.front();
  EXPECT_EQ(outcome.status, outcome_status::cancelled);
  EXPECT_EQ(outcome.refusal, std::nullopt);
  EXPECT_EQ(outcome.cancelled_by, domain::cancelled_by::platform);
  EXPECT_EQ(outcome.cancelled_at, outcome.decided_at);
}

TEST_P(Withdrawals, NameTheLandlordAndTheCaller) {
  const auto request = submit(1);
  withdraw();
  EXPECT_EQ(count_rows(session(), "booking_requests where account_id = '" + domain::to_string(account_id(1)) +
                                      "' and unit_id = '" + domain::to_string(unit_id(1)) + "'"),
            1);
  const auto entries = store::list_audit(session(), 10);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries.front().subject, domain::to_string(request.id));
  EXPECT_EQ(entries.front().account_id, account_id(1));
}

TEST_P(Withdrawals, DoNotTouchWhatIsDecided) {
  const auto first = submit(1);
  desk->decide({refuse(first)});
  EXPECT_THAT(withdraw(), IsEmpty());
  EXPECT_EQ(status(), outcome_status::refused);
  submit(2);
  EXPECT_EQ(withdraw().size(), 1U);
  EXPECT_EQ(status(), outcome_status::refused) << "of the first submission";
}

TEST_P(Withdrawals, MarkLaterRequestsWithTheReference) {
  submit(1);
  withdraw();
  submit(2);
  auto elsewhere = sample_request(3), unrelated = sample_request(4);
  elsewhere.reference = reference;
  elsewhere.platform = "marketplace-b";
  desk->insert({elsewhere, unrelated});
  const auto pending = store::pending_requests(session(), 0, 10);
  ASSERT_EQ(pending.size(), 3U);
  EXPECT_TRUE(pending[0].is_withdrawn);
  EXPECT_FALSE(pending[1].is_withdrawn) << "another platform's";
  EXPECT_FALSE(pending[2].is_withdrawn);
}

TEST_P(Withdrawals, AreWrittenTogetherOrNotAtAll) {
  submit(1);
  reject_rows(session(), "audit", "new.action = 'booking withdrawal'");
  EXPECT_THROW(withdraw(), store::error);
  EXPECT_EQ(status(), outcome_status::pending);
}

TEST_P(Withdrawals, RequireTheLease) {
  submit(1);
  auto lost = desk->lease;
  ++lost.epoch;
  EXPECT_THROW(withdraw(lost), store::lease_lost);
  EXPECT_EQ(status(), outcome_status::pending);
}

} // namespace roost::testing::withdrawals_test
