#pragma once

#include "domain/pack.hpp"
#include "store/database/cell.hpp"
#include "store/database/dialect.hpp"
#include "store/database/error.hpp"

#include <soci/soci-backend.h>

#include <array>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Descriptions of records: which column holds which member. A description provides the select list, the
/// reader of its rows and the rows of a bulk write, so that no code depends on the position of a column.
///
///     constexpr auto link_columns = columns(column("platform", &domain::link::platform),
///                                           column("external_id", &domain::link::external_id),
///                                           column("url", &domain::link::url));
namespace roost::store {

/// One row of a result as texts, valid until the next row is fetched. The selection that it comes from
/// interprets it.
class row {
public:
  row(const std::vector<std::string>& values, const std::vector<soci::indicator>& indicators)
      : values_(values), indicators_(indicators) {}

  /// Returns null for NULL.
  const std::string* operator[](std::size_t column) const {
    return indicators_[column] == soci::i_ok ? &values_[column] : nullptr;
  }

  std::size_t size() const { return values_.size(); }

private:
  const std::vector<std::string>& values_;
  const std::vector<soci::indicator>& indicators_;
};

/// The role of a column in a bulk write.
enum class column_role {
  key,    ///< identifies the row
  value,  ///< data
  stamp,  ///< in updates, written only if a value differs
  origin, ///< written by inserts only
};

/// Throws failure for a column that is NULL or invalid for its member.
[[noreturn]] inline void throw_unreadable(const char* column, bool is_null) {
  throw failure("column " + std::string(column) + (is_null ? " is NULL" : " holds an invalid value"));
}

/// Returns the member at the end of a path of members; dereferences pointers on the path.
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

  const char* name; ///< or an expression, in a description used only for reading
  domain::pack<Steps...> path;
  const char* type = Format::type;
  column_role role = column_role::value;
  const char* alias = nullptr; ///< of the column's table in a query

  constexpr described_column key() const { return with_role(column_role::key); }
  constexpr described_column stamp() const { return with_role(column_role::stamp); }
  constexpr described_column origin() const { return with_role(column_role::origin); }
  /// Overrides the PostgreSQL type, which defaults to that of the format.
  constexpr described_column of_type(const char* postgresql_type) const {
    auto changed = *this;
    changed.type = postgresql_type;
    return changed;
  }
  constexpr described_column of(const char* table) const {
    auto changed = *this;
    changed.alias = table;
    return changed;
  }

  void read(const std::string* text, Record& into) const {
    path.pass_to([&](auto... steps) {
      if (!Format::read(text, follow(into, steps...))) throw_unreadable(name, text == nullptr);
    });
  }

  void write(cell_list& to, const Record& from) const {
    path.pass_to([&](auto... steps) { to.add_as<Format>(follow(from, steps...)); });
  }

private:
  constexpr described_column with_role(column_role new_role) const {
    auto changed = *this;
    changed.role = new_role;
    return changed;
  }
};

template <typename Format, typename Value>
struct chosen_format : std::type_identity<Format> {};
template <typename Value>
struct chosen_format<void, Value> : std::type_identity<column_format<Value>> {};

/// Describes a column and the member that it holds, given as a path of members from the record. The format
/// defaults to that of the member's type.
template <typename Format = void, typename Record, typename Member, typename... Steps,
          typename Value = std::remove_cvref_t<decltype(follow(
              std::declval<Record&>(), std::declval<Member Record::*>(), std::declval<Steps>()...))>,
          format_of<Value> Chosen = typename chosen_format<Format, Value>::type>
constexpr auto column(const char* name, Member Record::*first, Steps... rest) {
  return described_column<Chosen, Record, Member Record::*, Steps...>{name, {{first}, {rest}...}};
}

inline void append_name(std::string& list, const char* alias, const char* name) {
  if (!list.empty()) list += ", ";
  if (alias) list.append(alias) += '.';
  list += name;
}

/// The description of a record; also the part of a query that reads one.
template <typename First, typename... Rest>
struct column_list {
  using value = typename First::record;
  static_assert((std::is_same_v<typename Rest::record, value> && ...), "all columns belong to one record");
  static constexpr std::size_t size = 1 + sizeof...(Rest);

  domain::pack<First, Rest...> columns;

  /// Returns a copy with this table alias; columns that already have an alias keep it.
  constexpr column_list of(const char* table) const {
    return columns.pass_to(
        [&](const auto&... each) { return column_list{{{each.alias ? each : each.of(table)}...}}; });
  }

  void append_names(std::string& list) const {
    columns.pass_to([&](const auto&... each) { (append_name(list, each.alias, each.name), ...); });
  }

  value read(const row& from, std::size_t first) const {
    value record{};
    columns.pass_to([&](const auto&... each) { (each.read(from[first++], record), ...); });
    return record;
  }
};

template <typename Part>
inline constexpr std::size_t columns_in = 1;
template <typename... Columns>
inline constexpr std::size_t columns_in<column_list<Columns...>> = sizeof...(Columns);

template <std::size_t Index, typename Format, typename Record, typename... Steps>
constexpr const auto& column_at(const described_column<Format, Record, Steps...>& column) {
  return column;
}
template <std::size_t Index, typename... Columns>
constexpr const auto& column_at(const column_list<Columns...>& list) {
  return domain::at<Index>(list.columns);
}

template <typename... Columns>
constexpr column_list<Columns...> list_of_columns(const Columns&... columns) {
  return {{{columns}...}};
}

