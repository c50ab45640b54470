#pragma once

#include "domain/booking.hpp"

namespace roost::actors {

/// One line for a decision that is on disk: what was asked for, and what became of it; without tenant data.
void log_decision(const domain::booking_request& request, const domain::decision& decided);

} // namespace roost::actors
