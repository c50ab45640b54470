#pragma once

#include "service/support/child_process.hpp"
#include "temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace roost::testing {

/// A PostgreSQL server that a test can stop, kill, freeze and start again. The destructor ends it.
class postgresql_cluster {
public:
  /// Creates the cluster and starts its server.
  postgresql_cluster();
  ~postgresql_cluster();
  postgresql_cluster(const postgresql_cluster&) = delete;
  postgresql_cluster& operator=(const postgresql_cluster&) = delete;

  /// Returns `postgresql://superuser@host:port/`, which stays the same after a restart.
  std::string url() const;
  /// Creates a folder that belongs to the server's user.
  std::filesystem::path make_folder(const std::string& name) const;

  /// Starts the server and waits until it accepts connections. Throws std::runtime_error with its log on
  /// timeout.
  void start();
  /// Shuts the server down and closes its connections ("fast" shutdown).
  void stop();
  /// Copies the data and restores them, both while the server is stopped: a backup.
  void copy_data() const;
  void restore_copy() const;
  /// Makes a replica that has everything committed so far, and replaces the killed server by it: later
  /// commits are lost.
  void make_replica() const;
  void fail_over_to_replica();
  /// Sends SIGKILL to all its processes together, like a power failure.
  void kill();
  /// Sends SIGSTOP to all its processes: connections stay open without a response. thaw() continues them.
  void freeze();
  void thaw();

private:
  process_options as_owner(const std::string& program, std::vector<std::string> arguments) const;
  void initialize();
  static void give_to_owner(const std::filesystem::path& folder);
  bool accepts_connections() const;
  std::vector<int> signal_all(int signal) const;

  tests::temporary_folder folder_;
  std::string log_;
  std::uint16_t port_ = 0;
  std::unique_ptr<child_process> server_;
};

} // namespace roost::testing
