#include "store/portfolio/portfolio_tables.hpp"

#include "domain/text.hpp"
#include "store/columns/record_columns.hpp"
#include "store/portfolio/portfolio_columns.hpp"

namespace roost::store {

namespace {

constexpr auto id_column = columns(column("id", &row_key::id).key());
constexpr auto unit_id_column = columns(column("unit_id", &row_key::id).key());

/// Stores addresses in folded case, in which they are compared.
struct folded_format {
  static constexpr auto type = "text";
  static bool write(std::string& to, std::string_view email) {
    return write_cell(to, domain::folded_case(email));
  }
};

constexpr auto email_columns = columns(column("id", &text_row::id).key(), column("email", &text_row::text),
                                       column<folded_format>("folded_email", &text_row::text));
constexpr auto landlord_key_columns =
    columns(column("id", &text_row::id).key(), column("landlord_key", &text_row::text));
constexpr auto internal_name_columns =
    columns(column("id", &text_row::id).key(), column("internal_name", &text_row::text));
constexpr auto archived_columns =
    columns(column("id", &archived_row::id).key(), column("archived", &archived_row::archived),
            column("updated_at", &archived_row::now).stamp());
constexpr auto touched_columns =
    columns(column("id", &touched_row::id).key(), column("updated_at", &touched_row::now));

constexpr auto account_row_columns = columns(nested(&account_row::account, account_columns),
                                             column("landlord_key", &account_row::landlord_key).origin(),
                                             column("created_at", &account_row::now).origin(),
                                             column("updated_at", &account_row::now).stamp());

constexpr auto card_row_columns =
    columns(column("account_id", &card_row::account_id).key(), nested(&card_row::card, card_columns));
constexpr auto card_key_columns =
    columns(column("account_id", &card_key::account_id).key(), column("platform", &card_key::platform).key());

constexpr auto folded_email_column = columns(column<folded_format>("folded_email", &domain::user::email));
constexpr auto password_column = column("password_hash", &domain::user::password_hash);
constexpr auto common_user_columns =
    columns(nested(&user_row::user, user_columns), nested(&user_row::user, folded_email_column),
            column("account_id", &user_row::account_id), column("created_at", &user_row::now).origin(),
            column("updated_at", &user_row::now).stamp());
constexpr auto user_row_columns =
    columns(common_user_columns, nested(&user_row::user, columns(password_column)));
constexpr auto kept_user_row_columns =
    columns(common_user_columns, nested(&user_row::user, columns(password_column.origin())));

constexpr auto usage_row_columns =
    columns(column("account_id", &usage_row::account_id), nested(&usage_row::record, usage_columns));

constexpr auto property_row_columns = columns(
    column("id", &property_row::property, &domain::property::id).key(),
    column("account_id", &property_row::account_id).origin(),
    column("owner_id", &property_row::property, &domain::property::owner_id),
    nested(&property_row::property, shown_property_columns),
    column("wifi_password", &property_row::property, &domain::property::wifi_password),
    column("created_at", &property_row::now).origin(), column("updated_at", &property_row::now).stamp());

constexpr auto unit_row_columns = columns(
    column("id", &unit_row::terms, &domain::unit::id).key(),
    column("account_id", &unit_row::account_id).origin(), column("property_id", &unit_row::property_id),
    column("internal_name", &unit_row::internal_name).origin(), nested(&unit_row::terms, unit_terms_columns),
    nested(&unit_row::shown, unit_presentation_columns), column("created_at", &unit_row::now).origin(),
    column("updated_at", &unit_row::now).stamp());

constexpr auto month_rent_row_columns = columns(column("unit_id", &month_rent_row::unit_id).key(),
                                                nested(&month_rent_row::rent, month_rent_columns));

constexpr auto window_row_columns =
    columns(column("unit_id", &window_row::unit_id).key(), column("position", &window_row::position).key(),
            nested(&window_row::window, window_columns));

constexpr auto block_row_columns =
    columns(column("unit_id", &block_row::unit_id), nested(&block_row::block, block_columns));

constexpr auto link_row_columns =
    columns(column("unit_id", &link_row::unit_id).key(), column("account_id", &link_row::account_id),
            nested(&link_row::link, link_columns));

constexpr auto unit_on_platform_columns = columns(column("unit_id", &unit_on_platform::unit_id).key(),
                                                  column("platform", &unit_on_platform::platform).key());

} // namespace

namespace tables {

const record_table<account_row> accounts = table_of<account_row_columns>("accounts");
const record_table<touched_row> account_times = table_of<touched_columns>("accounts");
const record_table<text_row> landlord_keys = table_of<landlord_key_columns>("accounts");
const record_table<card_row> cards = table_of<card_row_columns>("platform_cards");
const record_table<card_key> card_keys = table_of<card_key_columns>("platform_cards");
const record_table<user_row> users = table_of<user_row_columns>("users");
const record_table<user_row> users_keeping_passwords = table_of<kept_user_row_columns>("users");
const record_table<row_key> user_ids = table_of<id_column>("users");
const record_table<text_row> user_emails = table_of<email_columns>("users");
const record_table<usage_row> ai_usage = table_of<usage_row_columns>("ai_usage");
const record_table<property_row> properties = table_of<property_row_columns>("properties");
const record_table<archived_row> archived_properties = table_of<archived_columns>("properties");
const record_table<unit_row> units = table_of<unit_row_columns>("units");
const record_table<text_row> unit_names = table_of<internal_name_columns>("units");
const record_table<touched_row> unit_times = table_of<touched_columns>("units");
const record_table<archived_row> archived_units = table_of<archived_columns>("units");
const record_table<month_rent_row> month_rents = table_of<month_rent_row_columns>("unit_month_rents");
const record_table<window_row> windows = table_of<window_row_columns>("booking_windows");
const record_table<row_key> windows_of_unit = table_of<unit_id_column>("booking_windows");
const record_table<block_row> blocks = table_of<block_row_columns>("blocks");
const record_table<row_key> block_ids = table_of<id_column>("blocks");
const record_table<link_row> links = table_of<link_row_columns>("links");
const record_table<unit_on_platform> link_keys = table_of<unit_on_platform_columns>("links");
const record_table<unit_on_platform> exclusions = table_of<unit_on_platform_columns>("exclusions");

} // namespace tables

} // namespace roost::store
