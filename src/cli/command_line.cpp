#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "service/version.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace roost::cli {

namespace {

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
  add_commands(app, args, chosen);
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
