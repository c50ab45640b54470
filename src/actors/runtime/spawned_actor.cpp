#include "actors/runtime/spawned_actor.hpp"

#include "log/log.hpp"

#include <caf/exit_reason.hpp>
#include <caf/sec.hpp>

#include <cstdlib>
#include <exception>

namespace roost::actors {

namespace {

caf::error report(const actor_failure& on_failure, const caf::scheduled_actor& self,
                  std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const std::exception& error) {
    on_failure(self.name(), error.what());
  } catch (...) {
    on_failure(self.name(), "an exception of unknown type");
  }
  return caf::sec::runtime_error;
}

} // namespace

void end_process(std::string_view actor, std::string_view error) {
  log::error("actor_failed", {{"actor", actor}, {"what", error}});
  log::flush();
  std::_Exit(actor_failure_status);
}

// The handlers capture a reference, because a copy for each of a million actors would take much memory.
void report_failures(caf::scheduled_actor* self, const actor_failure& on_failure) {
  self->set_exception_handler([&on_failure](caf::scheduled_actor* ended, std::exception_ptr& thrown) {
    return report(on_failure, *ended, thrown);
  });
  self->set_error_handler([&on_failure](caf::scheduled_actor* ended, caf::error& unexpected) {
    on_failure(ended->name(), "an unexpected error");
    ended->quit(std::move(unexpected));
  });
}

std::size_t mailbox_depth(caf::scheduled_actor& actor) { return actor.mailbox().queue().total_task_size(); }

} // namespace roost::actors
