#pragma once

#include "domain/text.hpp"
#include "store/database/cell.hpp"

/// The words for enumerations, as listed in the check constraints of the schema.
namespace roost::store {

template <domain::named_enum Enum>
struct column_format<Enum>
    : enum_format<static_cast<Enum>(names_of(Enum{}).size() - 1), domain::to_string<Enum>> {};

} // namespace roost::store
