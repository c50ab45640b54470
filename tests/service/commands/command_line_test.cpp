#include "service/support/child_process.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/workplace.hpp"
#include "store/database/migrations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The command line: help, usage errors and exit statuses.
namespace roost::testing::command_line_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using words = command_words;

/// Expects status 2 and one line with this text on standard error.
void expect_usage_error(const command_result& result, const std::string& error) {
  EXPECT_EQ(result.status, 2) << error;
  EXPECT_THAT(result.output, IsEmpty());
  EXPECT_THAT(result.errors, AllOf(StartsWith("roost: "), HasSubstr(error)));
  EXPECT_EQ(std::ranges::count(result.errors, '\n'), 1) << result.errors;
}

TEST(CommandLine, HasHelpForEveryCommand) {
  const workplace place(store_kind::sqlite);
  auto commands = all_commands(place);
  for (const words& deep :
       {words{"ai-area", "set"}, {"secrets", "adopt"}, {"changelog"}, {"unit", "calendar"}})
    EXPECT_THAT(commands, ::testing::Contains(deep));
  EXPECT_GT(commands.size(), 70U);
  commands.emplace_back();
  for (const auto& command : commands)
    for (const auto* option : {"--help", "-h"}) {
      auto arguments = command;
      arguments.push_back(option);
      const auto result = place.run_without_config(arguments);
      EXPECT_EQ(result.status, 0) << joined(arguments);
      EXPECT_THAT(result.output, HasSubstr("Usage: " + joined([&] {
                                             auto usage = command;
                                             usage.insert(usage.begin(), "roost");
                                             return usage;
                                           }())));
      EXPECT_THAT(result.errors, IsEmpty()) << joined(arguments);
    }
  EXPECT_THAT(place.run_without_config({"--version"}).output, StartsWith("roost "));
}

TEST(CommandLine, DescribesTheAuditLogAndOutputFormatsInItsHelp) {
  const workplace place(store_kind::sqlite);
  EXPECT_THAT(help_of(place, {"audit"}),
              HasSubstr("the audit log: changes made by commands, and by partners with tokens and keys"));
  EXPECT_THAT(help_of(place, {"import"}),
              AllOf(HasSubstr("with --plan: print a JSON array"), HasSubstr("with --plan: print CSV")));
  EXPECT_THAT(help_of(place, {"unit", "list"}), ::testing::Not(HasSubstr("--plan")));
}

TEST(CommandLine, ReportsUsageErrorsInOneLine) {
  const workplace place(store_kind::sqlite);
  expect_usage_error(place.run_without_config({}), "A subcommand is required");
  expect_usage_error(place.run_without_config({"sevre"}), "'sevre' is not a command");
  expect_usage_error(place.run_without_config({"token"}), "A subcommand is required");
  expect_usage_error(place.run_without_config({"token", "isue"}), "'isue' is not a command");
  expect_usage_error(place.run_without_config({"--nonsense"}), "--nonsense");
  expect_usage_error(place.run({"serve", "now"}), "now");
  expect_usage_error(place.run({"serve", "--port", "80"}), "--port");
  expect_usage_error(place.run({"import"}), "FILE is required");
  expect_usage_error(place.run({"import", "nowhere.json"}), "nowhere.json: cannot be read: No such file");
  expect_usage_error(place.run({"import", "."}), ".: is a folder, not a file");
  expect_usage_error(place.run({"token", "issue"}), "--platform is required");
  expect_usage_error(place.run_without_config({"token", "issue", "--platform"}), "--platform");
  expect_usage_error(place.run({"token", "issue", "--platform", "nope"}),
                     "unknown platform 'nope'; configured platforms: marketplace-a, marketplace-b,");
  for (const auto* ttl : {"0s", "-1d", "10", "d", "abc", "100ms", "99999999999999999999d"})
    expect_usage_error(
        place.run({"token", "issue", "--platform", "marketplace-a", std::string("--ttl=") + ttl}),
        "--ttl: '" + std::string(ttl) + "' is not a duration of at least one second");
  expect_usage_error(place.run({"token", "revoke"}), "ID is required");
  expect_usage_error(place.run({"token", "revoke", "7"}), "'7' is not an id");
  expect_usage_error(place.run({"key", "issue"}), "--account is required");
  expect_usage_error(place.run({"key", "issue", "--account", "casa-verde"}), "'casa-verde' is not an id");
  expect_usage_error(place.run({"key", "revoke", "x"}), "'x' is not an id");
  expect_usage_error(place.run({"webhook-key", "revoke", "x"}), "'x' is not an id");
  expect_usage_error(place.run({"user", "password"}), "EMAIL is required");
}

ROOST_FOR_EACH_STORE(Migrate);

