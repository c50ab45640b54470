#pragma once

#include "cli/context.hpp"

/// The commands. Each returns its exit status and throws on errors.
namespace roost::cli {

/// Parses a command line and runs its command. Prints errors on stderr, one line each. Returns the exit
/// status: 0, 1 for a failure, 2 for wrong usage.
int run(int argc, char** argv);

int serve(const arguments& args);
int migrate(const arguments& args);
int show_lease(const arguments& args);
/// Revokes the lease of its holder. Throws usage_error with the risks unless `confirmed`.
int release_lease(const arguments& args);
/// Prints this machine's clock, the store's trusted time and, on PostgreSQL, the database's clock.
int show_clock(const arguments& args);
/// Makes the time of this machine's clock the trusted one. Throws usage_error with the risks unless
/// `confirmed`.
int trust_clock(const arguments& args);
/// Lets servers serve a moved store again. Throws usage_error with the risks unless `confirmed`.
int reopen_store(const arguments& args);
int print_configuration(const arguments& args);
int print_routes(const arguments& args);
/// Checks configuration, store and machine; returns 1 if something is wrong.
int run_doctor(const arguments& args);
int show_top(const arguments& args);
/// Moves the configured store into another database, or only compares the two; returns 1 if they differ.
int copy_store(const arguments& args);

int import_portfolios(const arguments& args);
int export_portfolios(const arguments& args);
int import_usage(const arguments& args);

/// List and revoke credentials of the kind that the group of the command is about, for example `api-key`.
int list_credentials(const arguments& args);
int revoke_credential(const arguments& args);
int issue_token(const arguments& args);
int issue_account_key(const arguments& args);
int issue_webhook_key(const arguments& args);
int issue_usage_key(const arguments& args);
int issue_tool_server_key(const arguments& args);
int issue_api_key(const arguments& args);

/// Reads the new password from standard input. Prints the user's connected assistants, if any.
int set_password(const arguments& args);
int list_sessions(const arguments& args);
int revoke_session(const arguments& args);

/// Deletes the replaced keys of partner tokens. Throws usage_error with the risks unless `confirmed`.
int retire_secrets(const arguments& args);
/// Creates a session key, or with `partner_tokens` a key for partner tokens. `sign_out` deletes the older
/// session keys, which ends every session.
int rotate_secrets(const arguments& args);
/// Makes the keys of secrets.file the store's, which invalidates every token signed with other keys. Throws
/// usage_error with the risks unless `confirmed`, and refuses while a server holds the lease.
int adopt_secrets(const arguments& args);

/// Erases a guest's data in all accounts that know the email address; a tenant's id stands for that tenant's
/// address. Throws usage_error with the extent of the erasure unless `confirmed`.
int erase_tenant(const arguments& args);

int list_mails(const arguments& args);
int show_mail(const arguments& args);
/// Makes an unsent mail due immediately; an empty id: all mails that were given up.
int retry_mail(const arguments& args);
/// Sends a test message immediately, bypassing the outbox.
int test_mail(const arguments& args);

int list_audit(const arguments& args);

/// Lists the live connections of one user; an empty address: of all users.
int list_connections(const arguments& args);
int show_connection(const arguments& args);
int revoke_connection(const arguments& args);

int set_ai_area(const arguments& args);
int list_ai_areas(const arguments& args);

int list_accounts(const arguments& args);
int show_account(const arguments& args);
int list_properties(const arguments& args);
int list_units(const arguments& args);
int show_unit(const arguments& args);
int show_calendar(const arguments& args);
int list_bookings(const arguments& args);
int show_booking(const arguments& args);
int cancel_bookings(const arguments& args);
int list_requests(const arguments& args);
int show_request(const arguments& args);
/// Refuses the New requests of a platform that is not configured. Throws usage_error with the extent unless
/// `confirmed`.
int drop_requests(const arguments& args);
int list_notifications(const arguments& args);
int show_changelog(const arguments& args);

} // namespace roost::cli
