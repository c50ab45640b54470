#include "actors/support/booking_world.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/bookings/stay_changes.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/support/cancelled_stays.hpp"
#include "store/support/sample_stay_change.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The place of platforms' changes of stays among the booking requests.
namespace roost::testing::stay_change_order_test {
using domain::refusal;
using domain::request_state;
using store::stay_change_state;

class StayChangeOrder : public booking_world {
protected:
  void SetUp() override {
    booking_world::SetUp();
    import_elsewhere(second_landlord());
    ASSERT_TRUE(eventually([&] { return directory.get()->find(0, "u" + std::to_string(elsewhere)); }));
  }

  /// The unit of another account.
  static constexpr unsigned elsewhere = units + 1;

  static domain::portfolio second_landlord() {
    auto account = sample_account(2);
    add_unit(account, sample_unit(elsewhere));
    domain::portfolio file;
    file.accounts.push_back(std::move(account));
    return file;
  }

  /// Lets the queue run once, to its end.
  void run() {
    caf::scoped_actor self{rt.system()};
    self->request(queue, 30s, actors::run_to_end{})
        .receive([](const actors::run_ended&) {}, [](const caf::error&) { ADD_FAILURE() << "no run"; });
  }

  domain::booking_request submit(unsigned number, unsigned unit, const char* check_in,
                                 const char* check_out) {
    auto submitted = request(number, unit, check_in, check_out);
    enqueue({submitted});
    return submitted;
  }

  /// Books the first unit for February 2027.
  domain::booking_request booked_february() {
    auto booked = submit(1, 1, "2027-02-01", "2027-03-01");
    run();
    EXPECT_EQ(state_of(booked), request_state::success);
    return booked;
  }

  store::stay_change put(const domain::booking_request& booking, const char* check_in,
                         const char* check_out) {
    auto change = sample_stay_change(booking.platform, *booking.reference,
                                     domain::to_string(security::random_uuid()), check_in, check_out);
    EXPECT_EQ(store::put_stay_change(session(), lease, change, day("2026-11-20")).result,
              store::stay_change_receipt::kind::created);
    return change;
  }

  store::stay_change_record record_of(const store::stay_change& change) {
    return store::find_stay_change(session(), change.platform, change.reference, change.id).value();
  }
  stay_change_state state_of_change(const store::stay_change& change) { return record_of(change).state; }

  store::booking_record booking_of(const domain::booking_request& booked) {
    const auto outcome = store::find_outcome(session(), booked.platform, *booked.reference).value();
    return store::find_booking(session(), outcome.booking_id.value()).value();
  }

  store::submission_outcome outcome_of(const domain::booking_request& submitted) {
    return store::find_outcome(session(), submitted.platform, *submitted.reference).value();
  }

  void expect_stay(const domain::booking_request& booked, const char* check_in, const char* check_out) {
    const auto stored = booking_of(booked).booking;
    EXPECT_EQ(domain::to_string(stored.check_in), check_in);
    EXPECT_EQ(domain::to_string(stored.check_out), check_out);
  }

  void expect_overlap(const domain::booking_request& refused) {
    EXPECT_EQ(state_of(refused), request_state::failed);
    EXPECT_EQ(outcome_of(refused).refusal, refusal::overlapping_nights);
  }

