#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace roost::store {

/// Something that an operator changed by a command.
struct audit_entry {
  domain::uuid id{};
  domain::timestamp made_at{};
  std::string actor;   ///< who: a name that was given, or the system's user and host
  std::string action;  ///< the command, such as `booking cancel`
  std::string subject; ///< an id or a name; empty where there is none
  std::string detail;  ///< may be empty
};

void note_audit(session& db, const audit_entry& entry);

/// Newest first.
std::vector<audit_entry> list_audit(session& db, std::size_t limit);

} // namespace roost::store
