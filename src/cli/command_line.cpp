#include "cli/command_line.hpp"

#include "cli/argument_checks.hpp"
#include "cli/invocation.hpp"
#include "service/version.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace roost::cli {

namespace {

constexpr int failure = 1;
constexpr int usage = 2;
constexpr std::size_t max_entries = 100'000;

void add_service_commands(CLI::App& app, invocation& call) {
  auto* server =
      add_command(app, call, "serve", "run the service", [&call] { return serve(call.common, call.serve); });
  server->add_flag(
      "--hold", call.serve.on_hold,
      "decide no booking requests, send no mail and delete no expired data: to inspect a restored or copied "
      "store");
  server->add_option("--events", call.serve.events_file)->group(""); // for tests: not in the help
  auto* copy = add_command(app, call, "copy",
                           "copy the store into an empty SQLite or PostgreSQL database and compare both; "
                           "no server may be running",
                           [&call] { return copy_store(call.common, call.copy); });
  copy->add_option("--to", call.copy.to, "sqlite3://path or postgresql://user@host:port/database")
      ->required();
  copy->add_flag("--check", call.copy.check_only, "only compare; the exit status is 1 if they differ");
  add_command(app, call, "migrate", "bring the store's schema up to date",
              [&call] { return migrate(call.common); });
  add_command(app, call, "config", "print the effective configuration and where each value came from",
              [&call] { return print_configuration(call.common); });
  auto* top =
      add_command(app, call, "top", "show the activity of a running server, updated every second; q quits",
                  [&call] { return show_top(call.common, call.top); });
  top->add_flag("--once", call.top.once, "show one second and exit");
  top->add_flag("--json", call.top.as_json, "with --once: print JSON");
  add_formats(add_command(app, call, "routes", "print every route with the credentials that it requires",
                          [&call] { return print_routes(call.common); }),
              call);
}

void add_lease_commands(CLI::App& app, invocation& call) {
  auto* lease = app.add_subcommand("lease", "the lease, the exclusive right of one server to write and serve")
                    ->require_subcommand(1);
  add_command(*lease, call, "show", "print the server that holds the lease, and its expiry",
              [&call] { return show_lease(call.common); });
  add_command(
      *lease, call, "release",
      "revoke the lease of a holder that is gone; a holder that still runs can no longer write, but may "
      "serve stale reads for some seconds",
      [&call] { return release_lease(call.common, call.confirmed); })
      ->add_flag("--confirm", call.confirmed, "confirm that the holder is gone or may be interrupted");
}

void add_label(CLI::App* command, std::string& label, const char* names = "--label") {
  command->add_option(names, label, "a label for lists, for example the holder's name");
}

void add_token_commands(CLI::App& app, invocation& call) {
  auto* token = app.add_subcommand("token", "partner tokens")->require_subcommand(1);
  auto* issue = add_command(*token, call, "issue", "print a new partner token",
                            [&call] { return issue_token(call.common, call.token); });
  issue->add_option("--platform", call.token.platform, "a configured platform's name")->required();
  issue->add_option("--ttl", call.token.ttl, "lifetime (default: 365d)");
  issue->add_flag("--replace", call.token.replace, "revoke the platform's other tokens");
  add_label(issue, call.token.label);
  add_list_command(*token, call, "list partner tokens", [&call] { return list_tokens(call.common); });
  add_id(add_command(*token, call, "revoke", "revoke a partner token",
                     [&call] { return revoke_token(call.common, call.id); }),
         call);
}

/// The commands for one kind of key.
struct key_commands {
  int (*issue)(const common_options&, const std::string& label);
  int (*list)(const common_options&);
  int (*revoke)(const common_options&, const std::string&);
};

void add_service_keys(CLI::App& app, invocation& call, const std::string& name, const std::string& help,
                      const std::string& noun, const key_commands& run) {
  auto* keys = app.add_subcommand(name, help)->require_subcommand(1);
  add_label(add_command(*keys, call, "issue", "print a new " + noun + "; it is shown only once",
                        [&call, run] { return run.issue(call.common, call.label); }),
            call.label);
  add_list_command(*keys, call, "list " + noun + "s", [&call, run] { return run.list(call.common); });
  add_id(add_command(*keys, call, "revoke", "revoke a " + noun,
                     [&call, run] { return run.revoke(call.common, call.id); }),
         call);
}

void add_key_commands(CLI::App& app, invocation& call) {
  auto* key = app.add_subcommand("key", "booking-engine account keys")->require_subcommand(1);
  auto* issue = add_command(*key, call, "issue", "print a new account key; it is shown only once",
                            [&call] { return issue_account_key(call.common, call.account, call.label); });
  issue->add_option("--account", call.account, "the account's id")->required();
  add_label(issue, call.label);
  add_list_command(*key, call, "list account keys", [&call] { return list_account_keys(call.common); });
  add_id(add_command(*key, call, "revoke", "revoke an account key",
                     [&call] { return revoke_account_key(call.common, call.id); }),
         call);
  add_service_keys(app, call, "webhook-key", "marketplace A's x-api-key", "webhook key",
                   {issue_webhook_key, list_webhook_keys, revoke_webhook_key});
  add_service_keys(app, call, "usage-key", "keys of services that add to the AI usage ledger", "usage key",
                   {issue_usage_key, list_usage_keys, revoke_usage_key});
}

void add_usage_commands(CLI::App& app, invocation& call) {
  auto* usage_app = app.add_subcommand("usage", "the ledger of AI model calls")->require_subcommand(1);
  add_command(*usage_app, call, "import", "add usage records from a file of JSON lines",
              [&call] { return import_usage(call.common, call.file); })
      ->add_option("FILE", call.file, "one record per line; see docs/portfolio.md")
      ->required();
}

void add_user_commands(CLI::App& app, invocation& call) {
  auto* user = app.add_subcommand("user", "landlords' users")->require_subcommand(1);
  add_command(*user, call, "password", "set a password that is read from standard input",
              [&call] { return set_password(call.common, call.email); })
      ->add_option("EMAIL", call.email, "the user's email address")
      ->required();
}

void add_session_commands(CLI::App& app, invocation& call) {
  auto* session = app.add_subcommand("session", "users' sessions")->require_subcommand(1);
  add_list_command(*session, call, "list live sessions, most recently used first",
                   [&call] { return list_sessions(call.common); });
  add_id(add_command(*session, call, "revoke", "sign out the browser of a session",
                     [&call] { return revoke_session(call.common, call.id); }),
         call);
  auto* secrets = app.add_subcommand("secrets", "the service's own keys")->require_subcommand(1);
  add_command(*secrets, call, "rotate", "create a new session key; all users stay signed in", [&call] {
    return rotate_secrets(call.common, call.sign_out);
  })->add_flag("--sign-out", call.sign_out, "delete the older keys, which signs out all users");
  add_command(*secrets, call, "adopt",
              "make the keys of secrets.file the store's; tokens signed with other keys become invalid",
              [&call] { return adopt_secrets(call.common, call.confirmed); })
      ->add_flag("--confirm", call.confirmed, "confirm that the old file is lost or has leaked");
}

void add_connection_commands(CLI::App& app, invocation& call) {
  auto* connector =
      app.add_subcommand("connector", "connections of assistants that act for users")->require_subcommand(1);
  add_list_command(*connector, call, "list live connections, most recently used first", [&call] {
    return list_connections(call.common, call.email);
  })->add_option("--user", call.email, "only connections of the user with this email address");
  add_id(add_command(*connector, call, "show", "print a connection",
                     [&call] { return show_connection(call.common, call.id); }),
         call);
  add_id(add_command(*connector, call, "revoke", "revoke a connection",
                     [&call] { return revoke_connection(call.common, call.id); }),
         call);
}

void add_tool_key_commands(CLI::App& app, invocation& call) {
  auto* server = app.add_subcommand("tool-server-key", "keys with which tool servers introspect tokens")
                     ->require_subcommand(1);
  auto* issue_server =
      add_command(*server, call, "issue", "print a new tool server key; it is shown only once",
                  [&call] { return issue_tool_server_key(call.common, call.resource, call.label); });
  issue_server->add_option("--resource", call.resource,
                           "the resource whose tokens it may introspect (default: connector.tool_server)");
  add_label(issue_server, call.label);
  add_list_command(*server, call, "list tool server keys",
                   [&call] { return list_tool_server_keys(call.common); });
  add_id(add_command(*server, call, "revoke", "revoke a tool server key",
                     [&call] { return revoke_tool_server_key(call.common, call.id); }),
         call);
  auto* api = app.add_subcommand("api-key", "keys of clients that cannot run OAuth")->require_subcommand(1);
  auto* issue = add_command(*api, call, "issue", "print a new API key; it is shown only once",
                            [&call] { return issue_api_key(call.common, call.email, call.label); });
  issue->add_option("EMAIL", call.email, "the email address of the user for whom it acts")->required();
  add_label(issue, call.label, "--label,--name");
  add_list_command(*api, call, "list API keys", [&call] { return list_api_keys(call.common); });
  add_id(add_command(*api, call, "revoke", "revoke an API key",
                     [&call] { return revoke_api_key(call.common, call.id); }),
         call);
}

void add_ai_area_commands(CLI::App& app, invocation& call) {
  auto* areas =
      app.add_subcommand("ai-area", "permissions of assistants in an account")->require_subcommand(1);
  auto* set = add_command(*areas, call, "set", "let assistants read or edit an area, or block it",
                          [&call] { return set_ai_area(call.common, call.ai_area); });
  set->add_option("ACCOUNT", call.ai_area.account, "the account's id")->required();
  set->add_option("AREA", call.ai_area.area, "for example bookings")->required();
  set->add_option("LEVEL", call.ai_area.level, "edit, read-only or off")->required();
  add_list_command(*areas, call, "list the areas of an account",
                   [&call] { return list_ai_areas(call.common, call.account); })
      ->add_option("ACCOUNT", call.account, "the account's id")
      ->required();
}

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

int execute(const invocation& call) {
  try {
    return flush_output(call.command());
  } catch (const config::invalid& invalid) {
    for (const auto& problem : invalid.problems()) fail(config::to_string(problem).c_str(), usage);
    return usage;
  } catch (const usage_error& error) {
    return fail(error.what(), usage);
  } catch (const std::exception& error) {
    return fail(error.what(), failure);
  }
}

void add_mail_commands(CLI::App& app, invocation& call) {
  auto* mail = app.add_subcommand("mail", "mail to landlords' users")->require_subcommand(1);
  auto* list = add_list_command(*mail, call, "list mails, newest first",
                                [&call] { return list_mails(call.common, call.mails); });
  list->add_option("--state", call.mails.state, "only mails in this state: waiting, sent or given-up");
  list->add_option("--to", call.mails.to, "only mails to this address");
  add_limit(list, call.mails.limit);
  add_id(add_command(*mail, call, "show", "print a mail's text and delivery state",
                     [&call] { return show_mail(call.common, call.id); }),
         call);
  add_command(*mail, call, "retry", "retry unsent mail", [&call] {
    return retry_mail(call.common, call.id);
  })->add_option("ID", call.id, "the id of one mail (default: all mails that were given up)");
  add_command(*mail, call, "test", "send a test message immediately",
              [&call] { return test_mail(call.common, call.email); })
      ->add_option("ADDRESS", call.email, "the recipient")
      ->required();
}

void add_operator_commands(CLI::App& app, invocation& call) {
  auto* tenant = app.add_subcommand("tenant", "guests")->require_subcommand(1);
  auto* erase =
      add_command(*tenant, call, "erase", "erase a guest's personal data but keep what accounting needs",
                  [&call] { return erase_tenant(call.common, call.id, call.confirmed); });
  erase->add_option("TENANT", call.id, "a tenant's id or a guest's email address")->required();
  erase->add_flag("--confirm", call.confirmed, "confirm the erasure, which cannot be undone");
  add_formats(add_command(app, call, "doctor",
                          "check configuration, store and machine, and advise on problems",
                          [&call] { return run_doctor(call.common); }),
              call);
  auto* audit =
      app.add_subcommand("audit",
                         "the audit log: changes made by commands, and by partners with tokens and keys")
          ->require_subcommand(1);
  add_limit(add_list_command(*audit, call, "list changes, newest first",
                             [&call] { return list_audit(call.common, call.limit); }),
            call.limit);
}

} // namespace

