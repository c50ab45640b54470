#pragma once

#include "store/columns/record_columns.hpp"

namespace roost::store {

inline constexpr auto request_columns = columns(
    column("id", &domain::booking_request::id).key(), column("platform", &domain::booking_request::platform),
    column("external_id", &domain::booking_request::external_id),
    column("unit_id", &domain::booking_request::unit_id),
    column("reference", &domain::booking_request::reference),
    column("check_in", &domain::booking_request::check_in),
    column("check_out", &domain::booking_request::check_out),
    column("occupants", &domain::booking_request::occupants),
    column("provider_payment_cents", &domain::booking_request::provider_payment),
    column("ota_commission_cents", &domain::booking_request::ota_commission),
    nested(&domain::booking_request::tenant, tenant_details_columns),
    column("received_at", &domain::booking_request::received_at));

} // namespace roost::store
