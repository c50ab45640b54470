#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

/// Portfolios as the store holds them, in the form in which a file brings them.
namespace roost::store {

/// An account without its usage records. Users stand by address, properties and units by internal name,
/// cards, links and exclusions by platform, blocks by their nights; where these are the same, by id.
struct stored_account {
  domain::portfolio_account account;
  /// The properties in it that a platform has created.
  std::unordered_set<domain::uuid, domain::uuid_hash> from_platform;
};

/// Nothing: there is no such account. What it reads is of one moment only in a transaction of the caller.
std::optional<stored_account> read_account(session& db, const domain::uuid& id);

/// Those accounts, or all of them, by landlord key. Ids that nobody has are left out.
std::vector<domain::uuid> accounts_to_export(session& db, std::span<const domain::uuid> wanted);

/// Who takes what is exported of an account: first the account without usage records, then these, by their
/// time, some thousands at once.
struct export_taker {
  std::function<void(const domain::portfolio_account& account)> account;
  std::function<void(std::span<const domain::ai_usage_record> records)> usage;
};

/// Reads an account as it is at one moment. Properties that a platform has created are the service's own:
/// they are left out; returns how many. Throws failure when there is no such account, unavailable while an
/// import is pending.
std::size_t export_account(session& db, const domain::uuid& id, const export_taker& to);

} // namespace roost::store
