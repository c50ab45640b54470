#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::security {

/// What one try at a password costs (RFC 9106).
struct password_cost {
  std::uint32_t memory_kib;
  std::uint32_t passes;
  std::uint32_t lanes;

  bool operator==(const password_cost&) const = default;
};

/// OWASP's first choice for argon2id: 19 MiB make guessing on graphics cards expensive, while a sign-in still
/// takes some tens of milliseconds and a burst of them does not exhaust a small machine's memory.
inline constexpr password_cost default_password_cost{19 * 1024, 2, 1};

/// argon2id with a random salt, as the encoded string that carries its own parameters. It takes its time:
/// never on an I/O thread. Throws std::runtime_error when there is no memory for it.
std::string hash_password(std::string_view password, password_cost cost = default_password_cost);

/// What the argon2id hash `encoded` costs to check; none when it is no such hash.
std::optional<password_cost> cost_of(std::string_view encoded);

/// Whether the hash was made at another cost than is wanted now. The next sign-in should replace it: until
/// then the time that it takes tells it from others.
bool needs_rehash(std::string_view encoded, password_cost wanted);

/// Whether `encoded` came from this password. A text that is no argon2id hash matches nothing.
bool password_matches(std::string_view password, const std::string& encoded);

} // namespace roost::security
