#pragma once

#include <cstddef>
#include <utility>

namespace roost::domain {

/// One value of a pack.
template <std::size_t Index, typename Value>
struct packed {
  Value value;
  bool operator==(const packed&) const = default;
};

template <typename Indexes, typename... Values>
struct indexed_pack;

template <std::size_t... Indexes, typename... Values>
struct indexed_pack<std::index_sequence<Indexes...>, Values...> : packed<Indexes, Values>... {
  bool operator==(const indexed_pack&) const = default;

  /// Calls `use` with all values and returns what it returns.
  template <typename Use>
  constexpr decltype(auto) pass_to(Use&& use) const {
    return use(static_cast<const packed<Indexes, Values>&>(*this).value...);
  }
};

/// Values of different types: the columns of a record, the members of an object. An aggregate without
/// constructors, because the descriptions of large objects take several times as long to compile with
/// std::tuple, which checks at each step what can be converted into what.
template <typename... Values>
using pack = indexed_pack<std::index_sequence_for<Values...>, Values...>;

template <typename... Values>
constexpr pack<Values...> pack_of(const Values&... values) {
  return {{values}...};
}

/// Returns the value at this index.
template <std::size_t Index, typename Value>
constexpr const Value& at(const packed<Index, Value>& each) {
  return each.value;
}

} // namespace roost::domain
