#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_hold.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

/// The database refuses stays and blocks of the office on held nights, and holds on taken nights, whatever
/// the code above it does.
namespace roost::testing::held_nights_test {

/// A unit with no blocks but those of the test.
class HeldNights : public on_each_store {
protected:
  void SetUp() override {
    node_.emplace(session());
    session().internals().script("unblock", "delete from blocks");
  }

  /// Holds nights of the first unit, unless the database refuses that.
  bool can_hold(const char* check_in, const char* check_out, const char* last_night = "") {
    return is_accepted([&] {
      insert_hold(session(), {std::to_string(++holds_), check_in, check_out, last_night});
    });
  }

  /// Books a unit through a decision that knows no hold. Returns whether the database accepts it.
  bool can_book(const char* check_in, const char* check_out, unsigned long unit = 1) {
    auto request = sample_request(++number_);
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    node_->insert({request});
    return is_accepted([&] { node_->decide({accept(request, unit_id(unit))}); });
  }

  /// Copies the last booking as one by hand, for other nights.
  bool can_book_by_hand(const std::string& check_in, const std::string& check_out) {
    return is_accepted([&] {
      script("insert into bookings (id, account_id, unit_id, tenant_id, check_in, check_out, last_night,"
             " occupants, status, provider_payment_cents, terms, created_at, updated_at) select '" +
             domain::to_string(fresh_id()) + "', account_id, unit_id, tenant_id, '" + check_in + "', '" +
             check_out + "', '" + domain::to_string(day(check_out.c_str()) - domain::days{1}) +
             "', occupants, status, provider_payment_cents, terms, created_at, updated_at from bookings"
             " where request_id = '" +
             domain::to_string(sample_request(number_).id) + "'");
    });
  }

  bool can_change(const std::string& assignments) {
    return is_accepted([&] {
      script("update bookings set " + assignments + " where request_id = '" +
             domain::to_string(sample_request(number_).id) + "'");
    });
  }

  /// Blocks the first unit; with an empty `last`, for ever.
  bool can_block(const std::string& first, const std::string& last, bool by_office = true) {
    const auto id = fresh_id();
    const bool accepted = is_accepted([&] {
      script("insert into blocks (id, unit_id, first_night, last_night, source, host, created_at, updated_at,"
             " by_office) values ('" +
             domain::to_string(id) + "', '" + domain::to_string(unit_id(1)) + "', '" + first + "', " +
             (last.empty() ? "null" : "'" + last + "'") +
             ", 'manual', '', '2026-11-20T09:00:00.000Z', '2026-11-20T09:00:00.000Z', '" +
             (by_office ? "1" : "0") + "')");
    });
    if (accepted) block_ = id;
    return accepted;
  }

  bool can_change_block(const std::string& assignments) {
    return is_accepted([&] {
      script("update blocks set " + assignments + " where id = '" + domain::to_string(block_) + "'");
    });
  }

  void claim(unsigned long request) {
    script("update holds set request_id = '" + domain::to_string(sample_request(request).id) + "'");
  }

  template <typename Run>
  bool is_accepted(Run run) {
    refused_by_.clear();
    try {
      run();
      return true;
    } catch (const store::constraint_violated& error) {
      EXPECT_EQ(error.kind(), store::violation::overlapping_stay);
      refused_by_ = error.constraint();
      return false;
    }
  }

  void script(const std::string& text) { session().internals().script("test", text); }

  std::string refused_by_; ///< the constraint that refused the last write; empty if it was accepted
  unsigned long number_ = 0;

private:
  std::optional<writer> node_;
  domain::uuid block_{};
  int holds_ = 0;
};
ROOST_ON_EACH_STORE(HeldNights);

TEST_P(HeldNights, CannotBeBookedByAnotherRequest) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13", "2027-03-14"));
  for (const auto& [check_in, check_out] :
       {std::pair{"2027-03-01", "2027-03-11"}, std::pair{"2027-03-12", "2027-04-01"},
        std::pair{"2027-03-11", "2027-03-12"}, std::pair{"2027-03-01", "2027-04-01"}}) {
    EXPECT_FALSE(can_book(check_in, check_out)) << check_in;
    EXPECT_EQ(refused_by_, "bookings_not_held");
  }
  EXPECT_TRUE(can_book("2027-03-01", "2027-03-10")) << "the night of the check-out is not part of the stay";
  EXPECT_TRUE(can_book("2027-03-13", "2027-04-01")) << "nights of preparation may be booked";
  EXPECT_TRUE(can_book("2027-03-10", "2027-03-13", 2)) << "another unit";
}

