#pragma once

#include "domain/email_address.hpp"
#include "domain/portfolio.hpp"
#include "store/columns/json_columns.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"

#include <string_view>

/// Descriptions of accounts, properties and units, shared by reads and writes, and the tables that imports
/// and the booking engine write.
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
            column("ai_areas", &domain::account::ai_areas), column("ai_budget", &domain::account::ai_budget));

inline constexpr auto card_columns =
    columns(column("platform", &domain::platform_card::platform).key(),
            column("integration_email", &domain::platform_card::integration_email),
            column("markup_mode", &domain::platform_card::markup, &domain::markup::mode),
            column("markup_value", &domain::platform_card::markup, &domain::markup::value),
            column("calendar_block_days", &domain::platform_card::calendar_block_days),
            column("allow_changes", &domain::platform_card::allow_changes),
            column("allow_holds", &domain::platform_card::allow_holds));

/// Without the account and the password.
inline constexpr auto user_columns =
    columns(column("id", &domain::user::id).key(), column("email", &domain::user::email),
            column("first_name", &domain::user::first_name), column("last_name", &domain::user::last_name),
            column("role", &domain::user::role), column("owner_id", &domain::user::owner_id),
            column("ai_access", &domain::user::ai_access), column("deactivated", &domain::user::deactivated),
            column("language", &domain::user::language).origin()); // only the user changes it

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
inline constexpr auto unit_terms_columns = columns(
    column("kind", &domain::unit::kind), column("room_label", &domain::unit::room_label),
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
    column("export_address", &domain::unit::export_address), column("archived", &domain::unit::archived));

inline constexpr auto unit_columns =
    columns(column("id", &domain::unit::id), column("property_id", &domain::unit::property_id),
            column("account_id", &domain::unit::account_id),
            column("internal_name", &domain::unit::internal_name), unit_terms_columns);

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

// The rows of bulk writes. Landlord keys, emails and internal names are unique, so they are changed in
// separate steps. The rows of accounts, users and units write them only when they are inserted.

/// A row that belongs to the row `owner`.
template <typename Value>
struct owned_row {
  domain::uuid owner;
  const Value* value;
};

/// A row of an account, with the times of its creation and change.
template <typename Value>
struct timed_row {
  domain::uuid account_id;
  const Value* value;
  domain::timestamp now;
};

struct account_row {
  const domain::account* account;
  std::string_view landlord_key; ///< or a temporary placeholder
  domain::timestamp now;
};

struct unit_row {
  domain::uuid account_id, property_id;
  std::string_view internal_name; ///< or a temporary placeholder
  const domain::unit* terms;
  const domain::unit_presentation* shown;
  domain::timestamp now;
};

struct window_row {
  domain::uuid unit_id;
  int position;
  const domain::booking_window* window;
};

struct link_row {
  domain::uuid unit_id, account_id;
  const domain::link* link;
};

/// An exclusion, or the key of a link or of an account's card.
struct platform_key {
  domain::uuid owner;
  std::string_view platform;
};

/// A row's unique text, written in a separate step.
struct text_row {
  domain::uuid id;
  std::string_view text;
};

/// A block of a file. A block of the office that the file sets back is imported again, in the same statement:
/// the database lets only blocks of the office not grow over bookings.
struct block_row {
  domain::uuid unit_id;
  const domain::block* block;
  bool by_office = false;
};

/// A row to delete or to archive, or only its time of change.
struct changed_row {
  domain::uuid id;
  domain::timestamp now{};
  bool archived = true;
};

