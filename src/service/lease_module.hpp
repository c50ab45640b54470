#pragma once

#include "actors/runtime/lease_keeper.hpp"
#include "actors/runtime/storage.hpp"
#include "service/partner_credentials.hpp"
#include "service/service_context.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost {

/// Returns a lease holder's name that is unique to this run of the program.
std::string node_name();

/// The writer's lease: acquired once everything is built, released as soon as nothing can write.
class lease_module final : public module {
public:
  /// A store whose tokens were signed with keys other than those of `credentials`, which must outlive it, is
  /// not served.
  lease_module(service_context& base, const partner_credentials& credentials);

  void start() override;
  void finish_writing() override;

  /// Stops probing idle lanes: if the store hangs, the shutdown would wait for those probes, too.
  void end_watch();

private:
  void add_readiness();
  std::optional<std::string> lost_lanes() const;

  service_context& base_;
  const partner_credentials& credentials_;
  std::shared_ptr<actors::store_health> health_ = std::make_shared<actors::store_health>();
  actors::lease_keeper keeper_;
  std::vector<std::shared_ptr<actors::lane_health>> lanes_;
  actors::lane_watch watch_;
};

} // namespace roost