TEST_P(HeldNights, CanBeBookedByTheRequestThatHasClaimedThem) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  claim(2);
  EXPECT_FALSE(can_book("2027-03-11", "2027-03-20"));
  EXPECT_EQ(refused_by_, "bookings_not_held");
  EXPECT_TRUE(can_book("2027-03-11", "2027-03-20"));
}

TEST_P(HeldNights, CannotBeBookedByHand) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  ASSERT_TRUE(can_book("2027-05-01", "2027-05-10"));
  EXPECT_TRUE(can_book_by_hand("2027-03-05", "2027-03-10"));
  EXPECT_FALSE(can_book_by_hand("2027-03-12", "2027-03-20"));
  EXPECT_EQ(refused_by_, "bookings_not_held");
  claim(900);
  EXPECT_FALSE(can_book_by_hand("2027-03-12", "2027-03-20"));
  EXPECT_EQ(refused_by_, "bookings_not_held");
}

TEST_P(HeldNights, CannotBeGainedByAChangeOfAStay) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  ASSERT_TRUE(can_book("2027-03-01", "2027-03-08"));
  EXPECT_TRUE(can_change("check_out = '2027-03-10', last_night = '2027-03-09'"));
  EXPECT_FALSE(can_change("check_out = '2027-03-11', last_night = '2027-03-10'"));
  EXPECT_EQ(refused_by_, "bookings_not_held");
  EXPECT_FALSE(can_change("check_in = '2027-03-12', check_out = '2027-03-20', last_night = '2027-03-19'"));
  EXPECT_TRUE(can_change("last_night = '2027-03-11'")) << "nights of preparation";
  EXPECT_TRUE(can_change("unit_id = '" + domain::to_string(unit_id(2)) +
                         "', check_out = '2027-03-20', last_night = '2027-03-19'"));
  EXPECT_FALSE(can_change("unit_id = '" + domain::to_string(unit_id(1)) + "'"));
  EXPECT_TRUE(can_change("status = 'checked_in'"));
}

TEST_P(HeldNights, CannotBeGainedByAChangeOfAStayThatWasBookedByHand) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  ASSERT_TRUE(can_book("2027-05-01", "2027-05-10"));
  ASSERT_TRUE(can_book_by_hand("2027-03-01", "2027-03-08"));
  EXPECT_FALSE(is_accepted([&] {
    script(
        "update bookings set check_out = '2027-03-11', last_night = '2027-03-10' where request_id is null");
  }));
  EXPECT_EQ(refused_by_, "bookings_not_held");
}

TEST_P(HeldNights, CannotBeTakenBackAfterACancellation) {
  ASSERT_TRUE(can_book("2027-03-01", "2027-03-20"));
  ASSERT_TRUE(can_change("status = 'cancelled', cancelled_by = 'landlord', cancelled_at = created_at"));
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  EXPECT_FALSE(can_change("status = 'confirmed', cancelled_by = null, cancelled_at = null"));
  EXPECT_EQ(refused_by_, "bookings_not_held");
}

TEST_P(HeldNights, CannotBeBlockedByTheOffice) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  for (const auto& [first, last] : {std::pair{"2027-03-12", "2027-03-12"},
                                    std::pair{"2027-03-01", "2027-03-10"}, std::pair{"2027-02-01", ""}}) {
    EXPECT_FALSE(can_block(first, last)) << first;
    EXPECT_EQ(refused_by_, "blocks_not_held");
  }
  EXPECT_TRUE(can_block("2027-03-13", ""));
  EXPECT_TRUE(can_block("2027-03-01", "2027-03-09"));
  EXPECT_FALSE(can_change_block("last_night = '2027-03-10'"));
  EXPECT_EQ(refused_by_, "blocks_not_held");
  EXPECT_FALSE(can_change_block("last_night = null"));
  EXPECT_TRUE(can_change_block("first_night = '2027-02-01'"));
}

