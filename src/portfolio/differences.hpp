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

// Each of these returns what differs, in the order of the members, with their defaults. Cards, users,
// properties, usage records, units, booking windows, blocks, links and exclusions are no part of the object
// that they belong to. Wi-Fi passwords and password hashes are never shown; a hash appears as `password`.

std::vector<difference> differences(const domain::portfolio_account& before,
                                    const domain::portfolio_account& after);
std::vector<difference> differences(const domain::platform_card& before, const domain::platform_card& after);
std::vector<difference> differences(const domain::portfolio_user& before, const domain::portfolio_user& after,
                                    password_hashes hashes);
std::vector<difference> differences(const domain::portfolio_property& before,
                                    const domain::portfolio_property& after);
std::vector<difference> differences(const domain::portfolio_unit& before,
                                    const domain::portfolio_unit& after);
std::vector<difference> differences(const domain::block& before, const domain::block& after);

} // namespace roost::portfolio
