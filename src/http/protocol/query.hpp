#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// A name in a query, with all values that were sent under it.
struct query_field {
  std::string name;
  std::vector<std::string> values; ///< in their order; at least one
};

/// Reads a query as lenient as Node's servers do (URL Standard, 5.1): names in the order in which they first
/// come, nothing between two ampersands is nothing, a field without an equals sign is empty, and what is no
/// percent-encoding stands for itself. For filters that programs send, which have to be read as before; what
/// decides about access comes through read_form().
std::vector<query_field> read_query(std::string_view query);

/// A value as JavaScript's Number() reads it: `0x10` is 16, an empty text 0, `1e400` infinity, and what is no
/// number NaN.
double js_number(std::string_view text);

} // namespace roost::http
