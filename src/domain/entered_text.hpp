#pragma once

#include <string>
#include <string_view>

/// What people, editors and shells add to a text that they enter, copy or convert.
namespace roost::domain {

/// Marks UTF-8 (Unicode Standard, 23.8). Spreadsheets take a CSV file without one for the system's old
/// encoding.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// Returns the text without a byte order mark at its front, which some editors and shells add to UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

/// Returns the text without the white space and invisible characters at its ends that copying adds: blanks,
/// line ends, no-break spaces, zero-width characters.
std::string_view without_outer_blanks(std::string_view text);

/// Returns the digits of a text in ASCII, without everything between them. Keyboards enter those of their
/// script, such as full-width ones.
std::string digits_of(std::string_view text);

/// Returns the text in Unicode's Normalization Form C, in which an accented letter is one character however
/// it was typed. Text that is not UTF-8 is unchanged.
std::string composed(std::string_view text);

} // namespace roost::domain
