#include "store/office/calendar_window.hpp"
#include "store/office/office_scene.hpp"

#include <gmock/gmock.h>

namespace roost::testing::calendar_window_test {
using store::calendar_unit;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CalendarWindow : public office_scene {
protected:
  store::office_page<calendar_unit> window(const char* first, const char* last, std::size_t limit = 200,
                                           const std::optional<store::name_place>& after = {}) {
    filter.window = {day(first), day(last)};
    return store::list_calendar(session(), scope, filter, after, limit);
  }

  calendar_unit first_unit(const char* first, const char* last) {
    for (auto& each : window(first, last).items)
      if (each.id == unit_id(1)) return each;
    throw std::runtime_error("the first unit is missing");
  }

  store::calendar_filter filter{};
};
ROOST_ON_EACH_STORE(CalendarWindow);

TEST_P(CalendarWindow, HasWhatTakesAnyOfItsNights) {
  file_.accounts[0].properties[0].units[0].terms.preparation_days = 2;
  import();
  const auto booking = book("2027-03-01", "2027-04-01");
  create("2027-05-10", "2027-05-12");
  create("2028-01-01", nullptr);

  const auto unit = first_unit("2027-03-15", "2027-05-10");
  ASSERT_THAT(unit.bookings, SizeIs(1));
  EXPECT_EQ(unit.bookings[0].id, booking);
  EXPECT_EQ(unit.bookings[0].check_out, day("2027-04-01"));
  ASSERT_THAT(unit.blocks, SizeIs(1));
  EXPECT_EQ(unit.blocks[0].block.note.view(), "Paint");

  EXPECT_THAT(first_unit("2027-02-01", "2027-02-28").bookings, IsEmpty()) << "before the stay";
  EXPECT_THAT(first_unit("2027-02-01", "2027-03-01").bookings, SizeIs(1)) << "its first night";
  const auto last_night = unit.bookings[0].last_night;
  EXPECT_GE(last_night, day("2027-03-31"));
  const auto after = domain::to_string(last_night + domain::days{1});
  EXPECT_THAT(first_unit(domain::to_string(last_night).c_str(), after.c_str()).bookings, SizeIs(1));
  EXPECT_THAT(first_unit(after.c_str(), after.c_str()).bookings, IsEmpty());
  EXPECT_THAT(first_unit("2031-01-01", "2031-01-02").blocks, SizeIs(1)) << "without end";
}

TEST_P(CalendarWindow, IsAListOfUnitsByName) {
  const auto all = window("2027-01-01", "2027-12-31");
  ASSERT_THAT(all.items, SizeIs(::testing::Gt(1U)));
  EXPECT_EQ(all.total, static_cast<std::int64_t>(all.items.size()));
  std::vector<domain::uuid> paged;
  std::optional<store::name_place> after;
  for (bool has_more = true; has_more;) {
    const auto page = window("2027-01-01", "2027-12-31", 1, after);
    ASSERT_THAT(page.items, SizeIs(1));
    paged.push_back(page.items[0].id);
    after = store::place_of(page.items[0]);
    has_more = page.has_more;
  }
  std::vector<domain::uuid> whole;
  for (const auto& each : all.items) whole.push_back(each.id);
  EXPECT_EQ(paged, whole);

  filter.text = all.items.back().name;
  EXPECT_THAT(window("2027-01-01", "2027-12-31").items, SizeIs(1));
  filter = {.property_id = numbered_id(9, 1)};
  EXPECT_THAT(window("2027-01-01", "2027-12-31").items, IsEmpty()) << "of no property";
}

TEST_P(CalendarWindow, HasAnArchivedUnitOnlyWhileItIsBooked) {
  book("2027-03-01", "2027-04-01");
  file_.accounts[0].properties[0].units[0].terms.archived = true;
  import();
  EXPECT_TRUE(first_unit("2027-03-01", "2027-03-02").archived);
  for (const auto& each : window("2027-06-01", "2027-06-30").items) EXPECT_NE(each.id, unit_id(1));
}

TEST_P(CalendarWindow, HasOnlyTheScope) {
  scope.account_id = account_id(2);
  for (const auto& each : window("2027-01-01", "2027-12-31").items) EXPECT_NE(each.id, unit_id(1));
  scope = {account_id(1), numbered_id(9, 999)};
  EXPECT_THAT(window("2027-01-01", "2027-12-31").items, IsEmpty()) << "of an owner without properties";
}

} // namespace roost::testing::calendar_window_test
