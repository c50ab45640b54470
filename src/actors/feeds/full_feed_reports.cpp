#include "actors/feeds/full_feed_reports.hpp"

#include "log/log.hpp"

#include <array>

namespace roost::actors {

namespace {

metrics::gauge bytes_in(metrics::registry& registry, const std::string& platform, const char* encoding) {
  return registry.gauge("roost_full_feed_bytes", "Size of the full lists in memory",
                        {{"platform", platform}, {"encoding", encoding}});
}

} // namespace

full_feed_metrics::full_feed_metrics(metrics::registry& registry, const std::string& platform, wall_clock now)
    : seconds_(registry.histogram("roost_full_feed_build_seconds", "Time to build a full list",
                                  {{"platform", platform}})),
      lists_(registry.gauge("roost_full_feeds", "Full lists in memory, one per requested landlord key",
                            {{"platform", platform}})),
      units_(registry.gauge("roost_full_feed_units", "Units in the full lists in memory",
                            {{"platform", platform}})),
      bytes_(bytes_in(registry, platform, "identity")), gzip_bytes_(bytes_in(registry, platform, "gzip")),
      last_built_(std::make_shared<std::atomic<domain::timestamp>>()) {
  const auto age = registry.gauge("roost_full_feed_age_seconds", "Time since the last full list was built",
                                  {{"platform", platform}});
  registry.on_scrape([age, last = last_built_, now = std::move(now)] {
    const auto built = last->load();
    if (built != domain::timestamp{}) age.set(std::chrono::duration<double>(now() - built).count());
  });
}

void full_feed_metrics::built(const full_feed_totals& all, domain::timestamp at,
                              std::chrono::steady_clock::duration took) {
  seconds_.observe(std::chrono::duration<double>(took).count());
  lists_.set(static_cast<double>(all.lists));
  units_.set(static_cast<double>(all.units));
  bytes_.set(static_cast<double>(all.bytes));
  gzip_bytes_.set(static_cast<double>(all.gzip_bytes));
  last_built_->store(at);
}

void report_data_gaps(const std::string& platform, std::span<const directory_unit* const> units,
                      std::span<const listings::data_gaps> gaps) {
  constexpr std::size_t max_named = 5;
  std::array<std::size_t, listings::data_gaps{}.size()> counts{};
  std::size_t affected = 0;
  std::string first;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (gaps[i].none()) continue;
    for (std::size_t gap = 0; gap < counts.size(); ++gap) counts[gap] += gaps[i][gap] ? 1 : 0;
    if (++affected > max_named) continue;
    first += (first.empty() ? "" : ",") + domain::to_string(units[i]->id);
  }
  if (affected == 0) return;
  const auto count = [&counts](listings::data_gap gap) { return counts[static_cast<std::size_t>(gap)]; };
  log::info("full_feed_gaps", {{"platform", platform},
                               {"units", affected},
                               {"no_rent", count(listings::data_gap::rent)},
                               {"region_not_accepted", count(listings::data_gap::region)},
                               {"address", count(listings::data_gap::address)},
                               {"coordinates", count(listings::data_gap::coordinates)},
                               {"month_price", count(listings::data_gap::month_price)},
                               {"first", first}});
}

} // namespace roost::actors
