#include "security/password.hpp"

#include "domain/entered_text.hpp"
#include "security/random.hpp"

#include <argon2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace roost::security {

namespace {

constexpr std::uint32_t salt_size = 16; // RFC 9106, 3.1
constexpr std::uint32_t hash_size = 32;
constexpr std::uint32_t min_memory_per_lane = 8; // KiB

/// Removes `prefix` and a number from the front; returns false if the text starts differently.
bool take_number(std::string_view& text, std::string_view prefix, std::uint32_t& number) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

} // namespace

std::string hash_password(std::string_view password, password_cost cost) {
  const auto text = domain::composed(password);
  std::array<unsigned char, salt_size> salt;
  fill_random(salt);
  std::string encoded(
      argon2_encodedlen(cost.passes, cost.memory_kib, cost.lanes, salt_size, hash_size, Argon2_id), '\0');
  const int result =
      argon2id_hash_encoded(cost.passes, cost.memory_kib, cost.lanes, text.data(), text.size(), salt.data(),
                            salt.size(), hash_size, encoded.data(), encoded.size());
  if (result != ARGON2_OK)
    throw std::runtime_error(std::string("cannot hash a password: ") + argon2_error_message(result));
  encoded.resize(encoded.find('\0')); // argon2_encodedlen counts the terminating zero
  return encoded;
}

std::optional<password_cost> cost_of(std::string_view encoded) {
  std::uint32_t version = 0;
  password_cost cost{};
  const bool parsed = take_number(encoded, "$argon2id$v=", version) &&
                      take_number(encoded, "$m=", cost.memory_kib) &&
                      take_number(encoded, ",t=", cost.passes) && take_number(encoded, ",p=", cost.lanes);
  if (!parsed || version != ARGON2_VERSION_NUMBER || !encoded.starts_with('$')) return std::nullopt;
  return cost;
}

std::optional<password_cost> remaining_cost(password_cost spent, password_cost target) {
  // Argon2 fills its memory once per pass, divided among the lanes, which run in parallel.
  const auto time_of = [](const password_cost& cost) {
    return double{1} * cost.memory_kib * cost.passes / std::max(cost.lanes, 1U);
  };
  auto rest = target;
  rest.memory_kib = static_cast<std::uint32_t>(std::max(0.0, time_of(target) - time_of(spent)) *
                                               target.lanes / target.passes);
  if (rest.memory_kib < min_memory_per_lane * target.lanes) return std::nullopt;
  return rest;
}

bool needs_rehash(std::string_view encoded, password_cost cost) { return cost_of(encoded) != cost; }

bool password_matches(std::string_view password, const std::string& encoded) {
  const auto matches = [&](std::string_view text) {
    return argon2_verify(encoded.c_str(), text.data(), text.size(), Argon2_id) == ARGON2_OK;
  };
  const auto composed = domain::composed(password);
  return matches(composed) || (composed != password && matches(password));
}

} // namespace roost::security
