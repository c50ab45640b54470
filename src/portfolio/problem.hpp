#pragma once

#include <string>

namespace roost::portfolio {

/// What is wrong with a portfolio file, and where.
struct problem {
  std::string pointer; ///< JSON pointer (RFC 6901); empty: the whole document
  std::string text;

  friend bool operator==(const problem&, const problem&) = default;
};

/// One line: `/accounts/0/currency: is required`.
inline std::string to_string(const problem& of) {
  return of.pointer.empty() ? of.text : of.pointer + ": " + of.text;
}

} // namespace roost::portfolio
