#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

namespace roost::testing {

/// A kind of fault. Each kind can be disabled.
enum class fault_kind {
  full_disk,     ///< a commit writes nothing and fails
  lost_response, ///< a commit succeeds but reports an error
  failed_sync,   ///< a commit reports an error; whether it succeeded shows later
  late_commit,   ///< a commit reports an error, and blocks others until it succeeds or fails
  failed_read,   ///< a read of the store fails
  hang,          ///< a commit takes long
  restore,       ///< the store is replaced by a backup or returns to its state
  clock,         ///< the calendar clock jumps, also for the store
  kills,         ///< a server is killed
  stops,         ///< a server shuts down
  pauses,        ///< a server is suspended, often beyond its lease
  delays,        ///< actors handle messages with a delay
  second_start,  ///< an additional server runs for a while
  mail,          ///< a mail is deferred, or received without confirmation
};

/// In the order of the kinds.
inline constexpr auto fault_names = std::to_array<std::string_view>(
    {"full_disk", "lost_response", "failed_sync", "late_commit", "failed_read", "hang", "restore", "clock",
     "kills", "stops", "pauses", "delays", "second_start", "mail"});
static_assert(fault_names.size() == static_cast<std::size_t>(fault_kind::mail) + 1);

inline std::string_view to_string(fault_kind kind) { return fault_names[static_cast<std::size_t>(kind)]; }

/// The enabled kinds.
using fault_set = std::set<fault_kind>;

inline fault_set all_faults() {
  fault_set all;
  for (std::size_t i = 0; i < fault_names.size(); ++i) all.insert(static_cast<fault_kind>(i));
  return all;
}

/// Returns a selection determined by the seed. A third of the seeds enable all kinds, a third one to three,
/// so that the next fault does not hide their effects, and the others any number.
fault_set some_faults(const fault_set& from, std::uint64_t seed);

inline std::optional<fault_kind> fault_named(std::string_view name) {
  for (const auto kind : all_faults())
    if (to_string(kind) == name) return kind;
  return std::nullopt;
}

} // namespace roost::testing
