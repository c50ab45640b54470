#pragma once

#include "config/settings.hpp"
#include "security/secrets.hpp"
#include "service/expiries.hpp"
#include "service/feeds_module.hpp"
#include "service/lease_module.hpp"
#include "service/management_access_data.hpp"
#include "service/partner_credentials.hpp"
#include "service/service_context.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace roost {

/// The features of the service, wired together, with the secrets and credentials that they share. The service
/// adds its listeners; a simulation passes requests to the routes itself.
class features {
public:
  /// Throws std::runtime_error with a one-line message if the secrets cannot be used.
  features(const config::settings& settings, service_hooks hooks);

  /// Adds all features. Throws std::runtime_error with a one-line message if something cannot be used.
  void build();

  /// Constructs a module and returns it. Modules start in this order and stop in reverse.
  template <typename Module, typename... Arguments>
  Module& add(Arguments&&... arguments) {
    auto added = std::make_unique<Module>(std::forward<Arguments>(arguments)...);
    auto& result = *added;
    modules_.push_back(std::move(added));
    return result;
  }

  void start();

  /// Finishes writing, stops the modules and then the threads. Without effect when called again.
  void stop();

  /// Applies the settings that can change while the service runs; the others stay unchanged.
  void apply_live(const config::settings& settings);

  service_context& base() { return base_; }
  expiries& expiring() { return expiring_; }
  const std::vector<std::unique_ptr<module>>& modules() const { return modules_; }

private:
  followed_credentials follow_credentials();
  void reload_keys(store::session& db);

  service_context base_;
  const security::secrets secrets_;
  partner_credentials credentials_;
  management_access_data access_;
  expiries expiring_;
  std::vector<std::unique_ptr<module>> modules_;
  lease_module* lease_ = nullptr;
  bool stopped_ = false;
};

} // namespace roost
