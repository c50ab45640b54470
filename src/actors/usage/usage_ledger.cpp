#include "actors/usage/usage_ledger.hpp"

#include "store/usage/usage_reads.hpp"

namespace roost::actors {

asio::awaitable<domain::ai_usage_page> usage_ledger::page(usage_selection selection, std::int64_t skip,
                                                          std::int64_t limit) const {
  return in_store(lane_, "read_usage_page",
                  [selection = std::move(selection), skip, limit](store::session& db) {
                    return store::read_usage_page(db, selection.account_id, selection.filter, skip, limit);
                  });
}

asio::awaitable<domain::ai_usage_summary> usage_ledger::summary(usage_selection selection) const {
  return in_store(lane_, "read_usage_summary", [selection = std::move(selection)](store::session& db) {
    return store::read_usage_summary(db, selection.account_id, selection.filter);
  });
}

asio::awaitable<std::vector<domain::ai_usage_day>> usage_ledger::days(usage_selection selection) const {
  return in_store(lane_, "read_usage_days", [selection = std::move(selection)](store::session& db) {
    return store::read_usage_days(db, selection.account_id, selection.filter);
  });
}

} // namespace roost::actors
