#pragma once

#include "cli/listing.hpp"
#include "store/database/session.hpp"

#include <unordered_map>

/// What lists of tokens and keys have in common.
namespace roost::cli {

/// `created 2026-…`
list_cell after(const char* word, domain::timestamp moment);

/// When it was ended; people read `live` until then.
list_cell end_of(const std::optional<domain::timestamp>& ended_at);

/// The last characters of a key.
list_cell last4(const std::string& digits);

/// What --label gives. Throws usage_error when it is longer than a line of a list may be, or more than one.
std::string label_of(const std::string& text);

/// When credentials were used last, to the minute.
class use_cells {
public:
  explicit use_cells(store::session& db);

  list_cell of(const domain::uuid& credential) const;

private:
  std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash> uses_;
};

} // namespace roost::cli
