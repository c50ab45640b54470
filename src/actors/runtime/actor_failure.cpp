#include "actors/runtime/actor_failure.hpp"

#include "log/log.hpp"

#include <caf/exit_reason.hpp>
#include <caf/sec.hpp>

#include <cstdlib>

namespace roost::actors {

namespace {

/// The reference outlives the actors; a copy for each of a million would not be small.
caf::error report(const actor_failure& failed, const caf::scheduled_actor& self, std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const std::exception& what) {
    failed(self.name(), what.what());
  } catch (...) {
    failed(self.name(), "an exception of no known kind");
  }
  return caf::sec::runtime_error;
}

} // namespace

void end_process(std::string_view actor, std::string_view why) {
  log::error("actor_failed", {{"actor", actor}, {"what", why}});
  log::flush();
  std::_Exit(ended_by_actor_failure);
}

void watch(caf::scheduled_actor* self, const actor_failure& failed) {
  self->set_exception_handler([&failed](caf::scheduled_actor* ended, std::exception_ptr& thrown) {
    return report(failed, *ended, thrown);
  });
  self->set_error_handler([&failed](caf::scheduled_actor* ended, caf::error& unexpected) {
    failed(ended->name(), "an error that nobody expects");
    ended->quit(std::move(unexpected));
  });
}

} // namespace roost::actors
