#pragma once

#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace roost::cli {

/// The parsed arguments and the command to run with them.
struct invocation {
  common_options common;
  serve_options serve;
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
  bool sign_out = false, confirmed = false;
  std::size_t limit = 50;
  std::function<int()> command;
};

/// Adds a command with the common options.
CLI::App* add_command(CLI::App& parent, invocation& call, const std::string& name, const std::string& help,
                      std::function<int()> run);

/// Adds a command called `list` with --json and --csv.
CLI::App* add_list_command(CLI::App& parent, invocation& call, const std::string& help,
                           std::function<int()> run);

/// Adds --json and --csv. `prefix` precedes the help of both: `with --plan: `.
void add_formats(CLI::App* command, invocation& call, const std::string& prefix = "");

void add_id(CLI::App* command, invocation& call);
void add_limit(CLI::App* command, std::size_t& limit);

/// Adds import and export.
void add_portfolio_file_commands(CLI::App& app, invocation& call);

/// Adds the commands for accounts, properties, units, bookings, requests, notifications and the changelog.
void add_landlord_commands(CLI::App& app, invocation& call);

} // namespace roost::cli
