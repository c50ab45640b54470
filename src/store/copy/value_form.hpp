#pragma once

#include "store/database/dialect.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::store {

/// How a value is written in the two databases. The names are those of PostgreSQL's types.
enum class value_form : std::uint8_t {
  text, ///< as it is; json, too
  integer,
  boolean,
  real,
  decimal,
  uuid,
  date,
  moment,
  jsonb,
};

/// By the type's name in the database's catalogue; nothing for one that no column has had yet.
std::optional<value_form> value_form_of(std::string_view type);

/// The text that the target takes for what the source gives.
std::string text_for_target(value_form form, dialect source, dialect target, std::string_view text);

/// One text for all texts of a value that mean the same in both databases: moments to the millisecond,
/// floating-point numbers to 15 digits, which is what SQLite gives out. Throws failure for what is no value
/// of the form.
std::string canonical_text(value_form form, std::string_view text);

} // namespace roost::store