TEST_P(HeldNights, CannotBeBlockedByAChangeOfABlockWithoutEnd) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  ASSERT_TRUE(can_block("2027-03-13", ""));
  EXPECT_FALSE(can_change_block("first_night = '2027-03-12'"));
  EXPECT_EQ(refused_by_, "blocks_not_held");
  EXPECT_TRUE(can_change_block("first_night = '2027-03-15', last_night = '2027-03-20'"));
}

TEST_P(HeldNights, MayBeCoveredByImportedBlocks) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  EXPECT_TRUE(can_block("2027-03-01", "2027-03-31", false));
  EXPECT_TRUE(can_change_block("by_office = '1', last_night = '2027-04-30'"))
      << "it covered the held nights before";
}

TEST_P(HeldNights, CannotBeHeldAgain) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13", "2027-03-15"));
  EXPECT_FALSE(can_hold("2027-03-01", "2027-03-11"));
  EXPECT_EQ(refused_by_, "holds_no_overlap");
  EXPECT_FALSE(can_hold("2027-03-12", "2027-03-20"));
  EXPECT_TRUE(can_hold("2027-03-05", "2027-03-10"));
  EXPECT_TRUE(can_hold("2027-03-13", "2027-03-20")) << "nights of preparation";
  end_holds(session());
  EXPECT_TRUE(can_hold("2027-03-01", "2027-03-31"));
}

TEST_P(HeldNights, AreFreeAtFirst) {
  ASSERT_TRUE(can_book("2027-03-10", "2027-03-13"));
  ASSERT_TRUE(can_block("2027-04-10", "2027-04-12"));
  ASSERT_TRUE(can_block("2027-06-01", "", false));
  for (const auto& [check_in, check_out] :
       {std::pair{"2027-03-01", "2027-03-11"}, std::pair{"2027-03-12", "2027-03-20"},
        std::pair{"2027-04-12", "2027-04-20"}, std::pair{"2027-04-01", "2027-04-11"},
        std::pair{"2028-01-01", "2028-01-02"}}) {
    EXPECT_FALSE(can_hold(check_in, check_out)) << check_in;
    EXPECT_EQ(refused_by_, "holds_of_free_nights");
  }
  EXPECT_TRUE(can_hold("2027-03-13", "2027-04-10"));
  ASSERT_TRUE(can_change("status = 'cancelled', cancelled_by = 'landlord', cancelled_at = created_at"));
  EXPECT_TRUE(can_hold("2027-03-10", "2027-03-13")) << "the stay is cancelled";
}

TEST_P(HeldNights, AreFreeAfterTheEnd) {
  ASSERT_TRUE(can_hold("2027-03-10", "2027-03-13"));
  end_holds(session());
  EXPECT_TRUE(can_book("2027-03-10", "2027-03-12"));
  EXPECT_TRUE(can_block("2027-03-12", "2027-03-12"));
}

/// Only PostgreSQL has concurrent writers.
class HeldNightsOfAnotherWriter : public HeldNights {};
ROOST_ON_POSTGRESQL(HeldNightsOfAnotherWriter);

TEST_P(HeldNightsOfAnotherWriter, AreRefusedIfTheyWereCommittedDuringTheTransaction) {
  ASSERT_TRUE(can_book("2027-05-01", "2027-05-20"));
  auto other = store().open();
  EXPECT_FALSE(is_accepted([&] {
    store::transaction moving(session(), store::transaction::purpose::write);
    script("update bookings set check_in = '2027-03-01'");
    insert_hold(other, {"other", "2027-03-10", "2027-03-12"});
    moving.commit();
  }));
  EXPECT_EQ(refused_by_, "bookings_not_held");
}

TEST_P(HeldNightsOfAnotherWriter, AreNotHeldIfTheyWereBookedDuringTheTransaction) {
  auto other = store().open();
  EXPECT_FALSE(is_accepted([&] {
    store::transaction holding(other, store::transaction::purpose::write);
    insert_hold(other, {"other", "2027-03-10", "2027-03-12"});
    EXPECT_TRUE(can_book("2027-03-11", "2027-03-20"));
    holding.commit();
  }));
  EXPECT_EQ(refused_by_, "holds_of_free_nights");
}

} // namespace roost::testing::held_nights_test
