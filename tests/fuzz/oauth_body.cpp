#include "domain/storable_text.hpp"
#include "fuzz/support/bodies.hpp"
#include "fuzz/support/described.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "http/connector/connector_api.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <string>

/// Bodies of assistants: registrations, and the parameters of token, introspection and revocation requests as
/// a form or JSON. The first line names the body.
namespace roost::fuzz::oauth_body {
namespace {

/// Requires that a refusal is one of OAuth, as JSON.
void check_refusal(const http::oauth_refusal& refusal) {
  require(refusal.status == 400, "a body is refused with 400");
  require(!refusal.error.empty() && !refusal.description.empty(), "a refusal has a kind and a text");
  const auto response = http::to_response(refusal);
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(response.body.data(), response.body.size());
  require(!document.HasParseError() && document.IsObject() && document.HasMember("error_description"),
          "the response of a refusal is JSON with a description");
  const std::string_view text{document["error_description"].GetString(),
                              document["error_description"].GetStringLength()};
  require(!text.empty() &&
              std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }),
          "a description has only characters that OAuth allows");
}

std::string described(const store::oauth_client& client) {
  description text;
  for (const auto* texts : {&client.redirect_uris, &client.grant_types}) {
    require(!texts->empty(), "a client has redirect URIs and grant types");
    for (const auto& each : *texts) {
      require(domain::is_storable(each), "the store can hold a client's lists");
      text.add(each);
    }
  }
  require(domain::is_storable(client.name.value_or("")) && domain::is_storable(client.scope.value_or("")),
          "the store can hold a client's texts");
  return text.add(client.auth_method).add(client.name).add(client.scope).add(client.fingerprint).take();
}

std::string registration(std::string& body) {
  static const oauth::redirect_policy redirects{{"https://claude.example/callback"},
                                                {"https://tools.example/a/"}};
  const auto client = http::parse_registration(body, redirects);
  for (const auto& uri : client.redirect_uris) require(redirects.allows(uri), "a redirect URI is allowed");
  return described(client);
}

std::string parameters(std::string_view type, std::string& body) {
  http::request req;
  req.fields.push_back({"Content-Type", type});
  req.body = body;
  description text;
  const auto fields = http::oauth_parameters(req);
  for (const auto& [name, value] : fields) {
    require(domain::is_storable(name) && domain::is_storable(value), "the store can hold a parameter");
    text.add(name).add(value);
    require(http::parameter(fields, name).has_value() == !value.empty(), "an empty parameter is missing");
  }
  return text.take();
}

/// Converts a refusal of OAuth to one of the protocol, which check_body() expects.
template <typename Read>
auto without_oauth(Read read) {
  return [read](std::string& body) {
    try {
      return read(body);
    } catch (const http::oauth_refusal& refusal) {
      check_refusal(refusal);
      throw http::bad_request(refusal.description);
    }
  };
}

void check(std::string_view input) {
  const auto name = take_line(input);
  if (name == "registration") check_body(input, without_oauth(registration));
  if (name == "json")
    check_body(input, without_oauth([](std::string& body) { return parameters("application/json", body); }));
  if (name == "form") {
    const auto read = without_oauth(
        [](std::string& body) { return parameters("application/x-www-form-urlencoded", body); });
    if (const auto outcome = read_body(std::string{input}, read); outcome.refusal != 0)
      require_refusal(outcome);
  }
}

const target registered{"oauth_body", "BodiesOfAssistantsAreReadInAnyForm", check};

} // namespace
} // namespace roost::fuzz::oauth_body
