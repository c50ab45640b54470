#pragma once

#include "domain/account.hpp"
#include "store/office/office.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

/// What the store knows about the platforms of an account.
namespace roost::store {

/// How many requests of an account were decided in the last day and in the last week.
struct decided_requests {
  std::int64_t day = 0, week = 0;

  friend bool operator==(const decided_requests&, const decided_requests&) = default;
};

struct platform_activity {
  /// The last request with one of the platform's tokens, about any account, to the minute; nullopt: none.
  std::optional<domain::timestamp> last_use;
  decided_requests submissions, ///< bookings and refusals; repeated requests do not count
      refusals;
};

struct account_platforms {
  std::vector<domain::platform_card> cards; ///< by platform
  std::unordered_map<std::string, platform_activity> activity;
};

/// Returns the cards of the account, and the activity of the platforms that have any. A request counts from
/// its decision on; one of a unit that no landlord is known for belongs to no account. The cost grows with
/// the number of requests of the last week.
account_platforms read_platforms(session& db, const office_scope& scope, domain::timestamp now);

} // namespace roost::store
