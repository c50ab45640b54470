#pragma once

#include "store/database/cell.hpp"

#include <boost/endian/conversion.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

/// PostgreSQL's binary form of values, which it reads in less time than text.
namespace roost::store {

enum class binary_type : std::uint8_t {
  text, ///< and json
  jsonb,
  boolean,
  integer,
  bigint,
  double_precision,
  uuid,
  date,
  timestamptz,
};

/// By the type's name in SQL. Throws failure for one that is not of these.
binary_type binary_type_of(std::string_view name);

/// In the network's byte order.
template <std::integral Integer>
void append_integer(std::string& out, Integer value) {
  const auto big = boost::endian::native_to_big(value);
  out.append(reinterpret_cast<const char*>(&big), sizeof big);
}

/// A value with its length before it. Throws constraint_violated for text with a NUL byte, which PostgreSQL
/// cannot hold, and failure for a cell that holds no value of the type.
void append_field(std::string& out, binary_type type, cell_view value);

} // namespace roost::store
