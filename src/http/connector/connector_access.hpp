#pragma once

#include "domain/web_address.hpp"
#include "http/connector/connector_services.hpp"
#include "http/protocol/router.hpp"
#include "store/connector/clients.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace roost::http {

/// What a route of the connector checks before its body is read: this server serves, and the client's address
/// has requests left in this group. Programs of every origin may call it.
entry_rule connector_checks(const connector_services& services, std::string_view group, std::size_t limit);

/// A client that registered, or one whose id is the address of a document about it. Null: there is none of
/// this id.
asio::awaitable<std::shared_ptr<const store::oauth_client>> client_of(const connector_services& services,
                                                                      const std::string& id);

/// The same for a refresh. A client that is known by a document is not fetched: its connection tells whose it
/// is, and must not end because the document's host is down.
asio::awaitable<std::shared_ptr<const store::oauth_client>>
refreshing_client_of(const connector_services& services, const std::string& id);

/// `mcp-` and 128 random bits.
std::string new_client_id();

/// Reads what a client registers with (Management API, OAuth client registration): a client without id,
/// secret and times. Members that are not known are ignored. Throws oauth_refusal.
store::oauth_client parse_registration(std::string& body, const domain::redirect_policy& policy);

/// The response to a registration. `secret` is shown this once, and empty unless the client is confidential.
std::string registration_json(const store::oauth_client& client, const std::string& secret);

} // namespace roost::http
