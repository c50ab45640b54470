#pragma once

#include "store/database/bulk.hpp"

/// The columns that an import writes; add() takes its values in the order of portfolio_tables.cpp.
namespace roost::store::tables {

extern const bulk_table accounts, account_keys_of_landlords, cards, users, user_emails, ai_usage;
extern const bulk_table properties, archived_properties;
extern const bulk_table units, unit_names, unit_times, archived_units;
extern const bulk_table month_rents, windows, windows_of_unit, blocks, links, exclusions;

} // namespace roost::store::tables
