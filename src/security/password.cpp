#include "security/password.hpp"

#include "security/random.hpp"

#include <argon2.h>

#include <array>
#include <stdexcept>

namespace roost::security {

namespace {

constexpr std::uint32_t salt_size = 16; // RFC 9106, 3.1
constexpr std::uint32_t hash_size = 32;

} // namespace

std::string hash_password(std::string_view password, password_cost cost) {
  std::array<unsigned char, salt_size> salt;
  fill_random(salt);
  std::string encoded(
      argon2_encodedlen(cost.passes, cost.memory_kib, cost.lanes, salt_size, hash_size, Argon2_id), '\0');
  const int result =
      argon2id_hash_encoded(cost.passes, cost.memory_kib, cost.lanes, password.data(), password.size(),
                            salt.data(), salt.size(), hash_size, encoded.data(), encoded.size());
  if (result != ARGON2_OK)
    throw std::runtime_error(std::string("cannot hash a password: ") + argon2_error_message(result));
  encoded.resize(encoded.find('\0')); // the length above counts the terminating zero
  return encoded;
}

bool password_matches(std::string_view password, const std::string& encoded) {
  return argon2_verify(encoded.c_str(), password.data(), password.size(), Argon2_id) == ARGON2_OK;
}

} // namespace roost::security
