#pragma once

#include "domain/booking.hpp"
#include "store/columns/enum_text.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/columns.hpp"

/// Descriptions of what belongs to bookings.
namespace roost::store {

/// In requests and tenants.
inline constexpr auto tenant_details_columns = columns(
    column("first_name", &domain::tenant_details::first_name),
    column("last_name", &domain::tenant_details::last_name), column("email", &domain::tenant_details::email),
    column("fiscal_id", &domain::tenant_details::fiscal_id), column("phone", &domain::tenant_details::phone),
    column("nationality", &domain::tenant_details::nationality));

inline constexpr auto tenant_columns = columns(
    column("id", &domain::tenant::id).key(), column("account_id", &domain::tenant::account_id),
    nested(&domain::tenant::details, tenant_details_columns), column("category", &domain::tenant::category));

inline constexpr auto booking_columns = columns(
    column("id", &domain::booking::id).key(), column("request_id", &domain::booking::request_id),
    column("account_id", &domain::booking::account_id), column("unit_id", &domain::booking::unit_id),
    column("tenant_id", &domain::booking::tenant_id), column("platform", &domain::booking::platform),
    column("reference", &domain::booking::reference), column("check_in", &domain::booking::check_in),
    column("check_out", &domain::booking::check_out), column("last_night", &domain::booking::last_night),
    column("occupants", &domain::booking::occupants), column("status", &domain::booking::status),
    column("provider_payment_cents", &domain::booking::provider_payment),
    column("ota_commission_cents", &domain::booking::ota_commission),
    column("terms", &domain::booking::terms), column("created_at", &domain::booking::created_at));

} // namespace roost::store
