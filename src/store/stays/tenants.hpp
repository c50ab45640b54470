#pragma once

#include "domain/booking.hpp"
#include "store/database/lease.hpp"
#include "store/office/name_list.hpp"
#include "store/office/office_write.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The tenants of an account, with their stays. Users with an owner see those with a stay in one of that
/// owner's properties, and only these stays.
namespace roost::store {

struct tenant_stay {
  domain::uuid booking_id{}, unit_id{};
  std::string unit_name;
  std::optional<std::string> platform;
  domain::date check_in{}, check_out{};
  domain::booking_status status{};

  friend bool operator==(const tenant_stay&, const tenant_stay&) = default;
};

struct office_tenant {
  domain::tenant tenant;
  domain::timestamp created_at{};
  bool is_erased = false;
  std::vector<tenant_stay> stays; ///< by check-in, the latest first
};

name_place place_of(const office_tenant& tenant);

/// Returns the tenants by name: those after a place, at most `limit`. `text` is part of the name, the email
/// address or the phone number, in any letter case; empty: any. Erased tenants are left out.
office_page<office_tenant> list_tenants(session& db, const office_scope& scope, const std::string& text,
                                        const std::optional<name_place>& after, std::size_t limit);

/// Returns the ids of all these tenants in the order of the list.
std::vector<domain::uuid> ids_of_tenants(session& db, const office_scope& scope, const std::string& text);

/// Returns tenants of ids_of_tenants() in the order of their ids.
std::vector<office_tenant> tenants_of(session& db, const office_scope& scope,
                                      std::span<const domain::uuid> ids);

/// Returns a tenant, also an erased one.
std::optional<office_tenant> find_tenant(session& db, const office_scope& scope, const domain::uuid& id);

/// Changes the details and the category. Conflicts with another tenant of the account who has the same email
/// address or fiscal ID, because bookings find their tenant by these.
office_outcome<office_tenant> change_tenant(session& db, const lease& held, const office_scope& scope,
                                            const office_change<office_tenant>& request,
                                            const office_author& author);

/// Erases a tenant's personal data in the account (store/bookings/erasure.hpp). `is_time_trusted` says
/// whether the author's time is right, on which it depends whether stays have ended. Idempotent.
office_outcome<office_tenant>
erase_tenant(session& db, const lease& held, const office_scope& scope, const domain::uuid& id,
             const office_author& author,
             const std::function<bool(session&, domain::timestamp)>& is_time_trusted);

} // namespace roost::store
