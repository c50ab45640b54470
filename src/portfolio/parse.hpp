#pragma once

#include "domain/portfolio.hpp"
#include "json/schema.hpp"
#include "portfolio/reader.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::portfolio {

/// The name and version of the format of portfolio files.
inline constexpr std::string_view format_name = "roost-portfolio/1";

/// Reads a portfolio file and checks every rule that does not depend on the store. Returns all problems in
/// the document's order; for a text that is not JSON, only the place of the error. A block whose id is null
/// gets the nil id; times of creation and change are not set.
std::variant<domain::portfolio, std::vector<problem>> parse(std::string_view document, const context& with);

/// Records that were read, or their problems.
struct usage_records {
  std::vector<domain::ai_usage_record> records; ///< complete if there is no problem
  std::vector<problem> problems;                ///< in the document's order
  std::optional<json::syntax_error> broken;     ///< the text is not JSON; then the rest is empty
};

/// Reads a record of the AI usage ledger that stands alone (docs/portfolio.md, Usage record), or an array of
/// them where `max_records` is above 1. Such a record names its account: `accountId` is required, and null
/// for a system-wide call. A record without `createdAt` was created `now`, if that is given.
usage_records parse_usage_records(std::string_view json, std::size_t max_records = 1,
                                  std::optional<domain::timestamp> now = std::nullopt);

/// Returns the schema of a record that parse_usage_records() reads with a `now`.
json::schema new_usage_record_schema();

} // namespace roost::portfolio
