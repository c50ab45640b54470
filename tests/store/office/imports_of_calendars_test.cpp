#include "store/office/calendar_import_scene.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>

#include <utility>

/// Imports of calendars in portfolio files, next to those that the office creates, changes and deletes.
namespace roost::testing::imports_of_calendars_test {
using store::import_action;
using store::portfolio_part;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ImportsOfCalendars : public calendar_import_scene {};
ROOST_ON_EACH_STORE(ImportsOfCalendars);

TEST_P(ImportsOfCalendars, CreateCalendarsThatAreDueImmediately) {
  calendars()[0].every_seconds = 900;
  calendars().push_back(calendar(2, "Host two"));
  const auto result = import_result();
  EXPECT_EQ(result.summary.counts.count(import_action::added, portfolio_part::calendar), 1U);
  EXPECT_EQ(result.summary.counts.count(import_action::changed, portfolio_part::calendar), 1U);
  EXPECT_THAT(stored_names(), ElementsAre("Room 1: Host one", "Room 1: Host two"));
  EXPECT_THAT(due(), ElementsAre("https://host.example/1.ics", "https://host.example/2.ics"));
  const auto first = stored(host_one.id).value();
  EXPECT_EQ(first.host, "host-one");
  EXPECT_EQ(first.every_seconds, 900);
}

TEST_P(ImportsOfCalendars, ChangeNothingThatIsTheSame) {
  read(host_one.id, "2027-03-01", "2027-03-05");
  const auto rows = portfolio_rows(session());
  const auto result = import_result(false);
  EXPECT_FALSE(result.refused);
  EXPECT_EQ(result.summary.counts.text(), "");
  EXPECT_EQ(portfolio_rows(session()), rows);
  EXPECT_THAT(due(), IsEmpty());
}

TEST_P(ImportsOfCalendars, MakeACalendarWithAnotherUrlDueAndKeepItsEventsUntilItIsRead) {
  read(host_one.id, "2027-03-01", "2027-03-05");
  const auto of_old_url = version_of(host_one.id, {{day("2027-07-01"), day("2027-07-05")}});
  calendars()[0].url = "https://host.example/other.ics";
  const auto result = import_result(false);
  EXPECT_FALSE(result.refused);
  EXPECT_EQ(result.summary.counts.text(), "changed: 1 imported calendar");
  EXPECT_THAT(due(), ElementsAre("https://host.example/other.ics"));
  EXPECT_EQ(store::find_calendar_to_read(session(), host_one.id).value().etag, "") << "of the other URL";
  EXPECT_TRUE(store_in(session(), of_old_url).is_outdated);
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-05 host-one"));
  read(host_one.id, "2027-05-01", "2027-05-05");
  EXPECT_THAT(blocked(), ElementsAre("2027-05-01 2027-05-05 host-one"));
}

TEST_P(ImportsOfCalendars, ReadACalendarAgainAfterAnotherIntervalButNotAfterAnotherName) {
  read(host_one.id, "2027-03-01", "2027-03-05");
  calendars()[0].name = "Another name";
  import();
  EXPECT_THAT(due(), IsEmpty());
  EXPECT_EQ(stored(host_one.id).value().name, "Another name");
  calendars()[0].every_seconds = 60;
  import();
  EXPECT_THAT(due(), SizeIs(1));
}

TEST_P(ImportsOfCalendars, GiveTheBlocksOfACalendarItsHost) {
  read(host_one.id, "2027-03-01", "2027-03-05");
  const auto block = blocks()[0].block.id;
  calendars()[0].host = "host-two";
  import();
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-05 host-two"));
  EXPECT_EQ(blocks()[0].block.id, block);
  EXPECT_THAT(due(), IsEmpty());
}

TEST_P(ImportsOfCalendars, RemoveAnOmittedCalendarWithItsNightsOnlyWithPermission) {
  read(host_one.id, "2027-03-01", "2027-03-05");
  calendars().clear();
  const auto refused = import_result(false).refused;
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->text(import_action::removed), "1 imported calendar");
  EXPECT_THAT(blocked(), SizeIs(1));
  EXPECT_EQ(import_result().summary.counts.text(), "removed: 1 imported calendar");
  EXPECT_THAT(stored_names(), IsEmpty());
  EXPECT_THAT(blocked(), IsEmpty());
  EXPECT_EQ(count_rows(session(), "calendar_events"), 0);
}

