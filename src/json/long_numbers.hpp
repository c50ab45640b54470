#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// JSON numbers of any size (RFC 8259, 6). Parsers reject or round most that do not fit 64 bits.
namespace roost::json {

/// The numbers of a text that a double may not hold exactly: integers of more than 18 digits, others of more
/// than 15 digits or with an exponent of more than two. A parser gets the text with placeholders for them.
class long_numbers {
public:
  /// Keeps the long numbers of a text, and returns the text with a placeholder for each; nullopt if it has
  /// none.
  std::optional<std::string> replace(std::string_view text);

  /// Returns the number for which an integer of the returned text stands, as it was sent; nullopt for any
  /// other integer.
  std::optional<std::string_view> find(std::uint64_t number) const;

private:
  std::vector<std::string> numbers_;
};

/// Returns the text with each long number replaced by a 0 and spaces, so that a parser with numbers of
/// limited size reads everything else, and finds the same error, at the same place.
std::string without_long_numbers(std::string_view text);

/// Returns the number that starts at this offset of a JSON text.
std::string_view number_at(std::string_view text, std::size_t offset);

} // namespace roost::json
