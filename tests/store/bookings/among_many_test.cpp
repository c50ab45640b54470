#include "store/bookings/booking_records.hpp"
#include "store/bookings/cancellations.hpp"
#include "store/database/connection.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

/// What a server does with one booking reads few others, however many there are. PostgreSQL counts the rows.
namespace roost::testing::among_many_test {

class AmongManyBookings : public on_each_store {
protected:
  static constexpr unsigned long bookings = 400;
  static constexpr std::int64_t few = 20;

  void SetUp() override {
    desk.emplace(session());
    std::vector<domain::booking_request> requests;
    std::vector<domain::decision> decisions;
    for (unsigned long n = 1; n <= bookings; ++n) {
      requests.push_back(stay(n));
      decisions.push_back(accept(requests.back(), unit_id(1)));
    }
    desk->insert(requests);
    desk->decide(decisions);
    desk->follow();
    some = *decisions[bookings / 2].booking;
    // With so few pages PostgreSQL would take a whole table for cheaper than an index.
    session().internals().script("plan", "analyze; set enable_seqscan = off");
  }

  static domain::booking_request stay(unsigned long n) {
    auto request = sample_request(n);
    request.check_in = day("2027-04-01") + domain::days{3 * static_cast<int>(n)};
    request.check_out = request.check_in + domain::days{3};
    return request;
  }

  store::platform_reference named() const { return {some.platform, *some.reference, some.account_id}; }

  /// The rows of `bookings` that were read until now.
  std::int64_t rows_read() {
    session().internals().script("flush", "select pg_stat_force_next_flush()");
    static const store::selection reads{
        "test_reads", "select {columns} from pg_stat_user_tables where relname = 'bookings'",
        store::named<std::int64_t>("seq_tup_read + idx_tup_fetch")};
    return session().internals().read_one(reads).value();
  }

  template <typename Work>
  std::int64_t rows_read_by(Work work) {
    const auto before = rows_read();
    work();
    return rows_read() - before;
  }

  std::optional<writer> desk;
  domain::booking some;
};

ROOST_ON_POSTGRESQL(AmongManyBookings);

TEST_P(AmongManyBookings, TheCountedRowsAreThoseThatAreRead) {
  EXPECT_GE(rows_read_by([&] { store::list_bookings(session(), {}, bookings); }),
            static_cast<std::int64_t>(bookings));
}

TEST_P(AmongManyBookings, APlatformsCancelReadsFew) {
  EXPECT_LE(rows_read_by([&] {
              const auto done =
                  store::cancel_for_platform(session(), desk->lease, named(), some.unit_id, [&](const auto&) {
                    return domain::notification{fresh_id(), some.account_id, "booking_cancelled", "t", "b",
                                                some.id,    some.request_id, some.created_at};
                  });
              EXPECT_TRUE(done && done->done);
            }),
            few);
}

TEST_P(AmongManyBookings, ALandlordsCancelReadsFew) {
  EXPECT_LE(rows_read_by([&] { EXPECT_TRUE(store::cancel_for_landlord(session(), some.id)->done); }), few);
}

TEST_P(AmongManyBookings, AWebhooksLookReadsFew) {
  EXPECT_LE(rows_read_by([&] {
              EXPECT_EQ(store::status_of(session(), named()), domain::booking_status::confirmed);
              EXPECT_FALSE(store::settled_cancellation(session(), named(), some.unit_id));
            }),
            few);
}

TEST_P(AmongManyBookings, ASubmissionAndItsDecisionReadFew) {
  const auto next = stay(bookings + 1);
  EXPECT_LE(rows_read_by([&] {
              desk->insert({next});
              EXPECT_TRUE(desk->decide({accept(next, unit_id(1))}).change.has_value());
            }),
            few);
}

TEST_P(AmongManyBookings, WhoFollowsTheStreamReadsFew) {
  EXPECT_LE(rows_read_by([&] { EXPECT_EQ(store::live_stays(session(), std::vector{some.id}).size(), 1U); }),
            few);
}

} // namespace roost::testing::among_many_test
