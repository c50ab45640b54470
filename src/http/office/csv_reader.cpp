#include "http/office/csv_reader.hpp"

#include "http/protocol/text_encoding.hpp"

#include <algorithm>
#include <utility>

namespace roost::http {

namespace {

/// The reader of one text. Each function takes its part from the front of the rest.
class csv_parser {
public:
  explicit csv_parser(std::string_view text) : rest_(text) {}

  csv_rows read() && {
    while (!rest_.empty() && result_.problem.empty()) {
      if (result_.rows.size() < max_csv_rows)
        read_row();
      else
        result_.problem = "The table has more than " + std::to_string(max_csv_rows) + " rows";
    }
    return std::move(result_);
  }

private:
  void read_row() {
    auto& row = result_.rows.emplace_back();
    for (;;) {
      if (row.size() == max_csv_cells)
        return refuse("has more than " + std::to_string(max_csv_cells) + " cells");
      row.push_back(rest_.starts_with('"') ? take_quoted() : take_plain());
      if (!result_.problem.empty() || !take(",")) break;
    }
    if (result_.problem.empty() && !rest_.empty() && !take("\r\n") && !take("\n"))
      refuse("has text after the end of a quoted cell");
  }

  std::string take_plain() {
    const auto end = std::min(rest_.find_first_of(",\n\""), rest_.size());
    auto cell = rest_.substr(0, end);
    if (end < rest_.size() && rest_[end] == '"') refuse("has a quote in a cell that is not quoted");
    rest_.remove_prefix(end);
    if (!cell.empty() && cell.back() == '\r' && rest_.starts_with('\n')) cell.remove_suffix(1);
    return std::string(cell);
  }

  std::string take_quoted() {
    std::string cell;
    for (;;) {
      rest_.remove_prefix(1);
      const auto end = rest_.find('"');
      if (end == std::string_view::npos) {
        refuse("has a quoted cell without an end");
        return cell;
      }
      cell += rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      if (!rest_.starts_with('"')) return cell;
      cell += '"'; // a doubled quote stands for one
    }
  }

  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  void refuse(std::string_view problem) {
    result_.problem = "Row " + std::to_string(result_.rows.size()) + ' ' + std::string(problem);
  }

  std::string_view rest_;
  csv_rows result_;
};

} // namespace

csv_rows read_csv(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (!is_utf8(text)) return {{}, "The table is not UTF-8"};
  if (text.find('\0') != std::string_view::npos) return {{}, "The table has a NUL character"};
  return csv_parser(text).read();
}

} // namespace roost::http
