#pragma once

#include "config/settings.hpp"
#include "service/support/mixed_requests.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace roost::testing {

/// The initial state of all histories: a store with a landlord's units, and the credentials of platforms. The
/// program's own commands create it once, and each history copies it.
class prepared_world {
public:
  /// Runs the commands on an SQLite store in this empty folder, which must outlive the object.
  explicit prepared_world(std::filesystem::path folder);

  /// Copies the store to a folder and returns the settings of a server there.
  config::settings copy_to(const std::filesystem::path& folder) const;

  /// Returns the credentials for clients; the seed is that of the history.
  mixed_settings clients(std::uint32_t seed) const;

  struct user {
    std::string email, password;
  };
  /// The keys of clients other than platforms.
  struct service_keys {
    std::string tool_server, usage;
  };
  const service_keys& keys() const { return keys_; }

  /// Returns the token of the platform whose listings operators use to verify imports.
  const std::string& listing_token() const { return clients_.tokens.at("channel-manager"); }

  /// Returns the users who sign in. All belong to the same account.
  const std::vector<user>& users() const { return users_; }

  /// Returns another user, whose sessions no operator ends.
  const user& clerk() const { return clerk_; }

private:
  /// Runs a command of the program and returns the first line of its output.
  std::string run(std::vector<std::string> arguments) const;
  std::vector<std::string> settings_in(const std::filesystem::path& folder) const;

  std::filesystem::path folder_;
  mixed_settings clients_;
  service_keys keys_;
  const std::vector<user> users_{{"ana@casaverde.example", "ana-only"},
                                 {"ben@casaverde.example", "ben-only"},
                                 {"cleo@casaverde.example", "cleo-only"}};
  const user clerk_{"dora@casaverde.example", "dora-only"};
};

} // namespace roost::testing
