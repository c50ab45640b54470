#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "metrics/registry.hpp"
#include "security/password.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace roost::actors {

/// Asks whether a password matches a hash.
struct verify_password {
  std::string password;
  /// If it is nullopt or not a valid hash, the same work is done with a decoy and the result is false; a hash
  /// of a lower cost takes additional work. So timing does not reveal whether there is a user with a
  /// password.
  std::optional<std::string> encoded;
  deadline until; ///< not started later than this
};

/// Asks for a password's hash at the configured cost.
struct hash_password {
  std::string password;
  deadline until;
};

/// Why a password was not hashed.
enum class hashing_error : std::uint8_t {
  busy = 1, ///< the queue is full
  too_late, ///< the deadline had passed before its turn
  failed,   ///< out of memory
};

caf::error make_error(hashing_error error);

/// Hashes passwords on its own threads, so that neither I/O threads nor other actors wait for this slow work.
/// If the queue is full, it immediately responds with a hashing_error, which ask() turns into 503 busy.
using password_hasher = caf::typed_actor<caf::replies_to<verify_password>::with<bool>,
                                         caf::replies_to<hash_password>::with<std::string>>;

struct password_hasher_setup {
  std::size_t threads = 0; ///< 0: half of the cores, at least one
  std::size_t queue = 64;  ///< maximum number of passwords waiting for a thread
  security::password_cost cost = security::default_password_cost;
  metrics::registry* registry = nullptr;
};

/// Spawns the actor. Its threads run at nice 19: each password takes tens of milliseconds of computation, and
/// a burst of sign-ins would otherwise take half of the CPU from the threads that serve platforms. With idle
/// CPU time, they are as fast as at normal priority.
password_hasher spawn_password_hasher(runtime& rt, const password_hasher_setup& setup);

} // namespace roost::actors