namespace tables {

namespace described {

/// Stores the keys by which addresses are compared.
struct email_key_format {
  static constexpr auto type = "text";
  static bool write(std::string& to, std::string_view email) {
    return write_cell(to, domain::email_key(email));
  }
};

/// A unique text that is changed in a step of its own.
constexpr auto text(const char* name) {
  return columns(column("id", &text_row::id).key(), column(name, &text_row::text));
}

inline constexpr auto accounts = columns(nested(&account_row::account, account_columns),
                                         column("landlord_key", &account_row::landlord_key).origin(),
                                         column("created_at", &account_row::now).origin(),
                                         column("updated_at", &account_row::now).stamp());
inline constexpr auto changed =
    columns(column("id", &changed_row::id).key(), column("updated_at", &changed_row::now));
inline constexpr auto archived =
    columns(column("id", &changed_row::id).key(), column("archived", &changed_row::archived),
            column("updated_at", &changed_row::now).stamp());
inline constexpr auto ids = columns(column("id", &changed_row::id).key());
inline constexpr auto unit_ids = columns(column("unit_id", &changed_row::id).key());
inline constexpr auto landlord_keys = text("landlord_key");
inline constexpr auto unit_names = text("internal_name");
inline constexpr auto emails =
    columns(text("email"), column<email_key_format>("folded_email", &text_row::text));

using card = timed_row<domain::platform_card>;
inline constexpr auto cards =
    columns(column("account_id", &card::account_id).key(), nested(&card::value, card_columns),
            column("updated_at", &card::now).stamp());
inline constexpr auto card_keys = columns(column("account_id", &platform_key::owner).key(),
                                          column("platform", &platform_key::platform).key());

using user = timed_row<domain::user>;
inline constexpr auto password = column("password_hash", &domain::user::password_hash);
inline constexpr auto users_without_password =
    columns(nested(&user::value,
                   columns(user_columns, column<email_key_format>("folded_email", &domain::user::email))),
            column("account_id", &user::account_id), column("created_at", &user::now).origin(),
            column("updated_at", &user::now).stamp());
inline constexpr auto users = columns(users_without_password, nested(&user::value, columns(password)));
inline constexpr auto users_keeping_passwords =
    columns(users_without_password, nested(&user::value, columns(password.origin())));

using usage = owned_row<domain::ai_usage_record>;
inline constexpr auto ai_usage =
    columns(column("account_id", &usage::owner), nested(&usage::value, usage_columns));

using property = timed_row<domain::property>;
inline constexpr auto properties =
    columns(column("id", &property::value, &domain::property::id).key(),
            column("account_id", &property::account_id).origin(),
            column("owner_id", &property::value, &domain::property::owner_id),
            nested(&property::value, shown_property_columns),
            column("wifi_password", &property::value, &domain::property::wifi_password),
            column("created_at", &property::now).origin(), column("updated_at", &property::now).stamp());

inline constexpr auto units = columns(
    column("id", &unit_row::terms, &domain::unit::id).key(),
    column("account_id", &unit_row::account_id).origin(), column("property_id", &unit_row::property_id),
    column("internal_name", &unit_row::internal_name).origin(), nested(&unit_row::terms, unit_terms_columns),
    nested(&unit_row::shown, unit_presentation_columns), column("created_at", &unit_row::now).origin(),
    column("updated_at", &unit_row::now).stamp());

using month_rent = owned_row<domain::month_rent>;
inline constexpr auto month_rents =
    columns(column("unit_id", &month_rent::owner).key(), nested(&month_rent::value, month_rent_columns));

inline constexpr auto windows =
    columns(column("unit_id", &window_row::unit_id).key(), column("position", &window_row::position).key(),
            nested(&window_row::window, window_columns));

inline constexpr auto blocks =
    columns(column("unit_id", &block_row::unit_id), nested(&block_row::block, noted_block_columns),
            column("by_office", &block_row::by_office));

inline constexpr auto links =
    columns(column("unit_id", &link_row::unit_id).key(), column("account_id", &link_row::account_id),
            nested(&link_row::link, link_columns));
inline constexpr auto unit_platforms =
    columns(column("unit_id", &platform_key::owner).key(), column("platform", &platform_key::platform).key());

} // namespace described

inline const auto accounts = table_of<described::accounts>("accounts");
inline const auto account_times = table_of<described::changed>("accounts");
inline const auto landlord_keys = table_of<described::landlord_keys>("accounts");
inline const auto cards = table_of<described::cards>("platform_cards");
inline const auto card_keys = table_of<described::card_keys>("platform_cards");
inline const auto users = table_of<described::users>("users");
/// Updates do not change passwords.
inline const auto users_keeping_passwords = table_of<described::users_keeping_passwords>("users");
inline const auto user_ids = table_of<described::ids>("users");
inline const auto user_emails = table_of<described::emails>("users");
inline const auto ai_usage = table_of<described::ai_usage>("ai_usage");
inline const auto properties = table_of<described::properties>("properties");
inline const auto archived_properties = table_of<described::archived>("properties");
inline const auto units = table_of<described::units>("units");
inline const auto unit_names = table_of<described::unit_names>("units");
inline const auto unit_times = table_of<described::changed>("units");
inline const auto archived_units = table_of<described::archived>("units");
inline const auto month_rents = table_of<described::month_rents>("unit_month_rents");
inline const auto windows = table_of<described::windows>("booking_windows");
inline const auto windows_of_unit = table_of<described::unit_ids>("booking_windows");
inline const auto blocks = table_of<described::blocks>("blocks");
inline const auto block_ids = table_of<described::ids>("blocks");
inline const auto replaced_block_ids = table_of<described::ids>("replaced_blocks");
inline const auto links = table_of<described::links>("links");
inline const auto link_keys = table_of<described::unit_platforms>("links");
inline const auto exclusions = table_of<described::unit_platforms>("exclusions");

} // namespace tables

} // namespace roost::store
