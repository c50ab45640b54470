#pragma once

#include "domain/uuid.hpp"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

namespace roost::security {

/// Fills with bytes of the cryptographic generator. Throws std::runtime_error when it has none to give.
void fill_random(std::span<unsigned char> bytes);

/// So many random decimal digits, each as likely as any other.
std::string random_digits(std::size_t count);

/// A random id (RFC 9562, version 4). It cannot be guessed.
domain::uuid random_uuid();

/// An id that sorts by the time it was made (RFC 9562, version 7), to about a quarter of a microsecond, so
/// that rows keyed by it are written at the end of an index. 62 of its bits are random. Times before 1970
/// count as 1970.
domain::uuid time_ordered_uuid(std::chrono::system_clock::time_point now);

} // namespace roost::security
