#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/sessions/request_origin.hpp"
#include "fetch/https_get.hpp"
#include "metrics/registry.hpp"
#include "security/identity_token.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace roost::actors {

/// Reads an issuer's keys; blocks. Throws std::runtime_error with one line if it fails.
using key_source = std::function<std::string()>;

/// Returns the limits for reading keys. Private addresses are allowed, because the operator configures the
/// issuer, which may be on the same network.
inline fetch::fetch_limits key_source_limits() {
  return {.time = std::chrono::seconds{5}, .bytes = std::size_t{256} * 1024, .private_addresses = true};
}

/// Returns a source that reads an https URL, or a file of at most `limits.bytes`.
key_source key_source_at(std::string place, fetch::fetch_limits limits = key_source_limits());

/// Reads the source and returns why it provides no keys; nullopt if it does. Blocks.
std::optional<std::string> key_source_error(const key_source& source);

/// Asks whether a third party's identity token is valid.
struct verify_identity {
  std::string token;
  deadline until; ///< not started later than this
  request_origin origin = {};
};

/// The person that the token identifies, or why it is refused.
struct identity_checked {
  security::identity_verdict verdict = security::identity_refusal::malformed;
};

/// Why a token could not be checked.
enum class identity_error : std::uint8_t {
  keys_unavailable = 1, ///< the source is unavailable, and no earlier keys are cached
  too_late,             ///< the deadline had passed before its turn
};

caf::error make_error(identity_error error);

/// Checks identity tokens on its own thread with the issuer's keys, which it reads when they are first needed
/// and caches for an hour. A token with an unknown key triggers an earlier read, because issuers rotate keys.
/// While the source is unavailable, the old keys remain in use. ask() turns errors into 503 busy.
using identity_keys = caf::typed_actor<caf::replies_to<verify_identity>::with<identity_checked>>;

struct identity_keys_setup {
  key_source source;
  security::identity_expectation expected;
  wall_clock now; ///< for the lifetimes of tokens
  std::function<deadline::clock::time_point()> elapsed = &deadline::clock::now; ///< for the age of the keys
  metrics::registry* registry = nullptr;

  std::chrono::seconds max_age{3'600}; ///< of the keys
  /// Limits reads that tokens with unknown keys trigger, since strangers can send such tokens.
  std::chrono::seconds min_reload_interval{30};
  std::chrono::seconds retry_interval{5}; ///< while there are no keys at all
};

identity_keys spawn_identity_keys(runtime& rt, identity_keys_setup setup);

} // namespace roost::actors
