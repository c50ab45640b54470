#include "store/portfolio/portfolio_tables.hpp"

namespace roost::store::tables {

using enum column_role;

// A landlord key, an email and an internal name are unique: accounts and units change theirs in a step of its
// own, so they are written here only with a new row.

const bulk_table accounts{"accounts",
                          {{"id", "uuid", key},
                           {"company_name", "text"},
                           {"logo_url", "text"},
                           {"currency", "text"},
                           {"landlord_key", "text", origin},
                           {"contract_type", "text"},
                           {"check_in_time", "text"},
                           {"check_out_time", "text"},
                           {"advance_notice_days", "integer"},
                           {"payment_terms", "jsonb"},
                           {"native_engine", "boolean"},
                           {"property_creation", "boolean"},
                           {"tenant_categories", "jsonb"},
                           {"ai_areas", "jsonb"},
                           {"created_at", "timestamptz", origin},
                           {"updated_at", "timestamptz", stamp}}};
const bulk_table account_keys_of_landlords{"accounts", {{"id", "uuid", key}, {"landlord_key", "text"}}};

const bulk_table cards{"platform_cards",
                       {{"account_id", "uuid", key},
                        {"platform", "text", key},
                        {"integration_email", "text"},
                        {"markup_mode", "text"},
                        {"markup_value", "bigint"},
                        {"calendar_block_days", "integer"}}};

const bulk_table users{"users",
                       {{"id", "uuid", key},
                        {"account_id", "uuid"},
                        {"email", "text"},
                        {"password_hash", "text"},
                        {"first_name", "text"},
                        {"last_name", "text"},
                        {"role", "text"},
                        {"ai_access", "boolean"},
                        {"deactivated", "boolean"},
                        {"created_at", "timestamptz", origin},
                        {"updated_at", "timestamptz", stamp}}};
const bulk_table user_emails{"users", {{"id", "uuid", key}, {"email", "text"}}};

const bulk_table ai_usage{"ai_usage",
                          {{"id", "uuid", key},
                           {"account_id", "uuid"},
                           {"feature", "text"},
                           {"provider", "text"},
                           {"model", "text"},
                           {"input_tokens", "bigint"},
                           {"output_tokens", "bigint"},
                           {"cache_creation_input_tokens", "bigint"},
                           {"cache_read_input_tokens", "bigint"},
                           {"cost", "numeric"},
                           {"currency", "text"},
                           {"pricing_snapshot", "jsonb"},
                           {"user_id", "text"},
                           {"source", "text"},
                           {"conversation_id", "text"},
                           {"reference_id", "text"},
                           {"metadata", "jsonb"},
                           {"created_at", "timestamptz"}}};

const bulk_table properties{"properties",
                            {{"id", "uuid", key},
                             {"account_id", "uuid", origin},
                             {"internal_name", "text"},
                             {"type", "text"},
                             {"street", "text"},
                             {"house_number", "text"},
                             {"floor", "text"},
                             {"postal_code", "text"},
                             {"city", "text"},
                             {"region", "text"},
                             {"neighborhood", "text"},
                             {"country_code", "text"},
                             {"latitude", "double precision"},
                             {"longitude", "double precision"},
                             {"partner_currency", "text"},
                             {"cleaning_fee_enabled", "boolean"},
                             {"cleaning_fee_cents", "bigint"},
                             {"cleaning_fee_frequency", "text"},
                             {"monthly_bills_cents", "bigint"},
                             {"membership_fee_cents", "bigint"},
                             {"parking_cents", "bigint"},
                             {"size_square_metres", "integer"},
                             {"wifi_password", "text"},
                             {"features", "jsonb"},
                             {"rules", "jsonb"},
                             {"description", "jsonb"},
                             {"images", "jsonb"},
                             {"archived", "boolean"},
                             {"created_at", "timestamptz", origin},
                             {"updated_at", "timestamptz", stamp}}};
const bulk_table archived_properties{
    "properties", {{"id", "uuid", key}, {"archived", "boolean"}, {"updated_at", "timestamptz", stamp}}};

const bulk_table units{"units",
                       {{"id", "uuid", key},
                        {"account_id", "uuid", origin},
                        {"property_id", "uuid"},
                        {"internal_name", "text", origin},
                        {"kind", "text"},
                        {"room_label", "text"},
                        {"capacity", "integer"},
                        {"rent_fixed", "boolean"},
                        {"rent_cents", "bigint"},
                        {"min_stay_months", "integer"},
                        {"max_stay_months", "integer"},
                        {"extra_price_per_tenant_cents", "bigint"},
                        {"extra_deposit_per_tenant_cents", "bigint"},
                        {"bills_included", "boolean"},
                        {"bills_max_cents", "bigint"},
                        {"admin_fee_enabled", "boolean"},
                        {"admin_fee_mode", "text"},
                        {"admin_fee_cents", "bigint"},
                        {"admin_fee_tiers", "jsonb"},
                        {"deposit_mode", "text"},
                        {"deposit_value", "bigint"},
                        {"exit_fee_cents", "bigint"},
                        {"local_rent_cap_cents", "bigint"},
                        {"preparation_days", "integer"},
                        {"advance_notice_days", "integer"},
                        {"short_term_ical_max_date", "date"},
                        {"size_square_metres", "integer"},
                        {"floor", "text"},
                        {"min_age", "integer"},
                        {"max_age", "integer"},
                        {"registration_number", "text"},
                        {"features", "jsonb"},
                        {"title", "jsonb"},
                        {"description", "jsonb"},
                        {"images", "jsonb"},
                        {"archived", "boolean"},
                        {"created_at", "timestamptz", origin},
                        {"updated_at", "timestamptz", stamp}}};
const bulk_table unit_names{"units", {{"id", "uuid", key}, {"internal_name", "text"}}};
const bulk_table unit_times{"units", {{"id", "uuid", key}, {"updated_at", "timestamptz"}}};
const bulk_table archived_units{
    "units", {{"id", "uuid", key}, {"archived", "boolean"}, {"updated_at", "timestamptz", stamp}}};

const bulk_table month_rents{"unit_month_rents",
                             {{"unit_id", "uuid", key},
                              {"month", "integer", key},
                              {"rent_cents", "bigint"},
                              {"created_at", "timestamptz", origin},
                              {"updated_at", "timestamptz", stamp}}};

const bulk_table windows{"booking_windows",
                         {{"unit_id", "uuid", key},
                          {"position", "integer", key},
                          {"min_start", "date"},
                          {"max_start", "date"},
                          {"min_end", "date"},
                          {"max_end", "date"}}};
const bulk_table windows_of_unit{"booking_windows", {{"unit_id", "uuid", key}}};

const bulk_table blocks{"blocks",
                        {{"id", "uuid", key},
                         {"unit_id", "uuid"},
                         {"first_night", "date"},
                         {"last_night", "date"},
                         {"source", "text"},
                         {"host", "text"},
                         {"created_at", "timestamptz", origin},
                         {"updated_at", "timestamptz", stamp}}};

const bulk_table links{"links",
                       {{"unit_id", "uuid", key},
                        {"platform", "text", key},
                        {"account_id", "uuid"},
                        {"external_id", "text"},
                        {"url", "text"}}};

const bulk_table exclusions{"exclusions", {{"unit_id", "uuid", key}, {"platform", "text", key}}};

} // namespace roost::store::tables
