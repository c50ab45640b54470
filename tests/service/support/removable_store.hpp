#pragma once

#include "service/support/postgresql_cluster.hpp"
#include "service/support/workplace.hpp"
#include "store/database/connection.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace roost::testing {

/// A workplace whose store a test can take away from the server and give back.
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

  /// PostgreSQL: the server is ended. SQLite: where the file's folder should be is something else.
  void take_away() {
    if (cluster_) return cluster_->stop();
    std::filesystem::rename(folder(), away());
    std::ofstream{folder()};
  }

  void give_back() {
    if (cluster_) return cluster_->start();
    std::filesystem::remove(folder());
    std::filesystem::rename(away(), folder());
  }

  /// A backup. PostgreSQL is away for a moment.
  void back_up() {
    if (cluster_) {
      cluster_->stop();
      cluster_->keep_copy();
      return cluster_->start();
    }
    auto db = place_->store().open();
    db.internals().script("back_up", "vacuum into '" + copy().string() + "'");
  }

  /// Puts the backup in the place of the store, under whatever server runs.
  void restore() {
    if (cluster_) {
      cluster_->stop();
      cluster_->bring_copy_back();
      return cluster_->start();
    }
    remove_the_log();
    restore_beside_the_log();
  }

  /// SQLite: what an operator does in a hurry, and what he forgets.
  void restore_beside_the_log() { std::filesystem::rename(copy(), file()); }
  void remove_the_log() {
    for (const auto* beside : {"-wal", "-shm"}) std::filesystem::remove(file() += beside);
  }

private:
  std::filesystem::path file() {
    return std::filesystem::path(place_->store().url().substr(std::string("sqlite3://").size()));
  }
  std::filesystem::path copy() { return file() += ".copy"; }
  std::filesystem::path folder() { return file().parent_path(); }
  std::filesystem::path away() { return folder() += ".away"; }

  std::optional<postgresql_cluster> cluster_;
  std::optional<workplace> place_;
};

} // namespace roost::testing
