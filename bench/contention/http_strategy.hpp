#pragma once

#include "store/database/session.hpp"
#include "strategy.hpp"

#include <string>

namespace roost::contention {

struct server_address {
  unsigned short port = 0; ///< on 127.0.0.1
  std::string token;       ///< a partner's
};

/// A running server, asked by HTTP over a connection for each client. A client asks again, with the same
/// reference, until the server has acknowledged its request: then it is recorded as unknown, for the server
/// decides it later.
std::unique_ptr<strategy> make_http_strategy(const server_address& server);

/// Waits until the store has no request that waits, and tells each operation what its request has become and
/// when. The time until the acknowledgement counts as waiting, that after it as deciding. Throws
/// std::runtime_error after a minute without progress.
void read_decisions(store::session& db, history& all, clock::time_point started);

} // namespace roost::contention
