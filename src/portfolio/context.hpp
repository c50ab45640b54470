#pragma once

#include "domain/platform.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

/// What the configuration adds to the rules of a portfolio file.
struct context {
  std::vector<domain::platform> platforms;
  std::vector<std::string> roles;
  std::vector<std::string> short_term_hosts;
  /// Whether a text is a password hash of the kind that the store keeps. Empty: none is.
  std::function<bool(std::string_view text)> is_password_hash;
  /// Receives the number of bytes of the file that are read, about once a megabyte and at its end. May be
  /// empty.
  std::function<void(std::size_t bytes)> progress;
};

} // namespace roost::portfolio
