#include "domain/property_request.hpp"

#include "domain/listing_edit.hpp"

namespace roost::domain {

namespace {

constexpr const char* contract_type = "Traditional rental";

std::string name_of(const property_request& wanted) { return wanted.internal_name.value_or(wanted.address); }

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

payment_terms payment_terms_of(const property_request& wanted, const account& owner) {
  payment_terms terms;
  terms.confirmation = {due_item::first_rent};
  terms.check_in = {due_item::deposit};
  if (!wanted.only_deposit_at_move_in) terms.check_in.push_back(due_item::last_rent);
  terms.monthly_due_day = owner.payment_terms.monthly_due_day;
  return terms;
}

} // namespace

std::string external_id_of(const property_request& wanted, const room_request& room) {
  return room.whole_property ? wanted.id : wanted.id + '_' + room.id;
}

std::string internal_name_of(const property_request& wanted, const room_request& room) {
  if (room.internal_name) return *room.internal_name;
  return room.whole_property ? name_of(wanted) : name_of(wanted) + ' ' + label_of(room);
}

std::optional<room_refusal> first_refused(const property_request& wanted, taken_values taken) {
  for (std::size_t i = 0; i < wanted.rooms.size(); ++i) {
    const auto& room = wanted.rooms[i];
    if (const auto why = problem_of(room)) return room_refusal{i, *why};
    if (!taken.external_ids.insert(external_id_of(wanted, room)).second)
      return room_refusal{i, room_problem::id_taken};
    if (!taken.names.insert(internal_name_of(wanted, room)).second)
      return room_refusal{i, room_problem::name_taken};
  }
  return std::nullopt;
}

property make_property(const property_request& wanted, const account& owner, const uuid& id, timestamp now) {
  property made;
  made.id = id;
  made.account_id = owner.id;
  made.internal_name = name_of(wanted);
  made.address.street = wanted.address;
  made.address.floor = wanted.floor;
  made.cleaning_fee.enabled = wanted.cleaning_fee > money{0};
  made.cleaning_fee.value = wanted.cleaning_fee;
  made.contract_type = contract_type;
  made.payment_terms = payment_terms_of(wanted, owner);
  made.part_month = wanted.part_month;
  made.created_at = made.updated_at = now;
  return made;
}

unit make_unit(const property_request& wanted, const room_request& room, const property& of, const uuid& id,
               timestamp now) {
  unit made;
  made.id = id;
  made.property_id = of.id;
  made.account_id = of.account_id;
  made.internal_name = internal_name_of(wanted, room);
  made.kind = room.whole_property ? unit_kind::property : unit_kind::room;
  made.room_label = label_of(room);
  made.capacity = room.capacity;
  made.rent.amount = room.rent;
  made.min_stay_months = limit_of(room.min_stay_months);
  made.max_stay_months = limit_of(room.max_stay_months);
  made.extra_price_per_tenant = room.extra_price_per_tenant;
  made.bills = {wanted.bills_included, wanted.bills_max};
  made.admin_fee.enabled = wanted.admin_fee > money{0};
  made.admin_fee.value = wanted.admin_fee;
  made.deposit.value = wanted.security_deposit.cents;
  made.created_at = made.updated_at = now;
  return made;
}

} // namespace roost::domain
