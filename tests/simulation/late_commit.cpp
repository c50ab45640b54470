#include "simulation/late_commit.hpp"

#include <cstring>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <utility>

/// A database server that has lost its client continues the commit. SQLite has no server, but a failed commit
/// leaves its pages in the log, where the next commit overwrites them, or a new read of the log finds them.
/// So a connection that blocks other writers, and then makes the next reader read the log again, simulates a
/// late commit.
namespace roost::testing::store_faults {

namespace {

using clock = std::chrono::steady_clock;

struct late_state {
  std::string path;
  sqlite3* connection = nullptr;
  std::optional<late_outcome> pending; ///< the commit has failed, but its connection may still be writing
  bool is_locked = false;              ///< no other commit can begin
  clock::time_point ends_at;
};

late_state& state() {
  static late_state only;
  return only;
}

bool run(const char* sql) {
  return sqlite3_exec(state().connection, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Clears the header of the log's index, so that the next reader reads the log from its beginning.
void clear_index_header() {
  constexpr std::size_t header_size = 96; // two copies
  constexpr int index_page = 32'768;
  sqlite3_file* file = nullptr;
  sqlite3_file_control(state().connection, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
  volatile void* index = nullptr;
  if (file->pMethods->xShmMap(file, 0, index_page, 0, &index) != SQLITE_OK || index == nullptr) return;
  std::memset(const_cast<void*>(index), 0, header_size);
}

void open() {
  auto& late = state();
  if (late.connection == nullptr) sqlite3_open(late.path.c_str(), &late.connection);
}

void close() { sqlite3_close(std::exchange(state().connection, nullptr)); }

void lock_store() {
  auto& late = state();
  open();
  if (!run("begin immediate")) {
    // Either the failed commit has not been rolled back yet, or a failed read has made this connection
    // unusable.
    if (sqlite3_errcode(late.connection) != SQLITE_BUSY) close();
    return;
  }
  late.is_locked = true;
  late.ends_at = clock::now() + late.pending->after;
}

void end() {
  auto& late = state();
  run("rollback");
  late.is_locked = false;
  if (std::exchange(late.pending, std::nullopt)->succeeds) {
    clear_index_header();
    run("select count(*) from sqlite_schema");
  }
}

} // namespace

void set_file(const std::string& path) { state().path = path; }

void begin_late_commit(late_outcome outcome) {
  if (!state().pending) state().pending = outcome;
}

void advance_late_commit(bool now) {
  auto& late = state();
  if (!late.pending) return;
  if (!late.is_locked) lock_store();
  if (late.is_locked && (now || clock::now() >= late.ends_at)) end();
}

bool copy_file(const std::string& to) {
  if (state().is_locked) return false;
  open();
  return run(("vacuum into '" + to + "'").c_str());
}

bool restore_content(const std::string& from) {
  auto& late = state();
  if (late.pending) return false;
  open();
  sqlite3* source = nullptr;
  bool is_copied = false;
  if (sqlite3_open_v2(from.c_str(), &source, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    auto* const copy = sqlite3_backup_init(late.connection, "main", source, "main");
    is_copied = copy != nullptr && sqlite3_backup_step(copy, -1) == SQLITE_DONE;
    if (sqlite3_backup_finish(copy) != SQLITE_OK) is_copied = false;
  }
  sqlite3_close(source);
  return is_copied;
}

void close_file() {
  advance_late_commit(true);
  state().pending.reset();
  close();
}

} // namespace roost::testing::store_faults
