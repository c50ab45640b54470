#pragma once

#include "actors/runtime/runtime.hpp"
#include "domain/account.hpp"
#include "domain/booking.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::actors {

/// The recipients of mails about an account's bookings.
struct account_contacts {
  std::string company_name;
  std::vector<std::string> mail_to;
};

/// The state passed to an account actor. At its start, `tenants` are all tenants; afterwards, only tenants
/// that it does not know are added.
struct account_setup {
  std::shared_ptr<const domain::account> settings;
  std::shared_ptr<const account_contacts> contacts;
  std::vector<domain::tenant> tenants;
};

/// Finds the lead tenant of a request.
struct match_tenant {
  domain::uuid request_id{};
  domain::uuid new_id{}; ///< of the tenant, if none matches
  domain::tenant_details details;
};

struct tenant_response {
  domain::uuid tenant_id{};
  std::optional<domain::tenant> new_tenant; ///< set if none matched: to be stored with the booking
  std::optional<std::string> category;      ///< for a known tenant that has none
};

/// The decision is durable, or it has failed and a new tenant is dropped.
struct settle_tenant {
  domain::uuid request_id{};
  bool committed = false;
};

/// Adds tenants of bookings made by another process.
struct learn_tenants {
  std::vector<domain::tenant> tenants;
};

/// Replaces what is known about stored tenants, whose details or categories have changed.
struct replace_tenants {
  std::vector<domain::tenant> tenants;
};

struct update_account {
  account_setup setup;
};

/// Owns one landlord account's settings and its tenants by email and fiscal id.
using account = caf::typed_actor<
    /// Matches by email in any letter case, otherwise by fiscal id, otherwise creates a tenant (Partner API,
    /// Booking submission request). A matched tenant keeps its details, and gets the default category if it
    /// has none.
    caf::replies_to<match_tenant>::with<tenant_response>, caf::reacts_to<settle_tenant>,
    caf::reacts_to<learn_tenants>, caf::reacts_to<replace_tenants>, caf::reacts_to<update_account>>;

account spawn_account(runtime& rt, account_setup setup);

} // namespace roost::actors
