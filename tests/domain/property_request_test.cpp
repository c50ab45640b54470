#include "domain/property_request.hpp"

#include <gtest/gtest.h>

/// What becomes of a property that the booking engine creates.
namespace roost::domain::property_request_test {
const timestamp now = *parse_timestamp("2026-11-20T09:30:00.000Z");
const uuid an_id = *parse_uuid("11111111-0000-4000-8000-000000000001");
const uuid another_id = *parse_uuid("11111111-0000-4000-8000-000000000002");

room_request room(std::string id) {
  room_request made;
  made.id = std::move(id);
  made.rent_fixed = true;
  made.rent = {650'00};
  return made;
}

room_request whole() {
  auto made = room("");
  made.whole_property = true;
  return made;
}

property_request request(std::vector<room_request> rooms = {}) {
  property_request wanted;
  wanted.id = "5120";
  wanted.address = "Calle Mayor 12";
  wanted.rooms = std::move(rooms);
  return wanted;
}

account landlord() {
  account owner;
  owner.id = another_id;
  owner.contract_type = "Seasonal rental";
  owner.payment_terms = {{due_item::deposit}, {due_item::first_rent}, 5};
  return owner;
}

property made_of(const property_request& wanted) { return make_property(wanted, landlord(), an_id, now); }
unit unit_of(const property_request& wanted) {
  return make_unit(wanted, wanted.rooms.at(0), made_of(wanted), another_id, now);
}

TEST(CreatedProperty, TakesDefaultsForWhatIsNotSaid) {
  const auto made = made_of(request());
  EXPECT_EQ(made.id, an_id);
  EXPECT_EQ(made.account_id, another_id);
  EXPECT_EQ(made.internal_name, "Calle Mayor 12");
  EXPECT_EQ(made.address.street, "Calle Mayor 12");
  EXPECT_EQ(made.address.floor, "");
  EXPECT_EQ(made.type, property_type::apartment);
  EXPECT_EQ(made.contract_type, "Traditional rental");
  EXPECT_EQ(made.part_month, part_month::daily);
  EXPECT_FALSE(made.cleaning_fee.enabled);
  EXPECT_EQ(made.created_at, now);
  EXPECT_EQ(made.updated_at, now);
}

TEST(CreatedProperty, IsConfirmedByTheFirstRentAndKeepsTheAccountsDueDay) {
  const auto due = made_of(request()).payment_terms.value();
  EXPECT_EQ(due.confirmation, std::vector{due_item::first_rent});
  EXPECT_EQ(due.monthly_due_day, 5);
}

TEST(CreatedProperty, WantsTheLastRentAtMoveInUnlessOnlyTheDepositIsDue) {
  auto wanted = request();
  EXPECT_EQ(made_of(wanted).payment_terms->check_in, (std::vector{due_item::deposit, due_item::last_rent}));
  wanted.only_deposit_at_move_in = true;
  EXPECT_EQ(made_of(wanted).payment_terms->check_in, std::vector{due_item::deposit});
}

TEST(CreatedProperty, HasACleaningFeeAboveZero) {
  auto wanted = request();
  wanted.cleaning_fee = {45'00};
  wanted.internal_name = "Mayor";
  wanted.floor = "3";
  wanted.part_month = part_month::monthly;
  const auto made = made_of(wanted);
  EXPECT_TRUE(made.cleaning_fee.enabled);
  EXPECT_EQ(made.cleaning_fee.value, money{45'00});
  EXPECT_EQ(made.cleaning_fee.frequency, "monthly");
  EXPECT_EQ(made.internal_name, "Mayor");
  EXPECT_EQ(made.address.floor, "3");
  EXPECT_EQ(made.part_month, part_month::monthly);
}

TEST(CreatedUnit, TakesDefaultsForWhatIsNotSaid) {
  const auto made = unit_of(request({room("7")}));
  EXPECT_EQ(made.id, another_id);
  EXPECT_EQ(made.property_id, an_id);
  EXPECT_EQ(made.account_id, another_id);
  EXPECT_EQ(made.kind, unit_kind::room);
  EXPECT_EQ(made.room_label, "Room 1");
  EXPECT_EQ(made.internal_name, "Calle Mayor 12 Room 1");
  EXPECT_EQ(made.capacity, 1);
  EXPECT_TRUE(made.rent.fixed);
  EXPECT_EQ(made.rent.amount, money{650'00});
  EXPECT_EQ(made.min_stay_months, std::nullopt);
  EXPECT_EQ(made.max_stay_months, std::nullopt);
  EXPECT_FALSE(made.admin_fee.enabled);
  EXPECT_FALSE(made.bills.included);
  EXPECT_EQ(made.bills.max_value, std::nullopt);
  EXPECT_EQ(deposit_for_one(made), money{0});
  EXPECT_EQ(made.created_at, now);
}

TEST(CreatedUnit, TakesWhatItsPropertySays) {
  auto wanted = request({room("7")});
  wanted.security_deposit = {600'00};
  wanted.admin_fee = {150'00};
  wanted.bills_included = true;
  wanted.bills_max = money{0};
  wanted.rooms[0].number = "3";
  wanted.rooms[0].internal_name = "CM12";
  wanted.rooms[0].capacity = 2;
  wanted.rooms[0].min_stay_months = 1;
  wanted.rooms[0].max_stay_months = 11;
  wanted.rooms[0].extra_price_per_tenant = {50'00};
  const auto made = unit_of(wanted);
  EXPECT_EQ(deposit_for_one(made), money{600'00});
  EXPECT_TRUE(made.admin_fee.enabled);
  EXPECT_EQ(admin_fee_for(made, {}, date{days{30}}), money{150'00});
  EXPECT_TRUE(made.bills.included);
  EXPECT_EQ(made.bills.max_value, money{0}); // a real zero
  EXPECT_EQ(made.room_label, "Room 3");
  EXPECT_EQ(made.internal_name, "CM12");
  EXPECT_EQ(made.capacity, 2);
  EXPECT_EQ(made.min_stay_months, 1);
  EXPECT_EQ(made.max_stay_months, 11);
  EXPECT_EQ(made.extra_price_per_tenant, money{50'00});
}

TEST(CreatedUnit, IsCalledByTheEngineAsItsPropertyAndItsRoom) {
  const auto wanted = request({room("7"), whole()});
  EXPECT_EQ(external_id_of(wanted, wanted.rooms[0]), "5120_7");
  EXPECT_EQ(external_id_of(wanted, wanted.rooms[1]), "5120");
  EXPECT_EQ(internal_name_of(wanted, wanted.rooms[1]), "Calle Mayor 12");
  EXPECT_EQ(make_unit(wanted, wanted.rooms[1], made_of(wanted), another_id, now).kind, unit_kind::property);
  EXPECT_EQ(make_unit(wanted, wanted.rooms[1], made_of(wanted), another_id, now).room_label, "");
}

void expect_refused(const property_request& wanted, std::size_t at, room_problem why,
                    taken_values taken = {}) {
  const auto refused = first_refused(wanted, std::move(taken));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->room, at);
  EXPECT_EQ(refused->why, why);
}

TEST(RoomRefusal, ComesForTheFirstRoomThatCannotBeCreated) {
  auto varying = room("2");
  varying.rent_fixed = false;
  varying.number = "2";
  auto reversed = room("3");
  reversed.min_stay_months = 12;
  reversed.max_stay_months = 11;
  EXPECT_FALSE(first_refused(request(), {}));
  EXPECT_FALSE(first_refused(request({room("1"), whole()}), {{"Another"}, {"5120_2"}}));
  expect_refused(request({room("1"), varying, reversed}), 1, room_problem::rent_not_fixed);
  expect_refused(request({reversed, varying}), 0, room_problem::stay_limits_reversed);
  reversed.max_stay_months = 0; // no maximum
  EXPECT_FALSE(first_refused(request({reversed}), {}));
}

TEST(RoomRefusal, ComesForAnIdThatIsLinkedAlready) {
  auto second = room("2");
  second.number = "2";
  expect_refused(request({room("1"), second}), 1, room_problem::id_taken, {{}, {"5120_2"}});
  expect_refused(request({room("1"), whole()}), 1, room_problem::id_taken, {{}, {"5120"}});
  expect_refused(request({room("1")}), 0, room_problem::id_taken, {{"Calle Mayor 12 Room 1"}, {"5120_1"}});
  auto same = room("1");
  same.number = "2";
  expect_refused(request({room("1"), same}), 1, room_problem::id_taken);
}

TEST(RoomRefusal, ComesForANameThatAnotherUnitHas) {
  expect_refused(request({room("1")}), 0, room_problem::name_taken, {{"Calle Mayor 12 Room 1"}, {}});
  expect_refused(request({room("1"), room("2")}), 1, room_problem::name_taken); // both of them Room 1
  auto second = room("2");
  second.internal_name = "CALLE MAYOR 12 ROOM 1"; // another name
  EXPECT_FALSE(first_refused(request({room("1"), second}), {}));
}

} // namespace roost::domain::property_request_test
