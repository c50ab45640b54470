#pragma once

#include "service/support/postgresql_cluster.hpp"
#include "service/support/workplace.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "support/store.hpp"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <system_error>
#include <unistd.h>
#include <utility>

/// Faults of a running server's store: it goes offline, is locked, or its disk is full.
namespace roost::testing {

/// A workplace whose store a test can take offline, back up and restore while a server uses it.
class removable_store {
public:
  explicit removable_store(store_kind kind) {
    if (kind == store_kind::postgresql) {
      cluster_.emplace();
      place_.emplace(cluster_->url());
    } else {
      place_.emplace(kind);
    }
  }

  workplace& place() { return *place_; }

  /// PostgreSQL: stops the server. SQLite: replaces the folder of the database by a file.
  void take_offline() {
    if (cluster_) return cluster_->stop();
    std::filesystem::rename(folder(), moved_folder());
    std::ofstream{folder()};
  }

  void bring_online() {
    if (cluster_) return cluster_->start();
    std::filesystem::remove(folder());
    std::filesystem::rename(moved_folder(), folder());
  }

  /// Makes a backup, for which PostgreSQL is stopped.
  void back_up() {
    if (cluster_) {
      cluster_->stop();
      cluster_->copy_data();
      return cluster_->start();
    }
    auto db = place_->store().open();
    db.internals().script("back_up", "vacuum into '" + copy().string() + "'");
  }

  /// Replaces the store by the backup, even under a running server.
  void restore() {
    if (cluster_) {
      cluster_->stop();
      cluster_->restore_copy();
      return cluster_->start();
    }
    remove_wal();
    restore_keeping_wal();
  }

  /// SQLite: restores the database file as a careless operator does, who forgets remove_wal().
  void restore_keeping_wal() { std::filesystem::rename(copy(), file()); }
  void remove_wal() {
    for (const auto* suffix : {"-wal", "-shm"}) std::filesystem::remove(file() += suffix);
  }

private:
  std::filesystem::path file() {
    return std::filesystem::path(place_->store().url().substr(std::string("sqlite3://").size()));
  }
  std::filesystem::path copy() { return file() += ".copy"; }
  std::filesystem::path folder() { return file().parent_path(); }
  std::filesystem::path moved_folder() { return folder() += ".away"; }

  std::optional<postgresql_cluster> cluster_;
  std::optional<workplace> place_;
};

/// Blocks inserts of booking requests during its lifetime. In SQLite it blocks all writes, and a blocked
/// writer gives up after 4 s.
class write_block {
public:
  explicit write_block(const test_store& store)
      : session_(store.open()), transaction_(session_, store::transaction::purpose::write) {
    if (!session_.is_sqlite())
      session_.internals().script("block", "lock table booking_requests in exclusive mode");
  }

private:
  store::session session_;
  store::transaction transaction_;
};

/// A file system of a few megabytes mounted over a folder. Only this thread and the programs that it starts
/// see it.
class small_disk {
public:
  /// Whether this process may mount file systems, which requires root.
  static bool is_supported() { return has_private_mounts(); }

  small_disk(std::filesystem::path folder, std::size_t bytes) : folder_(std::move(folder)) {
    if (!has_private_mounts()) throw_errno("unshare");
    const auto options = "mode=0755,size=" + std::to_string(bytes);
    if (::mount("tmpfs", folder_.c_str(), "tmpfs", 0, options.c_str()) != 0) throw_errno("mount");
  }
  ~small_disk() { ::umount2(folder_.c_str(), MNT_DETACH); }
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

  /// Takes all free space; free_space() releases it.
  void fill() const {
    const int file = ::open(filler().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) throw_errno("open");
    const std::string block(4096, 'x');
    while (::write(file, block.data(), block.size()) > 0) {
    }
    const bool full = errno == ENOSPC;
    ::close(file);
    if (!full) throw_errno("write");
  }
  void free_space() const { std::filesystem::remove(filler()); }

private:
  [[noreturn]] static void throw_errno(const char* function) {
    throw std::system_error(errno, std::generic_category(), function);
  }

  /// Gives this thread a mount namespace of its own.
  static bool has_private_mounts() {
    static const bool is_private =
        ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    return is_private;
  }

  std::filesystem::path filler() const { return folder_ / "filler"; }

  std::filesystem::path folder_;
};

} // namespace roost::testing
