#include "store/portfolio/portfolio_import.hpp"

#include <algorithm>

namespace roost::store {

namespace {

constexpr std::array<std::string_view, portfolio_parts> part_names{
    "account",   "platform card",     "user",           "property",   "unit",  "link",
    "exclusion", "imported calendar", "booking window", "month rent", "block", "usage record"};
constexpr std::array<std::string_view, import_actions> action_names{"added", "changed", "removed",
                                                                    "archived"};

} // namespace

std::string name_of(portfolio_part part, std::size_t count) {
  std::string name(part_names[static_cast<std::size_t>(part)]);
  if (count == 1) return name;
  return name.ends_with('y') ? name.replace(name.size() - 1, 1, "ies") : name + 's';
}

std::string_view to_string(import_action action) { return action_names[static_cast<std::size_t>(action)]; }

change_counts& change_counts::operator+=(const change_counts& other) {
  for (std::size_t i = 0; i < import_actions; ++i)
    for (std::size_t j = 0; j < portfolio_parts; ++j) counts_[i][j] += other.counts_[i][j];
  return *this;
}

bool change_counts::any(import_action action) const {
  return std::ranges::any_of(counts_[static_cast<std::size_t>(action)],
                             [](std::size_t count) { return count > 0; });
}

std::string change_counts::text(import_action action) const {
  std::string text;
  for (std::size_t i = 0; i < portfolio_parts; ++i) {
    const auto part = static_cast<portfolio_part>(i);
    const auto n = count(action, part);
    if (n == 0) continue;
    if (!text.empty()) text += ", ";
    text.append(std::to_string(n)).append(1, ' ').append(name_of(part, n));
  }
  return text;
}

std::string change_counts::text() const {
  using enum import_action;
  std::string all;
  for (const auto action : {added, changed, removed, archived})
    if (const auto part = text(action); !part.empty())
      all.append(all.empty() ? "" : "; ").append(to_string(action)).append(": ").append(part);
  return all;
}

} // namespace roost::store
