#include "service/feed_metrics.hpp"

namespace roost {

namespace {

struct feed_gauges {
  const http::platform_feed* feed;
  metrics::gauge age, units, identity_bytes, gzip_bytes;
};

} // namespace

void export_feed_metrics(metrics::registry& registry, const http::partner_services& partners) {
  std::vector<feed_gauges> feeds;
  for (std::size_t i = 0; i < partners.feeds.size(); ++i) {
    const auto& name = (*partners.platforms)[i].name;
    const auto bytes = [&](const char* encoding) {
      return registry.gauge("roost_feed_bytes", "Size of a feed",
                            {{"platform", name}, {"encoding", encoding}});
    };
    feeds.push_back(
        {&partners.feeds[i],
         registry.gauge("roost_feed_age_seconds", "Time since a feed was built", {{"platform", name}}),
         registry.gauge("roost_feed_units", "Units in a feed", {{"platform", name}}), bytes("identity"),
         bytes("gzip")});
  }
  registry.on_scrape([feeds = std::move(feeds), now = partners.now] {
    for (const auto& feed : feeds) {
      const auto snapshot = feed.feed->snapshot->get();
      if (!snapshot) continue;
      feed.age.set(std::chrono::duration<double>(now() - snapshot->built_at).count());
      feed.units.set(static_cast<double>(snapshot->units));
      feed.identity_bytes.set(static_cast<double>(snapshot->bytes));
      feed.gzip_bytes.set(static_cast<double>(snapshot->gzip_bytes));
    }
  });
}

} // namespace roost
