#include "store/bookings/bookings.hpp"
#include "store/database/error.hpp"
#include "store/office/bookings.hpp"
#include "store/office/history.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <thread>

namespace roost::testing::cancellations_test {
using store::office_result;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Cancels as `roost booking cancel` does.
std::vector<store::booking_outcome>
cancel_by_operator(store::session& db, const std::vector<domain::uuid>& bookings,
                   const std::string& reason = {},
                   domain::timestamp now = moment("2026-11-21T10:00:00.000Z")) {
  std::vector<store::authored_cancellation> cancellations;
  for (const auto& id : bookings) {
    store::booking_cancellation request{id, {}, reason};
    request.describe = [](const auto*, const auto&) {
      return std::vector<domain::field_change>{{"status", R"("confirmed")", R"("cancelled")"}};
    };
    request.notice = [now](const auto*, const auto& after, auto) {
      return domain::notification{
          fresh_id(), after.booking.account_id, "booking_cancelled", "t", "b", after.booking.id, {}, now};
    };
    cancellations.push_back(
        {request, {"Ben", now, {fresh_id(), now, "Ben", store::booking_cancel, domain::to_string(id), {}}}});
  }
  return store::cancel_for_landlords(db, cancellations);
}

/// A store with one booking of unit 1.
class Cancellations : public on_each_store {
protected:
  void SetUp() override {
    desk.emplace(session());
    const auto request = sample_request(1);
    desk->insert({request});
    const auto accepted = accept(request, unit_id(1));
    desk->decide({accepted});
    booked = *accepted.booking;
  }

  store::platform_reference reference() const {
    return {*booked.platform, *booked.reference, booked.account_id};
  }

  std::optional<store::cancellation> cancel(const store::platform_reference& booking,
                                            const domain::uuid& unit) {
    const auto request = cancellation_of(booking, unit);
    return store::cancel_for_platforms(session(), desk->lease, std::span{&request, 1}).front();
  }

  store::platform_cancellation cancellation_of(const store::platform_reference& booking,
                                               const domain::uuid& unit) {
    return {booking, unit, [this](const auto& record) {
              const auto& cancelled = record.booking;
              notices.push_back(record.unit_name + " of " + record.tenant.details.first_name);
              return domain::notification{
                  fresh_id(), cancelled.account_id, "booking_cancelled",  "t",
                  "b",        cancelled.id,         cancelled.request_id, moment("2026-11-21T10:00:00.000Z")};
            }};
  }

  /// Books the second unit, too.
  domain::booking book_another() {
    const auto request = sample_request(2);
    desk->insert({request});
    const auto accepted = accept(request, unit_id(2));
    desk->decide({accepted});
    return *accepted.booking;
  }

  store::booking_record record() { return store::find_booking(session(), booked.id).value(); }

  std::size_t notifications() { return store::list_notifications(session(), {}, 100).size(); }

  std::optional<writer> desk;
  domain::booking booked;
  std::vector<std::string> notices;
};

ROOST_ON_EACH_STORE(Cancellations);

TEST_P(Cancellations, ByAPlatformFreeTheNightsAndNotifyTheLandlord) {
  const auto cancelled = cancel(reference(), unit_id(1));
  ASSERT_TRUE(cancelled);
  EXPECT_TRUE(cancelled->done);
  EXPECT_EQ(cancelled->booking_id, booked.id);
  EXPECT_EQ(record().booking.status, domain::booking_status::cancelled);
  EXPECT_EQ(record().cancelled_by, domain::cancelled_by::platform);
  EXPECT_TRUE(record().cancelled_at);
  EXPECT_EQ(notices.size(), 1U);
  EXPECT_EQ(notifications(), 2U);
  auto again = sample_request(2);
  desk->insert({again});
  desk->decide({accept(again, unit_id(1))}); // the same nights
}

TEST_P(Cancellations, AreIdempotent) {
  cancel(reference(), unit_id(1));
  const auto again = cancel(reference(), unit_id(1));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->done);
  EXPECT_TRUE(again->cancelled);
  EXPECT_EQ(again->booking_id, booked.id);
  EXPECT_EQ(notifications(), 2U);
  EXPECT_EQ(store::settled_cancellation(session(), reference(), unit_id(1)), booked.id);
}

TEST_P(Cancellations, RequireTheBookingsReferenceUnitAndAccount) {
  auto other = reference();
  other.reference = "another";
  EXPECT_FALSE(cancel(other, unit_id(1)));
  other = reference();
  other.platform = "marketplace-b";
  EXPECT_FALSE(cancel(other, unit_id(1)));
  other = reference();
  other.account_id = fresh_id();
  EXPECT_FALSE(cancel(other, unit_id(1)));
  EXPECT_FALSE(cancel(reference(), unit_id(2)));
  EXPECT_EQ(record().booking.status, domain::booking_status::confirmed);
  EXPECT_FALSE(store::settled_cancellation(session(), reference(), unit_id(1)));
  EXPECT_THAT(notices, IsEmpty());
}

