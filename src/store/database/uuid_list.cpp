#include "store/database/change_stream.hpp"
#include "store/database/dialect.hpp"

#include <string_view>

namespace roost::store {

bool uuid_list_format::write(std::string& to, const std::vector<domain::uuid>& ids) {
  to += list_of(ids, dialect::postgresql);
  return true;
}

/// Both forms have nothing but ids beside brackets, commas and quotes.
bool uuid_list_format::read(const std::string* text, std::vector<domain::uuid>& into) {
  constexpr std::string_view between = "{}[],\"";
  if (!text) return false;
  into.clear();
  for (auto begin = text->find_first_not_of(between); begin != std::string::npos;) {
    const auto end = std::min(text->find_first_of(between, begin), text->size());
    const auto id = domain::parse_uuid(std::string_view(*text).substr(begin, end - begin));
    if (!id) return false;
    into.push_back(*id);
    begin = text->find_first_not_of(between, end);
  }
  return true;
}

} // namespace roost::store
