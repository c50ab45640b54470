#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

namespace roost::testing {

/// What may go wrong in a history. Each kind can be left out.
enum class fault_kind {
  full_disk,     ///< a commit writes nothing and fails
  lost_response, ///< a commit succeeds but reports an error
  failed_sync,   ///< a commit reports an error, and whether it succeeded shows later
  late_commit,   ///< a commit reports an error, and then succeeds or fails while all others wait for it
  failed_read,   ///< a read of the store fails
  hang,          ///< a commit takes long
  restore,       ///< all servers end, and a backup takes the place of the store
  clock,         ///< the calendar clock, which is also the store's, jumps
  kills,         ///< a server ends without another message
  stops,         ///< a server ends in an orderly way
  pauses,        ///< a server stands still, often beyond its lease
  delays,        ///< actors handle their next message later
  second_start,  ///< another server is started for a while, as by mistake
  mail,          ///< the receiver of mail refuses one, or takes it without a confirmation
};

/// In the order of the kinds.
inline constexpr auto fault_names = std::to_array<std::string_view>(
    {"full_disk", "lost_response", "failed_sync", "late_commit", "failed_read", "hang", "restore", "clock",
     "kills", "stops", "pauses", "delays", "second_start", "mail"});
static_assert(fault_names.size() == static_cast<std::size_t>(fault_kind::mail) + 1);

inline std::string_view to_string(fault_kind kind) { return fault_names[static_cast<std::size_t>(kind)]; }

/// The kinds that may happen.
using fault_set = std::set<fault_kind>;

inline fault_set all_faults() {
  fault_set all;
  for (std::size_t i = 0; i < fault_names.size(); ++i) all.insert(static_cast<fault_kind>(i));
  return all;
}

/// Chooses kinds by seed: a third of the histories have all of them, a third one to three, so that their
/// effects last, and the others any number.
fault_set some_faults(const fault_set& from, std::uint64_t seed);

inline std::optional<fault_kind> fault_named(std::string_view name) {
  for (const auto kind : all_faults())
    if (to_string(kind) == name) return kind;
  return std::nullopt;
}

} // namespace roost::testing
