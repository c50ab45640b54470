#include "service/credential_uses_module.hpp"

#include "service/actor_ends.hpp"

namespace roost {

credential_uses_module::credential_uses_module(service_context& base, const partner_credentials& credentials)
    : base_(base), keeper_(actors::spawn_use_keeper(
                       *base.runtime, {base.storage_at(service_context::side_lane::management), base.lease,
                                       [uses = credentials.uses()] { return uses->take(); }})) {}

void credential_uses_module::finish_writing() {
  tell_and_wait(base_.system(), keeper_, actors::flush_uses{}, [](const actors::uses_flushed&) {});
  end(keeper_);
}

} // namespace roost
