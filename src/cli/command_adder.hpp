#pragma once

#include "cli/context.hpp"
#include "cli/input.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// The parameters of commands, and how a command with its parameters becomes part of the command line.
namespace roost::cli {

inline constexpr std::size_t max_entries = 100'000; ///< of a list

using command_function = int (*)(const arguments&);

/// Adds a parameter to a command, and stores its value in the arguments.
using parameter = std::function<void(CLI::App& command, arguments& args)>;

/// An option, or a positional parameter if its name has no dashes.
template <typename T>
parameter option(const char* names, T arguments::*member, const char* help) {
  return [=](CLI::App& command, arguments& args) { command.add_option(names, args.*member, help); };
}

template <typename T>
parameter required(const char* names, T arguments::*member, const char* help) {
  return
      [=](CLI::App& command, arguments& args) { command.add_option(names, args.*member, help)->required(); };
}

/// An option that may be repeated.
inline parameter repeated(const char* name, std::vector<std::string> arguments::*member, const char* help) {
  return [=](CLI::App& command, arguments& args) {
    command.add_option(name, args.*member, help)->take_all()->expected(1);
  };
}

inline parameter flag(const char* name, bool arguments::*member, const char* help) {
  return [=](CLI::App& command, arguments& args) { command.add_flag(name, args.*member, help); };
}

/// --json and --csv. `prefix` precedes the help of both: `with --plan: `.
inline parameter format_options(const std::string& prefix = "") {
  return [=](CLI::App& command, arguments& args) {
    const auto add = [&](const char* name, list_format format, const std::string& help) {
      return command.add_flag_callback(
          name, [&args, format] { args.format = format; }, prefix + help);
    };
    auto* json = add("--json", list_format::json, "print a JSON array");
    add("--csv", list_format::csv, "print CSV with a header")->excludes(json);
  };
}

inline parameter limit_option() {
  return [](CLI::App& command, arguments& args) {
    const auto* option =
        command
            .add_option("--limit", args.limit,
                        "the maximum number of entries (default: 50; with --json or --csv: all)")
            ->check(CLI::Range(std::size_t{1}, max_entries));
    command.parse_complete_callback([&command, option, &args] {
      if (option->count() == 0 && command.count("--json") + command.count("--csv") > 0) args.limit = no_limit;
    });
  };
}

inline parameter id_argument() { return required("ID", &arguments::id, "its id, as shown by the list"); }

inline parameter of_account() {
  return option("--account", &arguments::account, "only those of the account with this id");
}

inline parameter of_platform() {
  return option("--platform", &arguments::platform, "only those of the platform with this name");
}

inline parameter label_option(const char* names = "--label") {
  return option(names, &arguments::label, "a label for lists, for example the holder's name");
}

/// Adds commands to the command line; they belong to the group that was started last.
class command_adder {
public:
  command_adder(CLI::App& app, arguments& args, command_function& chosen)
      : app_(app), args_(args), chosen_(chosen) {}

  /// Starts a group: `roost NAME COMMAND`.
  void start_group(const char* name, const char* help) {
    parent_ = app_.add_subcommand(name, help)->require_subcommand(1);
  }
  /// Ends the group: the following commands belong to none.
  void end_group() { parent_ = &app_; }

  /// Adds a command with these parameters after the common ones.
  void add(const char* name, const char* help, command_function run,
           const std::vector<parameter>& parameters = {}) {
    const parameter common[] = {
        option("--config", &arguments::config_file,
               "configuration file (default: config/roost.toml, else /etc/roost/roost.toml)"),
        repeated("--set", &arguments::set, "override a setting, as section.key=value; may be repeated"),
        option("--by", &arguments::by, "the name for the audit log (default: the operating system's user)")};
    auto& command = *parent_->add_subcommand(name, help);
    for (const auto& parameter : common) parameter(command, args_);
    for (const auto& parameter : parameters) parameter(command, args_);
    command.callback([&chosen = chosen_, run, &args = args_, group = parent_->get_name()] {
      chosen = run;
      args.group = group;
    });
  }

private:
  CLI::App& app_;
  arguments& args_;
  command_function& chosen_;
  CLI::App* parent_ = &app_;
};

} // namespace roost::cli
