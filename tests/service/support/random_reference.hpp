#pragma once

#include "domain/uuid.hpp"

#include <cstdint>
#include <random>
#include <string>

namespace roost::testing {

/// A UUID (version 4) by the generator, for a platform's booking ID.
inline std::string random_reference(std::mt19937& random) {
  domain::uuid id{};
  for (auto& byte : id.data)
    byte = static_cast<std::uint8_t>(std::uniform_int_distribution<int>{0, 255}(random));
  id.data[6] = static_cast<std::uint8_t>((id.data[6] & 0x0f) | 0x40);
  id.data[8] = static_cast<std::uint8_t>((id.data[8] & 0x3f) | 0x80);
  return domain::to_string(id);
}

} // namespace roost::testing
