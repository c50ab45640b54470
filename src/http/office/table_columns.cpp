#include "http/office/table_columns.hpp"

#include "bytes/ascii.hpp"
#include "domain/text.hpp"
#include "http/json/object_reader.hpp"
#include "portfolio/body.hpp"

#include <algorithm>
#include <utility>

namespace roost::http {

namespace {

bool is_flag(std::string_view cell) {
  return ascii::equal_ignoring_case(cell, "true") || ascii::equal_ignoring_case(cell, "false");
}

/// Returns the cell as this program would have written it: spreadsheets write TRUE.
std::string canonical(std::string_view cell, const table_column& column) {
  return column.type == "boolean" && is_flag(cell) ? domain::lower_case(cell) : std::string(cell);
}

bool is_json(const std::string& text) {
  const portfolio::context nothing_configured;
  return portfolio::read_text(text, nothing_configured, [](portfolio::reader&) {}).empty();
}

/// Returns a cell that is not empty as JSON. What should be JSON and is not becomes a text, which the member
/// refuses with its own message.
std::string json_in(const std::string& cell, const table_column& column) {
  std::string value(domain::unescape_formula(cell));
  if (column.type != "string" && is_json(value)) return value;
  std::string text;
  portfolio::append_quoted(text, value);
  return text;
}

/// Adds the columns of a member, or of a part of it, which is described by `of`.
void add_columns(std::vector<table_column>& to, const json::schema& of, const table_column& member,
                 const std::string& part) {
  for (const auto& each : of.members)
    add_columns(to, each, member, (part.empty() ? "" : part + '.') + std::string(each.member));
  if (!of.members.empty()) return;
  auto column = member;
  column.part = part;
  column.name = part.empty() ? member.member : member.member + '.' + part;
  column.type = of.schema_facts.type;
  column.is_nullable = of.schema_facts.nullable;
  column.is_required = of.schema_facts.required;
  to.push_back(std::move(column));
}

} // namespace

std::vector<table_column> columns_of(const json::schema& of, const std::vector<std::string_view>& state) {
  std::vector<table_column> columns;
  for (const auto& each : of.members) {
    table_column member;
    member.member = each.member;
    member.is_read_only = each.schema_facts.read_only;
    member.is_in_state = std::ranges::find(state, each.member) != state.end();
    add_columns(columns, each, member, {});
  }
  return columns;
}

sent_table::sent_table(std::string_view text, std::vector<table_column> columns,
                       std::initializer_list<std::string_view> others, std::size_t max_rows)
    : columns_(std::move(columns)), others_(others.begin(), others.end()) {
  auto sent = read_csv(text);
  if (!sent.problem.empty()) throw bad_request(sent.problem);
  if (sent.rows.empty()) throw bad_request("The table has no row with the names of its columns");
  find_columns(sent.rows.front(), others);
  message_list problems;
  for (std::size_t i = 1; i < sent.rows.size(); ++i) {
    auto& row = sent.rows[i];
    if (std::ranges::all_of(row, &std::string::empty)) continue;
    if (row.size() != sent.rows.front().size())
      problems.refuse("Row " + std::to_string(i + 1) + " has " + std::to_string(row.size()) +
                      " cells instead of " + std::to_string(sent.rows.front().size()));
    rows_.push_back({i + 1, std::move(row)});
  }
  if (rows_.size() > max_rows)
    problems.refuse("The table has " + std::to_string(rows_.size()) + " rows; at most " +
                    std::to_string(max_rows) + " are accepted");
  problems.throw_if_any();
}

void sent_table::find_columns(const std::vector<std::string>& names,
                              std::initializer_list<std::string_view> others) {
  std::vector<std::string_view> known;
  for (const auto& each : columns_) known.push_back(each.name);
  known.insert(known.end(), others.begin(), others.end());
  positions_.resize(known.size());
  message_list problems;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto name = ascii::trim(names[i]);
    const auto column = std::ranges::find(known, name);
    if (column == known.end()) {
      problems.refuse('"' + domain::one_line(name) + "\" is not a known column" +
                      portfolio::hint(name, known));
      continue;
    }
    auto& position = positions_[static_cast<std::size_t>(column - known.begin())];
    if (position) problems.refuse("The column " + std::string(name) + " is given twice");
    position = i;
  }
  problems.throw_if_any();
}

const std::string* sent_table::find(std::size_t row, std::size_t column) const {
  const auto& position = positions_[column];
  return position ? &rows_[row].cells[*position] : nullptr;
}

std::optional<std::string_view> sent_table::cell(std::size_t row, std::string_view column) const {
  const auto match = std::ranges::find(columns_, column, &table_column::name);
  auto index = static_cast<std::size_t>(match - columns_.begin());
  if (match == columns_.end())
    index += static_cast<std::size_t>(std::ranges::find(others_, column) - others_.begin());
  const auto* found = find(row, index);
  return found ? std::optional(domain::unescape_formula(*found)) : std::nullopt;
}

bool sent_table::is_unchanged(std::size_t row, std::size_t first, std::size_t last,
                              const column_values& stored, const column_values& usual) const {
  for (auto i = first; i < last; ++i) {
    const auto* sent = find(row, i);
    if (sent == nullptr || !columns_[i].is_in_state) continue;
    if (sent->empty() && stored[i] == usual[i]) continue;
    if (canonical(*sent, columns_[i]) != domain::escape_formula(cell_text(stored[i]))) return false;
  }
  return true;
}

void sent_table::append_member(std::string& body, std::size_t row, std::size_t first, std::size_t last,
                               const column_values& stored, const column_values& usual) const {
  const auto value_of = [&](std::size_t i) {
    const auto* sent = find(row, i);
    if (sent == nullptr) return stored[i];
    if (!sent->empty()) return json_in(canonical(*sent, columns_[i]), columns_[i]);
    const auto& column = columns_[i];
    // A missing flag may be true because its object is there (adminFee.enabled), but a new unit's is false.
    if (column.is_required || column.type == "boolean") return usual[i];
    if (!column.part.empty()) return std::string{}; // an object without it has the default
    return column.is_nullable ? std::string("null") : usual[i];
  };
  if (body.back() != '{') body += ',';
  portfolio::append_quoted(body, columns_[first].member);
  body += ':';
  if (columns_[first].part.empty()) {
    body += value_of(first);
    return;
  }
  body += '{';
  for (auto i = first; i < last; ++i) {
    const auto value = value_of(i);
    if (value.empty()) continue;
    if (body.back() != '{') body += ',';
    portfolio::append_quoted(body, columns_[i].part);
    body += ':' + value;
  }
  body += '}';
}

std::string sent_table::body_of(std::size_t row, const column_values& stored, const column_values& usual,
                                read_only_cells others) const {
  std::string body = "{";
  for (std::size_t first = 0, last = 0; first < columns_.size(); first = last) {
    while (last < columns_.size() && columns_[last].member == columns_[first].member) ++last;
    if (columns_[first].is_read_only && others == read_only_cells::ignored) continue;
    if (!is_unchanged(row, first, last, stored, usual)) append_member(body, row, first, last, stored, usual);
  }
  return body + '}';
}

} // namespace roost::http
