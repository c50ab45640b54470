#pragma once

#include "actors/runtime/published.hpp"
#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "http/connector/authorize_request.hpp"
#include "security/secrets.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// A consent form that somebody opened.
struct opened_form {
  domain::uuid id{};                     ///< of the code that comes of it: a form gives one
  domain::timestamp expires_at{};        ///< 15 minutes after it was opened
  std::optional<domain::uuid> session{}; ///< of the browser; nothing: nobody was signed in
};

/// What the form's field `consent` holds. It follows, by a keyed hash, from the form and all that the client
/// asked for, so that no other request can be agreed to with it.
std::string consent_value(const security::key_ring& keys, const opened_form& form,
                          const authorize_request& asked);

/// Nothing for what is not such a value for this request, and when its time is over.
std::optional<opened_form> parse_consent(const security::key_ring& keys, std::string_view value,
                                         const authorize_request& asked, domain::timestamp now);

} // namespace roost::http
