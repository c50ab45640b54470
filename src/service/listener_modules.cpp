#include "service/listener_modules.hpp"

#include "http/operations/ops_routes.hpp"
#include "log/log.hpp"
#include "service/conversions.hpp"
#include "service/management_module.hpp"
#include "service/partner_module.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>

#include <algorithm>
#include <memory>
#include <tuple>

namespace roost {

namespace {

http::router routes_of(const std::vector<std::unique_ptr<module>>& features) {
  http::router router;
  for (const auto& feature : features) feature->mount(router);
  return router;
}

constexpr std::size_t max_listed = 20; ///< units, and as many accounts

} // namespace

public_module::public_module(service_context& base, const std::vector<std::unique_ptr<module>>& features)
    : base_(base) {
  listener_.emplace(to_public_listener(base.settings), routes_of(features), base.registry,
                    base.runtime->io_contexts());
  port_ = listener_->port();
}

bool public_module::finish(boost::asio::awaitable<bool> ending) {
  auto& io = base_.runtime->io_contexts().front().get();
  return boost::asio::co_spawn(io, std::move(ending), boost::asio::use_future).get();
}

void public_module::finish_writing() {
  const auto timeout = base_.settings.server.drain_timeout;
  drained_by_ = clock::now() + timeout;
  finish(listener_->finish_writes(timeout));
}

void public_module::stop() {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(drained_by_ - clock::now());
  if (!finish(listener_->drain(std::max(left, std::chrono::milliseconds::zero()))))
    log::warn("drain_incomplete");
  listener_.reset();
}

operations_module::operations_module(service_context& base) {
  listener_.emplace(to_ops_listener(base.settings),
                    http::make_ops_router(base.registry, base.readiness,
                                          [busy = base.busy] { return to_json(busy->busiest(max_listed)); }),
                    base.registry, base.runtime->io_contexts());
}

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
