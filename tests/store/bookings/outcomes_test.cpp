#include "store/bookings/bookings.hpp"
#include "store/bookings/erasure.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/database/connection.hpp"
#include "store/support/cancelled_stays.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <vector>

namespace roost::testing::outcomes_test {
using store::outcome_status;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string platform = "marketplace-a";

std::vector<std::string> references_in(const store::outcome_page& page) {
  std::vector<std::string> references;
  for (const auto& each : page.outcomes) references.push_back(each.reference.substr(sizeof "reference"));
  return references;
}

/// A store in which requests 1, 2, … ask for unit 1, unless said otherwise.
class Outcomes : public on_each_store {
protected:
  void SetUp() override { desk.emplace(session()); }

  domain::booking_request submit(unsigned long n, unsigned long reference = 0) {
    auto request = sample_request(n);
    if (reference != 0) request.reference = "reference-" + std::to_string(reference);
    desk->insert({request});
    return request;
  }

  domain::booking book(const domain::booking_request& request, unsigned long unit = 1) {
    const auto accepted = accept(request, unit_id(unit));
    desk->decide({accepted});
    return *accepted.booking;
  }

  store::submission_outcome outcome_of(unsigned long reference) {
    return store::find_outcome(session(), platform, "reference-" + std::to_string(reference)).value();
  }

  store::outcome_page page_after(std::int64_t after, std::size_t limit = 100) {
    return store::outcomes_after(session(), platform, after, limit);
  }

