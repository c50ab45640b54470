#pragma once

#include "http/access/access.hpp"
#include "http/partner/partner_services.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::http {

/// Returns the directory. Throws busy() while this server does not serve (require_serving).
std::shared_ptr<const actors::directory> require_directory(const partner_services& services);

/// Returns the checks of every route of a platform's prefix, in this order: this server serves (503 busy),
/// the feed is configured (503), the caller is authenticated (401; Partner API, Authentication), and, on the
/// booking engine, the account of the key has not moved to the native engine (410).
entry_rule partner_checks(const partner_services& services, const domain::platform& platform);

/// Returns the credential that authenticated the request, for the audit log: `token ID`, `webhook key ID` or
/// `account key ID`.
std::string caller_of(const partner_services& services, const domain::platform& platform, request& req);

/// Returns the check of property creation (Partner API, Authentication, rule 4): it refuses a missing,
/// unknown or repeated account key.
check account_key_check(const partner_services& services);

/// Returns the account of the request's key. Requires that account_key_check() has passed.
domain::uuid account_of(const request& req);

/// The error text for a blank landlord key.
inline constexpr const char* empty_landlord_key = "landlordKey must be a non-empty value";
/// The 503 of a single-landlord feed without its account; a retry does not help.
inline constexpr const char* not_configured = "This integration is not configured yet. Contact support.";
/// The 410 for the key of an account that has left the booking engine.
inline constexpr const char* account_has_moved = "Gone: this account is served by the native booking engine";

/// Returns the path's first parameter, the landlord key. Throws bad_request if it is blank.
const std::string& require_landlord_key(const request& req);

} // namespace roost::http
