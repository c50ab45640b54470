#pragma once

#include "portfolio/written_members.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roost::portfolio {

/// A member that two versions of an object differ in.
struct difference {
  std::string member; ///< `capacity`, or within an object `rent.amount`
  /// As JSON; none for lists, which are told only that they differ, and for what must not be shown.
  std::optional<std::string> from, to;

  friend bool operator==(const difference&, const difference&) = default;
};

/// What differs, in the order of the members. Both are best written with their defaults. Wi-Fi passwords and
/// password hashes are never shown; a hash is told as `password`.
std::vector<difference> differences(const written_members& before, const written_members& after);

} // namespace roost::portfolio
