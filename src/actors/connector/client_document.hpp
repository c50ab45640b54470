#pragma once

#include "domain/web_address.hpp"
#include "store/connector/clients.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::actors {

/// Returns whether a client id is the URL of a client document (draft-ietf-oauth-client-id-metadata-document)
/// instead of an id from registration.
inline bool is_document_address(std::string_view client_id) { return client_id.starts_with("https://"); }

/// Why a URL does not identify a client.
enum class client_document_refusal : std::uint8_t {
  bad_address,  ///< its host is not allowed, or the URL is malformed
  no_document,  ///< the URL has no document
  malformed,    ///< not a JSON object, or a member has the wrong type or is duplicated
  other_client, ///< it describes another client
  bad_redirect, ///< no redirect URI, or one that the policy forbids
  needs_secret, ///< the client would authenticate with a secret or a key
};

/// Returns the refusal's name for metrics and logs.
std::string_view to_string(client_document_refusal refusal);

using client_document_verdict = std::variant<client_document_refusal, store::oauth_client>;

/// Decides which client documents are accepted.
class client_document_policy {
public:
  /// Takes hosts such as `claude.example`, with a port unless it is 443.
  client_document_policy(const std::vector<std::string>& hosts, domain::redirect_policy redirects);

  /// Returns whether a document may be fetched: from an allowed host, over https, with a path other than `/`.
  bool allows_address(std::string_view url) const;

  /// Returns the public client that the document at `url` describes, or why it is refused.
  client_document_verdict check(std::string_view url, std::string_view document) const;

private:
  std::vector<std::string> origins_;
  domain::redirect_policy redirects_;
};

} // namespace roost::actors
