#include "actors/feeds/data_gap_report.hpp"

#include "log/log.hpp"

#include <array>

namespace roost::actors {

void report_data_gaps(const std::string& platform, std::span<const directory_unit* const> units,
                      std::span<const listings::data_gaps> gaps) {
  constexpr std::size_t max_named = 5;
  std::array<std::size_t, listings::data_gaps{}.size()> counts{};
  std::size_t concerned = 0;
  std::string first;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (gaps[i].none()) continue;
    for (std::size_t gap = 0; gap < counts.size(); ++gap) counts[gap] += gaps[i][gap] ? 1 : 0;
    if (++concerned > max_named) continue;
    first += (first.empty() ? "" : ",") + domain::to_string(units[i]->id);
  }
  if (concerned == 0) return;
  const auto count = [&counts](listings::data_gap gap) { return counts[static_cast<std::size_t>(gap)]; };
  log::info("full_feed_gaps", {{"platform", platform},
                               {"units", concerned},
                               {"no_rent", count(listings::data_gap::rent)},
                               {"region_not_accepted", count(listings::data_gap::region)},
                               {"address", count(listings::data_gap::address)},
                               {"coordinates", count(listings::data_gap::coordinates)},
                               {"month_price", count(listings::data_gap::month_price)},
                               {"first", first}});
}

} // namespace roost::actors
