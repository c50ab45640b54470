#pragma once

#include "actors/inventory/portfolio_loader.hpp"
#include "service/feeds_module.hpp"
#include "service/partner_credentials.hpp"

namespace roost {

/// The landlords' portfolio in memory: accounts, calendars and the directory, kept in step with the store.
class portfolio_module final : public module {
public:
  portfolio_module(foundation& base, const feeds_module& feeds, partner_credentials& credentials);

  void stop() override;

  const actors::portfolio_loader& loader() const { return loader_; }

private:
  foundation& base_;
  actors::portfolio_loader loader_;
};

} // namespace roost
