#pragma once

#include "actors/bookings/decision_group.hpp"
#include "strategy.hpp"

#include <memory>
#include <vector>

/// How a group of decisions gets into the store at each depth.
namespace roost::contention {

/// A stay's row at the bare depth.
struct bare_row {
  std::int64_t id = 0;
  int unit = 0;
  domain::date check_in{}, check_out{};
};

/// Writes them in one transaction of the lease's holder, as the service writes its groups.
void write_bare(store::session& db, const store::lease& held, const std::vector<bare_row>& rows);

/// Whether the group is in the store, once no transaction is open that could still bring it. Groups are
/// written as a whole or not at all.
bool is_settled_bare(store::session& db, const std::vector<bare_row>& rows);

/// The same by the states of the requests.
bool is_settled_whole(store::session& db, const std::vector<domain::uuid>& requests);

} // namespace roost::contention
