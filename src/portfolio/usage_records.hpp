#pragma once

#include "domain/ai_usage.hpp"
#include "portfolio/json_tree.hpp"
#include "portfolio/problem.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace roost::portfolio {

/// Records that were read, or what is wrong.
struct usage_records {
  std::vector<domain::ai_usage_record> records; ///< good ones, where there is no problem
  std::vector<problem> problems;                ///< in the document's order
  std::optional<json_error> broken;             ///< the text is no JSON; there is nothing else then
};

/// Reads a record of the AI usage ledger that stands alone (docs/portfolio.md, Usage record), or an array of
/// them where `most` is above 1. Such a record says itself whose it is: `accountId` is required, and null for
/// a system-wide call. Without a `createdAt` it was made `now`, where that is given.
usage_records parse_usage_records(std::string_view json, std::size_t most = 1,
                                  std::optional<domain::timestamp> now = std::nullopt);

} // namespace roost::portfolio
