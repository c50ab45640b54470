#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::store {

/// A browser in which a user signs in without a code (Management API, Authentication, rule 2).
struct remembered_browser {
  domain::uuid id{};
  std::string browser; ///< its User-Agent; empty: unknown
  domain::timestamp created_at{}, expires_at{};
};

/// Returns the user's browsers whose cookies are valid, the most recently remembered first.
std::vector<remembered_browser> remembered_browsers_of(session& db, const domain::uuid& user,
                                                       domain::timestamp now);

/// Invalidates the cookie of one of the user's browsers; its sessions continue. Returns false if the user has
/// no such browser. Throws lease_lost.
bool forget_browser(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id);

} // namespace roost::store
