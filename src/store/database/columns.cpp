#include "store/database/columns.hpp"

#include "store/database/error.hpp"

namespace roost::store {

void throw_unreadable(const char* column, bool is_null) {
  throw failure("column " + std::string(column) + (is_null ? " is NULL" : " does not hold what it should"));
}

void append_name(std::string& list, const char* alias, const char* name) {
  if (!list.empty()) list += ", ";
  if (alias) list.append(alias) += '.';
  list += name;
}

} // namespace roost::store
