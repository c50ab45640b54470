#pragma once

#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// An ID on a platform that an account's unit had until it was unlinked.
struct former_link {
  std::string platform, external_id;
  domain::uuid account_id{};
};

/// The links under these IDs, on whatever platform, that ended in the last 90 days; the latest come last.
std::vector<former_link> former_links(session& db, std::span<const std::string> external_ids);

} // namespace roost::store
