#pragma once

#include "http/access/access.hpp"
#include "http/partner/partner_services.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::http {

/// The directory (require_serving).
std::shared_ptr<const actors::directory> require_directory(const partner_services& services);

/// What every route of a platform's prefix checks before its body is read, in this order: this server serves
/// (503 busy), the feed is configured (503), the caller is let in (401; Partner API, Authentication), and on
/// the booking engine the account whose key is sent has not moved to the native engine (410).
entry_rule partner_checks(const partner_services& services, const domain::platform& platform);

/// Which credential let the request in, for the audit log: `token ID`, `webhook key ID` or `account key ID`.
std::string caller_of(const partner_services& services, const domain::platform& platform, request& req);

/// The check of property creation (Partner API, Authentication, rule 4): refuses a request without an account
/// key, with one that is nobody's, or with two.
check account_key_check(const partner_services& services);

/// The account whose key the request carries. Only behind account_key_check().
domain::uuid account_of(const request& req);

/// What a blank landlord key is refused with.
inline constexpr const char* empty_landlord_key = "landlordKey must be a non-empty value";
/// 503 of a single-landlord feed without its account. Another try does not help.
inline constexpr const char* not_configured = "This integration is not configured yet. Contact support.";
/// 410 for the key of an account that has left the booking engine.
inline constexpr const char* account_has_moved = "Gone: this account is served by the native booking engine";

/// The path's first parameter, which says whose listings are meant. Throws bad_request when it is blank.
const std::string& require_landlord_key(const request& req);

} // namespace roost::http
