#include "store/bookings/bookings.hpp"
#include "store/calendars/unit_calendars.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/office/bookings.hpp"
#include "store/office/calendars.hpp"
#include "store/office/office_scene.hpp"
#include "store/support/cancelled_stays.hpp"
#include "store/support/stored_rows.hpp"

#include <gmock/gmock.h>

namespace roost::testing::unit_calendars_test {
using domain::nights;
using store::calendar_reading;
using store::calendar_result;
using store::office_calendar;
using store::office_result;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

nights stay(const char* first, const char* last) { return {day(first), day(last)}; }

/// A calendar of the first unit.
class UnitCalendars : public office_scene {
protected:
  void SetUp() override {
    office_scene::SetUp();
    scope.unit_id = unit_id(1);
    calendar = add("Airbnb", "host-one");
  }

  domain::uuid add(const char* name, const char* host) {
    office_calendar created;
    created.id = fresh_id();
    created.name = name;
    created.host = host;
    created.url = "https://host.example/calendar.ics";
    const auto outcome = store::create_calendar(session(), node_->lease, scope, {created, {}, {}}, author());
    EXPECT_EQ(outcome.result, office_result::created);
    return created.id;
  }

  domain::uuid upload(const char* text) {
    office_calendar created;
    created.id = fresh_id();
    created.name = "Upload";
    created.upload = text;
    const auto outcome = store::create_calendar(session(), node_->lease, scope, {created, {}, {}}, author());
    EXPECT_EQ(outcome.result, office_result::created);
    return created.id;
  }

  calendar_reading reading(calendar_result result, std::vector<nights> events = {}) {
    calendar_reading read;
    read.id = calendar;
    read.unit_id = unit_id(1);
    read.account_id = account_id(1);
    read.result = result;
    read.events = std::move(events);
    read.problem = "the server responded with 500";
    read.now = moment("2026-11-22T09:00:00.000Z");
    read.today = day("2026-11-22");
    read.next_fetch = moment("2026-11-22T09:05:00.000Z");
    return read;
  }

  /// Of the calendar's current settings.
  calendar_reading reading_of_now(calendar_result result) {
    auto read = reading(result);
    read.revision = store::find_calendar_to_read(session(), calendar).value().revision;
    return read;
  }

  store::calendar_reading_outcome store(const calendar_reading& read) {
    const store::calendar_notices notices{[this](const store::calendar_conflict& each) {
                                            reported.push_back(domain::to_string(each.nights.first));
                                            return notice(each.account_id, "calendar_conflict");
                                          },
                                          [this](const store::failing_calendar& each) {
                                            reported.push_back(each.problem);
                                            return notice(each.account_id, "calendar_failing");
                                          }};
    return store::store_reading(session(), node_->lease, read, notices);
  }

  store::calendar_reading_outcome store_version(std::vector<nights> events) {
    return store(reading(calendar_result::version, std::move(events)));
  }

  static domain::notification notice(const domain::uuid& account, const char* kind) {
    domain::notification made;
    made.id = fresh_id();
    made.account_id = account;
    made.kind = kind;
    made.title = made.body = "t";
    made.created_at = moment("2026-11-22T09:00:00.000Z");
    return made;
  }

  std::vector<std::string> blocked() {
    std::vector<std::string> texts;
    for (const auto& each : blocks()) {
      EXPECT_EQ(each.block.source, domain::block_source::channel);
      texts.push_back(domain::to_string(each.block.nights.first) + " " +
                      domain::to_string(each.block.nights.last));
    }
    return texts;
  }

  office_result change(const std::function<void(office_calendar&)>& apply) {
    const store::office_change<office_calendar> change{calendar, [](const auto&) { return true; },
                                                       [&](office_calendar& each) {
                                                         apply(each);
                                                         return store::office_edit{{}, {{"name", "1", "2"}}};
                                                       }};
    return store::change_calendar(session(), node_->lease, scope, change, author()).result;
  }

  std::size_t due_at(const char* time) { return store::due_calendars(session(), moment(time), 10).size(); }

