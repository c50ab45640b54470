#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// Something that an operator changed by a command, or a partner with a token or key.
struct audit_entry {
  domain::uuid id{};
  domain::timestamp made_at{};
  std::string actor; ///< who: a name that was given, the system's user and host, or the credential and its id
  std::string action;  ///< the command, such as `booking cancel`, or what a partner asked for
  std::string subject; ///< an id or a name; empty where there is none
  std::string detail;  ///< may be empty
};

void record_audit(session& db, const audit_entry& entry);

/// Runs `work`, whose transaction writes the entry as well. Work that commits nothing leaves none, nor does
/// an entry without an actor.
template <typename Work>
auto audited(session& db, const audit_entry& entry, Work work) {
  struct forgotten_afterwards {
    session& db;
    ~forgotten_afterwards() { db.run_with_next_commit({}); }
  } const guard{db};
  if (!entry.actor.empty()) db.run_with_next_commit([&db, &entry] { record_audit(db, entry); });
  return work();
}

/// The action of `roost booking cancel`; its subject is the booking.
inline constexpr const char* booking_cancel = "booking cancel";

/// Who cancelled a booking by a command; nothing where nobody did.
std::optional<std::string> canceller_of(session& db, const domain::uuid& booking);

/// Newest first.
std::vector<audit_entry> list_audit(session& db, std::size_t limit);

} // namespace roost::store
