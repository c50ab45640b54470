#include "service/operations_module.hpp"

#include "http/operations/ops_routes.hpp"
#include "service/conversions.hpp"

namespace roost {

operations_module::operations_module(foundation& base) {
  listener_.emplace(to_ops_listener(base.settings), http::make_ops_router(base.registry, base.readiness),
                    base.registry, base.runtime->io_contexts());
}

} // namespace roost
