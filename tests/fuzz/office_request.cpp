#include "domain/text.hpp"
#include "fuzz/support/json.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "http/office/conditions.hpp"
#include "http/office/lists.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/text_encoding.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The parts of the office API's requests that are not JSON, and its tables. The first line is a cursor, the
/// second the value of If-Match and Accept. The rest is the cells of a table, separated by `|`.
namespace roost::fuzz::office_request {
namespace {

using texts = std::vector<std::string>;

/// Returns the parts between the separators; at least one.
texts split(std::string_view text, char separator) {
  texts parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

void check_cursor(std::string_view cursor) {
  for (std::size_t count = 1; count <= 3; ++count) {
    const auto place = http::place_in(cursor, count);
    if (!place) continue;
    require(place->size() == count, "a cursor has the number of texts that its list requires");
    require(http::place_in(http::cursor_of(*place), count) == place, "a written cursor is read as the same");
  }
}

/// Requires that a place is read as it was written. Its texts have no line feed.
void check_place(texts place) {
  if (!std::ranges::all_of(place, http::is_utf8)) return; // no list has other texts
  require(http::place_in(http::cursor_of(place), place.size()) == place, "a place survives as a cursor");
  place.insert(place.begin(), std::string{});
  require(http::place_in(http::cursor_of(place), place.size()) == place, "an empty first text survives");
}

void check_accept(std::string_view value) {
  http::request req;
  req.fields.push_back({"Accept", value});
  if (http::wants_csv(req))
    require(domain::lower_case(value).find("text/csv") != std::string::npos,
            "only clients that name CSV get it");
}

void check_condition(std::string_view value) {
  const http::if_match sent{true, std::string{value}};
  if (const auto first = sent.first_tag(); !first.empty()) {
    require(value.find(first) != std::string_view::npos, "a tag is part of the condition");
    require(first.size() >= 2 && first.starts_with('"') && first.ends_with('"'), "a tag has its quotes");
    require(sent.matches(first), "a listed tag matches");
    require(!http::if_match{true, "W/" + std::string{first}}.matches(first), "a weak tag does not match");
  }
  http::request req;
  req.fields = {{"If-Match", value}, {"if-match", "\"other\""}};
  const auto joined = http::if_match_of(req);
  require(joined.is_present, "If-Match is present");
  require(sent.first_tag().empty() || joined.matches(sent.first_tag()), "the first field has all its tags");
  if (std::ranges::count(value, '"') % 2 == 0) // otherwise its last tag ends in the next field
    require(joined.matches("\"other\""), "a condition may have several fields");
}

std::string tag_of(const texts& members) {
  http::tag_builder builder;
  for (const auto& member : members) builder.add(member);
  return builder.tag();
}

/// Requires that a tag shows which members have changed, and that any other text shows nothing.
void check_members(texts members, std::string_view value, numbers random) {
  const auto count = members.size();
  const auto known = tag_of(members);
  require(http::differing_members(known, known, count).empty(), "equal states do not differ");
  const auto position = random.next(0, count - 1);
  members[position] += 'x';
  const auto current = tag_of(members);
  require(http::differing_members(known, current, count) == std::vector{position}, "one member has changed");
  for (const auto differing : http::differing_members(value, current, count))
    require(differing < count, "only members of the resource differ");
  const http::if_match sent{true, std::string{value}};
  const auto refusal = http::outdated_state("The resource has changed", sent, current,
                                            std::vector<std::string_view>(count, "member"), {});
  require(refusal.status == 412, "an outdated state is refused with 412");
  require(reformatted(http::to_response(refusal).body).has_value(), "the response of a refusal is JSON");
}

bool is_formula(std::string_view cell) { return cell.find_first_of("=+-@\t\r") == 0; }

/// Returns whether a cell gets an apostrophe: also if it has some already, so that the text can be restored.
bool is_escaped(std::string_view cell) {
  cell.remove_prefix(std::min(cell.find_first_not_of('\''), cell.size()));
  return is_formula(cell);
}

/// Removes and returns the first cell of CSV text (RFC 4180, 2).
std::string take_cell(std::string_view& csv) {
  if (!csv.starts_with('"')) {
    std::string cell{csv.substr(0, csv.find_first_of(",\"\r\n"))};
    csv.remove_prefix(cell.size());
    return cell;
  }
  std::string cell;
  for (;;) {
    csv.remove_prefix(1); // the quote before the cell, or the second one of a pair
    const auto end = csv.find('"');
    require(end != std::string_view::npos, "a quoted cell ends with a quote");
    cell.append(csv.substr(0, end));
    csv.remove_prefix(end + 1);
    if (!csv.starts_with('"')) return cell;
    cell += '"';
  }
}

std::vector<texts> rows_of(std::string_view csv) {
  std::vector<texts> rows;
  while (!csv.empty()) {
    auto& row = rows.emplace_back();
    row.push_back(take_cell(csv));
    while (csv.starts_with(',')) {
      csv.remove_prefix(1);
      row.push_back(take_cell(csv));
    }
    require(csv.starts_with("\r\n"), "a row ends with CR and LF");
    csv.remove_prefix(2);
  }
  return rows;
}

/// Requires that a table has the cells that were added, where `random` decides how many are in a row.
void check_table(const texts& cells, numbers random) {
  http::csv_table table;
  std::vector<texts> expected(1);
  for (const auto& cell : cells) {
    if (!expected.back().empty() && random.next(0, 2) == 0) {
      table.end_row();
      expected.emplace_back();
    }
    table.add(cell);
    expected.back().push_back(is_escaped(cell) ? '\'' + cell : cell);
    require(domain::unescape_formula(expected.back().back()) == cell, "a cell can be restored");
  }
  table.end_row();
  const auto rows = rows_of(std::move(table).to_response("cells").body);
  require(rows == expected, "a table has the cells that were added");
  for (const auto& row : rows) require(std::ranges::none_of(row, is_formula), "no cell is a formula");
}

void check(std::string_view input) {
  const numbers random{input};
  check_place(split(input, '\n'));
  const auto cursor = take_line(input), value = take_line(input);
  check_cursor(cursor);
  check_accept(value);
  check_condition(value);
  const auto cells = split(input, '|');
  check_members(cells, value, random);
  check_table(cells, random);
}

const target registered{"office_request", "CursorsTagsAndTablesOfTheOfficeAreReadAsWritten", check};

} // namespace
} // namespace roost::fuzz::office_request
