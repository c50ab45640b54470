#include "store/copy/comparison.hpp"

#include "store/database/connection.hpp"

#include <charconv>

namespace roost::store {

namespace {

constexpr std::size_t max_listed_differences = 20;

/// Iterates over the rows of one side of the comparison.
class row_cursor {
public:
  /// Calls `on_retry` as retry_while_unavailable() does.
  row_cursor(store::snapshot& snapshot, const planned_table& table, copy_side side,
             const comparison_settings& settings, std::function<void()> on_retry)
      : snapshot_(snapshot), on_retry_(std::move(on_retry)),
        reader_(snapshot.db(), table, side, {},
                settings.ignores_copy_entries && table.entry->name == "audit" ? "action <> 'copy'" : ""),
        width_(table.columns.size()), page_rows_(settings.page_rows) {
    read();
  }

  bool is_at_end() const { return rows_->empty(); }
  cell_view operator[](std::size_t column) const { return (*rows_)[at_ + column]; }

  void advance() {
    at_ += width_;
    if (at_ < rows_->size()) return;
    if (is_last_page_)
      rows_ = &no_rows_;
    else
      read();
  }

private:
  void read() {
    snapshot_.read(on_retry_, [this] { rows_ = &reader_.next(page_rows_); });
    is_last_page_ = rows_->size() < page_rows_ * width_;
    at_ = 0;
  }

  store::snapshot& snapshot_;
  std::function<void()> on_retry_;
  table_reader reader_;
  const std::size_t width_, page_rows_;
  const cell_list no_rows_{}, *rows_ = &no_rows_;
  std::size_t at_ = 0;
  bool is_last_page_ = false;
};

std::int64_t parse_integer(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

class table_comparer {
public:
  table_comparer(snapshot& source, snapshot& target, const planned_table& table,
                 const comparison_settings& settings)
      : table_(table), settings_(settings),
        is_same_dialect_(source.db().is_sqlite() == target.db().is_sqlite()),
        source_(source, table, copy_side::source, settings, [this] { report_progress(); }),
        target_(target, table, copy_side::target, settings, [this] { report_progress(); }) {}

  table_comparison run() {
    while (!source_.is_at_end() || !target_.is_at_end()) {
      const int order = source_.is_at_end() ? 1 : target_.is_at_end() ? -1 : compare_keys();
      if (order > 0) {
        add_difference(target_, "is in the target only");
        target_.advance();
        continue;
      }
      if (order < 0)
        add_difference(source_, "is missing in the target");
      else
        compare_columns();
      if (++result_.rows % static_cast<std::int64_t>(settings_.page_rows) == 0) report_progress();
      source_.advance();
      if (order == 0) target_.advance();
    }
    report_progress();
    return std::move(result_);
  }

private:
  void report_progress() const { settings_.progress(result_.rows); }

  int compare_keys() const {
    for (const auto column : table_.key) {
      const auto a = source_[column].value_or(""), b = target_[column].value_or("");
      if (a == b) continue;
      if (table_.columns[column].form == value_form::integer)
        return parse_integer(a) < parse_integer(b) ? -1 : 1;
      return a < b ? -1 : 1;
    }
    return 0;
  }

  bool is_equal(std::size_t column) const {
    const auto a = source_[column], b = target_[column];
    if (a == b) return true;
    const auto form = table_.columns[column].form;
    if (!a || !b || (is_same_dialect_ && form != value_form::real)) return false;
    return canonical_text(form, *a) == canonical_text(form, *b);
  }

  void compare_columns() {
    for (std::size_t column = 0; column < table_.columns.size(); ++column)
      if (!is_equal(column)) return add_difference(source_, "differs in " + table_.columns[column].name);
  }

  void add_difference(const row_cursor& row, const std::string& problem) {
    if (++result_.differing > static_cast<std::int64_t>(max_listed_differences)) return;
    std::string key;
    for (const auto column : table_.key)
      key.append(key.empty() ? "" : ", ").append(row[column].value_or("nothing"));
    result_.differences.push_back(std::string(table_.entry->name) + ": the row " + key + ' ' + problem);
  }

  const planned_table& table_;
  const comparison_settings& settings_;
  const bool is_same_dialect_;
  table_comparison result_; // before the cursors, whose callbacks use it
  row_cursor source_, target_;
};

} // namespace

table_comparison compare_table(snapshot& source, snapshot& target, const planned_table& table,
                               const comparison_settings& settings) {
  return table_comparer(source, target, table, settings).run();
}

} // namespace roost::store
