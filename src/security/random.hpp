#pragma once

#include "domain/uuid.hpp"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

namespace roost::security {

/// Fills `bytes` from the cryptographic generator. Throws std::runtime_error if the generator fails.
void fill_random(std::span<unsigned char> bytes);

/// Returns `count` uniformly random decimal digits.
std::string random_digits(std::size_t count);

/// Returns a random id (RFC 9562, version 4). It cannot be guessed.
domain::uuid random_uuid();

/// Returns an id that sorts by its creation time (RFC 9562, version 7) to about a quarter of a microsecond,
/// so that rows with such keys are appended to an index. 62 of its bits are random. Times before 1970 count
/// as 1970.
domain::uuid time_ordered_uuid(std::chrono::system_clock::time_point now);

} // namespace roost::security
