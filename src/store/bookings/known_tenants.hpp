#pragma once

#include "domain/booking.hpp"
#include "store/database/session.hpp"

#include <optional>
#include <string>

namespace roost::store {

/// Returns the account's tenant whom these details name: by email in any letter case, otherwise by fiscal id;
/// of several, the one that was stored first. The account actor matches by the same rule (Partner API,
/// Booking submission request). Locks the tenant for the caller's transaction, so that no erasure overlooks a
/// booking that is assigned to the tenant; skips tenants who have been erased. With an owner, also skips
/// tenants without a stay in this owner's properties.
std::optional<domain::tenant> find_tenant(session& db, const domain::uuid& account,
                                          const std::optional<domain::uuid>& owner,
                                          const domain::tenant_details& details);

/// The detail by which a booking would find another tenant of the account, too.
enum class shared_detail { email, fiscal_id };

/// Returns what this tenant shares with another one of the account; nullopt if a booking can only find this
/// one.
std::optional<shared_detail> detail_of_another_tenant(session& db, const domain::tenant& tenant);

/// The category that a booking gives its tenant.
struct booked_category {
  domain::uuid account_id{}, tenant_id{};
  std::string category;
  domain::uuid entry_id{}; ///< of the audit entry
  domain::timestamp at{};
  std::string by; ///< the actor of the audit entry
};

/// Sets the category and writes an audit entry, unless the tenant has received a category in the meantime.
void set_category(session& db, const booked_category& given);

} // namespace roost::store
