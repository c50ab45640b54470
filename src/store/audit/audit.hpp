#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// A change that an operator made by a command, a partner with a token or key, or a user of the office.
struct audit_entry {
  domain::uuid id{};
  domain::timestamp made_at{};
  /// A configured name, the system's user and host, the credential and its id, or `user` and the email
  /// address.
  std::string actor;
  std::string action;  ///< the command, such as `booking cancel`, or the operation, such as `block creation`
  std::string subject; ///< an id or a name; may be empty
  std::string detail;  ///< may be empty
  /// The account that the entry is about; nullopt if it concerns several accounts or none.
  std::optional<domain::uuid> account_id = {};
};

void record_audit(session& db, const audit_entry& entry);

/// Writes the entries that have an actor, in the transaction of their changes.
void record_audit(session& db, std::span<const audit_entry> entries);

/// The action of `roost booking cancel`; its subject is the booking.
inline constexpr const char* booking_cancel = "booking cancel";

/// The action of a user who changes a tenant, or of a booking that gives one a category; its subject is the
/// tenant. Erasing the tenant erases the values in its detail.
inline constexpr const char* tenant_change = "tenant change";
/// The action of an entry about what was received of a payment, which may have a note about the guest.
inline constexpr const char* payment_received = "payment receipt";

/// Returns the actor that cancelled a booking by a command; nullopt if none did.
std::optional<std::string> canceller_of(session& db, const domain::uuid& booking);

/// Returns the newest entry of an account about a subject; nullopt if there is none. Entries without an
/// account count if they are about the issue of a key: those of earlier versions have none.
std::optional<audit_entry> newest_audit_of(session& db, const std::string& subject,
                                           const domain::uuid& account);

/// Returns an account's newest entry with one of these actions; nullopt if there is none.
std::optional<audit_entry> newest_audit_of(session& db, std::span<const std::string> actions,
                                           const domain::uuid& account);

/// Returns who made the change: a user's email address, or else the actor.
std::string author_of(const audit_entry& entry);

/// Returns the newest entries first.
std::vector<audit_entry> list_audit(session& db, std::size_t limit);

/// Selects entries about one account.
struct audit_filter {
  domain::uuid account_id{};
  std::optional<domain::timestamp> since = {}, until = {}; ///< both inclusive
  std::string actor = {};                                  ///< exactly; empty: any
  /// Part of the action, the subject or the detail; the case of ASCII letters does not matter. Empty: any.
  std::string text = {};
  /// Whether changes of tenants, with their personal data, match, and whether entries about cancellations and
  /// received payments have details, which may name the guest.
  bool with_tenants = true;
};

/// The place of an entry in the log: newest first, entries of the same time by id, the greatest first.
struct audit_place {
  domain::timestamp made_at{};
  domain::uuid id{};
};

/// Returns at most `limit` matching entries, those after a place or the newest ones.
std::vector<audit_entry> list_audit(session& db, const audit_filter& filter,
                                    const std::optional<audit_place>& after, std::size_t limit);

/// Returns the number of matching entries.
std::int64_t count_audit(session& db, const audit_filter& filter);

} // namespace roost::store
