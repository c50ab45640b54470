#pragma once

#include "http/protocol/server_core.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <memory>

namespace roost::http {

/// Serves a connection on its shard's thread until it closes, over TLS if the server uses it. With
/// `over_limit`, answers its first request with 503 busy and closes it.
void serve_connection(std::shared_ptr<server_core> core, shard& shard, boost::asio::ip::tcp::socket socket,
                      bool over_limit);

} // namespace roost::http