TEST_P(Migrate, UpdatesAnEmptyStoreOnce) {
  const workplace place(GetParam(), false);
  const auto first = place.run({"migrate"}), second = place.run({"migrate"});
  EXPECT_EQ(first.status, 0) << first.errors;
  std::string applied;
  for (const auto& step : store::migrations) applied += std::string("applied ") + step.name + "\n";
  EXPECT_EQ(first.output, applied);
  EXPECT_EQ(second.status, 0);
  EXPECT_EQ(second.output, "the schema is current\n");
}

TEST_P(Migrate, RunsAutomaticallyInAnImport) {
  const workplace place(GetParam(), false);
  place.import(portfolio_of(0));
  EXPECT_EQ(place.run({"migrate"}).output, "the schema is current\n");
}

TEST_P(Migrate, IsRequestedByCommandsWithoutAStore) {
  workplace place(GetParam(), false);
  for (const words& command : std::vector<words>{
           {"token", "list"}, {"token", "issue", "--platform", "marketplace-a"}, {"lease", "show"}}) {
    const auto result = place.run(command);
    EXPECT_EQ(result.status, 1) << joined(command);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("there is no store "), HasSubstr("`roost migrate`")));
    if (GetParam() == store_kind::postgresql) {
      EXPECT_THAT(result.errors, HasSubstr("there is no store in " + place.store().url() + " yet. "));
    }
    EXPECT_THAT(result.output, IsEmpty());
  }
  EXPECT_THAT(place.run({"migrate"}).output, StartsWith("applied initial\n"))
      << "the commands created nothing";
}

TEST_P(Migrate, IsRequestedByCommandsForAnOlderSchema) {
  workplace place(GetParam(), false);
  auto session = place.store().open();
  store::migrate_to(session, 10);
  const auto result = place.run({"booking", "list"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.errors, HasSubstr("the schema of " + place.store().url() +
                                       " is older than this program: run `roost migrate`"));
}

TEST(CommandsInAnotherFolder, CreateNoStoreAndNameTheExpectedPath) {
  const workplace place(store_kind::sqlite);
  const auto result = place.run_without_config({"booking", "list"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.errors, HasSubstr("there is no store at " + (place.folder() / "var/roost.db").string() +
                                       ". store.url names it"));
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "var"));
}

ROOST_FOR_EACH_STORE(UserPassword);

TEST_P(UserPassword, IsReadFromStandardInput) {
  const workplace place(GetParam());
  place.import(portfolio_of(0));
  for (const auto* input : {"a new password\n", "another one", "pässwörter\n"}) {
    const auto result = place.run({"user", "password", "ana@casaverde.example"}, input);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_THAT(result.output, IsEmpty());
    EXPECT_THAT(result.errors, IsEmpty());
  }
  EXPECT_EQ(place.run({"user", "password", "ANA@CasaVerde.example"}, "in any case\n").status, 0);
}

TEST_P(UserPassword, RequiresAUserAndSixCharacters) {
  const workplace place(GetParam());
  place.import(portfolio_of(0));
  const auto unknown_user = place.run({"user", "password", "eva@casaverde.example"}, "a new password\n");
  EXPECT_EQ(unknown_user.status, 1);
  EXPECT_EQ(unknown_user.errors, "roost: no user has the address eva@casaverde.example\n");
  // Neither the end of a line in Windows nor a byte order mark is a character of the password.
  for (const auto* input : {"", "\n", "12345\n", "12345\r\n", "\uFEFF12345\n", "\nsecond line\n"})
    expect_usage_error(place.run({"user", "password", "ana@casaverde.example"}, input),
                       "the password must have at least 6 characters");
  expect_usage_error(place.run({"user", "password", "ana@casaverde.example"}, "Qwerty123\n"),
                     "the password is one of the most common ones");
}

/// /dev/full stands for a full disk.
TEST(CommandLine, FailsWhenItsOutputCannotBeWritten) {
  const workplace place(store_kind::sqlite);
  for (const words& command :
       std::vector<words>{{"routes"}, {"config"}, {"token", "list", "--json"}, {"unit", "list", "--csv"}}) {
    words arguments{"-c", "exec \"$0\" \"$@\" > /dev/full", ROOST_PROGRAM};
    arguments.insert(arguments.end(), command.begin(), command.end());
    arguments.insert(arguments.end(), {"--config", place.config_file()});
    child_process printing({.program = "/bin/sh", .arguments = arguments, .folder = place.folder().path()});
    EXPECT_EQ(printing.wait_for_end(workplace::command_timeout), 1) << command[0];
    EXPECT_THAT(printing.errors(), HasSubstr("standard output could not be written")) << command[0];
  }
}

} // namespace roost::testing::command_line_test
