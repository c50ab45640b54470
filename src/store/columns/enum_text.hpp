#pragma once

#include "domain/names.hpp"
#include "store/database/column_format.hpp"
#include "store/database/error.hpp"

#include <string_view>

/// The words for enumerations, as listed in the check constraints of the schema. Parsing an unknown word
/// throws failure.
namespace roost::store {

template <domain::named_enum Enum>
Enum parse_word(std::string_view text) {
  if (const auto value = domain::parse_name<Enum>(text)) return *value;
  throw failure("a column has an unknown word");
}

template <domain::named_enum Enum>
struct column_format<Enum> : enum_format<Enum, domain::to_string<Enum>, parse_word<Enum>> {};

} // namespace roost::store
