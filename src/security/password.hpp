#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::security {

/// The cost parameters of argon2id (RFC 9106).
struct password_cost {
  std::uint32_t memory_kib;
  std::uint32_t passes;
  std::uint32_t lanes;

  bool operator==(const password_cost&) const = default;
};

/// OWASP's first choice for argon2id: 19 MiB makes guessing on graphics cards expensive, while a sign-in
/// takes only tens of milliseconds and a burst of sign-ins does not exhaust a small machine's memory.
inline constexpr password_cost default_password_cost{19 * 1024, 2, 1};

/// Hashes the password in Unicode's Normalization Form C (RFC 8265, 4.2.2), so that it does not depend on how
/// a device composes accents, with argon2id and a random salt; the encoded string contains the parameters.
/// Slow: never call it on an I/O thread. Throws std::runtime_error if memory is exhausted.
std::string hash_password(std::string_view password, password_cost cost = default_password_cost);

/// Returns the cost of checking `encoded`; nullopt if it is not an argon2id hash.
std::optional<password_cost> cost_of(std::string_view encoded);

/// Returns the cost of additional work after which a check at cost `spent` has taken as long as one at
/// `target`; nullopt if it takes at least as long anyway.
std::optional<password_cost> remaining_cost(password_cost spent, password_cost target);

/// Returns whether the hash was created at a cost other than `cost`. The next sign-in should replace it.
bool needs_rehash(std::string_view encoded, password_cost cost);

/// Returns whether `encoded` is a hash of this password, however its accents are composed, or, from before
/// they were composed, of its bytes; false if it is not an argon2id hash.
bool password_matches(std::string_view password, const std::string& encoded);

} // namespace roost::security
