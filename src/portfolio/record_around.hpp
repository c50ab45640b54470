#pragma once

#include "portfolio/description.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

/// Descriptions that are derived from others.
namespace roost::portfolio {

namespace detail {

/// The positions of the members of `Base` without those of these names.
template <const auto& Base, json::literal... Left_out>
constexpr auto positions_without() {
  constexpr auto is_left_out = []([[maybe_unused]] std::string_view name) {
    return ((name == Left_out.view()) || ...);
  };
  return Base.members.pass_to([=](const auto&... all) {
    std::array<std::size_t, sizeof...(all) + 1> positions{}; // the last one is their number
    std::size_t at = 0;
    const auto add = [&](std::string_view name) {
      if (!is_left_out(name)) positions[positions.back()++] = at;
      ++at;
    };
    (add(all.name.view()), ...);
    return positions;
  });
}

} // namespace detail

/// Describes the same objects as `Base` with other members around those of `Base`, except the ones with these
/// names: for a body that differs in a few members from the object of a file.
template <const auto& Base, json::literal... Left_out, typename Source>
constexpr auto record_around(hooks<Source> object_hooks, const auto& before, const auto& after) {
  constexpr auto positions = detail::positions_without<Base, Left_out...>();
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return before.pass_to([&](const auto&... first) {
      return after.pass_to([&](const auto&... last) {
        return record<Source>(object_hooks, first..., domain::at<positions[I]>(Base.members)..., last...);
      });
    });
  }
  (std::make_index_sequence<positions.back()>{});
}

} // namespace roost::portfolio
