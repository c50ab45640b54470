#pragma once

#include "domain/portfolio.hpp"
#include "store/database/bulk.hpp"

#include <string_view>

/// The tables that imports and the booking engine write, and their row types.
namespace roost::store {

// Landlord keys, emails and internal names are unique, so they are changed in separate steps. The rows of
// accounts, users and units write them only when they are inserted.

struct account_row {
  const domain::account* account;
  std::string_view landlord_key; ///< or a temporary placeholder
  domain::timestamp now;
};

struct card_row {
  domain::uuid account_id;
  const domain::platform_card* card;
};
struct card_key {
  domain::uuid account_id;
  std::string_view platform;
};

struct user_row {
  domain::uuid account_id;
  const domain::user* user;
  domain::timestamp now;
};

struct usage_row {
  domain::uuid account_id;
  const domain::ai_usage_record* record;
};

struct property_row {
  domain::uuid account_id;
  const domain::property* property;
  domain::timestamp now;
};

struct unit_row {
  domain::uuid account_id, property_id;
  std::string_view internal_name; ///< or a temporary placeholder
  const domain::unit* terms;
  const domain::unit_presentation* shown;
  domain::timestamp now;
};

struct month_rent_row {
  domain::uuid unit_id;
  const domain::month_rent* rent;
};

struct window_row {
  domain::uuid unit_id;
  int position;
  const domain::booking_window* window;
};

struct block_row {
  domain::uuid unit_id;
  const domain::block* block;
};

struct link_row {
  domain::uuid unit_id, account_id;
  const domain::link* link;
};

/// An exclusion, or the key of a link.
struct unit_on_platform {
  domain::uuid unit_id;
  std::string_view platform;
};

/// The id of a row to delete.
struct row_key {
  domain::uuid id;
};

/// A row's unique text, written in a separate step.
struct text_row {
  domain::uuid id;
  std::string_view text;
};

struct archived_row {
  domain::uuid id;
  domain::timestamp now;
  bool archived = true;
};

struct touched_row {
  domain::uuid id;
  domain::timestamp now;
};

namespace tables {

extern const record_table<account_row> accounts;
extern const record_table<touched_row> account_times;
extern const record_table<text_row> landlord_keys;
extern const record_table<card_row> cards;
extern const record_table<card_key> card_keys;
extern const record_table<user_row> users;
/// Updates do not change passwords.
extern const record_table<user_row> users_keeping_passwords;
extern const record_table<row_key> user_ids;
extern const record_table<text_row> user_emails;
extern const record_table<usage_row> ai_usage;
extern const record_table<property_row> properties;
extern const record_table<archived_row> archived_properties;
extern const record_table<unit_row> units;
extern const record_table<text_row> unit_names;
extern const record_table<touched_row> unit_times;
extern const record_table<archived_row> archived_units;
extern const record_table<month_rent_row> month_rents;
extern const record_table<window_row> windows;
extern const record_table<row_key> windows_of_unit;
extern const record_table<block_row> blocks;
extern const record_table<row_key> block_ids;
extern const record_table<link_row> links;
extern const record_table<unit_on_platform> link_keys;
extern const record_table<unit_on_platform> exclusions;

} // namespace tables

} // namespace roost::store
