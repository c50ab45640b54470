#include "service/route_list.hpp"

#include "service/connector_module.hpp"
#include "service/management_module.hpp"
#include "service/partner_module.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

namespace roost {

std::vector<listed_route> list_routes(const config::settings& settings) {
  http::partner_services partners;
  partners.platforms = std::make_shared<const std::vector<domain::platform>>(settings.platforms);
  partners.short_term_hosts = settings.short_term_hosts;
  http::management_services management;
  management.base_url = settings.server.base_url;
  http::connector_services connector;
  connector.management = &management;
  http::router all;
  mount_partner_routes(all, partners);
  mount_management_routes(all, management);
  mount_connector_routes(all, connector);
  std::vector<listed_route> listed;
  for (const auto& each : all.entries())
    listed.push_back({each.definition.method, each.pattern, each.definition.entry.needs});
  std::ranges::sort(listed, {}, [](const listed_route& each) { return std::tie(each.path, each.method); });
  return listed;
}

} // namespace roost
