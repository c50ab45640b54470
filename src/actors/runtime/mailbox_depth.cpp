#include "actors/runtime/measured_actor.hpp"

namespace roost::actors {

std::size_t mailbox_depth(caf::scheduled_actor& actor) { return actor.mailbox().queue().total_task_size(); }

} // namespace roost::actors
