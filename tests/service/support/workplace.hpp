#pragma once

#include "support/store.hpp"
#include "temporary_folder.hpp"

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// What a finished command left.
struct command_result {
  int status = 0; ///< as a shell says it
  std::string output, errors;
};

/// Where an operator works with Roost: a folder with roost.toml, the secrets and the outbox of mail, and a
/// store of its own. Commands run there as they do in a shell. All of it is gone with the test.
class workplace {
public:
  static constexpr std::chrono::seconds command_patience{60};

  explicit workplace(store_kind kind, bool with_schema = true);
  /// Its store is a database on that PostgreSQL server (test_store).
  explicit workplace(const std::string& postgresql_server);

  /// Sets a key of roost.toml to a TOML value: `set("bookings.cycle", "\"1h\"")`. Written at once.
  void set(const std::string& key, const std::string& toml_value);
  /// Tables at the end of roost.toml, such as `[[platforms]]`.
  void set_tables(std::string toml);

  /// Runs `roost ARGUMENTS… --config roost.toml` to its end. Throws std::runtime_error when that takes longer
  /// than command_patience.
  command_result run(std::vector<std::string> arguments, std::string input = "") const;
  /// The same without --config, and with the environment of the caller's choice.
  command_result run_bare(std::vector<std::string> arguments,
                          std::map<std::string, std::string> environment = {}, std::string input = "") const;

  /// run(), for commands that must work: throws std::runtime_error with what they say otherwise.
  std::string run_well(std::vector<std::string> arguments, std::string input = "") const;

  /// Imports a portfolio of that text.
  void import(std::string_view portfolio) const;
  /// A new token of a platform.
  std::string issue_token(const std::string& platform, const std::vector<std::string>& options = {}) const;

  /// A new booking-engine key of an account.
  std::string issue_account_key(const std::string& account) const;

  /// The messages in the outbox, in the order they were made.
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

} // namespace roost::testing
