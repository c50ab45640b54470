#pragma once

#include "actors/feeds/full_feed.hpp"
#include "actors/inventory/change_follower.hpp"
#include "service/service_context.hpp"

#include <functional>
#include <vector>

namespace roost {

/// The lists of all platforms: partial feeds, built on their interval, and full feeds, built when they are
/// asked for.
class feeds_module final : public module {
public:
  explicit feeds_module(service_context& base);

  void stop() override;

  /// Has every partial list built of the directory that was published last. Any thread.
  void rebuild() const;

  /// Has every list taken back at once: the store's history is another one than they were made of. Any thread
  /// that is not an actor's of a pool.
  void forget() const;

  const std::vector<actors::platform_feed>& feeds() const { return feeds_; } ///< by platform
  const std::vector<actors::full_feed>& full_feeds() const {
    return full_feeds_;
  } ///< null: the platform has none

private:
  void spawn_feed(std::size_t platform);
  actors::full_feed spawn_full_feed(std::size_t platform) const;
  void add_readiness();
  void export_metrics();

  service_context& base_;
  actors::feed_assembler assembler_;
  std::vector<actors::platform_feed> feeds_;
  std::vector<actors::full_feed> full_feeds_;
};

/// What lets partners and users in, as the follower keeps it in step with the store on its own thread.
struct followed_credentials {
  std::function<void(store::session&)> load;
  std::function<void(store::session&, const actors::credential_changes&)> apply;
};

/// The landlords' portfolio in memory: accounts, calendars and the directory, kept in step with the store.
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
