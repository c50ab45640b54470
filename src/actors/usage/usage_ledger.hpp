#pragma once

#include "actors/runtime/in_store.hpp"
#include "domain/ai_usage.hpp"

#include <cstdint>
#include <vector>

namespace roost::actors {

/// Selects records of an account's ledger.
struct usage_selection {
  domain::uuid account_id{};
  domain::ai_usage_filter filter;
};

/// Reads the AI usage ledger (Management API, AI usage) on the ledger's lane. All functions throw ask_error.
class usage_ledger {
public:
  usage_ledger() = default;
  explicit usage_ledger(storage_lane lane) : lane_(std::move(lane)) {}

  /// Returns at most `limit` records, after the first `skip` ones.
  asio::awaitable<domain::ai_usage_page> page(usage_selection selection, std::int64_t skip,
                                              std::int64_t limit) const;
  asio::awaitable<domain::ai_usage_summary> summary(usage_selection selection) const;
  /// Returns totals by UTC day.
  asio::awaitable<std::vector<domain::ai_usage_day>> days(usage_selection selection) const;

private:
  storage_lane lane_;
};

} // namespace roost::actors
