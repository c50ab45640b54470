#pragma once

#include "domain/platform.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::portfolio {

/// What the configuration adds to the rules of a portfolio file.
struct context {
  std::vector<domain::platform> platforms;
  std::vector<std::string> roles;
  std::vector<std::string> short_term_hosts;
  /// Whether a text is a password hash of the kind that the store keeps. Empty: none is.
  std::function<bool(std::string_view text)> is_password_hash;
  /// Told how many bytes of the file are read, about once a megabyte and at its end. May be empty.
  std::function<void(std::size_t bytes)> progress;
  /// Told the members that each object of the file may have, by their names from the root on:
  /// `accounts/properties/units/rent/amount`. May be empty.
  std::function<void(const std::string& member)> known;
};

} // namespace roost::portfolio
