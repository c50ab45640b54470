#include "store/bookings/erasure.hpp"
#include "store/database/transaction.hpp"
#include "store/office/race_scene.hpp"

#include <gmock/gmock.h>

#include <future>

/// Bookings of the office next to erasures, stays and cancellations of other processes.
namespace roost::testing::booking_races_test {
using store::office_result;
using ::testing::ElementsAre;

constexpr const char* ida = "ida@guests.example";

class BookingRaces : public race_scene {
protected:
  /// Lets the store know Ida by a stay that is cancelled.
  void know_ida() {
    ASSERT_EQ(cancel(book_by_hand("2027-04-01", "2027-05-01").booking.booking.id).result,
              office_result::changed);
  }

  store::erasure erase_ida(store::session& db, const std::function<void(const store::erasure&)>& hook = {}) {
    const auto today = day("2026-11-21");
    return store::erase_guest(db, store::find_guest(db, ida, today), today, hook);
  }

  std::future<store::booking_outcome> book_elsewhere(const store::booking_creation& request) {
    return std::async(std::launch::async, [this, request, by = author()] {
      return store::create_booking(other_, node_->lease, scope, request, by);
    });
  }
};
ROOST_ON_POSTGRESQL(BookingRaces);

TEST_P(BookingRaces, WithAnErasureCreateAnotherTenant) {
  know_ida();
  std::future<store::booking_outcome> made;
  const auto erased = erase_ida(session(), [&](const store::erasure&) {
    made = book_elsewhere(stay_by_hand("2027-06-01", "2027-07-01"));
    wait_until_waiting(1);
  });
  EXPECT_EQ(erased.tenants, 1);
  const auto id = made.get().booking.booking.id;
  EXPECT_EQ(store::find_booking(session(), id)->tenant.details.email, ida);
}

TEST_P(BookingRaces, WithAnErasurePreventIt) {
  know_ida();
  auto request = stay_by_hand("2027-06-01", "2027-07-01");
  std::future<store::erasure> erased;
  request.notice = [&](const auto* before, const auto& after, auto warnings) {
    erased = std::async(std::launch::async, [&] { return erase_ida(other_); });
    wait_until_waiting(1);
    return notice_of_kind("booking_created")(before, after, warnings);
  };
  const auto made = book_by_hand(request);
  ASSERT_EQ(made.result, office_result::created);
  EXPECT_EQ(erased.get().obstacle, store::erasure_obstacle::unfinished_stay);
  EXPECT_EQ(store::find_booking(session(), made.booking.booking.id)->tenant.details.email, ida);
}

TEST_P(BookingRaces, WithAnotherStayAreDecidedAgain) {
  know_ida();
  std::future<store::booking_outcome> made;
  {
    store::transaction rival(session(), store::transaction::purpose::write);
    session().internals().script("lock", "select id from tenants for update");
    made = book_elsewhere(stay_by_hand("2027-06-01", "2027-06-11"));
    wait_until_waiting(1); // for the tenant: it has read the calendar
    insert_rival();
    rival.commit();
  }
  const auto refused = made.get();
  EXPECT_EQ(refused.result, office_result::booked);
  EXPECT_EQ(refused.refused, domain::refusal::overlapping_nights);
  EXPECT_THAT(refused.taken, ElementsAre(domain::nights{day("2027-06-05"), day("2027-06-10")}));
}

TEST_P(BookingRaces, WithACancellationByThePlatformNameTheUnitThatTheyMovedTo) {
  const auto id = book("2027-04-01", "2027-05-01");
  const store::platform_cancellation request{
      {"marketplace-a", store::find_booking(session(), id)->booking.reference.value(), account_id(1)},
      unit_id(1),
      [](const store::booking_record& each) {
        return notice_of_kind("booking_cancelled")(nullptr, each, std::span<const domain::stay_warning>{});
      }};
  std::future<std::optional<store::cancellation>> cancelled;
  store::booking_change move{id, any_booking};
  move.unit_id = unit_id(2);
  move.expected = store::unit_nights{unit_id(2), domain::stay_nights(day("2027-04-01"), day("2027-05-01"))};
  move.entry_id = fresh_id();
  move.describe = describe_check_in;
  move.notice = [&](const auto* before, const auto& after, auto warnings) {
    cancelled = std::async(std::launch::async, [&] {
      return store::cancel_for_platforms(other_, node_->lease, {&request, 1}).at(0);
    });
    wait_until_waiting(1);
    return notice_of_kind("booking_changed")(before, after, warnings);
  };
  ASSERT_EQ(store::change_booking(session(), node_->lease, scope, move, author()).result,
            office_result::changed);
  const auto outcome = cancelled.get();
  ASSERT_TRUE(outcome && outcome->done);
  EXPECT_EQ(outcome->unit_id, unit_id(2));
}

} // namespace roost::testing::booking_races_test
