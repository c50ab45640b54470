#include "store/bookings/bookings.hpp"
#include "store/database/error.hpp"
#include "store/office/calendar_import_scene.hpp"
#include "store/support/cancelled_stays.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <utility>

/// Imports of calendars while the service reads calendars, and the office and tenants write.
namespace roost::testing::calendar_import_runs_test {
using store::import_action;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Adds, changes and removes calendars.
class CalendarImportRuns : public calendar_import_scene {
protected:
  void edit_calendars() {
    calendars() = {host_one, calendar(2, "Host two"), calendar(3, "Host three")};
    import();
    for (const auto number : {1UL, 2UL, 3UL})
      read(numbered_id(8, number), ("2027-0" + std::to_string(number) + "-01").c_str(),
           ("2027-0" + std::to_string(number) + "-05").c_str());
    calendars()[0].host = "host-two";
    calendars()[1].url = "https://host.example/other.ics";
    calendars()[2] = calendar(4, "Host four");
  }

  void expect_edited() {
    EXPECT_THAT(stored_names(), ElementsAre("Room 1: Host four", "Room 1: Host one", "Room 1: Host two"));
    EXPECT_THAT(blocked(), ElementsAre("2027-01-01 2027-01-05 host-two", "2027-02-01 2027-02-05 "));
    EXPECT_THAT(due(), ElementsAre("https://host.example/4.ics", "https://host.example/other.ics"));
    EXPECT_EQ(store::find_calendar_to_read(session(), host_one.id).value().revision, 1);
  }
};

// In pieces

class CalendarsInPieces : public CalendarImportRuns {
protected:
  store::import_result import_in_pieces() {
    serve(session());
    context.max_units_at_once = 0;
    return store::import_portfolio(session(), file_, context);
  }

  store::import_context context = context_at("2026-11-22T09:30:00.000Z");
};
ROOST_ON_STORES(OnSqlite, CalendarsInPieces, store_kind::sqlite);

TEST_P(CalendarsInPieces, AreWrittenAndCounted) {
  edit_calendars();
  EXPECT_EQ(import_in_pieces().summary.counts.text(),
            "added: 1 imported calendar; changed: 2 imported calendars; removed: 1 imported calendar");
  expect_edited();
  EXPECT_EQ(count_rows(session(), "import_steps"), 0);
}

TEST_P(CalendarsInPieces, RespectTheOffice) {
  office_renames(host_one.id);
  EXPECT_TRUE(import_in_pieces().refused_by_office);
  EXPECT_EQ(stored(host_one.id).value().name, "Renamed");
  context.overwrite_office = true;
  EXPECT_FALSE(import_in_pieces().refused_by_office);
  EXPECT_EQ(stored(host_one.id).value().name, "Host one");
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(CalendarsInPieces, AreFinishedByAnotherProcessBeforeAnyIsRead) {
  edit_calendars();
  const auto before = version_of(host_one.id, {{day("2027-08-01"), day("2027-08-05")}});
  context.progress = [](std::size_t, std::size_t) { throw std::runtime_error("killed"); };
  for (auto& unit : units()) unit.terms.capacity = 3; // a step for the first pieces
  EXPECT_THROW(import_in_pieces(), std::runtime_error);
  EXPECT_THAT(due(), IsEmpty()) << "the import is pending";
  EXPECT_THROW(store_in(session(), before), store::unavailable);
  auto other = store().open();
  store::write_pending_import(other);
  expect_edited();
  EXPECT_TRUE(store_in(session(), before).is_outdated);
}

TEST_P(CalendarsInPieces, StartOverWhenBlocksOfCalendarsChangeMeanwhile) {
  edit_calendars();
  units()[1].blocks = {{.nights = {day("2027-08-01"), day("2027-08-09")}}};
  auto other = store().open();
  int new_ids = 0;
  context.new_id = [&] { // for the import and its new block, while the steps are collected
    if (++new_ids == 2) store_in(other, version_of(host_one.id, {{day("2027-06-01"), day("2027-06-05")}}));
    return fresh_id();
  };
  EXPECT_THAT(import_in_pieces().problems, IsEmpty());
  EXPECT_EQ(new_ids, 4);
  EXPECT_THAT(blocked(), ElementsAre("2027-02-01 2027-02-05 ", "2027-06-01 2027-06-05 host-two"));
}

// Concurrent writers, which only PostgreSQL has

class CalendarsOfConcurrentImports : public CalendarImportRuns {
protected:
  /// Imports the file. Lets another session write the first time that the import has read the store.
  template <typename Write>
  store::import_result import_during(Write write) {
    auto other = store().open();
    auto context = context_at("2026-11-22T09:30:00.000Z");
    context.progress = [&, has_written = false](std::size_t, std::size_t) mutable {
      ++reads;
      if (!std::exchange(has_written, true)) write(other);
    };
    return store::import_portfolio(session(), file_, context);
  }

  int reads = 0; ///< at least one for each attempt
};
ROOST_ON_POSTGRESQL(CalendarsOfConcurrentImports);

TEST_P(CalendarsOfConcurrentImports, KeepEventsThatAreReadMeanwhile) {
  edit_calendars();
  import_during([&](store::session& other) {
    EXPECT_TRUE(
        store_in(other, version_of(host_one.id, {{day("2027-06-01"), day("2027-06-05")}})).is_changed);
  });
  EXPECT_EQ(reads, 1) << "an import does not wait for readings, nor they for it";
  EXPECT_THAT(blocked(), ElementsAre("2027-02-01 2027-02-05 ", "2027-06-01 2027-06-05 host-two"));
  EXPECT_THAT(due(), SizeIs(2));
}

TEST_P(CalendarsOfConcurrentImports, BlockTheNightsOfABookingThatIsCancelledMeanwhile) {
  calendars()[0].host = "host-two";
  const auto booking = book("2027-03-03", "2027-03-06");
  read(host_one.id, "2027-03-01", "2027-03-31");
  import_during([&](store::session& other) { EXPECT_TRUE(cancel_stay(other, booking)); });
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-31 host-two"));
}

TEST_P(CalendarsOfConcurrentImports, AreRefusedIfTheOfficeChangesACalendarMeanwhile) {
  calendars()[0].url = "https://host.example/other.ics";
  const auto result = import_during([&](store::session& other) {
    office_changes(other, host_one.id, [](auto& each) { each.name = "Renamed"; });
  });
  EXPECT_EQ(reads, 2);
  ASSERT_TRUE(result.refused_by_office);
  EXPECT_EQ(result.refused_by_office->text(import_action::changed), "1 imported calendar");
  EXPECT_EQ(stored(host_one.id).value().url, host_one.url);
}

} // namespace roost::testing::calendar_import_runs_test
