#pragma once

#include "domain/account.hpp"
#include "domain/date.hpp"
#include "domain/unit.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// One room of a property that the booking engine creates, or the property as a whole (Partner API,
/// Property creation).
struct room_request {
  std::string id; ///< the engine's; empty where a whole property brings none
  bool whole_property = false;
  std::optional<std::string> internal_name; ///< none: made of the property's
  std::optional<std::string> number;        ///< as its label shows it
  money rent;
  bool rent_fixed = false;
  int min_stay_months = 0, max_stay_months = 0; ///< 0: no limit
  int capacity = 1;
  money extra_price_per_tenant;
};

/// A property that the booking engine creates, with what its units have in common.
struct property_request {
  std::string id; ///< the engine's: the first part of each unit's external ID
  std::string address;
  std::string floor;
  std::optional<std::string> internal_name; ///< none: the address
  domain::part_month part_month = domain::part_month::daily;
  bool only_deposit_at_move_in = false; ///< else the last rent too
  money security_deposit, admin_fee, cleaning_fee;
  bool bills_included = false;
  std::optional<money> bills_max;
  std::vector<room_request> rooms;
};

/// What the engine calls the unit: `<property id>_<room id>`, or `<property id>` for a whole property.
std::string external_id_of(const property_request& wanted, const room_request& room);

/// The name that the room was given, or one made of the property's and the room's label.
std::string internal_name_of(const property_request& wanted, const room_request& room);

/// Why a room is not created (Partner API, Errors: property creation).
enum class room_problem {
  rent_not_fixed,
  stay_limits_reversed,
  id_taken,   ///< its external ID is linked in the account already
  name_taken, ///< by another unit of the account
};

struct room_refusal {
  std::size_t room = 0; ///< its index in the request
  room_problem why{};
};

struct created_unit {
  unit terms;
  std::string external_id;
};

/// What became of a request.
struct created_property {
  /// New, or the one that the platform created earlier under the same id.
  std::optional<domain::property> property;
  std::vector<created_unit> units;     ///< all of them, or those before the refused one
  std::optional<room_refusal> refused; ///< the units before it stay, and the account was told
};

/// What the account's units have already.
struct taken_values {
  std::set<std::string> names;        ///< internal ones
  std::set<std::string> external_ids; ///< on the platform that asks
};

/// The first room that cannot be created, in the request's order: the ones before it can.
std::optional<room_refusal> first_refused(const property_request& wanted, taken_values taken);

/// The property's record. What the request does not say takes defaults: contract type Traditional rental, and
/// the first rent confirms a booking.
property make_property(const property_request& wanted, const account& owner, const uuid& id, timestamp now);

/// A unit's record.
unit make_unit(const property_request& wanted, const room_request& room, const property& of, const uuid& id,
               timestamp now);

/// Somebody who lives in a property now (Partner API, Housemates).
struct housemate {
  std::string first_name;
  std::optional<std::string> last_name, nationality;
  date move_in{}, move_out{};
};

} // namespace roost::domain
