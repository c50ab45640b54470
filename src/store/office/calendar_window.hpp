#pragma once

#include "domain/booking.hpp"
#include "store/office/blocks.hpp"
#include "store/office/name_list.hpp"
#include "store/portfolio/held_nights.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// What takes the nights of units in a range of dates, as the office's calendar shows it.
namespace roost::store {

/// A booking that is not cancelled.
struct calendar_booking {
  domain::uuid id{}, unit_id{};
  std::optional<std::string> platform; ///< nullopt: made by hand, without a platform
  domain::booking_status status = domain::booking_status::confirmed;
  domain::date check_in{}, check_out{};
  domain::date last_night{}; ///< that is blocked: the unit is prepared after the stay
  int occupants = 1;
  std::string first_name;               ///< of the lead tenant
  std::optional<std::string> last_name; ///< of the lead tenant
};

/// An event of an imported calendar.
struct imported_event {
  domain::uuid calendar_id{}, unit_id{};
  std::string calendar_name;
  std::string host; ///< the short-term host that the calendar comes from, or empty
  domain::nights nights;
};

struct calendar_unit {
  domain::uuid id{}, property_id{};
  std::string name, property_name;
  bool archived = false;                    ///< it or its property is
  std::vector<calendar_booking> bookings{}; ///< by check-in
  std::vector<office_block> blocks{};       ///< by first night
  std::vector<imported_event> events{};     ///< by first night
  std::vector<held_nights> holds{};         ///< by first night
};

struct calendar_filter {
  domain::nights window;
  std::optional<domain::uuid> property_id;
  std::string text; ///< part of the unit's or its property's name, in any letter case; empty: any
};

name_place place_of(const calendar_unit& unit);

/// Returns units by name: those after a place, at most `limit`, with what takes any of the window's nights.
/// Archived units are among them only if they have a booking then.
office_page<calendar_unit> list_calendar(session& db, const office_scope& scope,
                                         const calendar_filter& filter,
                                         const std::optional<name_place>& after, std::size_t limit);

} // namespace roost::store
