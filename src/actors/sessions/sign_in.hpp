#pragma once

#include "actors/runtime/runtime.hpp"
#include "actors/sessions/sign_in_messages.hpp"

namespace roost::actors {

sign_in spawn_sign_in(runtime& rt, sign_in_setup setup);

} // namespace roost::actors
