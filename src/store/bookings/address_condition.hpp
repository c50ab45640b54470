#pragma once

#include "store/database/columns.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace roost::store {

/// Selects the rows that may have an address, whose key is the parameter `ascii` (see ascii_key()). Databases
/// compute the keys of ASCII addresses only, so the program checks all addresses with other letters or an
/// international domain: even one of those may equal an ASCII address, as `ß` folds to `ss`. Erased rows have
/// no address.
inline texts_by_dialect with_address(const std::string& before, const std::string& after) {
  return {before +
              " and email <> '' and (lower(email collate \"C\") = :ascii"
              " or octet_length(email) <> length(email) or email ilike '%xn--%') " +
              after,
          before +
              " and email <> '' and (lower(email) = :ascii"
              " or length(cast(email as blob)) <> length(email) or email like '%xn--%') " +
              after};
}

/// Returns the key if databases can compute it, or an empty text.
inline std::string ascii_key(std::string_view key) {
  const bool is_ascii = std::ranges::all_of(key, [](unsigned char c) { return c < 0x80; });
  return is_ascii ? std::string(key) : std::string{};
}

} // namespace roost::store
