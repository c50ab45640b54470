#pragma once

#include "domain/web_address.hpp"
#include "store/connector/clients.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace roost::actors {

/// Whether a client's id is the address of a document about it (draft-ietf-oauth-client-id-metadata-document)
/// and not one that registration gave it.
inline bool is_document_address(std::string_view client_id) { return client_id.starts_with("https://"); }

/// Why an address stands for no client.
enum class client_document_refusal : std::uint8_t {
  bad_address,  ///< not of a host that may have documents here, or not written as such an address must be
  no_document,  ///< there is none
  malformed,    ///< it is no JSON object, or a member has the wrong type or is there twice
  other_client, ///< it is about another client
  bad_redirect, ///< it has no redirect URI, or one that the policy does not allow
  needs_secret, ///< the client would show who it is by more than the address
};

/// For metrics and logs.
std::string_view to_string(client_document_refusal why);

using client_document_verdict = std::variant<client_document_refusal, store::oauth_client>;

/// Which documents are taken, and what they must say.
class client_document_policy {
public:
  /// `hosts` as `claude.example`, or with a port where it is not 443.
  client_document_policy(const std::vector<std::string>& hosts, domain::redirect_policy redirects);

  /// Whether a document may be fetched: https, of such a host, with more of a path than a slash.
  bool allows_address(std::string_view url) const;

  /// The public client that the document at `url` is about.
  client_document_verdict judge(std::string_view url, std::string_view document) const;

private:
  std::vector<std::string> origins_;
  domain::redirect_policy redirects_;
};

} // namespace roost::actors
