#pragma once

#include "domain/booking.hpp"

namespace roost::actors {

/// One line for a decision that is on disk; without tenant data.
void log_decision(const domain::decision& decided);

} // namespace roost::actors
