#pragma once

#include "security/key_ring.hpp"

#include <string>

namespace roost::security {

/// A pair of keys on the curve P-256 (FIPS 186-4).
struct ec_key {
  std::string private_pem, public_pem;
  std::string x, y; ///< the public point's coordinates, in base64url (RFC 7518, 6.2.1)
};

/// The pair that follows from a secret, always the same one: nothing else has to be kept or changed. Throws
/// std::runtime_error when the cryptographic library fails.
ec_key ec_key_from(const signing_key& secret);

} // namespace roost::security
