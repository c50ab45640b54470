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

/// The service's actors on a store with a portfolio: the accounts with their tenants, the calendars of all
/// units, the directory, and storage lanes. The lab decides with them like the service.
class lab_service {
public:
  /// Takes the lease and waits until the portfolio is in memory. Throws std::runtime_error or store::error.
  explicit lab_service(const std::string& store_url);
  ~lab_service();
  lab_service(const lab_service&) = delete;
  lab_service& operator=(const lab_service&) = delete;

  actors::runtime& runtime() { return runtime_; }
  const actors::storage_actor& writing_lane() const {
    return storage_.at(actors::storage_pool::lane::decisions);
  }
  const actors::storage_actor& reading_lane() const {
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
