#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The gzip form of a list (RFC 1952), assembled from parts that are compressed independently.
namespace roost::feeds::feed_gzip {

/// The gzip header.
std::string_view head();

/// Compresses a text on its own, ending at a byte boundary (RFC 1951). The result is valid until the thread's
/// next call. `last` ends the stream.
std::string_view deflated(std::string_view text, bool last = false);

/// The gzip trailer for a text with this checksum and size.
std::string tail(std::uint32_t crc, std::size_t size);

std::uint32_t crc_of(std::string_view text);
std::uint32_t adler_of(std::string_view text);

/// Computes the checksum of two concatenated texts from both checksums and the second text's size.
std::uint32_t joined_crc(std::uint32_t first, std::uint32_t second, std::size_t second_size);
std::uint32_t joined_adler(std::uint32_t first, std::uint32_t second, std::size_t second_size);

} // namespace roost::feeds::feed_gzip
