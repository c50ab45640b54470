#pragma once

#include "http/protocol/router.hpp"

#include <string>
#include <string_view>

namespace roost::http {

/// The origin of an http or https URL as browsers write it (RFC 6454, 6.2): lower case, without the scheme's
/// own port.
std::string origin_of(std::string_view url);

/// Refuses with 403 "Forbidden resource" what a browser sends on behalf of another site, so that no foreign
/// page can act with a user's cookies. Browsers say where a request comes from in Origin, else in
/// Sec-Fetch-Site (Fetch Metadata), else in Referer. Without any of them nobody's browser sent it, and it
/// passes.
check origin_check(std::string_view base_url);

} // namespace roost::http
