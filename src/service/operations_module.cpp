#include "service/operations_module.hpp"

#include "http/operations/ops_routes.hpp"
#include "service/conversions.hpp"

namespace roost {

namespace {

constexpr std::size_t busiest = 20; ///< units and accounts of each

} // namespace

operations_module::operations_module(service_context& base) {
  listener_.emplace(to_ops_listener(base.settings),
                    http::make_ops_router(base.registry, base.readiness,
                                          [busy = base.busy] { return to_json(busy->busiest(busiest)); }),
                    base.registry, base.runtime->io_contexts());
}

} // namespace roost
