#pragma once

#include "actors/inventory/change_follower.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "metrics/registry.hpp"

#include <memory>
#include <string>

namespace roost::contention {

/// The service's actors over a store that has a portfolio: the accounts with their tenants, the calendars of
/// all units, the directory, and storage lanes. The lab decides with them as the service does.
class service_world {
public:
  /// Takes the lease and waits until the portfolio is in memory. Throws std::runtime_error or store::error.
  explicit service_world(const std::string& store_url);
  ~service_world();
  service_world(const service_world&) = delete;
  service_world& operator=(const service_world&) = delete;

  actors::runtime& runtime() { return runtime_; }
  const actors::storage_actor& writing() const { return storage_.at(actors::storage_pool::lane::decisions); }
  const actors::storage_actor& reading() const {
    return storage_.at(actors::storage_pool::lane::reads_and_mail);
  }
  const store::lease& lease() const { return lease_; }
  const actors::platform_list& platforms() const { return platforms_; }
  std::shared_ptr<const actors::directory> directory() const { return directory_.get(); }
  const std::shared_ptr<actors::replication_position>& followed() const { return followed_; }
  const actors::change_follower& follower() const { return follower_; }

private:
  store::lease take_lease(const std::string& store_url);
  void load_portfolio(const std::string& store_url);

  metrics::registry registry_;
  actors::platform_list platforms_;
  actors::published<actors::directory> directory_;
  std::shared_ptr<actors::replication_position> followed_ = std::make_shared<actors::replication_position>();
  std::shared_ptr<actors::held_lease> held_ = std::make_shared<actors::held_lease>();
  actors::runtime runtime_{actors::scheduler_knobs{}};
  actors::storage_pool storage_;
  store::lease lease_;
  actors::change_follower follower_;
};

} // namespace roost::contention
