#pragma once

#include "actors/inventory/portfolio_loader.hpp"
#include "service/feeds_module.hpp"

#include <functional>

namespace roost {

/// The landlords' portfolio in memory: accounts, calendars and the directory, kept in step with the store.
class portfolio_module final : public module {
public:
  /// `reload_credentials` reads anew, on the loader's thread, what lets partners and users in.
  portfolio_module(foundation& base, const feeds_module& feeds,
                   std::function<void(store::session&)> reload_credentials);

  void stop() override;

  const actors::portfolio_loader& loader() const { return loader_; }

private:
  foundation& base_;
  actors::portfolio_loader loader_;
};

} // namespace roost
