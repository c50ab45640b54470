#pragma once

#include "actors/office/office_resources.hpp"
#include "store/stays/notifications.hpp"
#include "store/stays/payments.hpp"
#include "store/stays/requests.hpp"
#include "store/stays/tenants.hpp"

/// What follows from bookings, as the office reads and writes it: more functions for in_store() and
/// write_for_office().
