#pragma once

#include "domain/ai_usage.hpp"
#include "domain/booking.hpp"
#include "domain/unit.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/columns.hpp"

/// Descriptions of the records that several components store.
namespace roost::store {

/// A manual or channel block.
inline constexpr auto block_columns =
    columns(column("id", &domain::block::id).key(),
            column("first_night", &domain::block::nights, &domain::nights::first),
            column<last_night_format>("last_night", &domain::block::nights, &domain::nights::last),
            column("source", &domain::block::source), column("host", &domain::block::host),
            column("created_at", &domain::block::created_at).origin(),
            column("updated_at", &domain::block::updated_at).stamp());
inline constexpr auto noted_block_columns = columns(block_columns, column("note", &domain::block::note));

/// The details of a tenant, as stored in requests and tenants.
inline constexpr auto tenant_details_columns = columns(
    column("first_name", &domain::tenant_details::first_name),
    column("last_name", &domain::tenant_details::last_name), column("email", &domain::tenant_details::email),
    column("fiscal_id", &domain::tenant_details::fiscal_id), column("phone", &domain::tenant_details::phone),
    column("nationality", &domain::tenant_details::nationality));

/// A booking request, without its outcome.
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

inline constexpr auto token_columns = columns(
    column("input_tokens", &domain::ai_tokens::input), column("output_tokens", &domain::ai_tokens::output),
    column("cache_creation_input_tokens", &domain::ai_tokens::cache_creation),
    column("cache_read_input_tokens", &domain::ai_tokens::cache_read));

/// A row of the AI usage ledger, without its account.
inline constexpr auto usage_columns = columns(
    column("id", &domain::ai_usage_record::id).key(), column("feature", &domain::ai_usage_record::feature),
    column("provider", &domain::ai_usage_record::provider), column("model", &domain::ai_usage_record::model),
    nested(&domain::ai_usage_record::tokens, token_columns), column("cost", &domain::ai_usage_record::cost),
    column("currency", &domain::ai_usage_record::currency),
    column("pricing_snapshot", &domain::ai_usage_record::pricing_snapshot).of_type("json"),
    column("user_id", &domain::ai_usage_record::user_id), column("source", &domain::ai_usage_record::source),
    column("conversation_id", &domain::ai_usage_record::conversation_id),
    column("reference_id", &domain::ai_usage_record::reference_id),
    column("metadata", &domain::ai_usage_record::metadata).of_type("json"),
    column("created_at", &domain::ai_usage_record::created_at));

} // namespace roost::store
