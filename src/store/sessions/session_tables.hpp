#pragma once

#include "store/database/bulk.hpp"
#include "store/sessions/session_rows.hpp"
#include "store/sessions/sign_in_rows.hpp"

/// The tables of signing in, each with the row that it takes.
namespace roost::store::tables {

extern const record_table<session_row> sessions;
extern const record_table<challenge_row> challenges;
extern const record_table<code_row> codes;
extern const record_table<wrong_password_row> wrong_passwords;
extern const record_table<remembered_browser_row> remembered_browsers;
extern const record_table<password_reset_row> password_resets;

} // namespace roost::store::tables
