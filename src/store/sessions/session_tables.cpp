#include "store/sessions/session_tables.hpp"

namespace roost::store::tables {

const record_table<session_row> sessions = table_of<session_columns>("sessions");
const record_table<challenge_row> challenges = table_of<challenge_columns>("sign_in_challenges");
const record_table<code_row> codes = table_of<code_columns>("sign_in_codes");
const record_table<wrong_password_row> wrong_passwords = table_of<wrong_password_columns>("wrong_passwords");
const record_table<remembered_browser_row> remembered_browsers =
    table_of<remembered_browser_columns>("remembered_browsers");
const record_table<password_reset_row> password_resets = table_of<password_reset_columns>("password_resets");

} // namespace roost::store::tables