TEST_P(ImportsOfCalendars, BeginACalendarAnewThatMovesToAnotherUnit) {
  read(host_one.id, "2027-03-01", "2027-03-05");
  const auto of_first_unit = version_of(host_one.id, {{day("2027-07-01"), day("2027-07-05")}});
  units()[1].calendars = std::exchange(calendars(), {});
  EXPECT_EQ(import_result().summary.counts.text(),
            "added: 1 imported calendar; removed: 1 imported calendar");
  EXPECT_THAT(stored_names(), ElementsAre("Room 2: Host one"));
  EXPECT_TRUE(store_in(session(), of_first_unit).is_outdated);
  EXPECT_THAT(blocked(), IsEmpty());
  EXPECT_THAT(due(), SizeIs(1));
}

TEST_P(ImportsOfCalendars, MoveACalendarAwayFromARemovedOrAnArchivedUnit) {
  units()[1].calendars = {calendar(2, "Host two")};
  import();
  const auto moves_to_a_new_unit = [&](unsigned long number) {
    auto moved = full_unit(number);
    moved.calendars = std::exchange(calendars(), {});
    units().erase(units().begin());
    units().push_back(std::move(moved));
    EXPECT_EQ(import_result().problems, std::vector<std::string>{});
  };
  book("2027-04-01", "2027-04-05");
  moves_to_a_new_unit(77);
  EXPECT_THAT(stored_names(), ElementsAre("Room 2: Host two", "Room 77: Host one")) << "archived";
  moves_to_a_new_unit(78);
  EXPECT_THAT(stored_names(), ElementsAre("Room 77: Host one", "Room 78: Host two")) << "removed";
}

TEST_P(ImportsOfCalendars, RemoveCalendarsWithTheirUnit) {
  read(host_one.id, "2027-03-01", "2027-03-05");
  units().erase(units().begin());
  const auto result = import_result();
  EXPECT_EQ(result.summary.counts.count(import_action::removed, portfolio_part::unit), 1U);
  EXPECT_EQ(result.summary.counts.count(import_action::removed, portfolio_part::calendar), 1U);
  EXPECT_EQ(count_rows(session(), "units where id = '" + domain::to_string(unit_id(1)) + "'"), 0);
  EXPECT_EQ(count_rows(session(), "unit_calendars"), 0);
}

TEST_P(ImportsOfCalendars, KeepTheCalendarsOfAnArchivedUnit) {
  book("2027-04-01", "2027-04-05");
  read(host_one.id, "2027-03-01", "2027-03-05");
  units().erase(units().begin());
  EXPECT_EQ(import_result().summary.counts.text(), "archived: 1 unit");
  EXPECT_THAT(stored_names(), ElementsAre("Room 1: Host one"));
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-05 host-one"));
}

TEST_P(ImportsOfCalendars, RefuseTheIdOfAnotherAccountsCalendar) {
  file_.accounts[1].properties[0].units[0].calendars = std::exchange(calendars(), {});
  auto other = file_;
  other.accounts.erase(other.accounts.begin());
  EXPECT_THAT(
      import_sample(session(), other).problems,
      ElementsAre("/accounts/0/properties/0/units/0/calendars/0/id: is in use elsewhere in the store"));
}

