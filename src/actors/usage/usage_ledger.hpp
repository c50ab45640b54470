#pragma once

#include "actors/runtime/in_store.hpp"
#include "domain/ai_usage.hpp"

#include <cstdint>
#include <vector>

namespace roost::actors {

/// An account's part of the ledger, and which of its records.
struct usage_selection {
  domain::uuid account_id{};
  domain::ai_usage_filter filter;
};

/// Reads the AI usage ledger (Management API, AI usage), on the ledger's lane. Each throws ask_error.
class usage_ledger {
public:
  usage_ledger() = default;
  explicit usage_ledger(storage_lane lane) : lane_(std::move(lane)) {}

  /// At most `limit` records, without the first `skip` ones.
  asio::awaitable<domain::ai_usage_page> page(usage_selection of, std::int64_t skip,
                                              std::int64_t limit) const;
  asio::awaitable<domain::ai_usage_summary> summary(usage_selection of) const;
  /// By whole UTC days.
  asio::awaitable<std::vector<domain::ai_usage_day>> days(usage_selection of) const;

private:
  storage_lane lane_;
};

} // namespace roost::actors
