#pragma once

#include "actors/inventory/directory.hpp"
#include "peer_statements.hpp"
#include "store/database/session.hpp"
#include "strategy.hpp"

#include <memory>
#include <string>

namespace roost::contention {

class lab_service;

/// Creates the strategy of this service: its actors with group commit.
std::unique_ptr<strategy> make_actor_strategy(lab_service& service, depth level);

/// Creates a peer on PostgreSQL, each of whose clients decides on its own connection. `units` provides the
/// settings of units for whole bookings; null at the bare depth.
std::unique_ptr<strategy> make_peer_strategy(const peer_recipe& recipe, depth level,
                                             const std::string& store_url,
                                             std::shared_ptr<const actors::directory> units);

struct server_address {
  unsigned short port = 0; ///< on 127.0.0.1
  std::string token;       ///< of a partner
};

/// Creates a strategy that sends requests to a running server over HTTP, one connection per client. A client
/// repeats a request, with the same reference, until the server has acknowledged it. Its outcome is then
/// unknown: the server decides it later.
std::unique_ptr<strategy> make_http_strategy(const server_address& server);

/// Waits until no request in the store is pending, then sets the outcome of each operation and the time of
/// its decision. The time until the acknowledgement counts as waiting, the time after it as deciding. Throws
/// std::runtime_error after a minute without progress.
void read_decisions(store::session& db, history& operations, clock::time_point started);

} // namespace roost::contention
