#pragma once

#include "domain/credential_use.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <span>
#include <unordered_map>

namespace roost::store {

/// Notes when credentials of any family were used last, each of them once. Throws lease_lost.
void note_uses(session& db, const lease& held, std::span<const domain::credential_use> uses);

/// When each credential was used last; one that is not there was never used.
std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash> last_uses(session& db);

} // namespace roost::store
