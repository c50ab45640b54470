#pragma once

#include "domain/account.hpp"
#include "domain/date.hpp"
#include "domain/unit.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roost::domain {

/// A room of a property that the booking engine creates, or the whole (Partner API, Property creation).
struct room_request {
  std::string id; ///< the engine's; may be empty for a whole property
  bool whole_property = false;
  std::optional<std::string> internal_name; ///< nullopt: derived from the property's
  std::optional<std::string> number;        ///< shown in its label
  money rent;
  bool rent_fixed = false;
  int min_stay_months = 0, max_stay_months = 0; ///< 0: no limit
  int capacity = 1;
  money extra_price_per_tenant;
};

/// A property that the booking engine creates, with the common terms of its units.
struct property_request {
  std::string id; ///< the engine's: the first part of each unit's external ID
  std::string address;
  std::string floor;
  std::optional<std::string> internal_name; ///< nullopt: the address
  domain::part_month part_month = domain::part_month::daily;
  bool only_deposit_at_move_in = false; ///< otherwise the last rent is due as well
  money security_deposit, admin_fee, cleaning_fee;
  bool bills_included = false;
  std::optional<money> bills_max;
  std::vector<room_request> rooms;
};

/// Returns the engine's ID of the unit: `<property id>_<room id>`, or `<property id>` for a whole property.
std::string external_id_of(const property_request& request, const room_request& room);

/// Returns the room's name, or one made of the property's name and the room's label.
std::string internal_name_of(const property_request& request, const room_request& room);

/// Reasons for not creating a room (Partner API, Errors: property creation).
enum class room_problem {
  rent_not_fixed,
  stay_limits_reversed,
  id_taken,   ///< another unit of the account has its external ID
  name_taken, ///< another unit of the account has its name
};

struct room_refusal {
  std::size_t room = 0; ///< its index in the request
  room_problem reason{};
};

struct created_unit {
  unit terms;
  std::string external_id;
};

/// The outcome of a property request.
struct created_property {
  /// The new property, or the one that the platform created earlier under the same id.
  std::optional<domain::property> property;
  std::vector<created_unit> units;     ///< all units, or those before the refused room
  std::optional<room_refusal> refused; ///< the units before it stay, and the account is notified
};

/// Names and IDs that the account's units already use.
struct taken_values {
  std::set<std::string> names;        ///< internal names
  std::set<std::string> external_ids; ///< on the requesting platform
};

/// Returns the first room, in the request's order, that cannot be created.
std::optional<room_refusal> first_refused(const property_request& request, taken_values taken);

/// Returns the property's record: a traditional rental whose first rent is due at confirmation.
property make_property(const property_request& request, const account& owner, const uuid& id, timestamp now);

/// Returns a unit's record.
unit make_unit(const property_request& request, const room_request& room, const property& property,
               const uuid& id, timestamp now);

/// A current occupant of a property (Partner API, Housemates).
struct housemate {
  std::string first_name;
  std::optional<std::string> last_name, nationality;
  date move_in{}, move_out{};
};

} // namespace roost::domain
