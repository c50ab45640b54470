#pragma once

#include "http/protocol/message.hpp"
#include "http/protocol/router.hpp"
#include "http/protocol/text_encoding.hpp"

#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// A refusal in OAuth's form (RFC 6749, 5.2; RFC 7591, 3.2.2): `{"error":…,"error_description":…}`. The
/// handlers of the connector throw it.
struct oauth_refusal : std::exception {
  oauth_refusal(unsigned status, std::string error, std::string description)
      : status(status), error(std::move(error)), description(std::move(description)) {}

  const char* what() const noexcept override { return description.c_str(); }

  unsigned status;
  std::string error, description;
};

/// 400 invalid_request.
oauth_refusal invalid_request(std::string description);

response to_response(const oauth_refusal& refusal);

/// Answers that hold tokens or secrets are kept nowhere (RFC 6749, 5.1).
void forbid_storing(response& answer);

/// Lets pages of every site read the answer: the routes that programs in browsers use know no cookies.
void allow_every_origin(response& answer);

/// The same for whatever the routes answer: oauth_refusal in OAuth's form, and refusals of the protocol in
/// the usual one.
void answer_as_oauth(std::vector<route>& routes);

/// The answer to a browser that asks whether a page may send such a request (Fetch Standard, 3.2.2).
route preflight(std::string pattern, std::string methods);

/// The parameters of a request to the token endpoint or for introspection, sent as a form or as a JSON object
/// of texts. Of JSON, members that are no text are left out. Throws oauth_refusal (invalid_request) for what
/// is neither, and where a parameter comes twice.
form_fields oauth_parameters(request& req);

/// Nothing where it is missing or empty (RFC 6749, 3.2).
std::optional<std::string> parameter(const form_fields& of, std::string_view name);

} // namespace roost::http
