#pragma once

#include "store/database/session.hpp"
#include "support/store.hpp"
#include "temporary_folder.hpp"

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// The result of a finished command.
struct command_result {
  int status = 0; ///< as a shell reports it
  std::string output, errors;
};

/// A command as typed: `{"token", "issue"}`.
using command_words = std::vector<std::string>;

/// An operator's working folder with roost.toml, the secrets and the mail outbox, and a store of its own.
/// Commands run there as in a shell. The destructor deletes everything.
class workplace {
public:
  static constexpr std::chrono::seconds command_timeout{60};

  explicit workplace(store_kind kind, bool with_schema = true);
  /// Creates its database on that PostgreSQL server (test_store).
  explicit workplace(const std::string& postgresql_server);

  /// Sets a key of roost.toml to a TOML value, and writes the file: `set("bookings.cycle", "\"1h\"")`.
  void set(const std::string& key, const std::string& toml_value);
  /// Sets the tables at the end of roost.toml, such as `[[platforms]]`.
  void set_tables(std::string toml);

  /// Configures the channel manager as the only platform, with this right beyond submitting bookings.
  void allow_only(const std::string& right);

  /// Runs `roost ARGUMENTS… --config roost.toml` to its end. Throws std::runtime_error after command_timeout.
  command_result run(std::vector<std::string> arguments, std::string input = "") const;
  /// The same without --config, and with additional environment variables.
  command_result run_without_config(std::vector<std::string> arguments,
                                    std::map<std::string, std::string> environment = {},
                                    std::string input = "") const;

  /// Runs a command and returns its output. Throws std::runtime_error with its errors when it fails.
  std::string run_or_throw(std::vector<std::string> arguments, std::string input = "") const;

  void import(std::string_view portfolio) const;
  /// Issues a token for a platform.
  std::string issue_token(const std::string& platform, const std::vector<std::string>& options = {}) const;

  /// Issues a booking-engine key for an account.
  std::string issue_account_key(const std::string& account) const;

  /// Returns the messages in the outbox, oldest first.
  std::vector<std::string> mails() const;

  test_store& store() { return store_; }
  const tests::temporary_folder& folder() const { return folder_; }
  std::string config_file() const { return (folder_ / "roost.toml").string(); }

private:
  void configure();
  void write_configuration() const;

  tests::temporary_folder folder_;
  test_store store_;
  std::map<std::string, std::map<std::string, std::string>> sections_;
  std::string tables_;
};

/// Returns the rows of a query, each as its columns joined by `|`. Every column must be text; NULL becomes
/// empty.
std::vector<std::string> store_rows(store::session db, const std::string& query, int columns);

std::string joined(const command_words& words);

/// Returns what `--help` prints for a command.
std::string help_of(const workplace& place, command_words command);

/// Returns every command below this one, including those that only group others, as found by `--help`.
std::vector<command_words> all_commands(const workplace& place, const command_words& parent = {});

} // namespace roost::testing
