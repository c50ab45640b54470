#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Lists of accounts, properties and units for operators.
namespace roost::store {

struct account_overview {
  domain::uuid id{};
  std::string company_name, currency;
  std::int64_t users = 0, properties = 0;
  std::int64_t units = 0; ///< not archived
};

struct user_overview {
  std::string email, role;
  bool is_deactivated = false;
};

struct property_overview {
  domain::uuid id{}, account_id{};
  std::string name, type, city;
  bool is_archived = false;
  std::int64_t units = 0;
};

struct unit_overview {
  domain::uuid id{}, account_id{}, property_id{};
  std::string name, property_name, city, kind;
  bool is_archived = false;
  std::int64_t capacity = 0;
  std::optional<domain::money> fixed_rent; ///< per month
  /// The range of a rent that varies by month, over the months that have one.
  std::optional<domain::money> lowest_rent, highest_rent;
  std::string currency;
};

/// A unit's link to a platform.
struct link_overview {
  std::string platform, external_id;
  bool is_excluded = false; ///< linked, but excluded from the platform's feed
};

/// The number of units that are linked to a platform.
struct platform_links {
  std::string platform;
  std::int64_t units = 0;
};

/// Selects what to list; unset members match everything.
struct portfolio_filter {
  std::optional<domain::uuid> account, property, id;
};

// Sorted by company, property and unit name.
std::vector<account_overview> list_accounts(session& db, const std::optional<domain::uuid>& id,
                                            std::size_t limit);
std::vector<property_overview> list_properties(session& db, const portfolio_filter& filter,
                                               std::size_t limit);
std::vector<unit_overview> list_units(session& db, const portfolio_filter& filter, std::size_t limit);

std::vector<user_overview> users_of(session& db, const domain::uuid& account);
std::vector<link_overview> links_of(session& db, const domain::uuid& unit);

/// Returns the platforms that units are linked to, by name. Reads all links.
std::vector<platform_links> links_by_platform(session& db);

/// Nights of a unit that cannot be booked.
struct taken_nights {
  domain::date first{};
  std::optional<domain::date> last; ///< nullopt: no end
  std::string by;                   ///< `booking`, `manual`, `channel` or `hold`
  domain::uuid id{};                ///< of the booking or block; calendars know a hold by it
  std::string platform;             ///< of a booking or hold; otherwise the channel's host
};

/// Returns the blocked nights that overlap `first` to `last`, ascending.
std::vector<taken_nights> taken_nights_of(session& db, const domain::uuid& unit, domain::date first,
                                          domain::date last);

} // namespace roost::store
