#pragma once

#include "http/protocol/server_core.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <memory>
#include <vector>

namespace roost::http {

/// An acceptor for each shard, all bound to one address: with several, the kernel spreads connections over
/// them. Throws std::runtime_error with one line.
std::vector<boost::asio::ip::tcp::acceptor> open_acceptors(const server_core& core,
                                                           const boost::asio::ip::tcp::endpoint& address);

/// Starts a shard: its accept loop and the look at its deadlines.
void start_shard(const std::shared_ptr<server_core>& core, shard& shard,
                 boost::asio::ip::tcp::acceptor acceptor);

/// Ends both for good, and the shard's connections; for its own thread.
void end_shard(shard& shard);

/// Closes a shard's listener; for its own thread.
void stop_accepting(shard& shard);

/// Ends the wait of a shard's connections for requests or for the rest of one; for its own thread.
void stop_receiving(shard& shard);

/// Closes all connections of a shard; for its own thread.
void close_connections(shard& shard);

} // namespace roost::http
