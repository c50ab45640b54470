#include "cli/command_line.hpp"

#include "cli/invocation.hpp"
#include "cli/usage_error.hpp"
#include "service/version.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace roost::cli {

namespace {

constexpr int failure = 1;
constexpr int usage = 2;

void add_service_commands(CLI::App& app, invocation& call) {
  auto* server = add_command(app, call, "serve", "run the service",
                             [&call] { return serve(call.common, call.on_hold); });
  server->add_flag(
      "--hold", call.on_hold,
      "decide no booking request, send no mail and delete nothing that is old: for a look at a restored or "
      "copied store");
  auto* copy = add_command(app, call, "copy",
                           "copy the store into an empty database, SQLite or PostgreSQL, and compare both; "
                           "no server may run",
                           [&call] { return copy_store(call.common, call.copy); });
  copy->add_option("--to", call.copy.to, "sqlite3://path or postgresql://user@host:port/database")
      ->required();
  copy->add_flag("--check", call.copy.check_only, "only compare; 1 when they differ");
  add_command(app, call, "migrate", "bring the store's schema up to date",
              [&call] { return migrate(call.common); });
  add_command(app, call, "config", "print the effective configuration and where each value came from",
              [&call] { return print_configuration(call.common); });
  auto* top = add_command(app, call, "top", "show what a running server does, each second; q ends it",
                          [&call] { return show_top(call.common, call.top); });
  top->add_flag("--once", call.top.once, "show one second and end");
  top->add_flag("--json", call.top.as_json, "with --once: as JSON");
  add_formats(add_command(app, call, "routes", "print every route and what a caller must have",
                          [&call] { return print_routes(call.common); }),
              call);
}

void add_lease_commands(CLI::App& app, invocation& call) {
  auto* lease = app.add_subcommand("lease", "the right to write and serve, which one server has")
                    ->require_subcommand(1);
  add_command(*lease, call, "show", "print which server holds it, and until when",
              [&call] { return show_lease(call.common); });
  add_command(*lease, call, "release",
              "take it from its holder, which can write nothing any more but may answer reads with old data "
              "for some seconds; for a holder that is gone",
              [&call] { return release_lease(call.common, call.confirmed); })
      ->add_flag("--confirm", call.confirmed, "the holder is gone, or may be interrupted");
}

void add_label(CLI::App* command, std::string& label, const char* names = "--label") {
  command->add_option(names, label, "what you call it, e.g. whose it is");
}

void add_token_commands(CLI::App& app, invocation& call) {
  auto* token = app.add_subcommand("token", "partner tokens")->require_subcommand(1);
  auto* issue = add_command(*token, call, "issue", "print a new partner token",
                            [&call] { return issue_token(call.common, call.token); });
  issue->add_option("--platform", call.token.platform, "a configured platform's name")->required();
  issue->add_option("--ttl", call.token.ttl, "how long it is good for (default 365d)");
  issue->add_flag("--replace", call.token.replace, "end the platform's earlier tokens");
  add_label(issue, call.token.label);
  add_list_command(*token, call, "list partner tokens", [&call] { return list_tokens(call.common); });
  add_id(add_command(*token, call, "revoke", "end a partner token",
                     [&call] { return revoke_token(call.common, call.id); }),
         call);
}

/// The commands of a kind of keys.
struct key_commands {
  int (*issue)(const common_options&, const std::string& label);
  int (*list)(const common_options&);
  int (*revoke)(const common_options&, const std::string&);
};

void add_service_keys(CLI::App& app, invocation& call, const std::string& name, const std::string& help,
                      const std::string& what, const key_commands& run) {
  auto* keys = app.add_subcommand(name, help)->require_subcommand(1);
  add_label(add_command(*keys, call, "issue", "print a new " + what + "; it is shown once",
                        [&call, run] { return run.issue(call.common, call.label); }),
            call.label);
  add_list_command(*keys, call, "list " + what + "s", [&call, run] { return run.list(call.common); });
  add_id(add_command(*keys, call, "revoke", "end a " + what,
                     [&call, run] { return run.revoke(call.common, call.id); }),
         call);
}

void add_key_commands(CLI::App& app, invocation& call) {
  auto* key = app.add_subcommand("key", "booking-engine account keys")->require_subcommand(1);
  auto* issue = add_command(*key, call, "issue", "print a new account key; it is shown once",
                            [&call] { return issue_account_key(call.common, call.account, call.label); });
  issue->add_option("--account", call.account, "the account's id")->required();
  add_label(issue, call.label);
  add_list_command(*key, call, "list account keys", [&call] { return list_account_keys(call.common); });
  add_id(add_command(*key, call, "revoke", "end an account key",
                     [&call] { return revoke_account_key(call.common, call.id); }),
         call);
  add_service_keys(app, call, "webhook-key", "marketplace A's x-api-key", "webhook key",
                   {issue_webhook_key, list_webhook_keys, revoke_webhook_key});
  add_service_keys(app, call, "usage-key", "keys of services that add to the AI usage ledger", "usage key",
                   {issue_usage_key, list_usage_keys, revoke_usage_key});
}

void add_usage_commands(CLI::App& app, invocation& call) {
  auto* usage_app = app.add_subcommand("usage", "the ledger of AI model calls")->require_subcommand(1);
  add_command(*usage_app, call, "import", "add the usage records of a file of JSON lines",
              [&call] { return import_usage(call.common, call.file); })
      ->add_option("FILE", call.file, "one record a line; see docs/portfolio.md")
      ->required();
}

void add_user_commands(CLI::App& app, invocation& call) {
  auto* user = app.add_subcommand("user", "landlords' users")->require_subcommand(1);
  add_command(*user, call, "password", "set a password, read from standard input",
              [&call] { return set_password(call.common, call.email); })
      ->add_option("EMAIL", call.email, "the user's address")
      ->required();
}

void add_session_commands(CLI::App& app, invocation& call) {
  auto* session = app.add_subcommand("session", "users' sessions")->require_subcommand(1);
  add_list_command(*session, call, "list the sessions that are live, the last used first",
                   [&call] { return list_sessions(call.common); });
  add_id(add_command(*session, call, "revoke", "sign that browser out",
                     [&call] { return revoke_session(call.common, call.id); }),
         call);
  auto* secrets = app.add_subcommand("secrets", "the service's own keys")->require_subcommand(1);
  add_command(*secrets, call, "rotate", "make a new key for sessions; nobody is signed out", [&call] {
    return rotate_secrets(call.common, call.sign_out);
  })->add_flag("--sign-out", call.sign_out, "drop the older keys: everybody is signed out");
  add_command(*secrets, call, "adopt",
              "make the keys of secrets.file the store's: tokens that others have signed are void",
              [&call] { return adopt_secrets(call.common, call.confirmed); })
      ->add_flag("--confirm", call.confirmed, "the old file is lost, or others may have read it");
}

void add_connection_commands(CLI::App& app, invocation& call) {
  auto* connector = app.add_subcommand("connector", "assistants that act for users")->require_subcommand(1);
  add_list_command(*connector, call, "list the connections that are live, the last used first", [&call] {
    return list_connections(call.common, call.email);
  })->add_option("--user", call.email, "only those of the user with this address");
  add_id(add_command(*connector, call, "show", "print a connection",
                     [&call] { return show_connection(call.common, call.id); }),
         call);
  add_id(add_command(*connector, call, "revoke", "end a connection",
                     [&call] { return revoke_connection(call.common, call.id); }),
         call);
}

void add_tool_key_commands(CLI::App& app, invocation& call) {
  auto* server = app.add_subcommand("tool-server-key", "keys of tool servers that ask about tokens")
                     ->require_subcommand(1);
  auto* issue_server_key =
      add_command(*server, call, "issue", "print a new tool server key; it is shown once",
                  [&call] { return issue_tool_server_key(call.common, call.resource, call.label); });
  issue_server_key->add_option("--resource", call.resource,
                               "whose tokens it may ask about (default connector.tool_server)");
  add_label(issue_server_key, call.label);
  add_list_command(*server, call, "list tool server keys",
                   [&call] { return list_tool_server_keys(call.common); });
  add_id(add_command(*server, call, "revoke", "end a tool server key",
                     [&call] { return revoke_tool_server_key(call.common, call.id); }),
         call);
  auto* api = app.add_subcommand("api-key", "keys of clients that cannot run OAuth")->require_subcommand(1);
  auto* issue = add_command(*api, call, "issue", "print a new API key; it is shown once",
                            [&call] { return issue_api_key(call.common, call.email, call.label); });
  issue->add_option("EMAIL", call.email, "the address of the user that it acts for")->required();
  add_label(issue, call.label, "--label,--name");
  add_list_command(*api, call, "list API keys", [&call] { return list_api_keys(call.common); });
  add_id(add_command(*api, call, "revoke", "end an API key",
                     [&call] { return revoke_api_key(call.common, call.id); }),
         call);
}

void add_ai_area_commands(CLI::App& app, invocation& call) {
  auto* areas =
      app.add_subcommand("ai-area", "what assistants may do for an account's users")->require_subcommand(1);
  auto* set = add_command(*areas, call, "set", "let assistants read or edit an area, or switch it off",
                          [&call] { return set_ai_area(call.common, call.ai_area); });
  set->add_option("ACCOUNT", call.ai_area.account, "the account's id")->required();
  set->add_option("AREA", call.ai_area.area, "e.g. bookings")->required();
  set->add_option("LEVEL", call.ai_area.level, "edit, read-only or off")->required();
  add_list_command(*areas, call, "list the areas of an account",
                   [&call] { return list_ai_areas(call.common, call.account); })
      ->add_option("ACCOUNT", call.account, "the account's id")
      ->required();
}

/// Which of the words was not understood, where CLI11 only says that a command is missing.
std::string text_of(const CLI::ParseError& wrong, const CLI::App& app) {
  const auto unknown = app.remaining(true);
  if (wrong.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) && !unknown.empty())
    return "'" + unknown.front() + "' is not a command";
  return wrong.what();
}

int complain(const char* what, int status) {
  std::fprintf(stderr, "roost: %s\n", what);
  return status;
}

/// A list that is cut off, on a full disk for example, must not look like a whole one.
int printed(int status) {
  errno = 0;
  const bool is_whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (is_whole) return status;
  const std::string why = errno != 0 ? ": " + std::generic_category().message(errno) : "";
  return complain(("standard output could not be written" + why).c_str(), failure);
}

int execute(const invocation& call) {
  try {
    return printed(call.command());
  } catch (const config::invalid& invalid) { // one line for each problem
    for (const auto& problem : invalid.problems()) complain(config::to_string(problem).c_str(), usage);
    return usage;
  } catch (const usage_error& wrong) {
    return complain(wrong.what(), usage);
  } catch (const std::exception& failed) {
    return complain(failed.what(), failure);
  }
}

} // namespace

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
  } catch (const CLI::ParseError& wrong) {
    return complain((text_of(wrong, app) + " (roost --help tells more)").c_str(), usage);
  }
  return execute(call);
}

} // namespace roost::cli
