#pragma once

#include "domain/date.hpp"
#include "store/database/cell.hpp"
#include "store/database/session.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

/// Ranges of nights as a text: `2027-02-01/2027-02-10 2027-03-01/2027-03-01`; NULL without any.
struct taken_nights_format {
  static constexpr auto type = "text";

  static bool write(std::string& to, const std::vector<domain::nights>& taken) {
    for (std::size_t i = 0; i < taken.size(); ++i)
      to.append(i == 0 ? "" : " ")
          .append(domain::to_string(taken[i].first))
          .append(1, '/')
          .append(domain::to_string(taken[i].last));
    return !taken.empty();
  }

  static bool read(const std::string* text, std::vector<domain::nights>& into) {
    constexpr std::size_t date_length = 10, range_length = 2 * date_length + 1;
    into.clear();
    if (!text) return true;
    for (std::size_t at = 0; at < text->size(); at += range_length + 1) {
      const auto range = std::string_view(*text).substr(at, range_length);
      if (range.size() != range_length || range[date_length] != '/') return false;
      const auto first = domain::parse_date(range.substr(0, date_length)),
                 last = domain::parse_date(range.substr(date_length + 1));
      if (!first || !last) return false;
      into.push_back({*first, *last});
    }
    return true;
  }
};

/// Returns the nights among these that bookings, blocks and holds of the unit contain, as ranges that neither
/// overlap nor touch, in order.
std::vector<domain::nights> find_taken_nights(session& db, const domain::uuid& unit,
                                              const domain::nights& among);

} // namespace roost::store
