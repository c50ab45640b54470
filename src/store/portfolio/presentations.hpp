#pragma once

#include "domain/unit.hpp"
#include "store/database/session.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace roost::store {

/// What full feeds show of a unit and no other part of the service keeps in memory.
struct presentation {
  std::shared_ptr<const domain::property> property; ///< shared by its units
  domain::unit_presentation unit;
  std::optional<std::string> link_url; ///< on the platform that was asked for
};

/// By unit; units that no longer exist are left out. The Wi-Fi password is not read.
std::unordered_map<domain::uuid, presentation, domain::uuid_hash>
presentations(session& db, std::span<const domain::uuid> units, std::string_view platform);

} // namespace roost::store
