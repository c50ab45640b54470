#pragma once

#include "domain/uuid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

/// What a portfolio is made of.
enum class portfolio_part : std::uint8_t {
  account,
  card,
  user,
  property,
  unit,
  link,
  exclusion,
  window,
  month_rent,
  block,
  usage_record,
};
inline constexpr std::size_t portfolio_parts = 11;

/// `unit`, `platform card`; with an s at its end for several, or as English has it.
std::string_view name_of(portfolio_part part, std::size_t count = 1);

/// What an import does to something.
enum class import_action : std::uint8_t {
  added,
  changed,
  removed,
  archived, ///< left out, but booked
};
inline constexpr std::size_t import_actions = 4;

std::string_view to_string(import_action action);

/// What an import does to one thing, as its steps decide it.
struct import_change {
  import_action action;
  portfolio_part part;
  domain::uuid
      id{}; ///< its own, or the unit's (the account's for a card) where it has none; a new block's unit
  std::string key{}; ///< which of the unit's or the account's: a platform, a month, dates; none of windows
                     ///< that only change their order
  std::string to{};  ///< the dates that replace a window's; a new block's last night
};

/// How many things of each part something happens to.
class change_counts {
public:
  void add(import_action action, portfolio_part part, std::size_t count = 1) { of(action, part) += count; }
  change_counts& operator+=(const change_counts& more);

  std::size_t count(import_action action, portfolio_part part) const {
    return counts_[static_cast<std::size_t>(action)][static_cast<std::size_t>(part)];
  }
  bool any(import_action action) const;
  /// What is removed or archived needs the caller's word.
  bool any_removal() const { return any(import_action::removed) || any(import_action::archived); }

  /// `2 units, 1 link`; empty where there is none.
  std::string text(import_action action) const;
  /// `added: 2 units; removed: 1 link`; empty where there is nothing.
  std::string text() const;

private:
  std::size_t& of(import_action action, portfolio_part part) {
    return counts_[static_cast<std::size_t>(action)][static_cast<std::size_t>(part)];
  }

  std::array<std::array<std::size_t, portfolio_parts>, import_actions> counts_{};
};

/// What the steps of an import tell as they decide. Changes of what has an id are not told: that is for the
/// database to see (import_summary), or for a plan.
struct import_notes {
  change_counts counts;
  bool keeps_changes = false; ///< for a plan
  std::vector<import_change> changes;

  void add(import_change change) {
    counts.add(change.action, change.part);
    if (keeps_changes) changes.push_back(std::move(change));
  }
};

} // namespace roost::store
