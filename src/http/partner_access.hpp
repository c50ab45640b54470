#pragma once

#include "http/partner_services.hpp"
#include "http/router.hpp"

namespace roost::http {

/// What every route of a platform's prefix checks before its body is read, in this order: this server serves
/// (503 busy), the feed is configured (503), the caller is let in (401; Partner API, Authentication), and on
/// the booking engine the account whose key is sent has not moved to the native engine (410).
std::vector<check> partner_checks(const partner_services& services, std::size_t platform);

/// The directory; throws busy() while nothing is loaded, or when another server is the writer.
std::shared_ptr<const actors::directory> require_directory(const partner_services& services);

} // namespace roost::http
