#pragma once

#include "cli/context.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// The commands. Each returns its exit status and throws on errors.
namespace roost::cli {

struct serve_options {
  bool on_hold = false;    ///< decides no booking requests, sends no mail and deletes no expired data
  std::string events_file; ///< for tests: also gets every event (log::copy_events_to); empty: none
};
int serve(const common_options& common, const serve_options& options);
int migrate(const common_options& common);
int show_lease(const common_options& common);
/// Revokes the lease of its holder. Throws usage_error with the risks unless `confirmed`.
int release_lease(const common_options& common, bool confirmed);
int print_configuration(const common_options& common);
/// Prints every route of the public listener with the credentials that it requires.
int print_routes(const common_options& common);
/// Checks configuration, store and machine; returns 1 if something is wrong.
int run_doctor(const common_options& common);

struct top_options {
  bool once = false;
  bool as_json = false; ///< requires `once`
};
/// Shows the activity of the server on the configured operations listener.
int show_top(const common_options& common, const top_options& options);

struct import_options {
  std::vector<std::string> files;
  bool check_only = false;
  bool plan_only = false; ///< only print what would be written
  bool allow_removals = false;
};
int import_portfolios(const common_options& common, const import_options& options);

struct copy_options {
  std::string to; ///< the URL of the target store
  bool check_only = false;
};
/// Copies the configured store into another one, or only compares the two; returns 1 if they differ.
int copy_store(const common_options& common, const copy_options& options);

struct export_options {
  std::vector<std::string> accounts; ///< empty: all
  std::string out;                   ///< a file, or a folder for one file per account; empty: standard output
  bool overwrite = false;
  bool password_hashes = false;
};
int export_portfolios(const common_options& common, const export_options& options);

struct token_options {
  std::string platform;
  std::string ttl = "365d";
  bool replace = false;
  std::string label;
};
int issue_token(const common_options& common, const token_options& options);
int list_tokens(const common_options& common);
int revoke_token(const common_options& common, const std::string& id);

/// A key's label is for people; it may be empty.
int issue_account_key(const common_options& common, const std::string& account, const std::string& label);
int list_account_keys(const common_options& common);
int revoke_account_key(const common_options& common, const std::string& id);

int issue_webhook_key(const common_options& common, const std::string& label);
int list_webhook_keys(const common_options& common);
int revoke_webhook_key(const common_options& common, const std::string& id);

int issue_usage_key(const common_options& common, const std::string& label);
int list_usage_keys(const common_options& common);
int revoke_usage_key(const common_options& common, const std::string& id);

/// Issues a key for the tool server with this resource; empty: the configured one.
int issue_tool_server_key(const common_options& common, const std::string& resource,
                          const std::string& label);
int list_tool_server_keys(const common_options& common);
int revoke_tool_server_key(const common_options& common, const std::string& id);

int issue_api_key(const common_options& common, const std::string& email, const std::string& label);
int list_api_keys(const common_options& common);
int revoke_api_key(const common_options& common, const std::string& id);

/// Reads the new password from standard input.
int set_password(const common_options& common, const std::string& email);

/// Adds the records of a file of JSON lines to the AI usage ledger.
int import_usage(const common_options& common, const std::string& file);

int list_sessions(const common_options& common);
int revoke_session(const common_options& common, const std::string& id);

/// `sign_out`: deletes the older keys, which ends every session.
int rotate_secrets(const common_options& common, bool sign_out);

/// Makes the keys of secrets.file the store's, which invalidates every token signed with other keys. Throws
/// usage_error with the risks unless `confirmed`, and refuses while a server holds the lease.
int adopt_secrets(const common_options& common, bool confirmed);

/// Erases a guest's data in all accounts that know the email address; a tenant's id stands for that tenant's
/// address. Throws usage_error with the extent of the erasure unless `confirmed`.
int erase_tenant(const common_options& common, const std::string& id_or_email, bool confirmed);

struct mail_list_options {
  std::string state, to; ///< empty: any
  std::size_t limit = 50;
};
int list_mails(const common_options& common, const mail_list_options& options);
int show_mail(const common_options& common, const std::string& id);
/// Makes an unsent mail due immediately; an empty id: all mails that were given up.
int retry_mail(const common_options& common, const std::string& id);
/// Sends a test message immediately, bypassing the outbox.
int test_mail(const common_options& common, const std::string& address);

/// Lists the audit log, newest first.
int list_audit(const common_options& common, std::size_t limit);

/// Lists the live connections of one user; an empty address: of all users.
int list_connections(const common_options& common, const std::string& email);
int show_connection(const common_options& common, const std::string& id);
int revoke_connection(const common_options& common, const std::string& id);

struct ai_area_options {
  std::string account, area, level;
};
int set_ai_area(const common_options& common, const ai_area_options& options);
int list_ai_areas(const common_options& common, const std::string& account);

int list_accounts(const common_options& common, std::size_t limit);
int show_account(const common_options& common, const std::string& id);

struct portfolio_list_options {
  std::string account, property; ///< empty: any
  std::size_t limit = 50;
};
int list_properties(const common_options& common, const portfolio_list_options& options);
int list_units(const common_options& common, const portfolio_list_options& options);
int show_unit(const common_options& common, const std::string& id);

struct calendar_options {
  std::string unit;
  std::string from; ///< a month; empty: the current one
  int months = 3;
};
/// Prints the taken nights of a unit, as months and as a list.
int show_calendar(const common_options& common, const calendar_options& options);

struct booking_list_options {
  std::string account, unit, status, platform, reference; ///< empty: any
  std::size_t limit = 50;
};
int list_bookings(const common_options& common, const booking_list_options& options);
int show_booking(const common_options& common, const std::string& id);
int cancel_booking(const common_options& common, const std::string& id);

struct request_list_options {
  std::string status, platform, since; ///< empty: any
  std::size_t limit = 50;
};
int list_requests(const common_options& common, const request_list_options& options);
int show_request(const common_options& common, const std::string& id);

int list_notifications(const common_options& common, const std::string& account, std::size_t limit);
int show_changelog(const common_options& common, const std::string& unit, std::size_t limit);

} // namespace roost::cli
