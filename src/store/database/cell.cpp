#include "store/database/cell.hpp"

#include <boost/uuid/uuid_io.hpp>

#include <array>
#include <charconv>

namespace roost::store {

bool write_cell(std::string& to, double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.begin(), text.end(), value).ptr;
  return write_cell(to, std::string_view(text.begin(), end));
}

bool write_cell(std::string& to, const domain::uuid& id) {
  std::array<char, 36> text{};
  boost::uuids::to_chars(id, text.begin());
  return write_cell(to, std::string_view(text.begin(), text.size()));
}

cell last_night_cell(domain::date last) { return last >= domain::no_end ? cell{} : to_cell(last); }

} // namespace roost::store