TEST_P(Cancellations, DoNothingForAFinishedStay) {
  store::advance_stays(session(), desk->lease, booked.check_in);
  store::advance_stays(session(), desk->lease, booked.check_out);
  ASSERT_EQ(record().booking.status, domain::booking_status::checked_out);
  const auto outcome = cancel(reference(), unit_id(1));
  EXPECT_FALSE(outcome->done);
  EXPECT_FALSE(outcome->cancelled);
  EXPECT_EQ(cancel_by_operator(session(), {booked.id}).front().problem, "The stay is over");
  EXPECT_EQ(record().booking.status, domain::booking_status::checked_out);
}

TEST_P(Cancellations, FreeTheNightsOfACurrentStay) {
  store::advance_stays(session(), desk->lease, booked.check_in);
  EXPECT_TRUE(cancel(reference(), unit_id(1))->done);
}

TEST_P(Cancellations, RequireTheLease) {
  auto lost = desk->lease;
  ++lost.epoch;
  const auto request = cancellation_of(reference(), unit_id(1));
  EXPECT_THROW(store::cancel_for_platforms(session(), lost, std::span{&request, 1}), store::lease_lost);
  EXPECT_EQ(record().booking.status, domain::booking_status::confirmed);
}

TEST_P(Cancellations, ShareATransactionAndAChange) {
  const auto other = book_another();
  const auto before = position_of(session());
  std::vector requests{cancellation_of(reference(), unit_id(1)), cancellation_of(reference(), unit_id(1)),
                       cancellation_of({"marketplace-a", "unknown", account_id(1)}, unit_id(1)),
                       cancellation_of({*other.platform, *other.reference, other.account_id}, unit_id(2))};
  for (unsigned long n = 0; n < requests.size(); ++n)
    requests[n].audit = {
        numbered_id(50, n), moment("2026-11-21T10:00:00.000Z"), "token", "webhook cancel", "", ""};
  const auto outcomes = store::cancel_for_platforms(session(), desk->lease, requests);
  ASSERT_EQ(outcomes.size(), 4U);
  EXPECT_TRUE(outcomes[0]->done);
  EXPECT_FALSE(outcomes[1]->done) << "the first one has cancelled the booking";
  EXPECT_TRUE(outcomes[1]->cancelled);
  EXPECT_FALSE(outcomes[2]);
  EXPECT_TRUE(outcomes[3]->done);
  EXPECT_EQ(outcomes[3]->booking_id, other.id);
  EXPECT_EQ(outcomes[0]->change, outcomes[3]->change);
  EXPECT_EQ(position_of(session()), before + 1);
  EXPECT_THAT(store::entries_after(session(), before, 10).at(0).change.subjects,
              ElementsAre(booked.id, other.id));
  EXPECT_EQ(notices.size(), 2U);
  EXPECT_EQ(store::list_audit(session(), 10).size(), 2U);
}

TEST_P(Cancellations, ByAnOperatorShareATransaction) {
  const auto other = book_another();
  const auto before = position_of(session());
  const auto outcomes = cancel_by_operator(session(), {booked.id, fresh_id(), other.id});
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[0].result, office_result::changed);
  EXPECT_EQ(outcomes[1].result, office_result::not_found);
  EXPECT_EQ(outcomes[2].result, office_result::changed);
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_EQ(entries.size(), 2U) << "each has a position of its own, by which the changelog is read";
  EXPECT_EQ(entries[0].at, outcomes[0].point);
  EXPECT_EQ(entries[1].at, outcomes[2].point);
  EXPECT_EQ(store::find_booking(session(), other.id)->booking.status, domain::booking_status::cancelled);
}

TEST_P(Cancellations, ByAnOperatorAppendAChangeForARunningServer) {
  const auto before = position_of(session());
  const auto outcome = cancel_by_operator(session(), {booked.id}).front();
  ASSERT_EQ(outcome.result, office_result::changed);
  EXPECT_EQ(outcome.point.position, before + 1);
  const auto entry = store::entries_after(session(), before, 10).at(0);
  EXPECT_EQ(entry.at, outcome.point);
  EXPECT_EQ(entry.change.kind, store::change_kind::calendar);
  EXPECT_EQ(entry.change.subjects, std::vector{booked.id});
  EXPECT_EQ(record().cancelled_by, domain::cancelled_by::landlord);
}

TEST_P(Cancellations, ByAnOperatorDoNothingWithoutAnActiveBooking) {
  EXPECT_EQ(cancel_by_operator(session(), {fresh_id()}).front().result, office_result::not_found);
  cancel_by_operator(session(), {booked.id});
  const auto before = position_of(session());
  EXPECT_EQ(cancel_by_operator(session(), {booked.id}).front().problem, "The booking is already cancelled");
  EXPECT_EQ(position_of(session()), before);
  EXPECT_EQ(store::list_audit(session(), 10).size(), 1U);
}