/// Where the columns of several parts are: in which part, and at which index.
template <typename... Parts>
struct column_positions {
  static constexpr std::size_t size = (columns_in<Parts> + ...);
  std::array<std::size_t, size> part{}, index{};

  constexpr column_positions() {
    std::size_t next = 0, number = 0;
    for (const auto count : {columns_in<Parts>...}) {
      for (std::size_t i = 0; i < count; ++i, ++next) {
        part[next] = number;
        index[next] = i;
      }
      ++number;
    }
  }
};

/// Combines columns and descriptions of the same record into one description.
template <typename... Parts>
constexpr auto columns(const Parts&... parts) {
  constexpr column_positions<Parts...> positions;
  const domain::pack<const Parts*...> all{{&parts}...};
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return list_of_columns(column_at<positions.index[I]>(*domain::at<positions.part[I]>(all))...);
  }
  (std::make_index_sequence<positions.size>());
}

/// Turns the description of an object at the end of a path of members, or of a base if the path is empty,
/// into one of the whole record.
template <typename Record, typename... Path, typename... Columns>
constexpr auto columns_at(const column_list<Columns...>& inner, Path... path) {
  const auto prefixed = [&]<typename Format, typename Inner, typename... Steps>(
                            const described_column<Format, Inner, Steps...>& column) {
    return column.path.pass_to([&](auto... steps) {
      return described_column<Format, Record, Path..., Steps...>{
          column.name, {{path}..., {steps}...}, column.type, column.role, column.alias};
    });
  };
  return inner.columns.pass_to([&](const auto&... each) { return list_of_columns(prefixed(each)...); });
}

/// Turns the description of a member, or of the object that a member points to, into one of the whole record.
template <typename Record, typename Member, typename... Columns>
constexpr auto nested(Member Record::*outer, const column_list<Columns...>& inner) {
  return columns_at<Record>(inner, outer);
}

/// Returns whether two descriptions cover the same members in the same order, as the parts of a union must.
template <typename... As, typename... Bs>
constexpr bool same_members(const column_list<As...>& a, const column_list<Bs...>& b) {
  if constexpr (!std::is_same_v<domain::pack<decltype(As::path)...>, domain::pack<decltype(Bs::path)...>>)
    return false;
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((domain::at<I>(a.columns).path == domain::at<I>(b.columns).path) && ...);
    }
  (std::index_sequence_for<As...>());
}

/// A single value in a query, alone or next to records.
template <typename Value>
requires readable_format_of<column_format<Value>, Value>
struct named {
  using value = Value;
  static constexpr std::size_t size = 1;

  constexpr explicit named(const char* expression) : expression(expression) {}

  const char* expression;

  void append_names(std::string& list) const { append_name(list, nullptr, expression); }

  value read(const row& from, std::size_t first) const {
    value result{};
    if (!column_format<Value>::read(from[first], result)) throw_unreadable(expression, !from[first]);
    return result;
  }
};

/// The optional record of an outer join: nullopt if its first column is NULL.
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

/// Returns the comma-separated column names of a part.
template <typename Part>
std::string names_of(const Part& part) {
  std::string list;
  part.append_names(list);
  return list;
}

/// The texts of a selection whose SQL differs between the databases.
struct texts_by_dialect {
  std::string postgresql, sqlite;
};

/// A query that reads. Its text has `{columns}` in place of its select list. A part is a description of a
/// record (with the alias of its table where needed: `link_columns.of("l")`), a `joined` one, or a `named`
/// value. Each row yields one value for each part, in order. Selections are created once, at program start.
template <typename... Parts>
class selection {
public:
  template <std::convertible_to<std::string> Text>
  selection(std::string name, Text text, const Parts&... parts)
      : selection(std::move(name), texts_by_dialect{std::move(text), {}}, parts...) {}

  selection(std::string name, texts_by_dialect texts, const Parts&... parts)
      : name_(std::move(name)), parts_{{parts}...}, text_(with_columns(std::move(texts.postgresql), names())),
        sqlite_text_(texts.sqlite.empty() ? std::string{} : with_columns(std::move(texts.sqlite), names())) {}

  /// The query is valid for the lifetime of the selection.
  query as_query() const {
    return {name_.c_str(), text_.c_str(), sqlite_text_.empty() ? nullptr : sqlite_text_.c_str(), columns};
  }

  /// Calls `each` with one value for each part of the row.
  template <typename Each>
  decltype(auto) pass(const row& from, Each& each) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
      return each(domain::at<I>(parts_).read(from, first_columns[I])...);
    }
    (std::index_sequence_for<Parts...>());
  }

private:
  static constexpr int columns = static_cast<int>((Parts::size + ...));
  static constexpr auto first_columns = [] {
    constexpr std::array sizes{Parts::size...};
    std::array<std::size_t, sizeof...(Parts)> firsts{};
    for (std::size_t i = 1; i < firsts.size(); ++i) firsts[i] = firsts[i - 1] + sizes[i - 1];
    return firsts;
  }();

  std::string names() const {
    std::string list;
    parts_.pass_to([&](const auto&... part) { (part.append_names(list), ...); });
    return list;
  }

  std::string name_;
  domain::pack<Parts...> parts_;
  std::string text_, sqlite_text_;
};

/// The value that a selection of one part reads.
template <typename Part>
using selected = typename Part::value;

} // namespace roost::store
