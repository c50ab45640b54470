#include "store/database/error.hpp"
#include "store/office/booking_scene.hpp"

#include <gmock/gmock.h>

#include <future>

/// Bookings of the office while others take the same nights.
namespace roost::testing::concurrent_bookings_test {
using store::office_result;

class ConcurrentOfficeBookings : public booking_scene {
protected:
  /// Books these nights by hand, while `other` runs in another session.
  template <typename Other>
  store::booking_outcome race(const char* check_in, const char* check_out, Other other) {
    auto rival = std::async(std::launch::async, [&] {
      auto db = store().open();
      other(db);
    });
    auto outcome = book_by_hand(check_in, check_out);
    rival.get();
    return outcome;
  }

  std::int64_t active_bookings() {
    return session()
        .internals()
        .read_one(store::selection{"test_active",
                                   "select {columns} from bookings where status <> 'cancelled'",
                                   store::named<std::int64_t>("count(*)")})
        .value();
  }

  void clear() {
    session().internals().script("clear",
                                 "update bookings set status = 'cancelled', cancelled_by = 'landlord',"
                                 " cancelled_at = now() where status <> 'cancelled'");
    session().internals().script("clear", "delete from blocks");
  }
};
ROOST_ON_POSTGRESQL(ConcurrentOfficeBookings);

constexpr int rounds = 15;

TEST_P(ConcurrentOfficeBookings, AndPlatformsNeverHaveTheSameNight) {
  for (int round = 0; round < rounds; ++round) {
    clear();
    auto request = sample_request(1'000UL + static_cast<unsigned long>(round));
    request.check_in = day("2027-04-10");
    request.check_out = day("2027-04-20");
    bool is_sold = true;
    const auto outcome = race("2027-04-01", "2027-04-15", [&](store::session& db) {
      store::insert_requests(db, node_->lease, std::vector{store::submission(request)});
      try {
        store::record_decisions(db, node_->lease, node_->basis,
                                store::decision_rows{std::vector{accept(request, unit_id(1))}});
      } catch (const store::constraint_violated&) {
        is_sold = false;
      }
    });
    EXPECT_EQ(outcome.result == office_result::created, !is_sold) << outcome.problem;
    if (is_sold) {
      EXPECT_EQ(outcome.taken.at(0), (domain::nights{day("2027-04-10"), day("2027-04-14")}));
    }
    EXPECT_EQ(active_bookings(), 1);
  }
}

TEST_P(ConcurrentOfficeBookings, AndBlocksNeverHaveTheSameNight) {
  for (int round = 0; round < rounds; ++round) {
    clear();
    const auto block = creation("2027-04-14", "2027-04-20");
    const auto by = author();
    office_result blocked{};
    const auto outcome = race("2027-04-01", "2027-04-15", [&](store::session& db) {
      try {
        blocked = store::create_block(db, node_->lease, scope, block, by).result;
      } catch (const store::unavailable&) {
        blocked = office_result::not_found; // the unit was locked: 503
      }
    });
    EXPECT_NE(outcome.result == office_result::created, blocked == office_result::created);
  }
}

TEST_P(ConcurrentOfficeBookings, WaitForNoTransactionThatHoldsTheirUnit) {
  auto other = store().open();
  store::transaction holding(other, store::transaction::purpose::write);
  other.internals().script("hold", "select 1 from units where id = '" + domain::to_string(unit_id(1)) +
                                       "' for no key update");
  EXPECT_THROW(book_by_hand("2027-03-10", "2027-03-12"), store::unavailable);
}

} // namespace roost::testing::concurrent_bookings_test
