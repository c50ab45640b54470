#include "bytes/ascii.hpp"
#include "http/protocol/message.hpp"

namespace roost::http {

std::string_view request::header(std::string_view name) const {
  for (const auto& field : fields)
    if (ascii::equal_ignoring_case(field.name, name)) return field.value;
  return {};
}

std::size_t request::count(std::string_view name) const {
  std::size_t found = 0;
  for (const auto& field : fields) found += ascii::equal_ignoring_case(field.name, name) ? 1 : 0;
  return found;
}

std::vector<std::string_view> request::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& field : fields)
    if (ascii::equal_ignoring_case(field.name, name)) values.push_back(field.value);
  return values;
}

} // namespace roost::http