TEST_P(ImportsOfCalendars, ArePlannedWithoutWriting) {
  calendars()[0].url = "https://host.example/other.ics";
  calendars().push_back(calendar(2, "Host two"));
  const auto rows = portfolio_rows(session());
  std::vector<std::string> changes;
  const auto visit = [&](const store::planned_account& plan) {
    for (const auto& each : plan.changes)
      changes.push_back(std::string(to_string(each.action)) + ' ' + name_of(each.part) + ' ' +
                        domain::to_string(each.id));
  };
  EXPECT_THAT(store::plan_import(session(), file_, context_at("2026-11-22T09:30:00.000Z"), visit), IsEmpty());
  EXPECT_THAT(changes, ElementsAre("added imported calendar " + domain::to_string(numbered_id(8, 2))))
      << "changed rows with an id are not listed";
  EXPECT_EQ(portfolio_rows(session()), rows);
}

// Next to the office

TEST_P(ImportsOfCalendars, KeepWhatTheOfficeCreated) {
  const auto created = office_creates(calendar(2, "Host two"));
  read(created, "2027-03-01", "2027-03-05");
  EXPECT_FALSE(import_result(false).refused);
  import_over_the_office();
  EXPECT_THAT(stored_names(), ElementsAre("Room 1: Host one", "Room 1: Host two"));
  EXPECT_THAT(blocked(), SizeIs(1));
  EXPECT_THAT(marks(), SizeIs(1));
}

TEST_P(ImportsOfCalendars, AreRefusedIfTheyWouldChangeWhatTheOfficeCreated) {
  office_creates(calendar(2, "Host two"));
  calendars().push_back(calendar(2, "Host two"));
  EXPECT_EQ(refused_changes(), "") << "the same values";
  EXPECT_THAT(marks(), SizeIs(1)) << "an older file does not remove it";
  calendars()[1].url = "https://host.example/other.ics";
  EXPECT_EQ(refused_changes(), "1 imported calendar");
  EXPECT_EQ(stored(calendars()[1].id).value().url, "https://host.example/2.ics");
  import_over_the_office();
  EXPECT_EQ(stored(calendars()[1].id).value().url, "https://host.example/other.ics");
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfCalendars, AreRefusedIfTheyWouldMoveWhatTheOfficeCreated) {
  office_creates(calendar(2, "Host two"));
  units()[1].calendars = {calendar(2, "Host two")};
  EXPECT_EQ(refused_changes(), "1 imported calendar");
  import_over_the_office();
  EXPECT_THAT(stored_names(), ElementsAre("Room 1: Host one", "Room 2: Host two"));
}

TEST_P(ImportsOfCalendars, SetBackWhatTheOfficeChangedOnlyWithPermission) {
  office_renames(host_one.id);
  EXPECT_EQ(refused_changes(), "1 imported calendar");
  EXPECT_EQ(stored(host_one.id).value().name, "Renamed");
  import_over_the_office();
  EXPECT_EQ(stored(host_one.id).value().name, "Host one");
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfCalendars, OwnAChangedCalendarAgainOnceAFileHasItsValues) {
  office_renames(host_one.id);
  calendars()[0].name = "Renamed";
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(marks(), IsEmpty());
  calendars()[0].name = "Host one";
  EXPECT_EQ(refused_changes(), "");
  EXPECT_EQ(stored(host_one.id).value().name, "Host one");
}

TEST_P(ImportsOfCalendars, RemoveAChangedCalendarThatTheFileOmits) {
  office_renames(host_one.id);
  calendars().clear();
  EXPECT_TRUE(import_result(false).refused);
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(stored_names(), IsEmpty());
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfCalendars, DoNotBringBackWhatTheOfficeDeleted) {
  office_deletes(host_one.id);
  EXPECT_EQ(refused_changes(), "");
  EXPECT_THAT(stored_names(), IsEmpty());
  const auto omitted = std::exchange(calendars(), {});
  import();
  EXPECT_THAT(marks(), IsEmpty());
  calendars() = omitted;
  import();
  EXPECT_THAT(stored_names(), SizeIs(1)) << "a file has omitted it";
}

