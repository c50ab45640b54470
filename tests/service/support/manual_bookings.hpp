#pragma once

#include "domain/date.hpp"
#include "store/bookings/bookings.hpp"
#include "store/database/session.hpp"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roost::testing {

/// Where and when a guest stays.
struct stay_placement {
  unsigned unit = 0; ///< of portfolio_of()
  domain::date check_in{}, check_out{};
  auto operator<=>(const stay_placement&) const = default;
  domain::nights nights() const { return domain::stay_nights(check_in, check_out); }
};

std::string to_string(const stay_placement& placement);

/// Returns the members of a request for this place, without braces.
std::string json_of(const stay_placement& place);

/// Returns the text of a string in a JSON document; other values as they are.
std::string json_text_at(const std::string& document, const std::string& pointer);

/// Returns the place of the booking at this place of a document; nullopt if its unit has a higher number.
std::optional<stay_placement> place_in(const std::string& document, const std::string& at, unsigned units);

/// Returns the ids of the items of a page, with the items.
std::vector<std::pair<std::string, std::string>> items_in(const std::string& page);

inline constexpr auto office_bookings_path = "/api/bookings";

inline std::string path_of_booking(const std::string& id) {
  return std::string(office_bookings_path) + '/' + id;
}

/// What a client of the office knows about a booking that it has made.
struct manual_booking {
  std::string id, tag;
  std::string creation; ///< the body of its request
  stay_placement place;
  std::vector<stay_placement> targets; ///< of moves without an outcome
  bool may_be_cancelled = false;       ///< by a request without an outcome
  bool is_cancelled = false;
  unsigned version = 0; ///< the number of changes of this knowledge

  bool is_certain() const { return targets.empty() && !may_be_cancelled; }
};

/// Returns the request for a booking without a platform.
std::string creation_of(const std::string& id, const stay_placement& place, const std::string& address);

using booking_records = std::map<std::string, store::booking_record>; ///< by id

booking_records read_bookings(store::session& db);

/// Compares a booking with the store. Returns a description of a difference.
std::optional<std::string> difference_of(const manual_booking& known, const booking_records& stored);

} // namespace roost::testing
