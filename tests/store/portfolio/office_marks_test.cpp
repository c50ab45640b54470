#include "store/portfolio/office_import_scene.hpp"
#include "store/portfolio/office_marks.hpp"
#include "store/support/sample_booking.hpp"

#include <gmock/gmock.h>

#include <array>

namespace roost::testing::office_marks_test {
using store::office_part;
using store::office_state;
using ::testing::ElementsAre;

class OfficeMarks : public on_each_store {
protected:
  void SetUp() override { import_sample(session(), sample_portfolio(2)); }

  void write(std::vector<store::office_mark> marks) { write_as_office(session(), std::move(marks)); }

  std::vector<store::office_mark> all() {
    const std::array ids{account_id(1), account_id(2)};
    return store::marks_of(session(), ids);
  }

  /// Returns the state of unit 1 after these writes.
  office_state after(std::initializer_list<office_state> states) {
    for (const auto state : states) write({mark_of(office_part::unit, unit_id(1), state)});
    return all().at(0).state;
  }
};
ROOST_ON_EACH_STORE(OfficeMarks);

TEST_P(OfficeMarks, AreReadInTheirOrder) {
  auto other = mark_of(office_part::user, user_id(2), office_state::created);
  other.account_id = account_id(2);
  write({other, mark_of(office_part::link, unit_id(1), office_state::deleted, "marketplace-b"),
         mark_of(office_part::link, unit_id(1), office_state::changed, "marketplace-a"),
         mark_of(office_part::card, account_id(1), office_state::changed, "marketplace-a"),
         mark_of(office_part::account, account_id(1), office_state::changed)});
  const auto marks = all();
  std::vector<std::string> places;
  for (const auto& each : marks) {
    places.push_back(std::string(domain::to_string(each.part)) + ' ' + each.platform);
    EXPECT_EQ(each.position, position_of(session()));
  }
  EXPECT_THAT(places, ElementsAre("account ", "card marketplace-a", "link marketplace-a",
                                  "link marketplace-b", "user "));
  EXPECT_EQ(marks.back().account_id, account_id(2));
}

TEST_P(OfficeMarks, KeepThatAnObjectWasCreated) {
  EXPECT_EQ(after({office_state::created, office_state::changed}), office_state::created);
}

TEST_P(OfficeMarks, ChangeWithTheObject) {
  EXPECT_EQ(after({office_state::changed, office_state::changed}), office_state::changed);
  EXPECT_EQ(after({office_state::deleted}), office_state::deleted);
  EXPECT_EQ(after({office_state::created}), office_state::created);
  EXPECT_EQ(after({office_state::deleted}), office_state::deleted) << "also of what the office had created";
  EXPECT_EQ(after({office_state::changed}), office_state::changed);
  EXPECT_EQ(all().at(0).position, position_of(session()));
}

TEST_P(OfficeMarks, AreForgottenByTheirKeys) {
  const auto kept = mark_of(office_part::link, unit_id(1), office_state::created, "marketplace-b");
  const auto forgotten = mark_of(office_part::link, unit_id(1), office_state::deleted, "marketplace-a");
  write({kept, forgotten});
  store::transaction txn(session(), store::transaction::purpose::write);
  store::forget_marks(session(), std::array{forgotten});
  txn.commit();
  ASSERT_EQ(all().size(), 1U);
  EXPECT_EQ(all()[0].platform, "marketplace-b");
}

TEST_P(OfficeMarks, ShowWhatTheOfficeHasWrittenSince) {
  const std::array first{account_id(1)}, second{account_id(2)};
  const auto before = position_of(session());
  EXPECT_FALSE(store::has_marks_since(session(), first, before));
  write({mark_of(office_part::unit, unit_id(1), office_state::changed)});
  EXPECT_TRUE(store::has_marks_since(session(), first, before));
  EXPECT_FALSE(store::has_marks_since(session(), first, position_of(session())));
  EXPECT_FALSE(store::has_marks_since(session(), second, before)) << "another account";
}

} // namespace roost::testing::office_marks_test
