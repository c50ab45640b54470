#pragma once

#include "domain/web_address.hpp"
#include "store/connector/clients.hpp"

#include <string>

namespace roost::http {

/// Reads what a client registers with (Management API, OAuth client registration): a client without id,
/// secret and times. Members that are not known are ignored. Throws oauth_refusal.
store::oauth_client parse_registration(std::string& body, const domain::redirect_policy& policy);

/// What it is answered. `secret` is that of a confidential client, told this once; else empty.
std::string registration_json(const store::oauth_client& client, const std::string& secret);

} // namespace roost::http
