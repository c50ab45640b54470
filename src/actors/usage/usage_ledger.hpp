#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/storage.hpp"
#include "domain/ai_usage.hpp"
#include "metrics/registry.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace roost::actors {

/// Checked records for the ledger, each with its id.
struct record_usage {
  std::vector<domain::ai_usage_record> records;
};

/// The number of accepted records, counted from the first; the recorder has no room for the others.
struct usage_taken {
  std::size_t count = 0;
};

/// Retries the write.
struct retry_usage {};

/// Writes all accepted records now, before shutdown; records that cannot be written are lost.
struct flush_usage {};
struct usage_flushed {};

/// Adds records to the AI usage ledger, best effort (Management API, Adding records). Responds immediately
/// with the number of accepted records, before they are on disk; callers never wait for the store. Records
/// that arrive during a commit share the next one. While the store is unavailable, records are kept up to a
/// limit; beyond it, and in a crash, they are lost. Records that are in the ledger already are skipped.
using usage_recorder =
    caf::typed_actor<caf::replies_to<record_usage>::with<usage_taken>, //
                     caf::reacts_to<retry_usage>, caf::replies_to<flush_usage>::with<usage_flushed>>;

struct usage_recorder_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  metrics::registry* registry = nullptr;
  std::size_t max_waiting = 20'000; ///< records
};

usage_recorder spawn_usage_recorder(runtime& rt, usage_recorder_setup setup);

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
  asio::awaitable<domain::ai_usage_summary>
  summary(usage_selection selection, std::optional<domain::ai_usage_grouping> group_by = {}) const;
  /// Returns totals by UTC day.
  asio::awaitable<std::vector<domain::ai_usage_day>> days(usage_selection selection) const;

private:
  storage_lane lane_;
};

} // namespace roost::actors
