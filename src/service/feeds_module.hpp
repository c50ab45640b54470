#pragma once

#include "actors/feeds/full_feed.hpp"
#include "actors/inventory/change_follower.hpp"
#include "service/service_context.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost {

/// The lists of all platforms: partial feeds, built at intervals, and full feeds, built on request.
class feeds_module final : public module {
public:
  explicit feeds_module(service_context& base);

  void stop() override;

  /// Requests a rebuild of every partial list from the latest published directory. Thread-safe.
  void rebuild() const;

  /// Withdraws every list and waits until that is done: the store's history is not the one that they were
  /// built from. Not to be called from a pooled actor's thread.
  void forget() const;

  const std::vector<actors::platform_feed>& feeds() const { return feeds_; } ///< by platform
  /// By platform; null for platforms without full feeds.
  const std::vector<actors::full_feed>& full_feeds() const { return full_feeds_; }

private:
  std::optional<std::string> missing_lists() const;
  void spawn_feed(std::size_t platform);
  actors::full_feed spawn_full_feed(std::size_t platform) const;
  void export_metrics();

  service_context& base_;
  actors::feed_assembler assembler_;
  std::vector<actors::platform_feed> feeds_;
  std::vector<actors::full_feed> full_feeds_;
};

/// The functions by which the change follower keeps credentials in sync with the store, on its own thread.
struct followed_credentials {
  std::function<void(store::session&)> load;
  std::function<void(store::session&, const actors::credential_changes&)> apply;
  /// This server has become the writer, or the store has another history: caches may be outdated.
  std::function<void()> clear_caches;
};

/// The landlords' portfolio in memory: accounts, calendars and the directory, kept in sync with the store.
class portfolio_module final : public module {
public:
  portfolio_module(service_context& base, const feeds_module& feeds, followed_credentials credentials);

  void start() override;
  void stop() override;

  const actors::change_follower& follower() const { return follower_; }

private:
  void export_metrics();

  service_context& base_;
  actors::change_follower follower_;
};

} // namespace roost
