#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The compressed form of a list (gzip, RFC 1952), made of parts that know nothing of each other.
namespace roost::feeds::feed_gzip {

/// What it begins with.
std::string_view head();

/// A text, compressed on its own, ending at a byte's boundary (RFC 1951). Valid until the thread's next call.
/// `last` ends the stream.
std::string_view deflated(std::string_view text, bool last = false);

/// What it ends with, for a text of this checksum and size.
std::string tail(std::uint32_t crc, std::size_t size);

std::uint32_t crc_of(std::string_view text);
std::uint32_t adler_of(std::string_view text);

/// The checksums of a text and one that follows, by those of both and the second's size.
std::uint32_t joined_crc(std::uint32_t first, std::uint32_t second, std::size_t second_size);
std::uint32_t joined_adler(std::uint32_t first, std::uint32_t second, std::size_t second_size);

} // namespace roost::feeds::feed_gzip
