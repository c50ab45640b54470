#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace roost::security {

/// Bytes of a key, a salt, a digest.
using byte_view = std::span<const unsigned char>;
using sha256_digest = std::array<unsigned char, 32>;

/// FIPS 180-4. Throws std::runtime_error when the cryptographic library fails.
sha256_digest sha256(std::string_view bytes);

/// RFC 2104 with SHA-256. Throws std::runtime_error when the cryptographic library fails.
sha256_digest hmac_sha256(byte_view key, std::string_view bytes);

/// Lower-case hexadecimal digits, two a byte.
std::string to_hex(byte_view bytes);

/// The bytes of an even number of hexadecimal digits in either case; anything else is none.
std::optional<std::string> from_hex(std::string_view text);

/// RFC 4648, 5, without padding.
std::string to_base64url(byte_view bytes);
std::string to_base64url(std::string_view bytes);

/// Whether both are the same, in a time that depends on their lengths only.
bool equal_in_constant_time(std::string_view left, std::string_view right);

} // namespace roost::security
