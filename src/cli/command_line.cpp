#include "cli/command_adder.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "service/version.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace roost::cli {

namespace {

void add_service_commands(command_adder& to) {
  const parameter events = [](CLI::App& command, arguments& args) {
    command.add_option("--events", args.events_file)->group(""); // for tests: not in the help
  };
  to.add(
      "serve", "run the service", serve,
      {flag("--hold", &arguments::on_hold,
            "decide no booking requests, send no mail and delete no expired data: to inspect a restored or "
            "copied store"),
       events});
  to.add("copy",
         "move the store into an empty SQLite or PostgreSQL database and compare both; no server may be "
         "running",
         copy_store,
         {required("--to", &arguments::to, "sqlite3://path or postgresql://user@host:port/database"),
          flag("--check", &arguments::check_only, "only compare; the exit status is 1 if they differ")});
  to.add("migrate", "bring the store's schema up to date", migrate);
  to.add("config", "print the effective configuration and where each value came from", print_configuration);
  to.add("top", "show the activity of a running server, updated every second; q quits", show_top,
         {flag("--once", &arguments::once, "show one second and exit"),
          flag("--json", &arguments::as_json, "with --once: print JSON")});
  to.add("routes", "print every route with the credentials that it requires", print_routes,
         {format_options()});
}

void add_portfolio_file_commands(command_adder& to) {
  to.add("import", "load portfolio files", import_portfolios,
         {required("FILE", &arguments::files, "portfolio files (format roost-portfolio/1)"),
          flag("--check", &arguments::check_only, "only validate; change nothing"),
          flag("--plan", &arguments::plan_only,
               "print what the import would add, change and remove; change nothing"),
          flag("--allow-removals", &arguments::allow_removals,
               "remove what an account's file leaves out, or archive it if it is booked"),
          flag("--overwrite-office", &arguments::overwrite_office,
               "set back what the office has written; what it created and a file omits stays"),
          format_options("with --plan: ")});
  to.add("export", "write portfolio files for import", export_portfolios,
         {repeated("--account", &arguments::accounts,
                   "only the account with this id; may be repeated (default: all)"),
          option("--out", &arguments::out,
                 "a file, or a folder for one file per account (default: standard output)"),
          flag("--force", &arguments::overwrite, "overwrite existing files"),
          flag("--with-password-hashes", &arguments::password_hashes,
               "include users' password hashes, to import them into another store")});
}

void add_store_commands(command_adder& to) {
  to.start_group("lease", "the lease, the exclusive right of one server to write and serve");
  to.add("show", "print the server that holds the lease, and its expiry", show_lease);
  to.add("release",
         "revoke the lease of a holder that is gone; a holder that still runs can no longer write, but may "
         "serve stale reads for some seconds",
         release_lease,
         {flag("--confirm", &arguments::confirmed, "confirm that the holder is gone or may be interrupted")});

  to.start_group("clock",
                 "the clock and the store's trusted time: nothing is deleted by age unless they agree");
  to.add("show", "print both times", show_clock);
  to.add("trust", "trust the clock, after a restored backup or a long time without a server", trust_clock,
         {flag("--confirm", &arguments::confirmed, "confirm that this machine's clock is right")});

  to.start_group("store", "the store as a whole");
  to.add("reopen", "let servers serve a store again that `roost copy` has moved", reopen_store,
         {flag("--confirm", &arguments::confirmed, "confirm that no server uses the copy, and none will")});
}

void add_credential_commands(command_adder& to) {
  to.start_group("token", "partner tokens");
  to.add("issue", "print a new partner token", issue_token,
         {required("--platform", &arguments::platform, "a configured platform's name"),
          option("--ttl", &arguments::ttl, "lifetime (default: 365d)"),
          flag("--replace", &arguments::replace, "revoke the platform's other tokens"), label_option()});
  to.add("list", "list partner tokens", list_credentials, {format_options()});
  to.add("revoke", "revoke a partner token", revoke_credential, {id_argument()});

  to.start_group("key", "booking-engine account keys");
  to.add("issue", "print a new account key; it is shown only once", issue_account_key,
         {required("--account", &arguments::account, "the account's id"), label_option()});
  to.add("list", "list account keys", list_credentials, {format_options()});
  to.add("revoke", "revoke an account key", revoke_credential, {id_argument()});

  to.start_group("webhook-key", "marketplace A's x-api-key");
  to.add("issue", "print a new webhook key; it is shown only once", issue_webhook_key, {label_option()});
  to.add("list", "list webhook keys", list_credentials, {format_options()});
  to.add("revoke", "revoke a webhook key", revoke_credential, {id_argument()});

  to.start_group("usage-key", "keys of services that add to the AI usage ledger");
  to.add("issue", "print a new usage key; it is shown only once", issue_usage_key, {label_option()});
  to.add("list", "list usage keys", list_credentials, {format_options()});
  to.add("revoke", "revoke a usage key", revoke_credential, {id_argument()});
}

void add_portfolio_commands(command_adder& to) {
  to.start_group("account", "landlords' accounts");
  to.add("list", "list accounts by company", list_accounts, {format_options(), limit_option()});
  to.add("show", "print an account and its users", show_account, {id_argument()});

  to.start_group("property", "properties, which contain units");
  to.add("list", "list properties by name", list_properties,
         {format_options(), of_account(), limit_option()});

  to.start_group("unit", "units that guests book: whole properties, rooms or beds");
  to.add("list", "list units by name", list_units,
         {format_options(), of_account(),
          option("--property", &arguments::property, "only those of the property with this id"),
          limit_option()});
  to.add("show", "print a unit and its links to platforms", show_unit, {id_argument()});
  to.add(
      "calendar", "print the taken nights month by month", show_calendar,
      {id_argument(),
       option("--from", &arguments::from, "the first month, for example 2027-02 (default: the current one)"),
       option("--months", &arguments::months, "number of months (default: 3)"), format_options()});
}

void add_booking_commands(command_adder& to) {
  to.start_group("booking", "landlords' bookings");
  to.add("list", "list bookings, newest first", list_bookings,
         {format_options(), of_account(),
          option("--unit", &arguments::unit, "only those of the unit with this id"),
          option("--status", &arguments::status, "only confirmed, checked_in, checked_out or cancelled ones"),
          of_platform(),
          option("--reference", &arguments::reference, "only the one with this reference of a platform"),
          limit_option()});
  to.add("show", "print a booking with its terms and its payment plan", show_booking, {id_argument()});
  to.add(
      "cancel",
      "cancel bookings whose stay is not over; their nights become free immediately, and the landlords are "
      "notified",
      cancel_bookings,
      {required("ID", &arguments::ids, "their ids, as shown by the list"),
       option("--reason", &arguments::reason,
              "why, for the landlords' notifications, their history and the audit log: one line of at most "
              "500 characters")});

  to.start_group("request", "booking requests of platforms");
  to.add("list", "list booking requests, newest first", list_requests,
         {format_options(),
          option("--status", &arguments::status, "only new, success, failed or dropped ones"), of_platform(),
          option("--since", &arguments::since,
                 "only those received since: 24h, 7d, 2026-11-20 or 2026-11-20T09:30:00Z"),
          limit_option()});
  to.add("show", "print a booking request and its outcome", show_request, {id_argument()});
  to.add("drop", "refuse the waiting requests of a platform that is no longer configured", drop_requests,
         {required("--platform", &arguments::platform, "the name of a platform that is not configured"),
          flag("--confirm", &arguments::confirmed, "confirm the refusals, which cannot be undone")});

  to.start_group("notification", "notifications to landlords");
  to.add("list", "list notifications, newest first", list_notifications,
         {format_options(), of_account(), limit_option()});
  to.end_group();
  to.add("changelog", "list what platforms and the office changed in a unit, newest first", show_changelog,
         {required("UNIT", &arguments::id, "the unit's id"), limit_option(), format_options()});
}

void add_operator_commands(command_adder& to) {
  to.start_group("mail", "mail to landlords' users");
  to.add("list", "list mails, newest first", list_mails,
         {format_options(),
          option("--state", &arguments::status, "only mails in this state: waiting, sent or given-up"),
          option("--to", &arguments::to, "only mails to this address"), limit_option()});
  to.add("show", "print a mail's text and delivery state", show_mail, {id_argument()});
  to.add("retry", "retry unsent mail", retry_mail,
         {option("ID", &arguments::id, "the id of one mail (default: all mails that were given up)")});
  to.add("test", "send a test message immediately", test_mail,
         {required("ADDRESS", &arguments::email, "the recipient")});

  to.start_group("tenant", "guests");
  to.add("erase", "erase a guest's personal data but keep what accounting needs", erase_tenant,
         {required("TENANT", &arguments::id, "a tenant's id or a guest's email address"),
          flag("--confirm", &arguments::confirmed, "confirm the erasure, which cannot be undone")});
  to.end_group();
  to.add("doctor", "check configuration, store and machine, and advise on problems", run_doctor,
         {format_options()});
  to.start_group("audit", "the audit log: changes made by commands, and by partners with tokens and keys");
  to.add("list", "list changes, newest first", list_audit, {format_options(), limit_option()});

  to.start_group("usage", "the ledger of AI model calls");
  to.add("import", "add usage records from a file of JSON lines", import_usage,
         {required("FILE", &arguments::file, "one record per line; see docs/portfolio.md")});
}

void add_user_commands(command_adder& to) {
  to.start_group("user", "landlords' users");
  to.add("password", "set a password that is read from standard input", set_password,
         {required("EMAIL", &arguments::email, "the user's email address"),
          flag("--end-connections", &arguments::end_connections,
               "end the connections of all assistants, which otherwise continue")});

  to.start_group("session", "users' sessions");
  to.add("list", "list live sessions, most recently used first", list_sessions, {format_options()});
  to.add("revoke", "sign out the browser of a session", revoke_session, {id_argument()});

  to.start_group("secrets", "the service's own keys");
  to.add("rotate", "create a new session key; all users stay signed in", rotate_secrets,
         {flag("--sign-out", &arguments::sign_out, "delete the older keys, which signs out all users"),
          flag("--partner-tokens", &arguments::partner_tokens,
               "create a key for partner tokens instead; the older ones stay valid")});
  to.add("retire", "delete the replaced keys of partner tokens; tokens signed with them become invalid",
         retire_secrets,
         {flag("--confirm", &arguments::confirmed, "confirm that partners have replaced those tokens")});
  to.add("adopt", "make the keys of secrets.file the store's; tokens signed with other keys become invalid",
         adopt_secrets,
         {flag("--confirm", &arguments::confirmed, "confirm that the old file is lost or has leaked")});
}

void add_assistant_commands(command_adder& to) {
  to.start_group("connector", "connections of assistants that act for users");
  to.add("list", "list live connections, most recently used first", list_connections,
         {format_options(),
          option("--user", &arguments::email, "only connections of the user with this email address")});
  to.add("show", "print a connection", show_connection, {id_argument()});
  to.add("revoke", "revoke a connection", revoke_connection, {id_argument()});

  to.start_group("tool-server-key", "keys with which tool servers introspect tokens");
  to.add("issue", "print a new tool server key; it is shown only once", issue_tool_server_key,
         {option("--resource", &arguments::resource,
                 "the resource whose tokens it may introspect (default: connector.tool_server)"),
          label_option()});
  to.add("list", "list tool server keys", list_credentials, {format_options()});
  to.add("revoke", "revoke a tool server key", revoke_credential, {id_argument()});

  to.start_group("api-key", "keys of clients that cannot run OAuth");
  to.add("issue", "print a new API key; it is shown only once", issue_api_key,
         {required("EMAIL", &arguments::email, "the email address of the user for whom it acts"),
          option("--resource", &arguments::resource,
                 "the tool server at which it may be used (default: connector.tool_server)"),
          label_option("--label,--name")});
  to.add("list", "list API keys", list_credentials, {format_options()});
  to.add("revoke", "revoke an API key", revoke_credential, {id_argument()});

  to.start_group("ai-area", "permissions of assistants in an account");
  to.add("set", "let assistants read or edit an area, or block it", set_ai_area,
         {required("ACCOUNT", &arguments::account, "the account's id"),
          required("AREA", &arguments::area, "for example bookings"),
          required("LEVEL", &arguments::level, "edit, read-only or off")});
  to.add("list", "list the areas of an account", list_ai_areas,
         {format_options(), required("ACCOUNT", &arguments::account, "the account's id")});
}

void add_commands(command_adder to) {
  for (const auto add : {add_service_commands, add_portfolio_file_commands, add_store_commands,
                         add_credential_commands, add_portfolio_commands, add_booking_commands,
                         add_operator_commands, add_user_commands, add_assistant_commands})
    add(to);
}

constexpr int failure = 1;
constexpr int usage = 2;

/// Returns the error text; names an unknown command, for which CLI11 only reports that a command is missing.
std::string text_of(const CLI::ParseError& error, const CLI::App& app) {
  const auto unknown = app.remaining(true);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) && !unknown.empty())
    return "'" + unknown.front() + "' is not a command";
  return error.what();
}

