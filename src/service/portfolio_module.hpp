#pragma once

#include "actors/inventory/change_follower.hpp"
#include "service/feeds_module.hpp"

#include <functional>

namespace roost {

/// What lets partners and users in, as the follower keeps it in step with the store on its own thread.
struct followed_credentials {
  std::function<void(store::session&)> load;
  std::function<void(store::session&, const actors::credential_news&)> apply;
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