TEST_P(Cancellations, ByAnOperatorDoNothingFromTheLastDayOfAStay) {
  store::advance_stays(session(), desk->lease, booked.check_in);
  const auto on = [this](const char* time) {
    return cancel_by_operator(session(), {booked.id}, {}, moment(time)).front();
  };
  const auto refused = on("2027-05-01T00:00:00.000Z");
  EXPECT_EQ(refused.result, office_result::conflicting);
  EXPECT_EQ(refused.problem, "The stay is over");
  EXPECT_EQ(record().booking.status, domain::booking_status::checked_in) << "as the store still has it";
  EXPECT_EQ(notifications(), 1U);
  EXPECT_EQ(on("2027-04-30T23:59:59.000Z").result, office_result::changed);
}

TEST_P(Cancellations, ByAnOperatorLeaveTheTracesOfTheOffice) {
  const auto other = book_another();
  cancel_by_operator(session(), {booked.id, other.id}, "The roof leaks");
  const store::office_scope scope{account_id(1), {}};
  for (const auto& each : {booked, other}) {
    const auto changes = store::list_unit_changes(session(), scope, each.unit_id, {}, 10,
                                                  store::with_total::yes, store::with_bookings::yes);
    ASSERT_EQ(changes->items.size(), 1U);
    EXPECT_EQ(changes->items[0].by, "Ben");
    EXPECT_EQ(changes->items[0].subject_id, each.id);
    EXPECT_EQ(changes->items[0].changes.at(0).field, "status");
    const auto audit = store::newest_audit_of(session(), domain::to_string(each.id), account_id(1));
    EXPECT_EQ(audit->action, "booking cancel");
    EXPECT_EQ(audit->actor, "Ben");
    EXPECT_EQ(audit->detail, R"(status: "confirmed" to "cancelled"; reason: The roof leaks)");
  }
  EXPECT_EQ(notifications(), 4U);
}

TEST_P(Cancellations, DoNotFreeTheReference) {
  cancel(reference(), unit_id(1));
  auto again = sample_request(2);
  again.reference = booked.reference;
  desk->insert({again});
  const auto waiting = store::pending_requests(session(), 0, 10);
  ASSERT_EQ(waiting.size(), 1U);
  EXPECT_THAT(waiting.front().imported_in, ElementsAre(booked.account_id));
  EXPECT_EQ(store::status_of(session(), reference()), domain::booking_status::cancelled);
}

/// SQLite has only one writer at a time.
class ConcurrentCancellations : public Cancellations {
protected:
  void SetUp() override {
    Cancellations::SetUp();
    first_ = booked;
    last_ = book_another();
    if (last_.id < first_.id) std::swap(first_, last_);
  }

  /// Runs the cancellation of both bookings while another transaction has locked the one with the lower id,
  /// and expects that the other one is not locked meanwhile.
  void expect_lower_id_first(const std::function<void(store::session&)>& cancel_both) {
    auto other = store().open(), observer = store().open(), cancelling = store().open();
    std::future<void> done;
    {
      const store::transaction txn(other, store::transaction::purpose::write);
      lock(other, first_.id);
      done = std::async(std::launch::async, [&] { cancel_both(cancelling); });
      while (count_rows(observer, "pg_stat_activity where wait_event_type = 'Lock'"
                                  " and datname = current_database()") == 0)
        std::this_thread::yield();
      EXPECT_NO_THROW(lock(other, last_.id));
    }
    done.get();
    for (const auto& id : {first_.id, last_.id})
      EXPECT_EQ(store::find_booking(session(), id)->booking.status, domain::booking_status::cancelled);
  }

  domain::booking first_, last_;

private:
  static void lock(store::session& db, const domain::uuid& booking) {
    db.internals().script("lock", "select id from bookings where id = '" + domain::to_string(booking) +
                                      "' for update nowait");
  }
};
ROOST_ON_POSTGRESQL(ConcurrentCancellations);

TEST_P(ConcurrentCancellations, ByPlatformsLockBookingsInTheOrderOfTheirIds) {
  const auto of = [this](const domain::booking& each) {
    return cancellation_of({*each.platform, *each.reference, each.account_id}, each.unit_id);
  };
  const std::vector requests{of(last_), of(first_)};
  expect_lower_id_first([&](store::session& db) {
    const auto outcomes = store::cancel_for_platforms(db, desk->lease, requests);
    EXPECT_EQ(outcomes.at(0)->booking_id, last_.id) << "outcomes are in the order of the requests";
    EXPECT_EQ(outcomes.at(1)->booking_id, first_.id);
  });
}

TEST_P(ConcurrentCancellations, ByOperatorsLockBookingsInTheOrderOfTheirIds) {
  expect_lower_id_first([&](store::session& db) {
    const auto outcomes = cancel_by_operator(db, {last_.id, first_.id});
    EXPECT_EQ(outcomes.at(0).booking.booking.id, last_.id) << "outcomes are in the order of the requests";
    EXPECT_EQ(outcomes.at(0).result, office_result::changed);
    EXPECT_EQ(outcomes.at(1).result, office_result::changed);
  });
}

} // namespace roost::testing::cancellations_test