CLI::App* add_command(CLI::App& parent, invocation& call, const std::string& name, const std::string& help,
                      std::function<int()> run) {
  auto* command = parent.add_subcommand(name, help);
  command->add_option("--config", call.common.config_file,
                      "configuration file (default: config/roost.toml, else /etc/roost/roost.toml)");
  command->add_option("--set", call.common.set, "override a setting, as section.key=value; may be repeated")
      ->take_all()
      ->expected(1);
  command->add_option("--by", call.common.by,
                      "the name for the audit log (default: the operating system's user)");
  command->callback([&call, run = std::move(run)] { call.command = run; });
  return command;
}

void add_formats(CLI::App* command, invocation& call, const std::string& prefix) {
  const auto add = [&](const char* name, list_format format, const std::string& help) {
    return command->add_flag_callback(
        name, [&call, format] { call.common.format = format; }, prefix + help);
  };
  auto* json = add("--json", list_format::json, "print a JSON array");
  add("--csv", list_format::csv, "print CSV with a header")->excludes(json);
}

CLI::App* add_list_command(CLI::App& parent, invocation& call, const std::string& help,
                           std::function<int()> run) {
  auto* command = add_command(parent, call, "list", help, std::move(run));
  add_formats(command, call);
  return command;
}

void add_id(CLI::App* command, invocation& call) {
  command->add_option("ID", call.id, "its id, as shown by the list")->required();
}

