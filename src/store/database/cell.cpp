#include "store/database/cell.hpp"

#include <boost/uuid/uuid_io.hpp>

namespace roost::store {

namespace {

template <typename Value>
bool assign(const std::optional<Value>& parsed, Value& into) {
  if (parsed) into = *parsed;
  return parsed.has_value();
}

} // namespace

bool write_cell(std::string& to, const domain::uuid& id) {
  std::array<char, 36> text{};
  boost::uuids::to_chars(id, text.begin());
  return write_cell(to, std::string_view(text.begin(), text.size()));
}

bool read_cell(std::string_view text, bool& into) {
  into = text == "1" || text == "t";
  return into || text == "0" || text == "f";
}
bool read_cell(std::string_view text, domain::decimal& into) {
  return assign(domain::parse_decimal(text), into);
}
bool read_cell(std::string_view text, domain::uuid& into) { return assign(domain::parse_uuid(text), into); }
bool read_cell(std::string_view text, domain::date& into) { return assign(domain::parse_date(text), into); }
bool read_cell(std::string_view text, domain::timestamp& into) {
  return assign(domain::parse_timestamp(text), into);
}

} // namespace roost::store