  std::optional<writer> desk;
};
ROOST_ON_EACH_STORE(Outcomes);

TEST_P(Outcomes, OfUnknownReferencesDoNotExist) {
  submit(1);
  EXPECT_FALSE(store::find_outcome(session(), platform, "reference-2"));
  EXPECT_FALSE(store::find_outcome(session(), "marketplace-b", "reference-1"));
}

TEST_P(Outcomes, ArePendingUntilTheDecision) {
  const auto request = submit(1);
  const auto outcome = outcome_of(1);
  EXPECT_EQ(outcome.status, outcome_status::pending);
  EXPECT_EQ(outcome.external_id, "ext-1");
  EXPECT_EQ(outcome.check_in, request.check_in);
  EXPECT_EQ(outcome.check_out, request.check_out);
  EXPECT_EQ(outcome.received_at, request.received_at);
  EXPECT_EQ(outcome.changed_at, request.received_at);
  EXPECT_FALSE(outcome.decided_at);
  EXPECT_THAT(page_after(0).outcomes, IsEmpty());
  EXPECT_EQ(store::newest_outcome(session(), platform), 0);
}

TEST_P(Outcomes, AreConfirmedByABooking) {
  book(submit(1));
  const auto outcome = outcome_of(1);
  EXPECT_EQ(outcome.status, outcome_status::confirmed);
  EXPECT_EQ(outcome.decided_at, outcome.changed_at);
  EXPECT_FALSE(outcome.refusal);
  EXPECT_FALSE(outcome.cancelled_at);
  const auto page = page_after(0);
  EXPECT_THAT(page.outcomes, ElementsAre(outcome));
  EXPECT_EQ(page.cursor, 1);
  EXPECT_FALSE(page.more);
}

TEST_P(Outcomes, StayConfirmedDuringAndAfterTheStay) {
  const auto booked = book(submit(1));
  const auto before = outcome_of(1);
  store::advance_stays(session(), desk->lease, booked.check_in);
  EXPECT_EQ(outcome_of(1), before);
  store::advance_stays(session(), desk->lease, booked.check_out);
  EXPECT_EQ(outcome_of(1), before);
  EXPECT_EQ(store::newest_outcome(session(), platform), 1);
}

TEST_P(Outcomes, OfRefusalsHaveTheReasonAndTheTakenNights) {
  auto refused = refuse(submit(1));
  refused.taken = {{day("2027-04-01"), day("2027-04-10")}, {day("2027-04-20"), day("2027-04-20")}};
  desk->decide({refused});
  const auto outcome = outcome_of(1);
  EXPECT_EQ(outcome.status, outcome_status::refused);
  EXPECT_EQ(outcome.refusal, domain::refusal::overlapping_nights);
  EXPECT_EQ(outcome.taken_nights, refused.taken);
  EXPECT_THAT(page_after(0).outcomes, ElementsAre(outcome));
}

TEST_P(Outcomes, OfRefusalsByTheDatabaseHaveTheNightsThatItKnows) {
  book(submit(1));
  auto later = sample_request(2);
  later.check_in = day("2027-04-20");
  later.check_out = day("2027-05-10");
  desk->insert({later});
  auto refused = refuse(later); // its calendar had allowed the stay, so the decision has no nights
  refused.unit_id = unit_id(1);
  desk->decide({refused});
  EXPECT_THAT(outcome_of(2).taken_nights, ElementsAre(domain::nights{day("2027-04-20"), day("2027-04-30")}));
}

TEST_P(Outcomes, OfRefusalsByAnOperatorAreListed) {
  auto refused = refuse(submit(1));
  refused.reason = domain::refusal::platform_not_configured;
  store::record_refusals(session(), store::decision_rows{std::vector{refused}}, [] {});
  EXPECT_EQ(outcome_of(1).refusal, domain::refusal::platform_not_configured);
  EXPECT_THAT(references_in(page_after(0)), ElementsAre("1"));
}

TEST_P(Outcomes, OfCancellationsMoveToTheEnd) {
  const auto booked = book(submit(1));
  book(submit(2), 2);
  ASSERT_THAT(references_in(page_after(0)), ElementsAre("1", "2"));
  ASSERT_TRUE(cancel_stay(session(), booked.id));
  const auto outcome = outcome_of(1);
  EXPECT_EQ(outcome.status, outcome_status::cancelled);
  EXPECT_EQ(outcome.cancelled_by, domain::cancelled_by::landlord);
  EXPECT_TRUE(outcome.cancelled_at);
  EXPECT_GE(outcome.changed_at, *outcome.cancelled_at);
  EXPECT_THAT(references_in(page_after(0)), ElementsAre("2", "1"));
  EXPECT_THAT(page_after(2).outcomes, ElementsAre(outcome));
  EXPECT_EQ(store::newest_outcome(session(), platform), 3);
}

TEST_P(Outcomes, OfCancellationsByAPlatformSayWho) {
  const auto booked = book(submit(1));
  const store::platform_cancellation request{
      {*booked.platform, *booked.reference, booked.account_id}, booked.unit_id, [](const auto& record) {
        return domain::notification{
            fresh_id(), record.booking.account_id, "booking_cancelled",           "t", "b",
            {},         record.booking.request_id, moment("2026-11-21T10:00:00Z")};
      }};
  store::cancel_for_platforms(session(), desk->lease, std::span{&request, 1});
  EXPECT_EQ(outcome_of(1).cancelled_by, domain::cancelled_by::platform);
  EXPECT_THAT(references_in(page_after(1)), ElementsAre("1"));
}

TEST_P(Outcomes, InOneGroupHaveTheirOrder) {
  std::vector<domain::decision> group;
  for (unsigned long n = 1; n <= 5; ++n) group.push_back(refuse(submit(n)));
  auto elsewhere = sample_request(6);
  elsewhere.platform = "marketplace-b";
  desk->insert({elsewhere});
  group.push_back(refuse(elsewhere));
  desk->decide(group);
  EXPECT_THAT(references_in(page_after(0)), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_EQ(store::newest_outcome(session(), platform), 5);
  EXPECT_EQ(store::newest_outcome(session(), "marketplace-b"), 1) << "each platform counts for itself";
}

TEST_P(Outcomes, AreReadInPages) {
  std::vector<domain::decision> group;
  for (unsigned long n = 1; n <= 5; ++n) group.push_back(refuse(submit(n)));
  desk->decide(group);
  desk->decide({refuse(submit(6)), refuse(submit(7))});
  std::vector<std::string> all;
  std::int64_t cursor = 0;
  for (const auto expected : {2, 2, 2, 1}) {
    const auto page = page_after(cursor, 2);
    EXPECT_EQ(page.outcomes.size(), static_cast<std::size_t>(expected));
    EXPECT_EQ(page.more, page.cursor < 7);
    for (auto& each : references_in(page)) all.push_back(each);
    cursor = page.cursor;
  }
  EXPECT_THAT(all, ElementsAre("1", "2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(page_after(cursor).outcomes, IsEmpty());
}

TEST_P(Outcomes, OfOneTransactionHaveOneMark) {
  desk->decide({refuse(submit(1)), refuse(submit(2))});
  desk->decide({refuse(submit(3))});
  const auto mark_of = [&](std::int64_t position) {
    return store::mark_of_outcome(session(), platform, position);
  };
  ASSERT_TRUE(mark_of(1));
  EXPECT_EQ(mark_of(1), mark_of(2));
  EXPECT_NE(mark_of(2), mark_of(3));
  EXPECT_FALSE(mark_of(0));
  EXPECT_FALSE(mark_of(4));
  EXPECT_FALSE(store::mark_of_outcome(session(), "marketplace-b", 1));
}

TEST_P(Outcomes, FillAPageAlsoIfEarlierOnesHaveChangedSince) {
  std::vector<domain::uuid> bookings;
  for (unsigned long n = 1; n <= 4; ++n) {
    auto request = sample_request(n);
    request.check_in = day("2027-04-01") + domain::days{n};
    request.check_out = request.check_in + domain::days{1};
    desk->insert({request});
    bookings.push_back(book(request).id);
  }
  for (const auto i : {0U, 1U, 2U}) cancel_stay(session(), bookings[i]);
  const auto page = page_after(0, 2);
  EXPECT_THAT(references_in(page), ElementsAre("4", "1"));
  EXPECT_TRUE(page.more);
  EXPECT_THAT(references_in(page_after(page.cursor, 2)), ElementsAre("2", "3"));
}

TEST_P(Outcomes, AfterTheNewestPositionAreEmpty) {
  book(submit(1));
  const auto page = page_after(17);
  EXPECT_THAT(page.outcomes, IsEmpty());
  EXPECT_EQ(page.cursor, 1);
  EXPECT_FALSE(page.more);
}

TEST_P(Outcomes, OfARepeatedReferenceAreThoseOfItsBooking) {
  const auto first = submit(1), second = submit(2, 1);
  desk->decide({refuse(first)});
  EXPECT_EQ(outcome_of(1).status, outcome_status::refused);
  book(second);
  EXPECT_EQ(outcome_of(1).status, outcome_status::confirmed);
  EXPECT_EQ(outcome_of(1).received_at, second.received_at);
  EXPECT_THAT(page_after(0).outcomes, ElementsAre(outcome_of(1))) << "the refusal is not shown any more";
}

TEST_P(Outcomes, OfAReferenceWithBookingsOfTwoLandlordsAreThoseOfTheOneMadeFirst) {
  import_sample(session(), sample_portfolio(2));
  desk->follow();
  const auto first = submit(1), second = submit(2, 1);
  auto elsewhere = accept(first, unit_id(3));
  elsewhere.account_id = elsewhere.booking->account_id = elsewhere.new_tenant->account_id = account_id(2);
  elsewhere.notifications.clear();
  desk->decide({accept(second, unit_id(1)), elsewhere}); // at the same moment
  EXPECT_EQ(outcome_of(1).received_at, first.received_at);
  EXPECT_EQ(page_after(0).outcomes.size(), 1U);
  cancel_stay(session(), elsewhere.booking->id);
  EXPECT_EQ(outcome_of(1).status, outcome_status::cancelled) << "the other landlord's booking stays hidden";
  EXPECT_THAT(page_after(2).outcomes, ElementsAre(outcome_of(1)));
}

TEST_P(Outcomes, OfARepeatedReferenceWithoutABookingAreThoseOfTheFirstSubmission) {
  auto first = refuse(submit(1)), second = refuse(submit(2, 1));
  second.reason = domain::refusal::provider_payment_missing;
  desk->decide({first});
  desk->decide({second});
  EXPECT_EQ(outcome_of(1).refusal, domain::refusal::overlapping_nights);
  EXPECT_THAT(references_in(page_after(0)), ElementsAre("1"));
}

TEST_P(Outcomes, OfRepeatsThatAreDroppedDoNotChange) {
  book(submit(1));
  auto dropped = refuse(submit(2, 1));
  dropped.state = domain::request_state::dropped;
  dropped.reason.reset();
  dropped.reported_to.reset();
  desk->decide({dropped});
  EXPECT_EQ(outcome_of(1).status, outcome_status::confirmed);
  EXPECT_EQ(store::newest_outcome(session(), platform), 1);
}

TEST_P(Outcomes, OfRequestsWithoutAReferenceAreNotListed) {
  auto request = sample_request(1);
  request.reference.reset();
  desk->insert({request});
  const auto booked = book(request);
  cancel_stay(session(), booked.id);
  EXPECT_EQ(store::newest_outcome(session(), platform), 0);
}

TEST_P(Outcomes, DoNotChangeByTheErasureOfTheGuest) {
  const auto booked = book(submit(1));
  desk->decide({refuse(submit(2))});
  cancel_stay(session(), booked.id);
  const auto before = page_after(0);
  const auto erased = store::erase_former_guests(session(), desk->lease, day("2028-01-01"), 10);
  ASSERT_GT(erased.requests, 0);
  EXPECT_EQ(page_after(0).outcomes, before.outcomes);
  EXPECT_EQ(page_after(0).cursor, before.cursor);
}

TEST_P(Outcomes, AreNotRecordedByDecisionsThatAreNotWritten) {
  const auto request = submit(1);
  import_sample(session(), sample_portfolio());
  EXPECT_FALSE(desk->decide({accept(request, unit_id(1))}).stale.empty());
  EXPECT_EQ(store::newest_outcome(session(), platform), 0);
}

/// SQLite has only one writer at a time.
class ConcurrentOutcomes : public Outcomes {
protected:
  void wait_for_lock(store::session& observer) {
    while (count_rows(observer, "pg_stat_activity where wait_event_type = 'Lock'"
                                " and datname = current_database()") == 0)
      std::this_thread::yield();
  }
};
ROOST_ON_POSTGRESQL(ConcurrentOutcomes);

TEST_P(ConcurrentOutcomes, AreNumberedInTheOrderOfTheCommits) {
  const auto first = submit(1), second = submit(2);
  auto other = store().open(), observer = store().open();
  std::future<void> decided;
  {
    store::transaction txn(other, store::transaction::purpose::write);
    store::record_outcomes(other, {{platform, {first.id}}});
    decided = std::async(std::launch::async, [&] { desk->decide({refuse(second)}); });
    wait_for_lock(observer);
    EXPECT_EQ(store::newest_outcome(observer, platform), 0);
    txn.commit();
  }
  decided.get();
  EXPECT_THAT(references_in(page_after(1)), ElementsAre("2"));
}

TEST_P(ConcurrentOutcomes, OfGroupsUnderTheStreamsLockWaitForOtherTransactionsFirst) {
  const auto booked = book(submit(1));
  const auto request = submit(2);
  auto other = store().open(), observer = store().open(), deciding = store().open();
  std::future<std::optional<store::recorded_decisions>> decided;
  {
    store::transaction txn(other, store::transaction::purpose::write);
    const auto cancelled =
        store::cancel_active(other, std::span{&booked.id, 1}, domain::cancelled_by::landlord,
                             [](const auto&) -> std::optional<domain::notification> { return {}; });
    decided = std::async(std::launch::async, [&] {
      return store::record_locked_decisions(
          deciding, desk->lease, [&](std::int64_t) -> std::optional<store::decided_group> {
            return store::decided_group{
                {store::newest_point(deciding), {}},
                std::make_shared<const store::decision_rows>(std::vector{accept(request, unit_id(1))})};
          });
    });
    wait_for_lock(observer);
    EXPECT_NO_THROW(store::append_all(other, cancelled.changes)) << "the group must not hold the stream";
    txn.commit();
  }
  EXPECT_TRUE(decided.get().has_value());
  EXPECT_THAT(references_in(page_after(1)), ElementsAre("1", "2"));
}

} // namespace roost::testing::outcomes_test
