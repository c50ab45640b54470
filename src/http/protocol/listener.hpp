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

/// Starts a shard: its accept loop and the check of its deadlines.
void start_shard(const std::shared_ptr<server_core>& core, shard& shard,
                 boost::asio::ip::tcp::acceptor acceptor);

/// Ends both and closes the shard's connections; call it on the shard's thread.
void end_shard(shard& shard);

/// Closes a shard's acceptor; call it on the shard's thread.
void stop_accepting(shard& shard);

/// Ends waiting for requests, or for the rest of one, on a shard's connections; call it on the shard's
/// thread.
void stop_receiving(shard& shard);

/// Closes all connections of a shard; call it on the shard's thread.
void close_connections(shard& shard);

} // namespace roost::http
