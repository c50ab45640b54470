#pragma once

#include "service/support/workplace.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace roost::testing {

/// A command as it is typed: `{"token", "issue"}`.
using command_words = std::vector<std::string>;

inline std::string joined(const command_words& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// What `--help` says of a command.
inline std::string help_of(const workplace& place, command_words command) {
  command.emplace_back("--help");
  return place.run_bare(std::move(command)).output;
}

/// The commands that `--help` names below this one.
inline command_words commands_in(const std::string& help) {
  std::istringstream lines(help.substr(std::min(help.find("Subcommands:\n"), help.size())));
  command_words names;
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 2 && line.starts_with("  ") && line[2] != ' ')
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

/// Every command that the program's help leads to, those that only hold others included.
inline std::vector<command_words> every_command(const workplace& place, const command_words& below = {}) {
  std::vector<command_words> all;
  for (const auto& name : commands_in(help_of(place, below))) {
    auto command = below;
    command.push_back(name);
    all.push_back(command);
    for (auto& each : every_command(place, command)) all.push_back(std::move(each));
  }
  return all;
}

} // namespace roost::testing
