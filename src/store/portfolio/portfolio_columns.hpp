#pragma once

#include "domain/portfolio.hpp"
#include "store/columns/enum_text.hpp"
#include "store/columns/json_columns.hpp"
#include "store/database/columns.hpp"

/// Descriptions of accounts, properties and units, shared by reads and writes.
namespace roost::store {

/// Without the landlord key.
inline constexpr auto account_columns =
    columns(column("id", &domain::account::id).key(), column("company_name", &domain::account::company_name),
            column("logo_url", &domain::account::logo_url), column("currency", &domain::account::currency),
            column("contract_type", &domain::account::contract_type),
            column("check_in_time", &domain::account::check_in_time),
            column("check_out_time", &domain::account::check_out_time),
            column("advance_notice_days", &domain::account::advance_notice_days),
            column("payment_terms", &domain::account::payment_terms),
            column("native_engine", &domain::account::native_engine),
            column("property_creation", &domain::account::property_creation),
            column("tenant_categories", &domain::account::tenant_categories),
            column("ai_areas", &domain::account::ai_areas));

inline constexpr auto card_columns =
    columns(column("platform", &domain::platform_card::platform).key(),
            column("integration_email", &domain::platform_card::integration_email),
            column("markup_mode", &domain::platform_card::markup, &domain::markup::mode),
            column("markup_value", &domain::platform_card::markup, &domain::markup::value),
            column("calendar_block_days", &domain::platform_card::calendar_block_days));

/// Without the account and the password.
inline constexpr auto user_columns =
    columns(column("id", &domain::user::id).key(), column("email", &domain::user::email),
            column("first_name", &domain::user::first_name), column("last_name", &domain::user::last_name),
            column("role", &domain::user::role), column("owner_id", &domain::user::owner_id),
            column("ai_access", &domain::user::ai_access), column("deactivated", &domain::user::deactivated));

inline constexpr auto address_columns =
    columns(column("street", &domain::address::street), column("house_number", &domain::address::number),
            column("floor", &domain::address::floor), column("postal_code", &domain::address::postal_code),
            column("city", &domain::address::city), column("region", &domain::address::region),
            column("neighborhood", &domain::address::neighborhood),
            column("country_code", &domain::address::country_code),
            column("latitude", &domain::address::latitude), column("longitude", &domain::address::longitude));

inline constexpr auto cleaning_fee_columns =
    columns(column("cleaning_fee_enabled", &domain::cleaning_fee::enabled),
            column("cleaning_fee_cents", &domain::cleaning_fee::value),
            column("cleaning_fee_frequency", &domain::cleaning_fee::frequency));

/// The part of a property that full feeds show. The Wi-Fi password is not among it.
inline constexpr auto shown_property_columns =
    columns(column("internal_name", &domain::property::internal_name),
            column("type", &domain::property::type), nested(&domain::property::address, address_columns),
            column("partner_currency", &domain::property::partner_currency),
            nested(&domain::property::cleaning_fee, cleaning_fee_columns),
            column("monthly_bills_cents", &domain::property::monthly_bills),
            column("membership_fee_cents", &domain::property::membership_fee),
            column("parking_cents", &domain::property::parking),
            column("size_square_metres", &domain::property::size_square_metres),
            column("features", &domain::property::features), column("rules", &domain::property::rules),
            column("description", &domain::property::description),
            column("images", &domain::property::images), column("archived", &domain::property::archived));

/// The members of a stored property that imports set.
inline constexpr auto property_columns =
    columns(column("id", &domain::property::id), column("account_id", &domain::property::account_id),
            shown_property_columns, column("created_at", &domain::property::created_at),
            column("updated_at", &domain::property::updated_at));

inline constexpr auto rent_columns = columns(column("rent_fixed", &domain::rent_terms::fixed),
                                             column("rent_cents", &domain::rent_terms::amount));

/// The terms of a unit that feeds and bookings need, without its name and ids.
inline constexpr auto unit_terms_columns =
    columns(column("kind", &domain::unit::kind), column("room_label", &domain::unit::room_label),
            column("capacity", &domain::unit::capacity), nested(&domain::unit::rent, rent_columns),
            column("min_stay_months", &domain::unit::min_stay_months),
            column("max_stay_months", &domain::unit::max_stay_months),
            column("extra_price_per_tenant_cents", &domain::unit::extra_price_per_tenant),
            column("extra_deposit_per_tenant_cents", &domain::unit::extra_deposit_per_tenant),
            column("bills_included", &domain::unit::bills, &domain::bills_terms::included),
            column("bills_max_cents", &domain::unit::bills, &domain::bills_terms::max_value),
            column("admin_fee_enabled", &domain::unit::admin_fee, &domain::admin_fee::enabled),
            column("admin_fee_mode", &domain::unit::admin_fee, &domain::admin_fee::mode),
            column("admin_fee_cents", &domain::unit::admin_fee, &domain::admin_fee::value),
            column("admin_fee_tiers", &domain::unit::admin_fee, &domain::admin_fee::tiers),
            column("deposit_mode", &domain::unit::deposit, &domain::deposit_terms::mode),
            column("deposit_value", &domain::unit::deposit, &domain::deposit_terms::value),
            column("exit_fee_cents", &domain::unit::exit_fee),
            column("local_rent_cap_cents", &domain::unit::local_rent_cap),
            column("preparation_days", &domain::unit::preparation_days),
            column("advance_notice_days", &domain::unit::advance_notice_days),
            column("short_term_ical_max_date", &domain::unit::short_term_ical_max_date),
            column("archived", &domain::unit::archived));

/// The part of a unit that only full feeds show.
inline constexpr auto unit_presentation_columns =
    columns(column("size_square_metres", &domain::unit_presentation::size_square_metres),
            column("floor", &domain::unit_presentation::floor),
            column("min_age", &domain::unit_presentation::min_age),
            column("max_age", &domain::unit_presentation::max_age),
            column("registration_number", &domain::unit_presentation::registration_number),
            column("energy_class", &domain::unit_presentation::energy_class),
            column("features", &domain::unit_presentation::features),
            column("title", &domain::unit_presentation::title),
            column("description", &domain::unit_presentation::description),
            column("images", &domain::unit_presentation::images));

inline constexpr auto month_rent_columns = columns(
    column("month", &domain::month_rent::month).key(), column("rent_cents", &domain::month_rent::rent),
    column("created_at", &domain::month_rent::created_at).origin(),
    column("updated_at", &domain::month_rent::updated_at).stamp());

inline constexpr auto window_columns = columns(column("min_start", &domain::booking_window::min_start),
                                               column("max_start", &domain::booking_window::max_start),
                                               column("min_end", &domain::booking_window::min_end),
                                               column("max_end", &domain::booking_window::max_end));

inline constexpr auto link_columns =
    columns(column("platform", &domain::link::platform).key(),
            column("external_id", &domain::link::external_id), column("url", &domain::link::url));

} // namespace roost::store
