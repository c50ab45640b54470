#include "portfolio/uniqueness.hpp"

namespace roost::portfolio {

std::string pointer_to(const pointer& at, const std::vector<std::string_view>& lists) {
  std::string pointer;
  for (std::size_t i = 0; i < lists.size() && i < at.size(); ++i) {
    pointer += '/';
    pointer += lists[i];
    pointer += '/' + std::to_string(at[i]);
  }
  return pointer;
}

} // namespace roost::portfolio
