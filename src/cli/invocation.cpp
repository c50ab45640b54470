#include "cli/invocation.hpp"

namespace roost::cli {

namespace {

constexpr std::size_t max_entries = 100'000;

} // namespace

CLI::App* add_command(CLI::App& to, invocation& call, const std::string& name, const std::string& help,
                      std::function<int()> run) {
  auto* command = to.add_subcommand(name, help);
  command->add_option("--config", call.common.config_file,
                      "configuration file (default: config/roost.toml, then /etc/roost/roost.toml)");
  command->add_option("--set", call.common.set, "override a key: section.key=value; may be repeated")
      ->take_all()
      ->expected(1);
  command->add_option("--by", call.common.by,
                      "who gives the command, for the audit log (default: the system's user)");
  command->callback([&call, run = std::move(run)] { call.command = run; });
  return command;
}

void add_formats(CLI::App* command, invocation& call, const std::string& when) {
  const auto add = [&](const char* name, list_format format, const std::string& help) {
    return command->add_flag_callback(
        name, [&call, format] { call.common.format = format; }, when + help);
  };
  auto* json = add("--json", list_format::json, "print a JSON array");
  add("--csv", list_format::csv, "print CSV with the columns' names first")->excludes(json);
}

CLI::App* add_list_command(CLI::App& to, invocation& call, const std::string& help,
                           std::function<int()> run) {
  auto* command = add_command(to, call, "list", help, std::move(run));
  add_formats(command, call);
  return command;
}

void add_id(CLI::App* command, invocation& call) {
  command->add_option("ID", call.id, "its id, as the list shows it")->required();
}

void add_limit(CLI::App* command, std::size_t& limit) {
  const auto* given =
      command
          ->add_option("--limit", limit, "the most entries to print (default 50; all with --json and --csv)")
          ->check(CLI::Range(std::size_t{1}, max_entries));
  command->parse_complete_callback([command, given, &limit] {
    if (given->count() == 0 && command->count("--json") + command->count("--csv") > 0) limit = no_limit;
  });
}

} // namespace roost::cli
