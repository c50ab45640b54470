#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "fetch/https_get.hpp"
#include "metrics/registry.hpp"
#include "security/identity_token.hpp"

#include <caf/typed_actor.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace roost::actors {

/// Reads an issuer's keys; blocks. Throws std::runtime_error with one line when they cannot be had.
using key_source = std::function<std::string()>;

/// The operator names the issuer, which may be a host of the same network.
inline fetch::fetch_limits key_source_limits() {
  return {.time = std::chrono::seconds{5}, .bytes = std::size_t{256} * 1024, .private_addresses = true};
}

/// Reads a file of `limits.bytes` at most, or an https URL.
key_source key_source_at(std::string place, fetch::fetch_limits limits = key_source_limits());

/// Why no keys can be had from the source now; nothing: they can. Blocks.
std::optional<std::string> fault_of(const key_source& source);

/// Whether a third party's identity token is to be believed.
struct verify_identity {
  std::string token;
  deadline until; ///< what has not begun by then need not be done
};

/// Whom the token names, or why it is refused.
struct identity_checked {
  security::identity_verdict verdict = security::identity_refusal::malformed;
};

/// Why a token could not be checked.
enum class identity_error : std::uint8_t {
  keys_unavailable = 1, ///< the source is down, and there are no older keys
  too_late,             ///< the deadline had passed before its turn
};

caf::error make_error(identity_error why);

/// Checks identity tokens on a thread of its own, with the issuer's keys, which it reads from their source
/// when they are first needed and keeps for an hour. A token with an unknown key has them read earlier:
/// issuers change their keys. While the source is down the old keys stay. Errors become 503 busy by way of an
/// ask.
using identity_keys = caf::typed_actor<caf::replies_to<verify_identity>::with<identity_checked>>;

struct identity_keys_setup {
  key_source source;
  security::identity_expectation expected;
  wall_clock now;                                                               ///< for the tokens
  std::function<deadline::clock::time_point()> elapsed = &deadline::clock::now; ///< for the keys' age
  metrics::registry* registry = nullptr;

  std::chrono::seconds kept{3'600};
  /// The source is read at most once in this time: the token with the unknown key may be a stranger's.
  std::chrono::seconds read_again{30};
  /// The same while there are no keys at all.
  std::chrono::seconds try_again{5};
};

identity_keys spawn_identity_keys(runtime& rt, identity_keys_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::verify_identity)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::identity_checked)
