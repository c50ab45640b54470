#pragma once

#include "http/protocol/server_core.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <memory>
#include <vector>

namespace roost::http {

/// Returns an acceptor per shard, all bound to one address: the kernel distributes connections among them.
/// Throws std::runtime_error with one line.
std::vector<boost::asio::ip::tcp::acceptor> open_acceptors(const server_core& core,
                                                           const boost::asio::ip::tcp::endpoint& address);

/// Serves a connection on its shard's thread until it closes, over TLS if the server uses it. With
/// `over_limit`, answers its first request with 503 busy and closes it.
void serve_connection(std::shared_ptr<server_core> core, shard& shard, boost::asio::ip::tcp::socket socket,
                      bool over_limit);

/// Starts a shard: its accept loop and the check of its deadlines.
void start_shard(const std::shared_ptr<server_core>& core, shard& shard,
                 boost::asio::ip::tcp::acceptor acceptor);

// Call the following functions on the shard's thread.

/// Ends both and closes the shard's connections.
void end_shard(shard& shard);
/// Closes the acceptor.
void stop_accepting(shard& shard);
/// Ends waiting for requests, or for the rest of one, on the shard's connections.
void stop_receiving(shard& shard);
/// Closes all connections.
void close_connections(shard& shard);

} // namespace roost::http
