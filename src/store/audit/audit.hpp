#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// A change that an operator made by a command, or a partner with a token or key.
struct audit_entry {
  domain::uuid id{};
  domain::timestamp made_at{};
  /// A configured name, the system's user and host, or the credential and its id.
  std::string actor;
  std::string action;  ///< the command, such as `booking cancel`, or the partner's operation
  std::string subject; ///< an id or a name; may be empty
  std::string detail;  ///< may be empty
};

void record_audit(session& db, const audit_entry& entry);

/// Writes the entries that have an actor, in the transaction of their changes.
void record_audit(session& db, std::span<const audit_entry> entries);

/// The action of `roost booking cancel`; its subject is the booking.
inline constexpr const char* booking_cancel = "booking cancel";

/// Returns the actor that cancelled a booking by a command; nullopt if none did.
std::optional<std::string> canceller_of(session& db, const domain::uuid& booking);

/// Returns the newest entry about a subject; nullopt if there is none.
std::optional<audit_entry> newest_audit_of(session& db, const std::string& subject);

/// Returns the newest entries first.
std::vector<audit_entry> list_audit(session& db, std::size_t limit);

} // namespace roost::store
