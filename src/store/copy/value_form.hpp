#pragma once

#include "store/database/dialect.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::store {

/// The kinds of column values, which determine how each database writes them. Named after PostgreSQL's types.
enum class value_form : std::uint8_t {
  text, ///< verbatim; includes json
  integer,
  boolean,
  real,
  decimal,
  uuid,
  date,
  moment,
  jsonb,
};

/// Maps a type's name in the database's catalog to its form; nullopt for a type that no column has.
std::optional<value_form> value_form_of(std::string_view type);

/// Converts a value from the source's text to the target's.
std::string text_for_target(value_form form, dialect source, dialect target, std::string_view text);

/// Returns the same text for all texts of equal values in both databases: moments to the millisecond,
/// floating-point numbers to the 15 digits that SQLite prints, and JSON regardless of whitespace, member
/// order and number format. Throws failure for an invalid value of the form.
std::string canonical_text(value_form form, std::string_view text);

} // namespace roost::store