TEST_P(ImportsOfCalendars, BringBackWhatTheOfficeDeletedWithPermission) {
  office_deletes(host_one.id);
  import_over_the_office();
  EXPECT_THAT(stored_names(), ElementsAre("Room 1: Host one"));
  EXPECT_THAT(due(), SizeIs(1));
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(ImportsOfCalendars, ArchiveAUnitWithACalendarOfTheOffice) {
  office_creates(calendar(2, "Host two"));
  units().erase(units().begin());
  EXPECT_EQ(import_result().summary.counts.count(import_action::archived, portfolio_part::unit), 1U);
  EXPECT_THAT(stored_names(), ElementsAre("Room 1: Host one", "Room 1: Host two"));
}

TEST_P(ImportsOfCalendars, KeepUploadedCalendarsWhichFilesDoNotHave) {
  const auto created = office_creates(calendar(2, "Uploaded"), "BEGIN:VCALENDAR");
  read(created, "2027-03-01", "2027-03-05");
  office_changes(host_one.id, [](auto& each) {
    each.url.reset();
    each.upload = "BEGIN:VCALENDAR";
  });
  store::left_out_parts left_out;
  domain::portfolio exported;
  left_out = store::export_account(
      session(), account_id(1),
      {.account = [&](const auto& account) { exported.accounts = {account}; }, .usage = [](const auto&) {}});
  EXPECT_EQ(left_out.calendars, 2U);
  EXPECT_THAT(exported.accounts[0].properties[0].units[0].calendars, IsEmpty());
  file_ = std::move(exported);
  for (int i = 0; i < 2; ++i) {
    const auto again = import_result(false);
    EXPECT_FALSE(again.refused);
    EXPECT_EQ(again.summary.counts.text(), "");
    EXPECT_THAT(stored_names(), ElementsAre("Room 1: Host one", "Room 1: Uploaded"));
    EXPECT_THAT(blocked(), SizeIs(1));
  }
  units().erase(units().begin());
  import();
  EXPECT_THAT(stored_names(), SizeIs(2)) << "the unit is archived";
}

TEST_P(ImportsOfCalendars, GiveAnUploadedCalendarAUrlOnlyWithPermission) {
  office_changes(host_one.id, [](auto& each) {
    each.url.reset();
    each.upload = "BEGIN:VCALENDAR";
  });
  EXPECT_EQ(refused_changes(), "1 imported calendar");
  import_over_the_office();
  EXPECT_EQ(stored(host_one.id).value().url, host_one.url);
  EXPECT_EQ(store::calendar_upload(session(), host_one.id), std::nullopt);
}

TEST_P(ImportsOfCalendars, CountThoseOfTheOfficeToTheLimit) {
  office_creates(calendar(2, "Host two"));
  const auto deleted = office_creates(calendar(3, "Host three"));
  office_deletes(deleted);
  calendars().push_back(calendar(3, "Host three"));
  while (calendars().size() < domain::max_imported_calendars)
    calendars().push_back(calendar(10 + calendars().size(), "Another"));
  EXPECT_THAT(import_result().problems, IsEmpty()) << "the deleted one does not come back";
  calendars().erase(calendars().begin() + 1);
  calendars().push_back(calendar(4, "Host four"));
  EXPECT_THAT(import_result().problems,
              ElementsAre("/accounts/0/properties/0/units/0/calendars: with those of the office, the unit "
                          "would have 21; it may have 20"));
}

TEST_P(ImportsOfCalendars, AreTheLastChangeUntilTheOfficeChangesTheCalendar) {
  const store::office_change<store::office_calendar> outdated{host_one.id, [](const auto&) { return false; },
                                                              [](auto&) { return store::office_edit{}; }};
  const auto last = [&] {
    return store::change_calendar(session(), node_->lease, scope, outdated, author()).last.by;
  };
  EXPECT_EQ(last(), "import");
  office_renames(host_one.id);
  EXPECT_EQ(last(), "ana@landlord.example");
  import_over_the_office();
  EXPECT_EQ(last(), "import");
}

} // namespace roost::testing::imports_of_calendars_test
