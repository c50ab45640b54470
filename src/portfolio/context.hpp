#pragma once

#include "domain/platform.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::portfolio {

/// A problem of a portfolio file.
struct problem {
  std::string pointer; ///< JSON pointer (RFC 6901); empty: the whole document
  std::string text;

  friend bool operator==(const problem&, const problem&) = default;
};

/// Returns one line: `/accounts/0/currency: is required`.
inline std::string to_string(const problem& of) {
  return of.pointer.empty() ? of.text : of.pointer + ": " + of.text;
}

/// The rules of portfolio files that depend on the configuration.
struct context {
  std::vector<domain::platform> platforms;
  std::vector<std::string> roles;
  std::vector<std::string> short_term_hosts;
  /// Returns whether a text is a password hash of the kind that the store keeps. If empty, none is.
  std::function<bool(std::string_view text)> is_password_hash;
  /// Receives the number of bytes of the file that are read, about once a megabyte and at its end. May be
  /// empty.
  std::function<void(std::size_t bytes)> progress;
};

} // namespace roost::portfolio
