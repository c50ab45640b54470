#pragma once

#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace roost::cli {

/// The arguments' homes and what is to be done with them.
struct invocation {
  common_options common;
  import_options import;
  copy_options copy;
  export_options exported;
  top_options top;
  token_options token;
  booking_list_options bookings;
  request_list_options requests;
  portfolio_list_options portfolio;
  calendar_options calendar;
  ai_area_options ai_area;
  mail_list_options mails;
  std::string id, account, email, file, label, resource;
  bool sign_out = false, confirmed = false, on_hold = false;
  std::size_t limit = 50;
  std::function<int()> command;
};

/// A command with what every command takes.
CLI::App* add_command(CLI::App& to, invocation& call, const std::string& name, const std::string& help,
                      std::function<int()> run);

/// A command called `list`, with --json and --csv.
CLI::App* add_list_command(CLI::App& to, invocation& call, const std::string& help, std::function<int()> run);

/// For a command of another name that prints a list. `when` stands before the help of both: `with --plan: `.
void add_formats(CLI::App* command, invocation& call, const std::string& when = "");

void add_id(CLI::App* command, invocation& call);
void add_limit(CLI::App* command, std::size_t& limit);

/// Portfolio files: import and export.
void add_portfolio_file_commands(CLI::App& app, invocation& call);

/// Accounts, properties, units, bookings and what landlords were told.
void add_landlord_commands(CLI::App& app, invocation& call);

/// The outbox of mail.
void add_mail_commands(CLI::App& app, invocation& call);

/// The audit log, guests' data, and a look at everything.
void add_operator_commands(CLI::App& app, invocation& call);

} // namespace roost::cli
