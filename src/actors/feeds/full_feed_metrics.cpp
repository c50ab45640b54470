#include "actors/feeds/full_feed_metrics.hpp"

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
      lists_(registry.gauge("roost_full_feeds", "Full lists in memory, one a landlord key",
                            {{"platform", platform}})),
      units_(registry.gauge("roost_full_feed_units", "Units in the full lists in memory",
                            {{"platform", platform}})),
      bytes_(bytes_in(registry, platform, "identity")), gzip_bytes_(bytes_in(registry, platform, "gzip")),
      last_(std::make_shared<std::atomic<domain::timestamp>>()) {
  const auto age = registry.gauge("roost_full_feed_age_seconds", "Time since the last full list was built",
                                  {{"platform", platform}});
  registry.on_scrape([age, last = last_, now = std::move(now)] {
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
  last_->store(at);
}

} // namespace roost::actors
