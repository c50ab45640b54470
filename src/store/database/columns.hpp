#pragma once

#include "store/database/cell.hpp"
#include "store/database/column_format.hpp"
#include "store/database/columns.hpp"

#include <tuple>
#include <type_traits>
#include <utility>

/// Descriptions of records: which column holds which member. A description gives the names of a select list,
/// the reader of its rows and the rows of a bulk write, so that no column is ever known by its position.
///
///     constexpr auto link_columns = columns(column("platform", &domain::link::platform),
///                                           column("external_id", &domain::link::external_id),
///                                           column("url", &domain::link::url));
namespace roost::store {

/// How a column takes part in a bulk write.
enum class column_role {
  key,    ///< finds the row
  value,  ///< data
  stamp,  ///< updates: written only when some value differs
  origin, ///< inserts only
};

/// Throws failure: the column is NULL, or holds what its member cannot be.
[[noreturn]] void throw_unreadable(const char* column, bool is_null);

/// What a path of members leads to; pointers on the way are followed.
template <typename Object, typename Step, typename... Steps>
constexpr auto& follow(Object& from, Step step, Steps... rest) {
  if constexpr (!requires { from.*step; })
    return follow(*from, step, rest...);
  else if constexpr (sizeof...(rest) == 0)
    return from.*step;
  else
    return follow(from.*step, rest...);
}

/// One column of a record. `Format` is a column_format.
template <typename Format, typename Record, typename... Steps>
struct described_column {
  using record = Record;
  using format = Format;

  const char* name; ///< or an expression, in a description that is only read
  std::tuple<Steps...> path;
  const char* type = Format::type;
  column_role role = column_role::value;
  const char* alias = nullptr; ///< of its table in a query

  constexpr described_column key() const { return with(column_role::key); }
  constexpr described_column stamp() const { return with(column_role::stamp); }
  constexpr described_column origin() const { return with(column_role::origin); }
  /// Where PostgreSQL's type is another one than the member's usual one.
  constexpr described_column of_type(const char* other) const {
    auto changed = *this;
    changed.type = other;
    return changed;
  }
  constexpr described_column of(const char* table) const {
    auto changed = *this;
    changed.alias = table;
    return changed;
  }

  void read(const std::string* text, Record& into) const {
    std::apply(
        [&](auto... steps) {
          if (!Format::read(text, follow(into, steps...))) throw_unreadable(name, text == nullptr);
        },
        path);
  }

  void write(cell_list& to, const Record& from) const {
    std::apply([&](auto... steps) { to.add_as<Format>(follow(from, steps...)); }, path);
  }

private:
  constexpr described_column with(column_role other) const {
    auto changed = *this;
    changed.role = other;
    return changed;
  }
};

template <typename Format, typename Value>
struct chosen_format : std::type_identity<Format> {};
template <typename Value>
struct chosen_format<void, Value> : std::type_identity<column_format<Value>> {};

/// A column and the member that it holds, by the path of members that leads there from the record. Its format
/// is that of the member's type unless another is named.
template <typename Format = void, typename Record, typename Member, typename... Steps,
          typename Value = std::remove_cvref_t<decltype(follow(
              std::declval<Record&>(), std::declval<Member Record::*>(), std::declval<Steps>()...))>,
          format_of<Value> Chosen = typename chosen_format<Format, Value>::type>
constexpr auto column(const char* name, Member Record::*first, Steps... rest) {
  return described_column<Chosen, Record, Member Record::*, Steps...>{name, {first, rest...}};
}

void append_name(std::string& list, const char* alias, const char* name);

/// The description of a record, and the part of a query that reads one.
template <typename First, typename... Rest>
struct column_list {
  using value = typename First::record;
  static_assert((std::is_same_v<typename Rest::record, value> && ...), "all columns are of one record");
  static constexpr std::size_t size = 1 + sizeof...(Rest);

  std::tuple<First, Rest...> columns;

  /// The same columns of the table that a query calls so; those that have an alias keep it.
  constexpr column_list of(const char* table) const {
    return std::apply(
        [&](const auto&... each) { return column_list{{(each.alias ? each : each.of(table))...}}; }, columns);
  }

  void append_names(std::string& list) const {
    std::apply([&](const auto&... each) { (append_name(list, each.alias, each.name), ...); }, columns);
  }

  value read(const row& from, std::size_t first) const {
    value record{};
    std::apply([&](const auto&... each) { (each.read(from[first++], record), ...); }, columns);
    return record;
  }
};

template <typename Format, typename Record, typename... Steps>
constexpr auto as_tuple(const described_column<Format, Record, Steps...>& column) {
  return std::tuple(column);
}
template <typename... Columns>
constexpr auto as_tuple(const column_list<Columns...>& list) {
  return list.columns;
}
template <typename... Columns>
constexpr column_list<Columns...> list_of_columns(const std::tuple<Columns...>& columns) {
  return {columns};
}

/// Columns, and descriptions of the same record, as one description.
template <typename... Parts>
constexpr auto columns(const Parts&... parts) {
  return list_of_columns(std::tuple_cat(as_tuple(parts)...));
}

/// The description of a member, or of what a member points to, as a part of the whole record's.
template <typename Record, typename Member, typename... Columns>
constexpr auto txn(Member Record::*outer, const column_list<Columns...>& inner) {
  const auto deeper = [&]<typename Format, typename Inner, typename... Steps>(
                          const described_column<Format, Inner, Steps...>& column) {
    return described_column<Format, Record, Member Record::*, Steps...>{
        column.name, std::tuple_cat(std::tuple(outer), column.path), column.type, column.role, column.alias};
  };
  return std::apply([&](const auto&... each) { return columns(deeper(each)...); }, inner.columns);
}

/// Whether two descriptions lead to the same members in the same order: those of the parts of a union.
template <typename... As, typename... Bs>
constexpr bool same_members(const column_list<As...>& a, const column_list<Bs...>& b) {
  if constexpr (!std::is_same_v<std::tuple<decltype(As::path)...>, std::tuple<decltype(Bs::path)...>>)
    return false;
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((std::get<I>(a.columns).path == std::get<I>(b.columns).path) && ...);
    }
  (std::index_sequence_for<As...>());
}

/// One value in a query, beside records or alone.
template <typename Value>
requires reading_format_of<column_format<Value>, Value>
struct named {
  using value = Value;
  static constexpr std::size_t size = 1;

  constexpr explicit named(const char* expression) : expression(expression) {}

  const char* expression;

  void append_names(std::string& list) const { append_name(list, nullptr, expression); }

  value read(const row& from, std::size_t first) const {
    value read{};
    if (!column_format<Value>::read(from[first], read)) throw_unreadable(expression, !from[first]);
    return read;
  }
};

/// A record of an outer join: nothing where the first of its columns is NULL.
template <typename List>
struct joined {
  using value = std::optional<typename List::value>;
  static constexpr std::size_t size = List::size;

  constexpr explicit joined(const List& columns) : columns(columns) {}

  List columns;

  void append_names(std::string& list) const { columns.append_names(list); }

  value read(const row& from, std::size_t first) const {
    if (!from[first]) return std::nullopt;
    return columns.read(from, first);
  }
};

/// The names of a part's columns, with commas.
template <typename Part>
std::string names_of(const Part& part) {
  std::string list;
  part.append_names(list);
  return list;
}

} // namespace roost::store
