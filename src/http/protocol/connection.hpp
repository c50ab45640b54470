#pragma once

#include "http/protocol/server_core.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <memory>

namespace roost::http {

/// Serves a connection on its shard's thread until it closes, over TLS where the server has it. With
/// `over_limit` its first request is answered with 503 busy and the connection closes.
void serve_connection(std::shared_ptr<server_core> core, shard& shard, boost::asio::ip::tcp::socket socket,
                      bool over_limit);

} // namespace roost::http
