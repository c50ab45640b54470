#include "actors/bookings/booking_decider.hpp"
#include "actors/support/booking_world.hpp"
#include "store/engine/property_creations.hpp"

#include <gtest/gtest.h>

/// Requests with an ID that no longer belongs to a unit, or belongs to a unit that is withheld.
namespace roost::testing::request_units_test {
using domain::request_state;

class RequestsForAFormerId : public booking_world {
protected:
  /// Replaces the links of the first unit.
  void link_first(const std::vector<domain::link>& links) {
    auto file = sample();
    file.accounts.front().properties.front().units.front().links = links;
    import(file);
    ASSERT_TRUE(
        eventually([&] { return followed->point().position == store::newest_point(session()).position; }));
  }

  std::optional<domain::uuid> former_account(const domain::booking_request& booking) {
    const auto current = directory.get();
    const auto resolved =
        actors::find_candidates(session(), *current, sample_platforms(), {{1, booking, {}, {}}});
    EXPECT_EQ(resolved.size(), 1U);
    return resolved.front().pending->former_account;
  }

  static domain::booking_request engine_request(const std::string& external_id) {
    auto booking = request(1, 1, "2027-02-01", "2027-05-01");
    booking.platform = "booking-engine";
    booking.external_id = external_id;
    return booking;
  }
};

ROOST_ON_EACH_STORE(RequestsForAFormerId);

TEST_P(RequestsForAFormerId, AreRefusedWithAMailToItsFormerLandlord) {
  link_first({{"marketplace-a", "other", {}}});
  const std::vector requests{request(1, 1, "2027-02-01", "2027-05-01")};
  enqueue(requests);
  decide(requests);
  EXPECT_EQ(state_of(requests[0]), request_state::failed);
  ASSERT_TRUE(eventually([&] { return mails->count() == 1; }));
  EXPECT_EQ(mails->sent[0].to, "user1@landlord.example");
  const auto record = store::find_request(session(), requests[0].id).value();
  EXPECT_EQ(record.reason, "unit_not_linked");
  EXPECT_EQ(record.company_name, "Landlord 1");
}

TEST_P(RequestsForAFormerId, HaveNoAccountIfNoUnitEverHadIt) {
  link_first({});
  EXPECT_FALSE(former_account(request(1, 999, "2027-02-01", "2027-05-01")));
  auto elsewhere = request(1, 1, "2027-02-01", "2027-05-01");
  elsewhere.platform = "room-sharing";
  EXPECT_FALSE(former_account(elsewhere));
  elsewhere.platform = "gone";
  EXPECT_FALSE(former_account(elsewhere));
}

TEST_P(RequestsForAFormerId, HaveNoFormerAccountWhileAUnitHasIt) {
  link_first({});
  link_first({{"marketplace-a", "u1", {}}});
  EXPECT_FALSE(former_account(request(1, 1, "2027-02-01", "2027-05-01")));
}

TEST_P(RequestsForAFormerId, FindTheFormerPropertyOfARoom) {
  link_first({{"booking-engine", "p1", {}}});
  link_first({});
  EXPECT_EQ(former_account(engine_request("p1")), numbered_id(1));
  EXPECT_EQ(former_account(engine_request("p1_r1")), numbered_id(1));
  EXPECT_FALSE(former_account(engine_request("p2_r1")));
}

/// The first landlord's whole property is p1 on the engine; a room of it is p1_r1.
class RequestsForARoom : public booking_world {
protected:
  static domain::booking_request room_request(unsigned number) {
    auto booking = request(number, 1, "2027-02-01", "2027-05-01");
    booking.platform = "booking-engine";
    booking.external_id = "p1_r1";
    return booking;
  }

  static domain::portfolio with_property() {
    auto file = sample();
    file.accounts[0].properties[0].units[0].links = {{"booking-engine", "p1", {}}};
    return file;
  }

  /// Returns the portfolio with a second landlord, who linked the room itself.
  static domain::portfolio with_room() {
    auto file = with_property();
    auto account = sample_account(2);
    auto unit = sample_unit(500);
    unit.links = {{"booking-engine", "p1_r1", {}}};
    add_unit(account, std::move(unit));
    file.accounts.push_back(std::move(account));
    return file;
  }

  void import_and_follow(const domain::portfolio& file) {
    import(file);
    ASSERT_TRUE(
        eventually([&] { return followed->point().position == store::newest_point(session()).position; }));
  }

