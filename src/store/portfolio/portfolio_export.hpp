#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

/// Reads stored portfolios in the form of portfolio files.
namespace roost::store {

/// An account without its usage records. Users are sorted by address, properties and units by internal name,
/// calendars by name, cards, links and exclusions by platform, blocks by nights, and then by id.
struct stored_account {
  domain::portfolio_account account;
  /// Its properties that a platform created.
  std::unordered_set<domain::uuid, domain::uuid_hash> from_platform;
};

/// Returns nullopt if there is no such account. For a consistent result, call it in a transaction.
std::optional<stored_account> read_account(session& db, const domain::uuid& id);

/// Returns the existing accounts among `requested` (if empty: all accounts), sorted by landlord key.
std::vector<domain::uuid> accounts_to_export(session& db, std::span<const domain::uuid> requested);

/// Receives an exported account: first the account without usage records, then these, sorted by time, in
/// batches of some thousands.
struct export_sink {
  std::function<void(const domain::portfolio_account& account)> account;
  std::function<void(std::span<const domain::ai_usage_record> records)> usage;
};

/// Numbers of parts that files do not contain.
struct left_out_parts {
  std::size_t properties = 0; ///< created by a platform
  std::size_t calendars = 0;  ///< uploaded, on units of other properties

  left_out_parts& operator+=(const left_out_parts& other) {
    properties += other.properties;
    calendars += other.calendars;
    return *this;
  }
};

/// Exports an account from one snapshot, and returns what it omits. Waits for a pending import. Throws
/// failure if there is no such account, and unavailable if a pending import makes no progress.
left_out_parts export_account(session& db, const domain::uuid& id, const export_sink& sink);

} // namespace roost::store
