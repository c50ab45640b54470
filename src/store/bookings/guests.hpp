#pragma once

#include "domain/booking.hpp"
#include "store/database/columns.hpp"
#include "store/database/session.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Finds the tenants, requests and stays of a guest, for an erasure (store/bookings/erasure.hpp).
namespace roost::store {

struct tenant_key {
  domain::uuid account_id{}, id{};

  friend bool operator==(const tenant_key&, const tenant_key&) = default;
};

/// Tenants and requests that are erased together.
struct guest_rows {
  std::vector<tenant_key> tenants;
  std::vector<domain::uuid> requests;
};

/// Why a guest cannot be erased now.
enum class erasure_obstacle {
  undecided_request, ///< a request with this address is New: its booking would restore the data
  unfinished_stay,   ///< a stay is neither over nor cancelled
};

/// The data that the store holds for one email address, across all accounts.
struct known_guest {
  std::string address; ///< normalized by domain::email_key()
  std::vector<tenant_key> tenants;
  /// Decided requests with this address, those of the tenants' bookings, and those with an address that the
  /// office has replaced.
  std::vector<domain::uuid> requests;
  std::optional<erasure_obstacle> obstacle;
};

/// Returns a tenant's email address; nullopt if there is no such tenant or it is erased.
std::optional<std::string> address_of_tenant(session& db, const domain::uuid& id);

/// Finds a guest by email address. Scans all tenants and requests, which is acceptable for a command.
known_guest find_guest(session& db, std::string_view address, domain::date today);

/// Returns the data that a tenant's account holds for the tenant's email address: tenants, the account's
/// decided requests, and those of the tenants' bookings. nullopt if there is no such tenant or it is erased.
std::optional<known_guest> find_guest_of(session& db, const tenant_key& tenant, domain::date today);

inline constexpr auto tenant_key_columns =
    columns(column("account_id", &tenant_key::account_id), column("id", &tenant_key::id));

struct guest_stay {
  domain::uuid id{}, account_id{}, tenant_id{};
  std::optional<domain::uuid> request_id; ///< nullopt: made by hand
  domain::date check_out{};
  domain::booking_status status{};
};

/// Returns the values of a member, each once, sorted.
template <typename Row>
std::vector<domain::uuid> distinct(const std::vector<Row>& rows, domain::uuid Row::*member) {
  std::vector<domain::uuid> ids;
  ids.reserve(rows.size());
  for (const auto& row : rows) ids.push_back(row.*member);
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// Returns the stays of these tenants, and those made of these requests.
std::vector<guest_stay> stays_of(session& db, const guest_rows& rows);

/// Adds the requests that the stays were made from.
void add_requests_of(const std::vector<guest_stay>& stays, guest_rows& rows);

/// Returns what keeps a guest from being erased; `is_undecided`: has_new_request().
std::optional<erasure_obstacle> obstacle_of(bool is_undecided, const std::vector<guest_stay>& stays,
                                            domain::date today);

/// Returns whether a New request has this address, which is a key of domain::email_key().
bool has_new_request(session& db, const std::string& address);

} // namespace roost::store
