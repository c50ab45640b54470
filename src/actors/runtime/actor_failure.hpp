#pragma once

#include <caf/scheduled_actor.hpp>

#include <exception>
#include <functional>
#include <string_view>

namespace roost::actors {

/// What is done about an actor that an error ends; called on the thread that runs it.
using actor_failure = std::function<void(std::string_view actor, std::string_view why)>;

inline constexpr int ended_by_actor_failure = 70; ///< the process's exit status

/// Logs `actor_failed` and ends the process at once. An actor that is missing stops its part of the service
/// while the rest looks healthy, and a killed process loses nothing: a new start reads what is durable.
[[noreturn]] void end_process(std::string_view actor, std::string_view why);

/// Reports the end of `self` by an exception or an error that it does not expect.
void watch(caf::scheduled_actor* self, const actor_failure& failed);

} // namespace roost::actors