int fail(const char* message, int status) {
  std::fprintf(stderr, "roost: %s\n", message);
  return status;
}

/// Fails if standard output is incomplete, for example because the disk is full.
int flush_output(int status) {
  errno = 0;
  const bool is_complete = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (is_complete) return status;
  const std::string reason = errno != 0 ? ": " + std::generic_category().message(errno) : "";
  return fail(("standard output could not be written" + reason).c_str(), failure);
}

int execute(command_function run, const arguments& args) {
  try {
    return flush_output(run(args));
  } catch (const config::invalid& invalid) {
    for (const auto& problem : invalid.problems()) fail(config::to_string(problem).c_str(), usage);
    return usage;
  } catch (const usage_error& error) {
    return fail(error.what(), usage);
  } catch (const std::exception& error) {
    return fail(error.what(), failure);
  }
}

} // namespace

int run(int argc, char** argv) {
  CLI::App app{"Roost: a rental back office for landlords and booking platforms", "roost"};
  app.set_version_flag("--version", std::string{"roost "}.append(program_version()));
  app.require_subcommand(1);
  arguments args;
  command_function chosen = nullptr;
  add_commands({app, args, chosen});
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail((text_of(error, app) + " (see roost --help)").c_str(), usage);
  }
  return execute(chosen, args);
}

} // namespace roost::cli
