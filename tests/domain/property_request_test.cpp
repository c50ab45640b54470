#include "domain/property_request.hpp"

#include <gtest/gtest.h>

/// Properties that the booking engine creates.
namespace roost::domain::property_request_test {
const timestamp now = *parse_timestamp("2026-11-20T09:30:00.000Z");
const uuid an_id = *parse_uuid("11111111-0000-4000-8000-000000000001");
const uuid another_id = *parse_uuid("11111111-0000-4000-8000-000000000002");

room_request room(std::string id) {
  room_request result;
  result.id = std::move(id);
  result.rent_fixed = true;
  result.rent = {650'00};
  return result;
}

room_request whole() {
  auto result = room("");
  result.whole_property = true;
  return result;
}

property_request request(std::vector<room_request> rooms = {}) {
  property_request details;
  details.id = "5120";
  details.address = "Calle Mayor 12";
  details.rooms = std::move(rooms);
  return details;
}

account landlord() {
  account owner;
  owner.id = another_id;
  owner.contract_type = "Seasonal rental";
  owner.payment_terms = {{due_item::deposit}, {due_item::first_rent}, 5};
  return owner;
}

property made_of(const property_request& details) { return make_property(details, landlord(), an_id, now); }
unit unit_of(const property_request& details) {
  return make_unit(details, details.rooms.at(0), made_of(details), another_id, now);
}

TEST(CreatedProperty, HasDefaultsForMissingFields) {
  const auto result = made_of(request());
  EXPECT_EQ(result.id, an_id);
  EXPECT_EQ(result.account_id, another_id);
  EXPECT_EQ(result.internal_name, "Calle Mayor 12");
  EXPECT_EQ(result.address.street, "Calle Mayor 12");
  EXPECT_EQ(result.address.floor, "");
  EXPECT_EQ(result.type, property_type::apartment);
  EXPECT_EQ(result.contract_type, "Traditional rental");
  EXPECT_EQ(result.part_month, part_month::daily);
  EXPECT_FALSE(result.cleaning_fee.enabled);
  EXPECT_EQ(result.created_at, now);
  EXPECT_EQ(result.updated_at, now);
}

TEST(CreatedProperty, IsConfirmedByTheFirstRentAndKeepsTheAccountsDueDay) {
  const auto due = made_of(request()).payment_terms.value();
  EXPECT_EQ(due.confirmation, std::vector{due_item::first_rent});
  EXPECT_EQ(due.monthly_due_day, 5);
}

TEST(CreatedProperty, RequiresTheLastRentAtMoveInUnlessOnlyTheDepositIsDue) {
  auto details = request();
  EXPECT_EQ(made_of(details).payment_terms->check_in, (std::vector{due_item::deposit, due_item::last_rent}));
  details.only_deposit_at_move_in = true;
  EXPECT_EQ(made_of(details).payment_terms->check_in, std::vector{due_item::deposit});
}

TEST(CreatedProperty, HasACleaningFeeAboveZero) {
  auto details = request();
  details.cleaning_fee = {45'00};
  details.internal_name = "Mayor";
  details.floor = "3";
  details.part_month = part_month::monthly;
  const auto result = made_of(details);
  EXPECT_TRUE(result.cleaning_fee.enabled);
  EXPECT_EQ(result.cleaning_fee.value, money{45'00});
  EXPECT_EQ(result.cleaning_fee.frequency, "monthly");
  EXPECT_EQ(result.internal_name, "Mayor");
  EXPECT_EQ(result.address.floor, "3");
  EXPECT_EQ(result.part_month, part_month::monthly);
}

TEST(CreatedUnit, HasDefaultsForMissingFields) {
  const auto result = unit_of(request({room("7")}));
  EXPECT_EQ(result.id, another_id);
  EXPECT_EQ(result.property_id, an_id);
  EXPECT_EQ(result.account_id, another_id);
  EXPECT_EQ(result.kind, unit_kind::room);
  EXPECT_EQ(result.room_label, "Room 1");
  EXPECT_EQ(result.internal_name, "Calle Mayor 12 Room 1");
  EXPECT_EQ(result.capacity, 1);
  EXPECT_TRUE(result.rent.fixed);
  EXPECT_EQ(result.rent.amount, money{650'00});
  EXPECT_EQ(result.min_stay_months, std::nullopt);
  EXPECT_EQ(result.max_stay_months, std::nullopt);
  EXPECT_FALSE(result.admin_fee.enabled);
  EXPECT_FALSE(result.bills.included);
  EXPECT_EQ(result.bills.max_value, std::nullopt);
  EXPECT_EQ(deposit_for_one(result), money{0});
  EXPECT_EQ(result.created_at, now);
}

TEST(CreatedUnit, TakesTheTermsOfItsProperty) {
  auto details = request({room("7")});
  details.security_deposit = {600'00};
  details.admin_fee = {150'00};
  details.bills_included = true;
  details.bills_max = money{0};
  details.rooms[0].number = "3";
  details.rooms[0].internal_name = "CM12";
  details.rooms[0].capacity = 2;
  details.rooms[0].min_stay_months = 1;
  details.rooms[0].max_stay_months = 11;
  details.rooms[0].extra_price_per_tenant = {50'00};
  const auto result = unit_of(details);
  EXPECT_EQ(deposit_for_one(result), money{600'00});
  EXPECT_TRUE(result.admin_fee.enabled);
  EXPECT_EQ(admin_fee_for(result, {}, date{days{30}}), money{150'00});
  EXPECT_TRUE(result.bills.included);
  EXPECT_EQ(result.bills.max_value, money{0}); // a real zero
  EXPECT_EQ(result.room_label, "Room 3");
  EXPECT_EQ(result.internal_name, "CM12");
  EXPECT_EQ(result.capacity, 2);
  EXPECT_EQ(result.min_stay_months, 1);
  EXPECT_EQ(result.max_stay_months, 11);
  EXPECT_EQ(result.extra_price_per_tenant, money{50'00});
}

TEST(CreatedUnit, HasTheEnginesIdsOfPropertyAndRoom) {
  const auto details = request({room("7"), whole()});
  EXPECT_EQ(external_id_of(details, details.rooms[0]), "5120_7");
  EXPECT_EQ(external_id_of(details, details.rooms[1]), "5120");
  EXPECT_EQ(internal_name_of(details, details.rooms[1]), "Calle Mayor 12");
  EXPECT_EQ(make_unit(details, details.rooms[1], made_of(details), another_id, now).kind,
            unit_kind::property);
  EXPECT_EQ(make_unit(details, details.rooms[1], made_of(details), another_id, now).room_label, "");
}

void expect_refused(const property_request& details, std::size_t at, room_problem problem,
                    taken_values taken = {}) {
  const auto refused = first_refused(details, std::move(taken));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->room, at);
  EXPECT_EQ(refused->reason, problem);
}

TEST(RoomRefusal, NamesTheFirstRoomThatCannotBeCreated) {
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

TEST(RoomRefusal, NamesARoomWhoseIdIsAlreadyLinked) {
  auto second = room("2");
  second.number = "2";
  expect_refused(request({room("1"), second}), 1, room_problem::id_taken, {{}, {"5120_2"}});
  expect_refused(request({room("1"), whole()}), 1, room_problem::id_taken, {{}, {"5120"}});
  expect_refused(request({room("1")}), 0, room_problem::id_taken, {{"Calle Mayor 12 Room 1"}, {"5120_1"}});
  auto same = room("1");
  same.number = "2";
  expect_refused(request({room("1"), same}), 1, room_problem::id_taken);
}

TEST(RoomRefusal, NamesARoomWhoseNameIsTaken) {
  expect_refused(request({room("1")}), 0, room_problem::name_taken, {{"Calle Mayor 12 Room 1"}, {}});
  expect_refused(request({room("1"), room("2")}), 1, room_problem::name_taken); // both of them Room 1
  auto second = room("2");
  second.internal_name = "CALLE MAYOR 12 ROOM 1"; // another name
  EXPECT_FALSE(first_refused(request({room("1"), second}), {}));
}

} // namespace roost::domain::property_request_test
