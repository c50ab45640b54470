#pragma once

#include <chrono>
#include <string>

/// Failed commits that succeed later, as those of a database server whose client is gone; and copies of the
/// store.
namespace roost::testing::store_faults {

/// How a late commit ends, and when.
struct late_end {
  std::chrono::nanoseconds after{};
  bool succeeds = false;
};

/// Called by a commit that has written everything to the log, and now reports an error: it is going to end
/// like this.
void await_late_commit(late_end end);

/// To be called before the first late commit, with the store's file.
void set_file(const std::string& path);

/// To be called often: begins or ends the wait for a late commit. `now`: ends it in any case.
void continue_late_commit(bool now = false);

/// Copies the store to a new file. Returns whether it could.
bool copy_file(const std::string& to);

/// Replaces the content of the store's file by that of a copy, in one commit, as a database server does that
/// is set to an earlier time. The file stays the same, and connections stay open. Returns whether it could.
bool restore_content(const std::string& from);

/// Ends a late commit and closes its connection: the store's file is going to be replaced.
void leave_file();

} // namespace roost::testing::store_faults
