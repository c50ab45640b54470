#pragma once

#include "actors/connector/client_document.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "fetch/https_get.hpp"
#include "metrics/registry.hpp"

#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace roost::actors {

/// The client whose id is this URL.
struct fetch_client {
  std::string url;
  deadline until; ///< what has not begun by then need not be done
};

struct fetched_client {
  client_document_verdict result = client_document_refusal::bad_address;
};

/// Why it is not known whether there is such a client.
enum class client_documents_error : std::uint8_t {
  unavailable = 1, ///< the document's host does not send it at the moment
  busy,            ///< too many wait already
  too_late,        ///< the deadline had passed before its turn
};

caf::error make_error(client_documents_error why);

/// Knows clients by their documents (draft-ietf-oauth-client-id-metadata-document). Documents are fetched one
/// after the other, on a thread of its own; whoever asks for one that was fetched lately does not wait for
/// others. Errors become 503 busy by way of an ask.
using client_documents = caf::typed_actor<caf::replies_to<fetch_client>::with<fetched_client>>;

/// What a document is fetched within. The host is on the allow-list, its address is whatever DNS says.
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
  std::function<deadline::clock::time_point()> elapsed = &deadline::clock::now; ///< for the documents' age
  metrics::registry* registry = nullptr;

  std::size_t max_waiting = 100;
  std::size_t max_kept = 256; ///< of the clients, and of the addresses that stand for none
  /// A client is kept as long as its document's header says, within these bounds.
  std::chrono::seconds kept_at_least{300}, kept_at_most{86'400};
  /// What failed is not tried again so soon.
  std::chrono::seconds failure_kept{30};
};

client_documents spawn_client_documents(runtime& rt, client_documents_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::fetch_client)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::fetched_client)
