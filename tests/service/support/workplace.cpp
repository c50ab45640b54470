#include "service/support/workplace.hpp"

#include "service/support/child_process.hpp"
#include "store/database/connection.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace roost::testing {

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the names of the subcommands in the output of `--help`.
command_words subcommands_in(const std::string& help) {
  std::istringstream lines(help.substr(std::min(help.find("Subcommands:\n"), help.size())));
  command_words names;
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 2 && line.starts_with("  ") && line[2] != ' ')
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

} // namespace

workplace::workplace(store_kind kind, bool with_schema) : store_(kind, with_schema) { configure(); }

workplace::workplace(const std::string& postgresql_server) : store_(postgresql_server) { configure(); }

void workplace::configure() {
  sections_["server"]["listen"] = "\"127.0.0.1:0\""; // the kernel picks the port
  sections_["ops"]["listen"] = "\"127.0.0.1:0\"";
  sections_["store"]["url"] = '"' + store_.url() + '"';
  sections_["secrets"]["file"] = "\"secrets.toml\"";
  sections_["mail"]["transport"] = "\"file:outbox\"";
  sections_["bookings"]["cycle"] = "\"50ms\"";
  write_configuration();
}

void workplace::set(const std::string& key, const std::string& toml_value) {
  const auto dot = key.find('.');
  sections_[key.substr(0, dot)][key.substr(dot + 1)] = toml_value;
  write_configuration();
}

void workplace::set_tables(std::string toml) {
  tables_ = std::move(toml);
  write_configuration();
}

void workplace::allow_only(const std::string& right) {
  set_tables(R"([[platforms]]
name = "channel-manager"
kind = "channel-manager"
prefix = "channel-manager"
domains = ["channel-manager.example"]
may = [")" + right +
             "\"]\n");
}

void workplace::write_configuration() const {
  std::string text;
  for (const auto& [section, keys] : sections_) {
    text += "[" + section + "]\n";
    for (const auto& [key, value] : keys) text += key + " = " + value + "\n";
    text += "\n";
  }
  folder_.write("roost.toml", text + tables_);
}

command_result workplace::run(std::vector<std::string> arguments, std::string input) const {
  arguments.insert(arguments.end(), {"--config", config_file()});
  return run_without_config(std::move(arguments), {}, std::move(input));
}

command_result workplace::run_without_config(std::vector<std::string> arguments,
                                             std::map<std::string, std::string> environment,
                                             std::string input) const {
  child_process command({.program = ROOST_PROGRAM,
                         .arguments = arguments,
                         .folder = folder_.path(),
                         .environment = std::move(environment),
                         .input = std::move(input)});
  const auto status = command.wait_for_end(command_timeout);
  if (!status) throw std::runtime_error("timeout: roost " + joined(arguments) + "\n" + command.errors());
  return {*status, command.output(), command.errors()};
}

std::string workplace::run_or_throw(std::vector<std::string> arguments, std::string input) const {
  auto result = run(arguments, std::move(input));
  if (result.status != 0)
    throw std::runtime_error("roost " + joined(arguments) + ": status " + std::to_string(result.status) +
                             ", " + result.errors);
  return std::move(result.output);
}

void workplace::import(std::string_view portfolio) const {
  run_or_throw({"import", "--allow-removals", folder_.write("portfolio.json", portfolio).string()});
}

std::string workplace::issue_token(const std::string& platform,
                                   const std::vector<std::string>& options) const {
  std::vector<std::string> arguments{"token", "issue", "--platform", platform};
  arguments.insert(arguments.end(), options.begin(), options.end());
  auto token = run_or_throw(std::move(arguments));
  token.resize(token.find('\n'));
  return token;
}

std::string workplace::issue_account_key(const std::string& account) const {
  auto key = run_or_throw({"key", "issue", "--account", account});
  key.resize(key.find('\n'));
  return key;
}

std::vector<std::string> workplace::mails() const {
  std::vector<std::filesystem::path> files;
  std::error_code ignored; // the outbox may not exist yet
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "outbox", ignored))
    if (entry.path().extension() == ".eml") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(read_file(file));
  return texts;
}

std::vector<std::string> store_rows(store::session db, const std::string& query, int columns) {
  std::vector<std::string> rows;
  db.internals().read_rows({query.c_str(), query.c_str(), nullptr, columns}, {}, [&](const store::row& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += '|';
      if (row[i]) line += *row[i];
    }
    rows.push_back(std::move(line));
  });
  return rows;
}

std::string joined(const command_words& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string help_of(const workplace& place, command_words command) {
  command.emplace_back("--help");
  return place.run_without_config(std::move(command)).output;
}

std::vector<command_words> all_commands(const workplace& place, const command_words& parent) {
  std::vector<command_words> commands;
  for (const auto& name : subcommands_in(help_of(place, parent))) {
    auto command = parent;
    command.push_back(name);
    commands.push_back(command);
    for (auto& nested : all_commands(place, command)) commands.push_back(std::move(nested));
  }
  return commands;
}

} // namespace roost::testing