  void cancel(const domain::uuid& booking) { ASSERT_TRUE(cancel_stay(session(), booking)); }

  office_calendar stored() { return store::find_calendar(session(), scope, calendar).value(); }

  domain::uuid calendar{};
  std::vector<std::string> reported;
};
ROOST_ON_EACH_STORE(UnitCalendars);

TEST_P(UnitCalendars, BlockTheNightsOfTheirEvents) {
  const auto before = store::newest_point(session());
  const auto outcome = store_version({stay("2027-03-01", "2027-03-05"), stay("2027-04-01", "2027-04-02")});
  EXPECT_TRUE(outcome.is_changed);
  EXPECT_GT(outcome.point.position, before.position);
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-05", "2027-04-01 2027-04-02"));
  EXPECT_EQ(blocks()[0].block.host.view(), "host-one");
  EXPECT_EQ(blocks()[0].calendar_id, calendar);

  const auto kept = blocks()[1].block.id;
  store_version({stay("2027-03-02", "2027-03-05"), stay("2027-04-01", "2027-04-02")});
  EXPECT_THAT(blocked(), ElementsAre("2027-03-02 2027-03-05", "2027-04-01 2027-04-02"));
  EXPECT_EQ(blocks()[1].block.id, kept);
  EXPECT_FALSE(
      store_version({stay("2027-03-02", "2027-03-05"), stay("2027-04-01", "2027-04-02")}).is_changed);
}

TEST_P(UnitCalendars, BlockOnlyNightsThatNoBookingHas) {
  const auto booking = book("2027-03-03", "2027-03-06");
  store_version({stay("2027-03-01", "2027-03-31")});
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-02", "2027-03-06 2027-03-31"));
  EXPECT_THAT(reported, ElementsAre("2027-03-01")) << "the conflict, once";
  store_version({stay("2027-03-01", "2027-03-31")});
  EXPECT_THAT(reported, SizeIs(1));

  // The nights that become free are blocked in the same transaction: another platform has sold them.
  cancel(booking);
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-31"));
}

TEST_P(UnitCalendars, ReportTheNightsOfAConflictOnce) {
  book("2027-03-03", "2027-03-06");
  store_version({stay("2027-03-01", "2027-03-31")});
  store_version({stay("2027-03-02", "2027-04-30")});
  EXPECT_THAT(reported, ElementsAre("2027-03-01")) << "an event that becomes longer is the same conflict";
  store_version({stay("2027-03-04", "2027-04-30")});
  EXPECT_THAT(reported, SizeIs(1));
  store_version({stay("2027-03-03", "2027-04-30")});
  EXPECT_THAT(reported, ElementsAre("2027-03-01", "2027-03-03")) << "of a night that it had not had";
}

TEST_P(UnitCalendars, BlockTheNightsThatTheOfficeFrees) {
  const auto booking = book("2027-03-03", "2027-03-06");
  store_version({stay("2027-03-01", "2027-03-31")});
  const auto describe = [](const auto*, const auto&) { return std::vector<domain::field_change>{}; };
  const auto notice_of = [](const auto*, const store::booking_record& after, auto) {
    return notice(after.booking.account_id, "booking_changed");
  };
  const auto any = [](const store::booking_record&) { return true; };
  store::booking_change change{booking, any};
  change.check_in = day("2027-03-04");
  change.expected = store::unit_nights{unit_id(1), stay("2027-03-04", "2027-03-05")};
  change.describe = describe;
  change.notice = notice_of;
  const auto changed = store::change_booking(session(), node_->lease, {account_id(1), {}}, change, author());
  ASSERT_EQ(changed.result, office_result::changed) << changed.problem;
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-03", "2027-03-06 2027-03-31"));
  EXPECT_EQ(store::entries_after(session(), changed.point.position - 2, 1).at(0).change.units,
            std::vector{unit_id(1)});

  change.check_in.reset();
  change.unit_id = change.expected->unit_id = unit_id(2);
  change.entry_id = fresh_id();
  ASSERT_EQ(store::change_booking(session(), node_->lease, {account_id(1), {}}, change, author()).result,
            office_result::changed);
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-31"));

  const auto other = book("2027-04-03", "2027-04-06");
  store_version({stay("2027-04-01", "2027-04-30")});
  const store::booking_cancellation cancellation{other, any, "Fire", describe, notice_of};
  ASSERT_EQ(
      store::cancel_booking(session(), node_->lease, {account_id(1), {}}, cancellation, author()).result,
      office_result::changed);
  EXPECT_THAT(blocked(), ElementsAre("2027-04-01 2027-04-30"));
}

TEST_P(UnitCalendars, CannotBeBookedOver) {
  store_version({stay("2027-03-01", "2027-03-31")});
  EXPECT_THROW(book("2027-03-10", "2027-03-12"), store::constraint_violated);
}

TEST_P(UnitCalendars, FreeNothingWhenTheyFail) {
  store_version({stay("2027-03-01", "2027-03-05")});
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(store(reading(calendar_result::failed)).is_changed);
  EXPECT_THAT(blocked(), SizeIs(1));
  EXPECT_EQ(stored().failures, 5);
  EXPECT_EQ(stored().problem, "the server responded with 500");
  EXPECT_THAT(reported, ElementsAre("the server responded with 500")) << "after the third failure, once";
  store(reading(calendar_result::same));
  EXPECT_EQ(stored().failures, 0);
  EXPECT_EQ(stored().problem, "");
  EXPECT_THAT(blocked(), SizeIs(1));
}

TEST_P(UnitCalendars, AreNotEmptiedUnlessTheOfficeAcceptsIt) {
  store_version({stay("2027-03-01", "2027-03-05")});
  store_version({});
  EXPECT_TRUE(stored().has_vanished);
  EXPECT_EQ(stored().failures, 1);
  EXPECT_THAT(blocked(), SizeIs(1));
  auto accepted = reading(calendar_result::version);
  accepted.accepts_empty = true;
  EXPECT_TRUE(store(accepted).is_changed);
  EXPECT_FALSE(stored().has_vanished);
  EXPECT_THAT(blocked(), IsEmpty());
}

TEST_P(UnitCalendars, LeaveATraceOfAUserWhoAcceptsAnEmptyVersion) {
  store_version({stay("2027-03-01", "2027-03-05")});
  auto accepted = reading(calendar_result::version);
  accepted.accepts_empty = true;
  accepted.audit = author().audit;
  accepted.audit->action = "empty calendar acceptance";
  const auto id = accepted.audit->id;
  store(accepted);
  EXPECT_EQ(count_rows(session(), "audit where action = 'empty calendar acceptance' and id = '" +
                                      domain::to_string(id) + "'"),
            1);
}

TEST_P(UnitCalendars, AreReadAgainAfterAChangeThatWasMadeMeanwhile) {
  const auto read = reading(calendar_result::version, {stay("2027-03-01", "2027-03-05")});
  ASSERT_EQ(change([](auto& each) { each.url = "https://other.example/calendar.ics"; }),
            office_result::changed);
  EXPECT_TRUE(store(read).is_outdated);
  EXPECT_THAT(blocked(), IsEmpty()) << "the other address was never read";
  const auto due = store::due_calendars(session(), moment("2026-11-22T09:00:00.000Z"), 10);
  ASSERT_THAT(due, SizeIs(1));
  EXPECT_EQ(due[0].url, "https://other.example/calendar.ics");
  EXPECT_EQ(due[0].revision, 1);
}

TEST_P(UnitCalendars, StartWithoutTheFailuresOfAFormerAddress) {
  for (int i = 0; i < 5; ++i) store(reading(calendar_result::failed));
  ASSERT_EQ(change([](auto& each) { each.every_seconds = 60; }), office_result::changed);
  EXPECT_EQ(stored().failures, 5) << "of the same address";
  ASSERT_EQ(change([](auto& each) { each.url = "https://other.example/calendar.ics"; }),
            office_result::changed);
  EXPECT_EQ(stored().failures, 0);
  EXPECT_EQ(stored().problem, "");
  reported.clear();
  for (int i = 0; i < 3; ++i) store(reading_of_now(calendar_result::failed));
  EXPECT_THAT(reported, SizeIs(1)) << "the landlord hears of the new address, too";
}

TEST_P(UnitCalendars, AreDueWithAnotherIntervalUnlessTheyAreUploaded) {
  constexpr auto* time = "2026-11-22T09:01:00.000Z"; // before the next fetch
  store_version({stay("2027-03-01", "2027-03-05")});
  ASSERT_EQ(due_at(time), 0U);
  ASSERT_EQ(change([](auto& each) { each.name = "Renamed"; }), office_result::changed);
  EXPECT_EQ(due_at(time), 0U);
  ASSERT_EQ(change([](auto& each) { each.every_seconds = 60; }), office_result::changed);
  EXPECT_EQ(due_at(time), 1U);
  store(reading_of_now(calendar_result::same));
  ASSERT_EQ(due_at(time), 0U);

  calendar = upload("VCALENDAR");
  auto read = reading(calendar_result::version, {stay("2027-04-01", "2027-04-05")});
  read.next_fetch.reset();
  store(read);
  ASSERT_EQ(due_at("2027-11-22T09:00:00.000Z"), 1U) << "the other one";
  ASSERT_EQ(change([](auto& each) { each.every_seconds = 60; }), office_result::changed);
  EXPECT_EQ(due_at("2027-11-22T09:00:00.000Z"), 1U) << "there is no text to read";
  ASSERT_EQ(change([](auto& each) { each.upload = "VCALENDAR"; }), office_result::changed);
  EXPECT_EQ(due_at("2027-11-22T09:00:00.000Z"), 2U);
}

TEST_P(UnitCalendars, ThatAreUploadedGiveTheirBlocksAnotherHost) {
  calendar = upload("VCALENDAR");
  store_version({stay("2027-03-01", "2027-03-05")});
  ASSERT_EQ(blocks().at(0).block.host.view(), "");
  ASSERT_EQ(change([](auto& each) { each.host = "host-two"; }), office_result::changed);
  EXPECT_EQ(blocks().at(0).block.host.view(), "host-two");
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-05")) << "its events stay";
}

TEST_P(UnitCalendars, SeeBookingsThatReachIntoTheirFirstEvent) {
  book("2027-01-01", "2027-03-01"); // the last night is the one before
  book("2027-03-01", "2027-03-02");
  store_version({stay("2027-03-01", "2027-03-05"), stay("2027-05-01", "2027-05-02")});
  EXPECT_THAT(blocked(), ElementsAre("2027-03-02 2027-03-05", "2027-05-01 2027-05-02"));
}

TEST_P(UnitCalendars, ReportOnlyTheAccountsAndUnitsWhoseBlocksChange) {
  const auto booking = book("2027-03-03", "2027-03-06");
  store_version({stay("2027-03-01", "2027-03-31")});
  auto request = sample_request(900);
  node_->insert({request});
  auto decision = accept(request, unit_id(4)); // of the other account, without a calendar
  for (auto* account : {&decision.booking->account_id, &decision.new_tenant->account_id,
                        &decision.notifications[0].account_id})
    *account = account_id(2);
  node_->decide({decision});
  const auto before = store::newest_point(session());
  const std::vector bookings{booking, decision.booking->id};
  cancel_stays(session(), bookings);
  const auto entries = store::entries_after(session(), before.position, 10);
  ASSERT_THAT(entries, SizeIs(2));
  EXPECT_EQ(entries[0].change.kind, store::change_kind::unit);
  EXPECT_THAT(entries[0].change.accounts, ElementsAre(account_id(1)));
  EXPECT_THAT(entries[0].change.units, ElementsAre(unit_id(1)));
  EXPECT_EQ(entries[1].change.kind, store::change_kind::calendar);
  EXPECT_THAT(entries[1].change.accounts, UnorderedElementsAre(account_id(1), account_id(2)));
  EXPECT_THAT(entries[1].change.subjects, UnorderedElementsAreArray(bookings));
}

TEST_P(UnitCalendars, KeepTheirUnitWhenAFileOmitsIt) {
  store_version({stay("2027-03-01", "2027-03-05")});
  auto& units = file_.accounts[0].properties[0].units;
  units.erase(units.begin());
  import();
  EXPECT_EQ(stored().events, 1) << "the unit is archived";
}

TEST_P(UnitCalendars, BlockWhatABookingFreedWhileTheyWereCreated) {
  const auto booking = book("2027-03-03", "2027-03-06");
  store_version({stay("2027-03-01", "2027-03-31")});
  session().internals().script(
      "cancel", "update bookings set status = 'cancelled', cancelled_at = '2026-11-22T09:00:00Z',"
                " cancelled_by = 'landlord' where id = '" +
                    domain::to_string(booking) + "'");
  EXPECT_TRUE(store(reading(calendar_result::same)).is_changed);
  EXPECT_THAT(blocked(), ElementsAre("2027-03-01 2027-03-31"));
}

TEST_P(UnitCalendars, MayBecomeEmptyOnceAllTheirNightsAreOver) {
  store_version({stay("2026-10-01", "2026-10-05")});
  store_version({});
  EXPECT_FALSE(stored().has_vanished);
  EXPECT_EQ(stored().events, 0);
}

TEST_P(UnitCalendars, ReportNightsThatAnotherHostClaims) {
  store_version({stay("2027-03-01", "2027-03-05")});
  const auto first = std::exchange(calendar, add("Booking", "host-two"));
  store_version({stay("2027-03-05", "2027-03-07"), stay("2027-05-01", "2027-05-02")});
  EXPECT_THAT(reported, ElementsAre("2027-03-05"));
  EXPECT_THAT(blocked(), SizeIs(3)) << "both block";
  store::delete_calendar(session(), node_->lease, scope, {first, [](const auto&) { return true; }}, author());
  EXPECT_THAT(blocked(), ElementsAre("2027-03-05 2027-03-07", "2027-05-01 2027-05-02"));
}

TEST_P(UnitCalendars, WithoutAHostComeFromDifferentPlaces) {
  calendar = add("One", "");
  store_version({stay("2027-03-01", "2027-03-05")});
  calendar = add("Two", "");
  store_version({stay("2027-03-05", "2027-03-07")});
  EXPECT_THAT(reported, ElementsAre("2027-03-05"));
}

TEST_P(UnitCalendars, AreDueAfterTheirTime) {
  EXPECT_THAT(store::due_calendars(session(), moment("2026-11-22T09:00:00.000Z"), 10), SizeIs(1));
  store_version({});
  EXPECT_THAT(store::due_calendars(session(), moment("2026-11-22T09:04:00.000Z"), 10), IsEmpty());
  const auto due = store::due_calendars(session(), moment("2026-11-22T09:05:00.000Z"), 10);
  ASSERT_THAT(due, SizeIs(1));
  EXPECT_EQ(due[0].url, "https://host.example/calendar.ics");
  EXPECT_EQ(due[0].account_id, account_id(1));
}

TEST_P(UnitCalendars, AreNoBlocksOfTheOfficeOrOfFiles) {
  store_version({stay("2027-03-01", "2027-03-05")});
  const auto block = blocks()[0];
  EXPECT_EQ(erase(block.block.id).result, office_result::conflicting);
  EXPECT_EQ(move(block.block.id, "2027-03-02", "2027-03-05").result, office_result::conflicting);
  import(); // a file without it
  EXPECT_THAT(blocked(), SizeIs(1));
}

TEST_P(UnitCalendars, HaveAMaximum) {
  for (std::size_t count = 1; count < domain::max_imported_calendars; ++count)
    add(("C" + std::to_string(count)).c_str(), "");
  office_calendar further;
  further.id = fresh_id();
  further.name = "Further";
  further.url = "https://host.example/";
  EXPECT_EQ(store::create_calendar(session(), node_->lease, scope, {further, {}, {}}, author()).result,
            office_result::conflicting);
}

} // namespace roost::testing::unit_calendars_test
