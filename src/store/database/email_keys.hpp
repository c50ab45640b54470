#pragma once

#include "store/database/session.hpp"

namespace roost::store {

/// Computes the keys by which users' addresses are compared (domain::email_key()), in the transaction of the
/// migration that introduces them. If two users have one key, only one of them gets it. The other cannot sign
/// in; `roost doctor` reports them.
void fill_email_keys(session::connection& db);

} // namespace roost::store
