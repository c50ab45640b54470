#pragma once

#include "domain/booking.hpp"
#include "store/office/history.hpp"
#include "store/office/office.hpp"
#include "store/stays/moment_place.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// The booking requests of a landlord, with their outcomes.
namespace roost::store {

struct office_request {
  domain::booking_request request;
  domain::request_state state{};
  std::optional<std::string> reason; ///< of a refusal: domain::refusal as text
  std::optional<domain::timestamp> decided_at;
  std::optional<domain::uuid> booking_id; ///< of a success
  std::optional<domain::uuid> unit_id;    ///< the requested unit, if it is known
  std::optional<std::string> unit_name;   ///< its name, if it still exists
};

/// What the configuration says about the platforms of an account: which units a request that is not decided
/// yet can be for.
struct platforms_of_account {
  std::vector<std::string> own;         ///< single-landlord platforms of the account: they read all units
  std::vector<std::string> by_property; ///< an ID also matches a link of its part before `_`
};

struct office_request_filter {
  std::optional<domain::request_state> state;
  std::optional<std::string> platform;
  std::optional<domain::timestamp> since; ///< received at this time or later
};

/// Returns the requests of an account, newest first: those after a place, at most `limit`. A decided request
/// belongs to the landlord that the decision named. A New one is for each account with a unit that it can be
/// for. Users with an owner see those whose unit is one of that owner's.
office_page<office_request> list_office_requests(session& db, const office_scope& scope,
                                                 const platforms_of_account& platforms,
                                                 const office_request_filter& filter,
                                                 const std::optional<moment_place>& after, std::size_t limit,
                                                 with_total counted);

} // namespace roost::store
