#pragma once

#include "actors/runtime/lease_keeper.hpp"
#include "service/foundation.hpp"
#include "service/module.hpp"

#include <memory>

namespace roost {

/// The writer's lease. It is taken once everything is built, and given back as soon as nothing can write any
/// more.
class lease_module final : public module {
public:
  explicit lease_module(foundation& base);

  void start() override;
  void finish_writing() override;

private:
  void add_readiness();

  foundation& base_;
  std::shared_ptr<actors::store_health> health_ = std::make_shared<actors::store_health>();
  actors::lease_keeper keeper_;
};

} // namespace roost