  /// Moves a stay from February to March. Later requests are for nights that become free, and for one that
  /// the change takes.
  void expect_before_later_requests(const domain::booking_request& booked,
                                    const std::function<void()>& decide) {
    const auto change = put(booked, "2027-03-01", "2027-04-01");
    const auto in_freed_nights = submit(2, 1, "2027-02-01", "2027-03-01");
    const auto in_taken_nights = submit(3, 1, "2027-03-31", "2027-04-02");
    decide();
    EXPECT_EQ(state_of_change(change), stay_change_state::applied);
    EXPECT_EQ(state_of(in_freed_nights), request_state::success);
    expect_overlap(in_taken_nights);
    EXPECT_EQ(outcome_of(in_taken_nights).taken_nights,
              (std::vector{domain::nights{day("2027-03-31"), day("2027-03-31")}}));
  }
};

class StayChangesInTheQueue : public StayChangeOrder {};
ROOST_ON_EACH_STORE(StayChangesInTheQueue);

TEST_P(StayChangesInTheQueue, AreDecidedAfterTheirBookingInTheSameRun) {
  const auto booked = submit(1, 1, "2027-02-01", "2027-03-01");
  const auto change = put(booked, "2027-02-10", "2027-03-10");
  run();
  EXPECT_EQ(state_of(booked), request_state::success);
  EXPECT_EQ(state_of_change(change), stay_change_state::applied);
  expect_stay(booked, "2027-02-10", "2027-03-10");
  EXPECT_EQ(booking_of(booked).platform_change.check_in, day("2027-02-01")) << "it was booked as requested";
}

TEST_P(StayChangesInTheQueue, DoNotSaveARequestWhoseOwnNightsAreTaken) {
  booked_february();
  const auto overlapping = submit(2, 1, "2027-02-10", "2027-03-10");
  const auto change = put(overlapping, "2027-03-01", "2027-03-10");
  run();
  expect_overlap(overlapping);
  EXPECT_EQ(record_of(change).refusal, refusal::booking_refused);
}

TEST_P(StayChangesInTheQueue, ComeBeforeLaterRequests) {
  expect_before_later_requests(booked_february(), [this] { run(); });
}

TEST_P(StayChangesInTheQueue, OfABookingDecidedInTheSameRunComeBeforeLaterRequests) {
  expect_before_later_requests(submit(1, 1, "2027-02-01", "2027-03-01"), [this] { run(); });
}

TEST_P(StayChangesInTheQueue, ReadWhileTheirBookingIsBeingWrittenComeBeforeLaterRequests) {
  expect_before_later_requests(submit(1, 1, "2027-02-01", "2027-03-01"), [this] {
    {
      const busy_lane until_the_change_is_read(storage->at(actors::storage_pool::lane::decisions));
      run_queue();
      ASSERT_TRUE(eventually([&] { return jobs("pending_requests", "done") >= 2; }));
    }
    run(); // or the end of the run in progress
  });
}

TEST_P(StayChangesInTheQueue, ComeAfterEarlierRequests) {
  const auto booked = booked_february();
  const auto earlier = submit(2, 1, "2027-03-10", "2027-03-20");
  const auto change = put(booked, "2027-03-01", "2027-04-01");
  run();
  EXPECT_EQ(state_of(earlier), request_state::success);
  EXPECT_EQ(record_of(change).state, stay_change_state::refused);
  EXPECT_EQ(record_of(change).refusal, refusal::overlapping_nights);
  EXPECT_EQ(record_of(change).taken_nights,
            (std::vector{domain::nights{day("2027-03-10"), day("2027-03-19")}}));
  expect_stay(booked, "2027-02-01", "2027-03-01");
}

TEST_P(StayChangesInTheQueue, ComeAfterEarlierRequestsThatAreDecidedAgain) {
  const auto booked = booked_february();
  const auto earlier = submit(2, 1, "2027-03-10", "2027-03-20");
  const auto change = put(booked, "2027-03-01", "2027-04-01");
  when_deciding = [this] { // the decision is outdated
    auto db = store().open();
    store::record_change(db, {store::change_kind::account, {numbered_id(1)}, {}, {}});
  };
  run();
  EXPECT_EQ(state_of(earlier), request_state::success);
  EXPECT_EQ(record_of(change).refusal, refusal::overlapping_nights);
}

TEST_P(StayChangesInTheQueue, OfOneBookingAreAppliedInOrder) {
  const auto booked = booked_february();
  const auto to_march = put(booked, "2027-03-01", "2027-04-01");
  const auto too_early = submit(2, 1, "2027-03-01", "2027-03-15");
  const auto to_april = put(booked, "2027-04-01", "2027-05-01");
  const auto in_time = submit(3, 1, "2027-03-01", "2027-03-15");
  run();
  EXPECT_EQ(state_of_change(to_march), stay_change_state::applied);
  expect_overlap(too_early);
  EXPECT_EQ(state_of_change(to_april), stay_change_state::applied);
  EXPECT_EQ(state_of(in_time), request_state::success);
  expect_stay(booked, "2027-04-01", "2027-05-01");
  EXPECT_EQ(booking_of(booked).revision, 2);
  EXPECT_EQ(booking_of(booked).platform_change.check_in, day("2027-03-01"));
}

TEST_P(StayChangesInTheQueue, ThatArriveWithoutARequestInBetweenAreAppliedInOrder) {
  const auto booked = booked_february();
  put(booked, "2027-03-01", "2027-04-01");
  put(booked, "2027-03-15", "2027-04-15");
  put(booked, "2027-04-01", "2027-05-01");
  run();
  expect_stay(booked, "2027-04-01", "2027-05-01");
  EXPECT_EQ(booking_of(booked).revision, 3);
  EXPECT_EQ(booking_of(booked).platform_change.check_in, day("2027-03-15"));
}

TEST_P(StayChangesInTheQueue, ChangeTheCalendarInMemoryAsTheStore) {
  const auto booked = booked_february();
  ASSERT_TRUE(shows_as_taken(1, "2027-02-28"));
  put(booked, "2027-03-01", "2027-04-01");
  run();
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
  EXPECT_TRUE(shows_as_taken(1, "2027-03-31"));
  const auto shown = listing(1);
  crash();
  EXPECT_EQ(listing(1), shown) << "as loaded from the store";
}

TEST_P(StayChangesInTheQueue, ThatAreRefusedLeaveTheCalendarInMemory) {
  const auto booked = booked_february();
  submit(2, 1, "2027-03-10", "2027-03-20");
  run();
  const auto shown = listing(1);
  put(booked, "2027-02-10", "2027-03-15");
  run();
  EXPECT_EQ(listing(1), shown);
  const auto free = submit(3, 1, "2027-03-01", "2027-03-10");
  run();
  EXPECT_EQ(state_of(free), request_state::success) << "no nights are held";
}

TEST_P(StayChangesInTheQueue, OfBookingsCancelledMeanwhileAreRefused) {
  const auto booked = booked_february();
  const auto change = put(booked, "2027-03-01", "2027-04-01");
  ASSERT_TRUE(cancel_stay(session(), booking_of(booked).booking.id));
  run();
  EXPECT_EQ(record_of(change).refusal, refusal::booking_cancelled);
}

TEST_P(StayChangesInTheQueue, AreDecidedAfterACrash) {
  const auto booked = booked_february();
  const auto change = put(booked, "2027-03-01", "2027-04-01");
  const auto later = submit(2, 1, "2027-02-01", "2027-03-01");
  crash();
  EXPECT_EQ(state_of_change(change), stay_change_state::pending);
  run();
  EXPECT_EQ(state_of_change(change), stay_change_state::applied);
  EXPECT_EQ(state_of(later), request_state::success);
  expect_stay(booked, "2027-03-01", "2027-04-01");
}

TEST_P(StayChangesInTheQueue, AreDecidedBehindMoreThanOneGroupOfRequests) {
  constexpr unsigned earlier = 501; // groups have 500
  const auto booked = booked_february();
  std::vector<domain::booking_request> requests;
  for (unsigned i = 0; i < earlier; ++i) requests.push_back(request(10 + i, 1, "2027-02-01", "2027-02-10"));
  requests.push_back(request(9, 1, "2027-03-31", "2027-04-02"));
  enqueue(requests);
  const auto change = put(booked, "2027-02-01", "2027-04-01");
  run();
  EXPECT_TRUE(decided(requests));
  EXPECT_EQ(state_of(requests.back()), request_state::success);
  EXPECT_EQ(record_of(change).refusal, refusal::overlapping_nights);
}

/// A change that cannot be decided: PostgreSQL's row of the booking is locked, or an import is being written
/// to SQLite.
class PostponedStayChanges : public StayChangeOrder {
protected:
  void begin_lock() {
    locking_.emplace(store().open());
    if (locking_->is_sqlite()) {
      locking_->internals().script(
          "pending",
          "insert into pending_import (id, import, now, accounts, left_out_units, left_out_properties)"
          " values (1, 'x', '2027-01-01T00:00:00.000Z', '[]', '[]', '[]')");
      return;
    }
    transaction_ = std::make_unique<store::transaction>(*locking_, store::transaction::purpose::write);
    locking_->internals().script("lock", "select 1 from bookings where account_id = '" +
                                             domain::to_string(numbered_id(1)) + "' for update");
  }

