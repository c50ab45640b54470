#pragma once

#include "actors/runtime/lane_watch.hpp"
#include "actors/runtime/lease_keeper.hpp"
#include "service/service_context.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost {

/// The writer's lease. It is taken once everything is built, and given back as soon as nothing can write any
/// more.
class lease_module final : public module {
public:
  /// `signing_keys` is their fingerprint: a store whose tokens others have signed is not served.
  lease_module(service_context& base, std::string signing_keys);

  void start() override;
  void finish_writing() override;

  /// Idle lanes are asked no more: beside a store that hangs, the end would wait for their answers, too.
  void end_watch();

private:
  void add_readiness();
  std::optional<std::string> lost_lanes() const;

  service_context& base_;
  const std::string signing_keys_;
  std::shared_ptr<actors::store_health> health_ = std::make_shared<actors::store_health>();
  actors::lease_keeper keeper_;
  std::vector<std::shared_ptr<actors::lane_health>> lanes_;
  actors::lane_watch watch_;
};

} // namespace roost
