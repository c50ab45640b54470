#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "domain/web_address.hpp"
#include "fetch/https_get.hpp"
#include "metrics/registry.hpp"
#include "store/connector/clients.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Asks for the client whose id is this URL.
struct fetch_client {
  std::string url;
  deadline until; ///< not started later than this
};

struct fetched_client {
  client_document_verdict result = client_document_refusal::bad_address;
};

/// Why the client could not be looked up.
enum class client_documents_error : std::uint8_t {
  unavailable = 1, ///< the document's host is unavailable
  busy,            ///< too many requests are waiting
  too_late,        ///< the deadline had passed before its turn
};

caf::error make_error(client_documents_error error);

/// Looks up clients by their documents (draft-ietf-oauth-client-id-metadata-document). Documents are fetched
/// one after another on a separate thread; requests for cached ones do not wait. ask() turns errors into 503
/// busy.
using client_documents = caf::typed_actor<caf::replies_to<fetch_client>::with<fetched_client>>;

/// Returns the limits for fetching a document. Private addresses are forbidden: the host is on the
/// allow-list, but DNS determines its address.
inline fetch::fetch_limits client_document_limits() {
  return {
      .time = std::chrono::seconds{3}, .bytes = std::size_t{16} * 1024, .content_type = "application/json"};
}

struct client_documents_setup {
  client_document_policy policy{{}, {{}, {}}};
  /// Blocks. Throws fetch::fetch_failed.
  std::function<fetch::fetched(const std::string& url)> fetch = [](const std::string& url) {
    return fetch::https_get(url, client_document_limits());
  };
  std::function<deadline::clock::time_point()> elapsed = &deadline::clock::now; ///< for the age of documents
  metrics::registry* registry = nullptr;

  std::size_t max_waiting = 100;
  std::size_t max_cached = 256; ///< clients, and separately failures
  /// A client is cached as long as its document's header says, within these bounds.
  std::chrono::seconds min_cache_time{300}, max_cache_time{86'400};
  std::chrono::seconds failure_cache_time{30};
};

client_documents spawn_client_documents(runtime& rt, client_documents_setup setup);

} // namespace roost::actors
