#include "domain/property_request.hpp"

#include "domain/listing_edit.hpp"

namespace roost::domain {

namespace {

constexpr const char* contract_type = "Traditional rental";

std::string name_of(const property_request& request) {
  return request.internal_name.value_or(request.address);
}

std::string label_of(const room_request& room) {
  if (room.whole_property) return {};
  return "Room " + room.number.value_or("1");
}

std::optional<int> limit_of(int months) { return months > 0 ? std::optional{months} : std::nullopt; }

std::optional<room_problem> problem_of(const room_request& room) {
  if (!room.rent_fixed) return room_problem::rent_not_fixed;
  if (!are_stay_limits(room.min_stay_months, room.max_stay_months)) return room_problem::stay_limits_reversed;
  return std::nullopt;
}

payment_terms payment_terms_of(const property_request& request, const account& owner) {
  payment_terms terms; // the first rent at confirmation, the deposit at check-in
  if (!request.only_deposit_at_move_in) terms.check_in.push_back(due_item::last_rent);
  terms.monthly_due_day = owner.payment_terms.monthly_due_day;
  return terms;
}

} // namespace

std::string external_id_of(const property_request& request, const room_request& room) {
  return room.whole_property ? request.id : request.id + '_' + room.id;
}

std::string internal_name_of(const property_request& request, const room_request& room) {
  if (room.internal_name) return *room.internal_name;
  return room.whole_property ? name_of(request) : name_of(request) + ' ' + label_of(room);
}

std::optional<room_refusal> first_refused(const property_request& request, taken_values taken) {
  for (std::size_t i = 0; i < request.rooms.size(); ++i) {
    const auto& room = request.rooms[i];
    if (const auto problem = problem_of(room)) return room_refusal{i, *problem};
    if (!taken.external_ids.insert(external_id_of(request, room)).second)
      return room_refusal{i, room_problem::id_taken};
    if (!taken.names.insert(internal_name_of(request, room)).second)
      return room_refusal{i, room_problem::name_taken};
  }
  return std::nullopt;
}

property make_property(const property_request& request, const account& owner, const uuid& id, timestamp now) {
  property result;
  result.id = id;
  result.account_id = owner.id;
  result.internal_name = name_of(request);
  result.address.street = request.address;
  result.address.floor = request.floor;
  result.cleaning_fee.enabled = request.cleaning_fee > money{0};
  result.cleaning_fee.value = request.cleaning_fee;
  result.contract_type = contract_type;
  result.payment_terms = payment_terms_of(request, owner);
  result.part_month = request.part_month;
  result.created_at = result.updated_at = now;
  return result;
}

unit make_unit(const property_request& request, const room_request& room, const property& property,
               const uuid& id, timestamp now) {
  unit result;
  result.id = id;
  result.property_id = property.id;
  result.account_id = property.account_id;
  result.internal_name = internal_name_of(request, room);
  result.kind = room.whole_property ? unit_kind::property : unit_kind::room;
  result.room_label = label_of(room);
  result.capacity = room.capacity;
  result.rent.amount = room.rent;
  result.min_stay_months = limit_of(room.min_stay_months);
  result.max_stay_months = limit_of(room.max_stay_months);
  result.extra_price_per_tenant = room.extra_price_per_tenant;
  result.bills = {request.bills_included, request.bills_max};
  result.admin_fee.enabled = request.admin_fee > money{0};
  result.admin_fee.value = request.admin_fee;
  result.deposit.value = request.security_deposit.cents;
  result.created_at = result.updated_at = now;
  return result;
}

} // namespace roost::domain
