#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/sessions/request_origin.hpp"
#include "fetch/https_get.hpp"
#include "metrics/registry.hpp"
#include "oauth/urls.hpp"
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

/// Returns the host of a document's URL, with its port unless it is 443.
std::string host_of_document(std::string_view url);

/// Why a URL does not identify a client.
enum class client_document_refusal : std::uint8_t {
  bad_address,  ///< its host is not allowed, or the URL is malformed
  no_document,  ///< the URL has no document
  malformed,    ///< not a JSON object, or a member has the wrong type or is duplicated
  other_client, ///< it describes another client
  bad_redirect, ///< no redirect URI that the policy allows
  needs_secret, ///< the client would authenticate with a secret or a key
};

/// Returns the refusal's name for metrics and logs.
std::string_view to_string(client_document_refusal refusal);

using client_document_verdict = std::variant<client_document_refusal, store::oauth_client>;

/// Decides which client documents are accepted.
class client_document_policy {
public:
  /// Takes hosts such as `claude.example`, with a port unless it is 443, and `*` for any host.
  client_document_policy(const std::vector<std::string>& hosts, oauth::redirect_policy redirects);

  /// Returns whether a document may be fetched: from an allowed host, over https, with a path other than `/`.
  bool allows_address(std::string_view url) const;

  /// Returns whether the host of a document is listed by its name.
  bool lists_host_of(std::string_view url) const;
  bool allows_any_host() const { return any_host_; }

  /// Returns the public client that the document at `url` describes, with those of its redirect URIs that are
  /// allowed and with its host as its name if it has none; or why it is refused.
  client_document_verdict check(std::string_view url, std::string_view document) const;

private:
  bool lists(const oauth::web_address& address) const;

  std::vector<std::string> origins_;
  bool any_host_ = false;
  oauth::redirect_policy redirects_;
};

/// Asks for the client whose id is this URL.
struct fetch_client {
  std::string url;
  deadline until; ///< not started later than this
  request_origin origin = {};
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
/// on separate threads, one after another on each; requests for cached ones do not wait. ask() turns errors
/// into 503 busy.
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

  std::size_t threads = 1; ///< that fetch documents
  std::size_t max_waiting = 100;
  std::size_t max_cached = 256; ///< clients, and separately failures
  /// A client is cached as long as its document's header says, within these bounds.
  std::chrono::seconds min_cache_time{300}, max_cache_time{86'400};
  std::chrono::seconds failure_cache_time{30};
};

client_documents spawn_client_documents(runtime& rt, client_documents_setup setup);

} // namespace roost::actors
