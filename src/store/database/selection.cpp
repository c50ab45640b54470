#include "store/database/selection.hpp"

#include "store/database/error.hpp"

namespace roost::store {

std::string with_columns(std::string text, const std::string& names) {
  constexpr std::string_view place = "{columns}";
  const auto at = text.find(place);
  if (at == std::string::npos) throw failure("a selection without {columns}: " + text);
  return text.replace(at, place.size(), names);
}

} // namespace roost::store