  void end_lock() {
    transaction_.reset();
    if (locking_->is_sqlite()) locking_->internals().script("written", "delete from pending_import");
    locking_.reset();
  }

  void TearDown() override {
    if (locking_) end_lock();
    StayChangeOrder::TearDown();
  }

private:
  std::optional<store::session> locking_;
  std::unique_ptr<store::transaction> transaction_;
};
ROOST_ON_EACH_STORE(PostponedStayChanges);

TEST_P(PostponedStayChanges, LetLaterRequestsOfTheirAccountWaitForTheNextRun) {
  const auto booked = booked_february();
  const auto earlier = submit(2, 3, "2027-02-01", "2027-03-01");
  const auto change = put(booked, "2027-03-01", "2027-04-01");
  const auto in_freed_nights = submit(3, 1, "2027-02-01", "2027-03-01");
  const auto in_taken_nights = submit(4, 1, "2027-03-10", "2027-03-20");
  const auto in_other_unit = submit(5, 2, "2027-03-10", "2027-03-20");
  const auto of_other_account = submit(6, elsewhere, "2027-03-10", "2027-03-20");
  begin_lock();
  run();
  EXPECT_EQ(state_of(earlier), request_state::success);
  EXPECT_EQ(state_of_change(change), stay_change_state::pending);
  EXPECT_EQ(state_of(in_freed_nights), request_state::pending);
  EXPECT_EQ(state_of(in_taken_nights), request_state::pending);
  EXPECT_EQ(state_of(in_other_unit), request_state::pending);
  EXPECT_EQ(state_of(of_other_account), request_state::success);
  end_lock();
  run();
  EXPECT_EQ(state_of_change(change), stay_change_state::applied);
  EXPECT_EQ(state_of(in_freed_nights), request_state::success);
  expect_overlap(in_taken_nights);
  EXPECT_EQ(state_of(in_other_unit), request_state::success);
}

TEST_P(PostponedStayChanges, LetLaterChangesOfTheirAccountWaitForTheNextRun) {
  const auto booked = booked_february();
  const auto other = submit(2, 2, "2027-02-01", "2027-03-01");
  run();
  const auto to_march = put(booked, "2027-03-01", "2027-04-01");
  const auto without_effect = put(other, "2027-02-01", "2027-03-01");
  const auto to_april = put(booked, "2027-04-01", "2027-05-01");
  begin_lock();
  run();
  for (const auto& each : {to_march, without_effect, to_april})
    EXPECT_EQ(state_of_change(each), stay_change_state::pending);
  end_lock();
  run();
  for (const auto& each : {to_march, without_effect, to_april})
    EXPECT_EQ(state_of_change(each), stay_change_state::applied);
  expect_stay(booked, "2027-04-01", "2027-05-01");
  EXPECT_EQ(booking_of(booked).platform_change.check_in, day("2027-03-01"));
}

TEST_P(PostponedStayChanges, KeepTheirPlaceAcrossACrash) {
  const auto booked = booked_february();
  const auto change = put(booked, "2027-03-01", "2027-04-01");
  begin_lock();
  run();
  const auto later = submit(2, 1, "2027-02-01", "2027-03-01");
  end_lock();
  crash();
  run();
  EXPECT_EQ(state_of_change(change), stay_change_state::applied);
  EXPECT_EQ(state_of(later), request_state::success);
}

/// An import to SQLite postpones the changes of all accounts.
class StayChangesOfLockedBookings : public PostponedStayChanges {};
ROOST_ON_POSTGRESQL(StayChangesOfLockedBookings);

TEST_P(StayChangesOfLockedBookings, DoNotDelayChangesOfOtherAccounts) {
  const auto booked = booked_february();
  const auto of_other_account = submit(2, elsewhere, "2027-02-01", "2027-03-01");
  run();
  const auto first = put(booked, "2027-03-01", "2027-04-01");
  const auto second = put(of_other_account, "2027-03-01", "2027-04-01");
  begin_lock();
  run();
  EXPECT_EQ(state_of_change(first), stay_change_state::pending);
  EXPECT_EQ(state_of_change(second), stay_change_state::applied);
}

} // namespace roost::testing::stay_change_order_test
