#pragma once

#include "domain/portfolio.hpp"
#include "portfolio/write.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::portfolio {

/// A member that two versions of an object differ in.
struct difference {
  std::string member; ///< `capacity`, or within an object `rent.amount`
  /// As JSON; nullopt for lists, of which only the fact is shown, and for secrets.
  std::optional<std::string> from, to;

  friend bool operator==(const difference&, const difference&) = default;
};

/// A member that differs between two texts, or between an absent text and another one.
difference text_difference(std::string member, const std::optional<std::string>& from,
                           const std::optional<std::string>& to);

/// Returns what differs, in the order of the members, with their defaults. Cards, users, properties, usage
/// records, units, booking windows, blocks, links and exclusions are no part of the object that they belong
/// to. Wi-Fi passwords and password hashes are never shown; a hash appears as `password`. T is a
/// portfolio_account, platform_card, portfolio_user, portfolio_property, portfolio_unit or block.
template <typename T>
std::vector<difference> differences(const T& before, const T& after,
                                    password_hashes hashes = password_hashes::left_out);

} // namespace roost::portfolio
