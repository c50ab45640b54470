#pragma once

#include "store/database/columns.hpp"
#include "store/database/dialect.hpp"

#include <array>
#include <string>

namespace roost::store {

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
  selection(const char* name, const char* text, const Parts&... parts)
      : selection(name, texts_by_dialect{text, {}}, parts...) {}

  selection(const char* name, texts_by_dialect texts, const Parts&... parts)
      : name_(name), parts_(parts...), text_(with_columns(std::move(texts.postgresql), names())),
        sqlite_text_(texts.sqlite.empty() ? std::string{} : with_columns(std::move(texts.sqlite), names())) {}

  /// The query is valid for the lifetime of the selection.
  query as_query() const {
    return {name_, text_.c_str(), sqlite_text_.empty() ? nullptr : sqlite_text_.c_str(), columns};
  }

  /// Calls `each` with one value for each part of the row.
  template <typename Each>
  decltype(auto) pass(const row& from, Each& each) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
      return each(std::get<I>(parts_).read(from, first_columns[I])...);
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
    std::apply([&](const auto&... part) { (part.append_names(list), ...); }, parts_);
    return list;
  }

  const char* name_;
  std::tuple<Parts...> parts_;
  std::string text_, sqlite_text_;
};

/// The value that a selection of one part reads.
template <typename Part>
using selected = typename Part::value;

} // namespace roost::store
