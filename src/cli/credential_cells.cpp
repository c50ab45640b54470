#include "cli/credential_cells.hpp"

#include "cli/usage_error.hpp"
#include "store/credentials/credential_uses.hpp"

#include <algorithm>

namespace roost::cli {

list_cell after(const char* word, domain::timestamp moment) {
  return shown_as(moment, std::string(word).append(" ").append(domain::to_string(moment)));
}

list_cell end_of(const std::optional<domain::timestamp>& ended_at) {
  return shown_as(ended_at, ended_at ? "ended " + domain::to_string(*ended_at) : "live");
}

list_cell last4(const std::string& digits) { return shown_as(digits, "…" + digits); }

std::string label_of(const std::string& text) {
  constexpr std::size_t longest = 200;
  const auto is_control = [](unsigned char byte) { return byte < ' ' || byte == 0x7f; };
  if (text.size() > longest || std::ranges::any_of(text, is_control))
    throw usage_error("--label must be one line of at most 200 bytes");
  return text;
}

use_cells::use_cells(store::session& db) : uses_(store::last_uses(db)) {}

list_cell use_cells::of(const domain::uuid& credential) const {
  const auto found = uses_.find(credential);
  if (found == uses_.end()) return shown_as(std::optional<domain::timestamp>(), "never used");
  return after("last used", found->second);
}

} // namespace roost::cli
