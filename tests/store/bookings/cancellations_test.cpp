#include "store/bookings/bookings.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <thread>

namespace roost::testing::cancellations_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
  EXPECT_FALSE(store::cancel_for_landlords(session(), std::vector{booked.id}).front()->done);
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

TEST_P(Cancellations, ByTheLandlordShareATransaction) {
  const auto other = book_another();
  const auto before = position_of(session());
  const std::vector bookings{booked.id, fresh_id(), other.id, booked.id};
  const auto outcomes = store::cancel_for_landlords(session(), bookings);
  ASSERT_EQ(outcomes.size(), 4U);
  EXPECT_TRUE(outcomes[0]->done);
  EXPECT_FALSE(outcomes[1]);
  EXPECT_TRUE(outcomes[2]->done);
  EXPECT_FALSE(outcomes[3]->done);
  EXPECT_EQ(position_of(session()), before + 1);
  EXPECT_EQ(record().booking.status, domain::booking_status::cancelled);
}

TEST_P(Cancellations, ByTheLandlordAppendAChangeForARunningServer) {
  const auto before = position_of(session());
  const auto outcome = store::cancel_for_landlords(session(), std::vector{booked.id}).front();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->done);
  EXPECT_EQ(outcome->change.position, before + 1);
  const auto entry = store::entries_after(session(), before, 10).at(0);
  EXPECT_EQ(entry.at, outcome->change);
  EXPECT_EQ(entry.change.kind, store::change_kind::calendar);
  EXPECT_EQ(entry.change.subjects, std::vector{booked.id});
  EXPECT_EQ(record().cancelled_by, domain::cancelled_by::landlord);
}

TEST_P(Cancellations, ByTheLandlordDoNothingWithoutAnActiveBooking) {
  EXPECT_FALSE(store::cancel_for_landlords(session(), std::vector{fresh_id()}).front());
  store::cancel_for_landlords(session(), std::vector{booked.id});
  const auto before = position_of(session());
  EXPECT_FALSE(store::cancel_for_landlords(session(), std::vector{booked.id}).front()->done);
  EXPECT_EQ(position_of(session()), before);
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

TEST_P(ConcurrentCancellations, ByLandlordsLockBookingsInTheOrderOfTheirIds) {
  expect_lower_id_first([&](store::session& db) {
    const auto outcomes = store::cancel_for_landlords(db, std::vector{last_.id, first_.id});
    EXPECT_TRUE(outcomes.at(0)->done);
    EXPECT_TRUE(outcomes.at(1)->done);
  });
}

} // namespace roost::testing::cancellations_test
