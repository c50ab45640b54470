#pragma once

#include "http/connector/connector_services.hpp"
#include "http/protocol/router.hpp"

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

} // namespace roost::http
