#pragma once

#include "domain/date.hpp"
#include "store/database/cell.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace roost::store {

/// The times at which the recent refresh tokens of a session or connection were replaced, up to 256 of them.
/// The row itself contains the time of the last replacement.
class replaced_tokens {
public:
  /// Records a replacement: `replaced_before` is the time of the previous one, at most `now`. Forgets tokens
  /// that were replaced longer than `grace` before `now`. Without a grace period, records nothing.
  void add(domain::timestamp replaced_before, domain::timestamp now, std::chrono::milliseconds grace);

  /// Returns whether a token was replaced within `grace` before `now`. `age` is the number of tokens issued
  /// after it, `last` the time of the last replacement; one in the future counts as now.
  bool is_recent(std::int64_t age, domain::timestamp last, domain::timestamp now,
                 std::chrono::milliseconds grace) const;

  bool operator==(const replaced_tokens&) const = default;

private:
  friend struct column_format<replaced_tokens>;

  std::vector<domain::timestamp> times_; ///< oldest first; the last one is of the token with age 2
};

/// The format: the times in milliseconds since the epoch, separated by spaces.
template <>
struct column_format<replaced_tokens> {
  static constexpr auto type = "text";
  static bool write(std::string& to, const replaced_tokens& tokens);
  static bool read(const std::string* text, replaced_tokens& into);
};

} // namespace roost::store
