#include "store/bookings/bookings.hpp"
#include "store/database/connection.hpp"
#include "store/portfolio/live.hpp"
#include "store/support/cancelled_stays.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

/// Operations on one booking read few other rows, however many bookings there are. PostgreSQL counts the
/// rows.
namespace roost::testing::rows_read_test {

class RowsRead : public on_each_store {
protected:
  static constexpr unsigned long bookings = 400;
  static constexpr std::int64_t max_rows = 20;

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
    sample = *decisions[bookings / 2].booking;
    // With so few pages, PostgreSQL would prefer a sequential scan to an index.
    session().internals().script("plan", "analyze; set enable_seqscan = off");
  }

  static domain::booking_request stay(unsigned long n) {
    auto request = sample_request(n);
    request.check_in = day("2027-04-01") + domain::days{3 * static_cast<int>(n)};
    request.check_out = request.check_in + domain::days{3};
    return request;
  }

  store::platform_reference reference() const {
    return {*sample.platform, *sample.reference, sample.account_id};
  }

  /// Returns the number of rows of `bookings` read so far.
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
  domain::booking sample;
};

ROOST_ON_POSTGRESQL(RowsRead);

TEST_P(RowsRead, AreCountedForAList) {
  EXPECT_GE(rows_read_by([&] { store::list_bookings(session(), {}, bookings); }),
            static_cast<std::int64_t>(bookings));
}

TEST_P(RowsRead, AreFewForAPlatformsCancellation) {
  EXPECT_LE(rows_read_by([&] {
              const store::platform_cancellation request{
                  reference(), sample.unit_id, [&](const auto&) {
                    return domain::notification{fresh_id(), sample.account_id, "booking_cancelled", "t", "b",
                                                sample.id,  sample.request_id, sample.created_at};
                  }};
              const auto outcome =
                  store::cancel_for_platforms(session(), desk->lease, std::span{&request, 1}).front();
              EXPECT_TRUE(outcome && outcome->done);
            }),
            max_rows);
}

TEST_P(RowsRead, AreFewForALandlordsCancellation) {
  EXPECT_LE(rows_read_by([&] { EXPECT_TRUE(cancel_stay(session(), sample.id)); }), max_rows);
}

TEST_P(RowsRead, AreFewForAWebhooksLookup) {
  EXPECT_LE(rows_read_by([&] {
              EXPECT_EQ(store::status_of(session(), reference()), domain::booking_status::confirmed);
              EXPECT_FALSE(store::settled_cancellation(session(), reference(), sample.unit_id));
            }),
            max_rows);
}

TEST_P(RowsRead, AreFewForASubmissionAndItsDecision) {
  const auto next = stay(bookings + 1);
  EXPECT_LE(rows_read_by([&] {
              desk->insert({next});
              EXPECT_TRUE(desk->decide({accept(next, unit_id(1))}).change.has_value());
            }),
            max_rows);
}

TEST_P(RowsRead, AreFewForAStreamFollower) {
  EXPECT_LE(rows_read_by([&] { EXPECT_EQ(store::live_stays(session(), std::vector{sample.id}).size(), 1U); }),
            max_rows);
}

} // namespace roost::testing::rows_read_test
