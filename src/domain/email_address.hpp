#pragma once

#include <string>
#include <string_view>

namespace roost::domain {

/// Whether a text is an address that mail can go to, as the booking platforms' own services judge it: a local
/// part of at most 64 bytes, dotted or quoted, and a domain name of at most 254 with a top-level domain.
/// Letters of all scripts are allowed in both. Not allowed are addresses of hosts, names before an address,
/// and white space around it.
bool is_email_address(std::string_view text);

/// `a***@casaverde.example`: who sees it need not learn the address.
std::string masked_email(std::string_view email);

} // namespace roost::domain