void add_limit(CLI::App* command, std::size_t& limit) {
  const auto* option =
      command
          ->add_option("--limit", limit,
                       "the maximum number of entries (default: 50; with --json or --csv: all)")
          ->check(CLI::Range(std::size_t{1}, max_entries));
  command->parse_complete_callback([command, option, &limit] {
    if (option->count() == 0 && command->count("--json") + command->count("--csv") > 0) limit = no_limit;
  });
}

int run(int argc, char** argv) {
  CLI::App app{"Roost: a rental back office for landlords and booking platforms", "roost"};
  app.set_version_flag("--version", std::string{"roost "}.append(program_version()));
  app.require_subcommand(1);
  invocation call;
  add_service_commands(app, call);
  add_portfolio_file_commands(app, call);
  add_lease_commands(app, call);
  add_token_commands(app, call);
  add_key_commands(app, call);
  add_landlord_commands(app, call);
  add_mail_commands(app, call);
  add_operator_commands(app, call);
  add_usage_commands(app, call);
  add_user_commands(app, call);
  add_session_commands(app, call);
  add_connection_commands(app, call);
  add_tool_key_commands(app, call);
  add_ai_area_commands(app, call);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail((text_of(error, app) + " (see roost --help)").c_str(), usage);
  }
  return execute(call);
}

} // namespace roost::cli
