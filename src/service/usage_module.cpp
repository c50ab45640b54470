#include "service/usage_module.hpp"

#include "service/actor_shutdown.hpp"

namespace roost {

usage_module::usage_module(service_context& base) : base_(base) {
  const auto& storage = base.storage_at(service_context::side_lane::ledger);
  recorder_ = actors::spawn_usage_recorder(*base.runtime, {storage, base.lease, &base.registry});
}

void usage_module::finish_writing() {
  send_and_wait(base_.system(), recorder_, actors::flush_usage{}, [](const actors::usage_flushed&) {});
  send_exit(recorder_);
}

} // namespace roost
