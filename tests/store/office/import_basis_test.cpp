#include "store/office/booking_scene.hpp"
#include "store/portfolio/import_basis.hpp"
#include "store/support/stored_rows.hpp"

#include <gtest/gtest.h>

/// Which writes of the office make a running import start over.
namespace roost::testing::import_basis_test {
using store::office_result;

class BasisOfAnImport : public booking_scene {
protected:
  void SetUp() override {
    booking_scene::SetUp();
    basis_ = {position_of(session()), {account_id(1)}, {unit_id(1), unit_id(2)}};
  }

  bool is_outdated() { return store::is_outdated(session(), basis_); }

  store::import_basis basis_;
};
ROOST_ON_EACH_STORE(BasisOfAnImport);

TEST_P(BasisOfAnImport, IsNotOutdatedByBookings) {
  const auto id = book_by_hand("2027-04-01", "2027-05-01").booking.booking.id;
  auto move = stay_on_other_dates(id, "2027-04-15", "2027-05-15");
  move.unit_id = move.expected->unit_id = unit_id(2);
  ASSERT_EQ(store::change_booking(session(), node_->lease, scope, move, author()).result,
            office_result::changed);
  ASSERT_EQ(cancel(id).result, office_result::changed);
  ASSERT_GT(count_rows(session(), "changelog"), 3);
  EXPECT_FALSE(is_outdated());
}

TEST_P(BasisOfAnImport, IsOutdatedByEachWriteOfABlock) {
  const auto id = create("2027-03-01", "2027-03-31").block.block.id;
  EXPECT_TRUE(is_outdated());
  basis_.position = position_of(session());
  EXPECT_FALSE(is_outdated());
  ASSERT_EQ(move(id, "2027-03-01", "2027-03-30").result, office_result::changed);
  EXPECT_TRUE(is_outdated());
  basis_.position = position_of(session());
  ASSERT_EQ(erase(id).result, office_result::deleted);
  EXPECT_TRUE(is_outdated());
}

TEST_P(BasisOfAnImport, IsOutdatedByABlockNextToABooking) {
  book_by_hand("2027-04-01", "2027-05-01");
  create("2027-03-01", "2027-03-31");
  EXPECT_TRUE(is_outdated());
}

TEST_P(BasisOfAnImport, IsOutdatedByChangesOfTheUnitsThatItKeeps) {
  const auto record = [&](const std::optional<domain::uuid>& subject) {
    constexpr store::query insert{
        "test_entry",
        "insert into changelog (id, edit, account_id, unit_id, subject_id, changed_at, changed_by,"
        " changes) values (:id, :edit, :account, :unit, :subject, :at, 'ana', '[]')"};
    session().internals().write(insert, {{"id", fresh_id()},
                                         {"edit", basis_.position + 1},
                                         {"account", account_id(1)},
                                         {"unit", unit_id(1)},
                                         {"subject", subject},
                                         {"at", moment("2026-11-21T10:00:00.000Z")}});
  };
  auto others = basis_;
  others.kept_units.clear();
  record({}); // by the booking engine
  EXPECT_TRUE(is_outdated());
  EXPECT_FALSE(store::is_outdated(session(), others));
  record(unit_id(1)); // by the office
  EXPECT_TRUE(store::is_outdated(session(), others));
}

} // namespace roost::testing::import_basis_test
