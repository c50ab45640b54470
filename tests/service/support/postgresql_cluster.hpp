#pragma once

#include "service/support/child_process.hpp"
#include "temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace roost::testing {

/// A PostgreSQL server of a test's own, to be stopped, killed, frozen and started again. It ends with the
/// test.
class postgresql_cluster {
public:
  /// Makes the cluster and starts its server.
  postgresql_cluster();
  ~postgresql_cluster();
  postgresql_cluster(const postgresql_cluster&) = delete;
  postgresql_cluster& operator=(const postgresql_cluster&) = delete;

  /// `postgresql://superuser@host:port/`; the same before and after a start.
  std::string url() const;
  /// A new folder that belongs to the server's user.
  std::filesystem::path make_folder(const std::string& name) const;

  /// Starts the server and waits until it answers. Throws std::runtime_error with its log when it does not.
  void start();
  /// Ends the server in order, as an operator does, without regard to its connections.
  void stop();
  /// Keeps the data as they are between a stop and the start after it, and brings them back between others: a
  /// backup.
  void keep_copy() const;
  void bring_copy_back() const;
  /// Makes a replica, which has what is committed now and is cut off then; promotes it in the place of the
  /// server, whose later commits are gone.
  void make_replica() const;
  void fail_over_to_replica();
  /// SIGKILL to all its processes at once, as a machine that loses power.
  void kill();
  /// SIGSTOP to all its processes: connections stay open and nothing answers. thaw() lets them go on.
  void freeze();
  void thaw();

private:
  program_call as_owner(const std::string& program, std::vector<std::string> arguments) const;
  void make();
  static void hand_over(const std::filesystem::path& folder);
  bool answers() const;
  std::vector<int> signal_all(int signal) const;

  tests::temporary_folder folder_;
  std::string log_;
  std::uint16_t port_ = 0;
  std::unique_ptr<child_process> server_;
};

} // namespace roost::testing
