#pragma once

#include "http/protocol/message.hpp"
#include "http/protocol/urlencoded.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// The parameters of a request to the token endpoint or for introspection, sent as a form or as a JSON object
/// of texts. Of JSON, members that are no text are left out. Throws oauth_refusal (invalid_request) for what
/// is neither, and where a parameter comes twice.
form_fields oauth_parameters(request& req);

/// Nothing where it is missing or empty (RFC 6749, 3.2).
std::optional<std::string> parameter(const form_fields& of, std::string_view name);

} // namespace roost::http
