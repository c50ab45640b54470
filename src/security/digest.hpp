#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace roost::security {

/// Bytes of a key, a salt or a digest.
using byte_view = std::span<const unsigned char>;
using sha256_digest = std::array<unsigned char, 32>;

/// Computes a SHA-256 digest (FIPS 180-4). Throws std::runtime_error if the cryptographic library fails.
sha256_digest sha256(std::string_view bytes);

/// Computes an HMAC with SHA-256 (RFC 2104). Throws std::runtime_error if the cryptographic library fails.
sha256_digest hmac_sha256(byte_view key, std::string_view bytes);

/// Returns lower-case hexadecimal digits, two per byte.
std::string to_hex(byte_view bytes);

/// Parses an even number of hexadecimal digits of either case; returns nullopt for any other text.
std::optional<std::string> from_hex(std::string_view text);

/// Encodes as base64url (RFC 4648, 5) without padding.
std::string to_base64url(byte_view bytes);
std::string to_base64url(std::string_view bytes);

/// Compares two texts in a time that depends only on their lengths.
bool equal_in_constant_time(std::string_view left, std::string_view right);

} // namespace roost::security
