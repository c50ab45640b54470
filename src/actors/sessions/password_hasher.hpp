#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "metrics/registry.hpp"
#include "security/password.hpp"

#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace roost::actors {

/// Whether a password is the one of a hash.
struct verify_password {
  std::string password;
  /// Nothing, or what is no hash of ours: the same work is done with another hash, for `false`, so that time
  /// does not tell whether there is a user with a password.
  std::optional<std::string> encoded;
  deadline until; ///< what has not begun by then need not be done
};

/// A password's hash at the configured cost.
struct hash_password {
  std::string password;
  deadline until;
};

/// Why there was no hashing.
enum class hashing_error : std::uint8_t {
  busy = 1, ///< too many are waiting already
  too_late, ///< the deadline had passed before its turn
  failed,   ///< no memory
};

caf::error make_error(hashing_error why);

/// Does the slow work with passwords on threads of its own, so that neither I/O threads nor other actors wait
/// for it. What is too much is refused at once with a hashing_error, which an ask passes on as 503 busy.
using password_hasher = caf::typed_actor<caf::replies_to<verify_password>::with<bool>,
                                         caf::replies_to<hash_password>::with<std::string>>;

struct password_hasher_setup {
  std::size_t threads = 0; ///< 0: half of the cores, at least one
  std::size_t queue = 64;  ///< passwords that may wait for a thread
  security::password_cost cost = security::default_password_cost;
  metrics::registry* registry = nullptr;
};

/// Its threads run at a lower priority (nice 19): they compute without a pause, some tens of milliseconds for
/// each password, and a storm of sign-ins would otherwise take half of the processor from the threads that
/// answer platforms. Where there is idle time they are as fast as at the usual priority.
password_hasher spawn_password_hasher(runtime& rt, const password_hasher_setup& setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::verify_password)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::hash_password)
