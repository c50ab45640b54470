#include "store/copy/comparison.hpp"

#include "store/copy/table_reader.hpp"
#include "store/database/connection.hpp"

#include <charconv>

namespace roost::store {

namespace {

constexpr std::size_t told_differences = 20;

/// One side of the comparison, row by row.
class row_cursor {
public:
  /// `meanwhile` as of read_patiently().
  row_cursor(snapshot& of, const planned_table& table, copy_side side, const comparison_settings& settings,
             std::function<void()> meanwhile)
      : of_(of), meanwhile_(std::move(meanwhile)),
        reader_(of.db(), table, side, {},
                settings.without_copies && table.entry->name == "audit" ? "action <> 'copy'" : ""),
        width_(table.columns.size()), most_(settings.page_rows) {
    read();
  }

  bool is_at_end() const { return rows_->empty(); }
  cell_view operator[](std::size_t column) const { return (*rows_)[at_ + column]; }

  void advance() {
    at_ += width_;
    if (at_ < rows_->size()) return;
    if (is_last_page_)
      rows_ = &nothing_;
    else
      read();
  }

private:
  void read() {
    of_.read(meanwhile_, [this] { rows_ = &reader_.next(most_); });
    is_last_page_ = rows_->size() < most_ * width_;
    at_ = 0;
  }

  snapshot& of_;
  std::function<void()> meanwhile_;
  table_reader reader_;
  const std::size_t width_, most_;
  const cell_list nothing_{}, *rows_ = &nothing_;
  std::size_t at_ = 0;
  bool is_last_page_ = false;
};

std::int64_t whole(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

class table_comparer {
public:
  table_comparer(snapshot& source, snapshot& target, const planned_table& table,
                 const comparison_settings& settings)
      : table_(table), settings_(settings),
        is_one_dialect_(source.db().is_sqlite() == target.db().is_sqlite()),
        source_(source, table, copy_side::source, settings, [this] { tell(); }),
        target_(target, table, copy_side::target, settings, [this] { tell(); }) {}

  table_comparison run() {
    while (!source_.is_at_end() || !target_.is_at_end()) {
      const int order = source_.is_at_end() ? 1 : target_.is_at_end() ? -1 : order_of_keys();
      if (order > 0) {
        differ(target_, "is in the target only");
        target_.advance();
        continue;
      }
      if (order < 0)
        differ(source_, "is missing in the target");
      else
        compare_columns();
      if (++found_.rows % static_cast<std::int64_t>(settings_.page_rows) == 0) tell();
      source_.advance();
      if (order == 0) target_.advance();
    }
    tell();
    return std::move(found_);
  }

private:
  void tell() const { settings_.progress(found_.rows); }

  int order_of_keys() const {
    for (const auto column : table_.key) {
      const auto a = source_[column].value_or(""), b = target_[column].value_or("");
      if (a == b) continue;
      if (table_.columns[column].form == value_form::integer) return whole(a) < whole(b) ? -1 : 1;
      return a < b ? -1 : 1;
    }
    return 0;
  }

  bool is_equal(std::size_t column) const {
    const auto a = source_[column], b = target_[column];
    if (a == b) return true;
    const auto form = table_.columns[column].form;
    if (!a || !b || (is_one_dialect_ && form != value_form::real)) return false;
    return canonical_text(form, *a) == canonical_text(form, *b);
  }

  void compare_columns() {
    for (std::size_t column = 0; column < table_.columns.size(); ++column)
      if (!is_equal(column)) return differ(source_, "differs in " + table_.columns[column].name);
  }

  void differ(const row_cursor& row, const std::string& how) {
    if (++found_.differing > static_cast<std::int64_t>(told_differences)) return;
    std::string key;
    for (const auto column : table_.key)
      key.append(key.empty() ? "" : ", ").append(row[column].value_or("nothing"));
    found_.differences.push_back(std::string(table_.entry->name) + ": the row " + key + ' ' + how);
  }

  const planned_table& table_;
  const comparison_settings& settings_;
  const bool is_one_dialect_;
  table_comparison found_; // before what tells of it
  row_cursor source_, target_;
};

} // namespace

table_comparison compare_table(snapshot& source, snapshot& target, const planned_table& table,
                               const comparison_settings& settings) {
  return table_comparer(source, target, table, settings).run();
}

} // namespace roost::store
