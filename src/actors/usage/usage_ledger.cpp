#include "actors/usage/usage_ledger.hpp"

#include "store/usage/usage_reads.hpp"

namespace roost::actors {

asio::awaitable<domain::ai_usage_page> usage_ledger::page(usage_selection of, std::int64_t skip,
                                                          std::int64_t limit) const {
  return in_store(lane_, "read_usage_page", [of = std::move(of), skip, limit](store::session& db) {
    return store::read_usage_page(db, of.account_id, of.filter, skip, limit);
  });
}

asio::awaitable<domain::ai_usage_summary> usage_ledger::summary(usage_selection of) const {
  return in_store(lane_, "read_usage_summary", [of = std::move(of)](store::session& db) {
    return store::read_usage_summary(db, of.account_id, of.filter);
  });
}

asio::awaitable<std::vector<domain::ai_usage_day>> usage_ledger::days(usage_selection of) const {
  return in_store(lane_, "read_usage_days", [of = std::move(of)](store::session& db) {
    return store::read_usage_days(db, of.account_id, of.filter);
  });
}

} // namespace roost::actors
