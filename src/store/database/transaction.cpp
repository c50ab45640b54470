#include "store/database/transaction.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/lease_held.hpp"

namespace roost::store {

namespace {

/// Both rows at once: a round trip less for every group of decisions.
constexpr query lease_held_and_version{
    "lease_held_and_version",
    "select coalesce(l.node = :node and l.epoch = :epoch and l.expires_at > {now}, false), s.version"
    " from writer_lease l cross join portfolio_state s where l.id = 1 and s.id = 1 for share of l, s",
    2,
    "select coalesce(l.node = :node and l.epoch = :epoch and l.expires_at > {now}, 0), s.version"
    " from writer_lease l cross join portfolio_state s where l.id = 1 and s.id = 1"};

} // namespace

transaction::transaction(session& db, purpose wanted) : connection_(db.internals()) {
  connection_.begin(wanted == purpose::write ? session::connection::access::write
                                             : session::connection::access::snapshot);
}

transaction::~transaction() { connection_.rollback(); }

void transaction::commit() { connection_.commit(); }

write_transaction::write_transaction(session& db, const lease& held,
                                     std::optional<std::int64_t> portfolio_version)
    : transaction_(db, transaction::purpose::write) {
  bool ours = false;
  std::int64_t version = 0;
  db.internals().read(portfolio_version ? lease_held_and_version : lease_held,
                      {{"node", to_cell(held.node)}, {"epoch", to_cell(held.epoch)}}, [&](row& r) {
                        ours = r.flag();
                        if (portfolio_version) version = r.integer();
                      });
  if (!ours) throw lease_lost();
  if (portfolio_version && version != *portfolio_version) throw stale_portfolio();
}

} // namespace roost::store
