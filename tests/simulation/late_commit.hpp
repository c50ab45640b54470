#pragma once

#include <chrono>
#include <string>

/// Commits that report an error and succeed or fail later, like those of a database server that has lost its
/// client; and copies of the store.
namespace roost::testing::store_faults {

/// The result of a late commit, and the time until then.
struct late_outcome {
  std::chrono::nanoseconds after{};
  bool succeeds = false;
};

/// Starts a late commit: a commit that has written everything to the log calls this before it reports an
/// error.
void begin_late_commit(late_outcome outcome);

/// Sets the store's file. Call before the first late commit.
void set_file(const std::string& path);

/// Locks the store for a late commit, or ends the commit when its time has come, or in any case if `now`.
/// Call often.
void advance_late_commit(bool now = false);

/// Copies the store to a new file. Returns whether it succeeded.
bool copy_file(const std::string& to);

/// Replaces the content of the store's file by that of a copy, in one commit, like a database server that is
/// reset to an earlier time. The file and connections to it remain. Returns whether it succeeded.
bool restore_content(const std::string& from);

/// Ends a late commit and closes its connection. Call before replacing the store's file.
void close_file();

} // namespace roost::testing::store_faults
