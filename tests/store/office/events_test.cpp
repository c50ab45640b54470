#include "store/database/connection.hpp"
#include "store/office/events.hpp"
#include "store/office/office_scene.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace roost::testing::events_test {
using store::change_kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr auto no_limit = std::numeric_limits<std::int64_t>::max();

class OfficeEvents : public office_scene {
protected:
  /// Returns the events after the point, of all accounts.
  std::vector<store::office_event> events_since(const store::stream_point& point) {
    return store::events_after(session(), point, no_limit, 1'000).value().events;
  }
  store::stream_point newest() { return store::newest_point(session()); }

  std::vector<domain::uuid> seen_ids(const store::office_event& event) { return store::ids_in(event, scope); }
};
ROOST_ON_EACH_STORE(OfficeEvents);

TEST_P(OfficeEvents, NameABlockWithItsUnit) {
  const auto before = newest();
  const auto created = create("2027-03-01", "2027-03-10");
  const auto events = events_since(before);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].kind, change_kind::unit);
  EXPECT_EQ(events[0].position, created.point.position);
  EXPECT_EQ(events[0].account_id, account_id(1));
  EXPECT_THAT(seen_ids(events[0]), UnorderedElementsAre(unit_id(1), created.block.block.id));
}

TEST_P(OfficeEvents, NameABookingWithItsUnit) {
  const auto before = newest();
  const auto booking = book("2027-03-05", "2027-03-10");
  const auto events = events_since(before);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].kind, change_kind::calendar);
  EXPECT_THAT(seen_ids(events[0]), UnorderedElementsAre(booking, unit_id(1)));
}

TEST_P(OfficeEvents, NameTheAccountAfterAnImport) {
  const auto before = newest();
  file_.accounts[0].properties[0].units[0].terms.internal_name = "Another name";
  import();
  const auto events = events_since(before);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].kind, change_kind::account);
  EXPECT_THAT(seen_ids(events[0]), ElementsAre(account_id(1)));
}

TEST_P(OfficeEvents, OfAnotherAccountAreNotSeen) {
  const auto before = newest();
  create("2027-03-01", "2027-03-10");
  scope = {account_id(2), {}};
  const auto events = events_since(before);
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_THAT(seen_ids(events[0]), IsEmpty());
}

TEST_P(OfficeEvents, OfAnotherOwnersPropertyAreNotSeen) {
  const auto owner = fresh_id();
  file_.accounts[0].properties[0].details.owner_id = owner;
  import();
  const auto before = newest();
  create("2027-03-01", "2027-03-10");
  scope.owner_id = owner;
  EXPECT_THAT(seen_ids(events_since(before).at(0)), SizeIs(2));
  scope.owner_id = fresh_id();
  EXPECT_THAT(seen_ids(events_since(before).at(0)), IsEmpty());
}

TEST_P(OfficeEvents, OfATenantAreSeenByTheOwnersOfTheStays) {
  const auto owner = fresh_id(), tenant = fresh_id();
  file_.accounts[0].properties[0].details.owner_id = owner;
  file_.accounts[0].properties.push_back(file_.accounts[0].properties[0]);
  auto& second = file_.accounts[0].properties[1];
  second.details.id = property_id(9);
  second.details.internal_name = "Another house";
  second.details.owner_id = fresh_id();
  second.units.resize(1);
  second.units[0].terms.id = unit_id(9);
  second.units[0].terms.internal_name = "Another room";
  second.units[0].links.clear();
  import();
  const auto before = newest();
  store::record_change(session(), {change_kind::tenant, {account_id(1)}, {unit_id(1), unit_id(9)}, {tenant}});
  const auto event = events_since(before).at(0);
  EXPECT_EQ(event.kind, change_kind::tenant);
  EXPECT_THAT(seen_ids(event), UnorderedElementsAre(unit_id(1), unit_id(9), tenant)) << "each id once";
  scope.owner_id = owner;
  EXPECT_THAT(seen_ids(event), UnorderedElementsAre(unit_id(1), tenant));
  scope.owner_id = second.details.owner_id;
  EXPECT_THAT(seen_ids(event), UnorderedElementsAre(unit_id(9), tenant));
  scope.owner_id = fresh_id();
  EXPECT_THAT(seen_ids(event), IsEmpty());
}

TEST_P(OfficeEvents, NameAPaymentWithItsBookingAndUnit) {
  const auto before = newest();
  const auto payment = fresh_id(), booking = fresh_id();
  store::record_change(session(), {change_kind::payment, {account_id(1)}, {unit_id(1)}, {payment, booking}});
  const auto event = events_since(before).at(0);
  EXPECT_EQ(event.kind, change_kind::payment);
  EXPECT_THAT(seen_ids(event), UnorderedElementsAre(payment, booking, unit_id(1)));
}

TEST_P(OfficeEvents, OfAWholeAccountAreSeenByEveryOwner) {
  const auto before = newest();
  file_.accounts[0].properties[0].units[0].terms.internal_name = "Another name";
  import();
  scope.owner_id = fresh_id();
  EXPECT_THAT(seen_ids(events_since(before).at(0)), ElementsAre(account_id(1)));
}

TEST_P(OfficeEvents, OfSeveralAccountsAreSeparate) {
  const auto before = newest();
  const store::change both{change_kind::unit, {account_id(1), account_id(2)}, {unit_id(1), unit_id(3)}, {}};
  store::record_change(session(), both);
  const auto events = events_since(before);
  ASSERT_THAT(events, SizeIs(2));
  EXPECT_THAT(seen_ids(events[0]), ElementsAre(unit_id(1)));
  scope.account_id = account_id(2);
  EXPECT_THAT(seen_ids(events[1]), ElementsAre(unit_id(3)));
}

TEST_P(OfficeEvents, AreReadUpToAPositionAndANumber) {
  const auto before = newest();
  const auto first = create("2027-03-01", "2027-03-10").point;
  const auto second = create("2027-04-01", "2027-04-10").point;
  create("2027-05-01", "2027-05-10");
  const auto up_to_second = store::events_after(session(), before, second.position, 1'000).value();
  EXPECT_THAT(up_to_second.events, SizeIs(2));
  EXPECT_EQ(up_to_second.end, second);
  const auto one = store::events_after(session(), before, no_limit, 1).value();
  EXPECT_THAT(one.events, SizeIs(1));
  EXPECT_EQ(one.end, first);
  const auto none = store::events_after(session(), newest(), no_limit, 1'000).value();
  EXPECT_THAT(none.events, IsEmpty());
  EXPECT_EQ(none.end, newest());
}

TEST_P(OfficeEvents, DoNotContinueInAnotherHistory) {
  auto elsewhere = newest();
  elsewhere.id = fresh_id();
  EXPECT_EQ(store::events_after(session(), elsewhere, no_limit, 1'000), std::nullopt);
}

TEST_P(OfficeEvents, DoNotContinueAfterEntriesThatWereDeleted) {
  const auto before = newest();
  create("2027-03-01", "2027-03-10");
  session().internals().script("delete",
                               "delete from changes where position <= " + std::to_string(before.position));
  EXPECT_EQ(store::events_after(session(), before, no_limit, 1'000), std::nullopt);
}

TEST_P(OfficeEvents, LeaveOutSessionsAndKeys) {
  const auto before = newest();
  const auto point = store::record_change(session(), {change_kind::credentials, {account_id(1)}, {}, {}});
  const auto read = store::events_after(session(), before, no_limit, 1'000).value();
  EXPECT_THAT(read.events, IsEmpty());
  EXPECT_EQ(read.end, point);
}

} // namespace roost::testing::events_test