  /// Adds the room to the first landlord, as the booking engine does.
  void create_room(const domain::uuid& unit_id) {
    auto db = store().open();
    store::property_creation creation;
    creation.platform = "booking-engine";
    creation.request.id = "p1";
    creation.request.address = "Rua 1";
    auto& room = creation.request.rooms.emplace_back();
    room.id = "r1";
    room.internal_name = "P1 r1";
    room.rent_fixed = true;
    room.rent = {650'00};
    auto owner = with_property().accounts[0].details;
    owner.payment_terms.monthly_due_day = 5;
    creation.owner = std::make_shared<const domain::account>(std::move(owner));
    creation.property_id = security::random_uuid();
    creation.unit_ids = {unit_id};
    creation.now = now();
    const auto outcome = store::create_properties(db, lease, std::span{&creation, 1}).front();
    ASSERT_EQ(outcome.created.units.size(), 1U);
    EXPECT_EQ(outcome.created.units[0].external_id, "p1_r1");
  }

  request_state decided_state(const domain::booking_request& booking) {
    enqueue({booking});
    decide({booking});
    return state_of(booking);
  }
};
ROOST_ON_EACH_STORE(RequestsForARoom);

TEST_P(RequestsForARoom, BookTheWholePropertyWhileTheRoomIsNotLinked) {
  import_and_follow(with_property());
  EXPECT_EQ(decided_state(room_request(1)), request_state::success);
  EXPECT_EQ(store::list_bookings(session(), {}, 1).at(0).booking.unit_id, numbered_id(0x10001));
}

TEST_P(RequestsForARoom, NeverBookTheWholePropertyWhileTheRoomIsWithheld) {
  auto file = with_room();
  file.accounts[1].properties[0].units[0].terms.archived = true;
  import_and_follow(file);
  EXPECT_EQ(decided_state(room_request(1)), request_state::failed);
  file.accounts[1].properties[0].units[0].terms.archived = false;
  file.accounts[1].properties[0].units[0].excluded_from = {"booking-engine"};
  import_and_follow(file);
  EXPECT_EQ(decided_state(room_request(2)), request_state::failed);
  for (const auto number : {1U, 2U}) {
    const auto record = store::find_request(session(), room_request(number).id).value();
    EXPECT_EQ(record.reason, "unit_not_linked");
    EXPECT_EQ(record.company_name, "Landlord 2"); // the room's
  }
  EXPECT_TRUE(store::list_bookings(session(), {}, 1).empty());
}

TEST_P(RequestsForARoom, NeverBookTheWholePropertyIfTheyArrivedWhileTheRoomWasLinked) {
  import_and_follow(with_room());
  enqueue({room_request(1)});
  auto file = with_room();
  file.accounts[1].properties.clear();
  import_and_follow(file);
  decide({room_request(1)});
  const auto record = store::find_request(session(), room_request(1).id).value();
  EXPECT_EQ(record.state, request_state::failed);
  EXPECT_EQ(record.reason, "unit_not_linked");
  EXPECT_EQ(record.company_name, "Landlord 2"); // the room's
  EXPECT_EQ(decided_state(room_request(2)), request_state::success) << "it arrived later";
}

TEST_P(RequestsForARoom, NeverBookTheWholePropertyHoweverLongAgoTheRoomWasLinked) {
  import_and_follow(with_room());
  enqueue({room_request(1)});
  auto file = with_room();
  file.accounts[1].properties.clear();
  import_and_follow(file);
  session().internals().script("test_passed",
                               "update former_links set ended_at = '2020-01-01T00:00:00.000Z'");
  decide({room_request(1)});
  const auto record = store::find_request(session(), room_request(1).id).value();
  EXPECT_EQ(record.reason, "unit_not_linked");
  EXPECT_FALSE(record.company_name) << "its last landlord gave it up too long ago to learn a guest's name";
}

TEST_P(RequestsForARoom, AreDecidedAgainIfTheRoomIsUnlinkedMeanwhile) {
  import_and_follow(with_room());
  auto file = with_room();
  file.accounts[1].properties[0].units[0].links.clear();
  when_deciding = [&] { import_elsewhere(file); };
  EXPECT_EQ(decided_state(room_request(1)), request_state::failed);
  EXPECT_TRUE(store::list_bookings(session(), {}, 1).empty());
}

TEST_P(RequestsForARoom, AreDecidedAgainIfTheEngineCreatesTheRoomMeanwhile) {
  import_and_follow(with_property());
  const auto room = security::random_uuid();
  when_deciding = [&] { create_room(room); };
  decided_state(room_request(1));
  EXPECT_FALSE(when_deciding) << "the room was created";
  for (const auto& each : store::list_bookings(session(), {}, 10)) EXPECT_EQ(each.booking.unit_id, room);
}

TEST_P(RequestsForARoom, AreDecidedAgainIfAnotherLandlordLinksTheRoomMeanwhile) {
  import_and_follow(with_property());
  auto file = with_room();
  file.accounts[1].properties[0].units[0].terms.archived = true;
  when_deciding = [&] { import_elsewhere(file); };
  EXPECT_EQ(decided_state(room_request(1)), request_state::failed);
  EXPECT_EQ(store::find_request(session(), room_request(1).id)->reason, "unit_not_linked");
  EXPECT_TRUE(store::list_bookings(session(), {}, 1).empty());
}

TEST_P(RequestsForARoom, BookTheWholePropertyIfTheEngineCreatesAnotherRoomMeanwhile) {
  import_and_follow(with_property());
  auto other_room = room_request(1);
  other_room.external_id = "p1_r2";
  when_deciding = [&] { create_room(security::random_uuid()); };
  EXPECT_EQ(decided_state(other_room), request_state::success);
  EXPECT_EQ(store::list_bookings(session(), {}, 1).at(0).booking.unit_id, numbered_id(0x10001));
}

TEST_P(RequestsForARoom, AreDroppedIfTheyRepeatABookingOfTheWholePropertyAfterTheRoomWasLinked) {
  import_and_follow(with_property());
  EXPECT_EQ(decided_state(room_request(1)), request_state::success);
  import_and_follow(with_room());
  auto repeated = room_request(2);
  repeated.reference = room_request(1).reference;
  EXPECT_EQ(decided_state(repeated), request_state::dropped);
  EXPECT_EQ(decided_state(room_request(3)), request_state::success);
}

} // namespace roost::testing::request_units_test
