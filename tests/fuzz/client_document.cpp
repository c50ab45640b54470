#include "actors/connector/client_documents.hpp"
#include "domain/storable_text.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"

#include <string>
#include <variant>

/// Client documents. The first line is the document's URL.
namespace roost::fuzz::client_document {
namespace {

void check_client(std::string_view url, const store::oauth_client& client,
                  const oauth::redirect_policy& redirects) {
  require(client.id == url, "a document describes the client of its URL");
  require(!client.redirect_uris.empty(), "a client has a redirect URI");
  for (const auto& uri : client.redirect_uris) require(redirects.allows(uri), "a redirect URI is allowed");
  require(client.name && !client.name->empty() && !has_control(*client.name),
          "a client has a name on one line");
  require(!client.secret_hash && client.auth_method == store::public_client, "a client is public");
  require(!client.grant_types.empty(), "a client has grant types");
  for (const auto* texts : {&client.redirect_uris, &client.grant_types})
    for (const auto& text : *texts) require(domain::is_storable(text), "the store can hold a client's lists");
  require(domain::is_storable(*client.name) && domain::is_storable(client.scope.value_or("")),
          "the store can hold a client's texts");
}

void check(std::string_view input) {
  const auto url = take_line(input);
  const oauth::redirect_policy redirects{{"https://claude.example/callback"}, {}};
  const actors::client_document_policy policy{{"claude.example", "*"}, redirects};
  const bool allowed = policy.allows_address(url);
  if (allowed) {
    require(url.starts_with("https://") && !has_control(url), "a document is fetched by https");
    require(!actors::host_of_document(url).empty(), "a document has a host");
  }
  const auto verdict = policy.check(url, input);
  if (const auto* client = std::get_if<store::oauth_client>(&verdict))
    if (allowed) check_client(url, *client, redirects);
  if (const auto* refusal = std::get_if<actors::client_document_refusal>(&verdict))
    require(!actors::to_string(*refusal).empty(), "a refusal has a name");
}

const target registered{"client_document", "ClientDocumentsDescribeOneStorableClient", check};

} // namespace
} // namespace roost::fuzz::client_document
