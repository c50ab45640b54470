#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/support/sample_booking.hpp"
#include "support/random_cases.hpp"
#include "support/store.hpp"

#include <random>
#include <string>
#include <vector>

/// The database refuses a stay on blocked nights, whatever the code above it does.
namespace roost::testing::blocked_nights_test {

using domain::int_between;

/// A unit with no blocks but those of the test.
class BlockedNights : public on_each_store {
protected:
  void SetUp() override {
    node_.emplace(session());
    session().internals().script("unblock", "delete from blocks");
  }

  /// Blocks the first unit; without `last`, for ever.
  void block(const std::string& first, const std::string& last = {}) { block(session(), first, last); }
  static void block(store::session& db, const std::string& first, const std::string& last = {}) {
    db.internals().script("block",
                          "insert into blocks (id, unit_id, first_night, last_night, source, host,"
                          " created_at, updated_at) values ('" +
                              domain::to_string(fresh_id()) + "', '" + domain::to_string(unit_id(1)) +
                              "', '" + first + "', " + (last.empty() ? "null" : "'" + last + "'") +
                              ", 'manual', '', '2026-11-20T09:00:00.000Z', '2026-11-20T09:00:00.000Z')");
  }

  /// Books a unit through a decision that knows no block. Returns whether the database accepts it.
  bool can_book(const char* check_in, const char* check_out, unsigned long unit = 1) {
    auto request = sample_request(++number_);
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    node_->insert({request});
    return is_accepted([&] { node_->decide({accept(request, unit_id(unit))}); });
  }

  bool can_change(const std::string& assignments) {
    return is_accepted([&] {
      session().internals().script("change", "update bookings set " + assignments + " where request_id = '" +
                                                 domain::to_string(sample_request(number_).id) + "'");
    });
  }

  template <typename Run>
  static bool is_accepted(Run run) {
    try {
      run();
      return true;
    } catch (const store::constraint_violated& error) {
      EXPECT_EQ(error.kind(), store::violation::overlapping_stay);
      EXPECT_EQ(error.constraint(), "bookings_not_blocked");
      return false;
    }
  }

  static constexpr const char* cancelled =
      "status = 'cancelled', cancelled_by = 'landlord', cancelled_at = created_at";
  static constexpr const char* restored = "status = 'confirmed', cancelled_by = null, cancelled_at = null";

private:
  std::optional<writer> node_;
  unsigned long number_ = 0;
};
ROOST_ON_EACH_STORE(BlockedNights);

TEST_P(BlockedNights, CannotBeBooked) {
  block("2027-03-10", "2027-03-12");
  EXPECT_FALSE(can_book("2027-03-01", "2027-03-11"));
  EXPECT_FALSE(can_book("2027-03-12", "2027-04-01"));
  EXPECT_FALSE(can_book("2027-03-01", "2027-04-01"));
  EXPECT_TRUE(can_book("2027-03-01", "2027-03-10")) << "the night of the check-out is not part of the stay";
  EXPECT_TRUE(can_book("2027-03-13", "2027-04-01"));
  EXPECT_TRUE(can_book("2027-03-10", "2027-03-13", 2)) << "another unit";
}

TEST_P(BlockedNights, HaveNoEndIfTheBlockHasNone) {
  block("2027-03-10");
  EXPECT_FALSE(can_book("2099-01-01", "2099-02-01"));
  EXPECT_TRUE(can_book("2027-03-01", "2027-03-10"));
}

TEST_P(BlockedNights, CannotBeGainedByAChangeOfAStay) {
  block("2027-03-10", "2027-03-12");
  ASSERT_TRUE(can_book("2027-03-01", "2027-03-08"));
  EXPECT_TRUE(can_change("check_out = '2027-03-10', last_night = '2027-03-09'"));
  EXPECT_FALSE(can_change("check_out = '2027-03-11', last_night = '2027-03-10'"));
  EXPECT_FALSE(can_change("check_in = '2027-03-12', check_out = '2027-03-20', last_night = '2027-03-19'"));
  EXPECT_TRUE(can_change("last_night = '2027-03-11'")) << "a block may cover nights of preparation";
  EXPECT_TRUE(can_change("unit_id = '" + domain::to_string(unit_id(2)) +
                         "', check_out = '2027-03-20', last_night = '2027-03-19'"));
  EXPECT_FALSE(can_change("unit_id = '" + domain::to_string(unit_id(1)) + "'"));
}

TEST_P(BlockedNights, CannotBeTakenBackAfterACancellation) {
  ASSERT_TRUE(can_book("2027-03-01", "2027-03-20"));
  ASSERT_TRUE(can_change(cancelled));
  block("2027-03-10", "2027-03-12");
  EXPECT_FALSE(can_change(restored));
}

TEST_P(BlockedNights, LeaveAStayThatWasBookedBefore) {
  ASSERT_TRUE(can_book("2027-03-01", "2027-03-20"));
  block("2027-03-10", "2027-03-12");
  EXPECT_TRUE(can_change("status = 'checked_in'"));
  EXPECT_TRUE(can_change("check_out = '2027-03-15', last_night = '2027-03-14'"));
  EXPECT_TRUE(can_change("check_out = '2027-03-16', last_night = '2027-03-15'")) << "the added night is free";
  block("2027-03-17");
  EXPECT_TRUE(can_change("check_out = '2027-03-17', last_night = '2027-03-16'"));
  EXPECT_FALSE(can_change("check_out = '2027-03-18', last_night = '2027-03-17'"));
  EXPECT_TRUE(can_change(cancelled));
}

TEST_P(BlockedNights, AreThoseOfTheModel) {
  std::mt19937 random{11};
  const auto begin = day("2027-01-01");
  std::vector<domain::nights> blocked, stays;
  for (int step = 0; step < 120 && !HasFailure(); ++step) {
    const auto first = begin + domain::days{int_between(random, 0, 200)};
    const domain::nights nights{first, first + domain::days{int_between(random, 0, 9)}};
    const auto first_text = domain::to_string(nights.first), last_text = domain::to_string(nights.last);
    const auto overlaps = [&](const domain::nights& other) { return domain::overlap(other, nights); };
    if (std::ranges::any_of(stays, overlaps)) continue; // this is the subject of other tests
    const bool is_blocked = std::ranges::any_of(blocked, overlaps);
    SCOPED_TRACE(first_text + " to " + last_text);
    if (int_between(random, 0, 2) == 0) {
      block(first_text, last_text);
      blocked.push_back(nights);
    } else {
      const auto check_out = domain::to_string(nights.last + domain::days{1});
      EXPECT_EQ(can_book(first_text.c_str(), check_out.c_str()), !is_blocked);
      if (!is_blocked) stays.push_back(nights);
    }
  }
  EXPECT_GT(stays.size(), 5U);
}

/// Only PostgreSQL has concurrent writers.
class BlockedNightsOfAnotherWriter : public BlockedNights {};
ROOST_ON_POSTGRESQL(BlockedNightsOfAnotherWriter);

TEST_P(BlockedNightsOfAnotherWriter, AreRefusedIfTheyWereCommittedDuringTheTransaction) {
  ASSERT_TRUE(can_book("2027-05-01", "2027-05-20"));
  auto other = store().open();
  EXPECT_FALSE(is_accepted([&] {
    store::transaction moving(session(), store::transaction::purpose::write);
    session().internals().script("move", "update bookings set check_in = '2027-03-01'");
    block(other, "2027-03-10", "2027-03-12");
    moving.commit();
  }));
}

} // namespace roost::testing::blocked_nights_test
