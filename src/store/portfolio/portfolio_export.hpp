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
/// cards, links and exclusions by platform, blocks by nights, and then by id.
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

/// Exports an account from one snapshot. Omits properties created by a platform, which files do not contain,
/// and returns their number. Waits for a pending import. Throws failure if there is no such account, and
/// unavailable if a pending import makes no progress.
std::size_t export_account(session& db, const domain::uuid& id, const export_sink& sink);

} // namespace roost::store
