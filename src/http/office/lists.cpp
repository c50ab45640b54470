#include "http/office/lists.hpp"

#include "bytes/ascii.hpp"
#include "domain/storable_text.hpp"
#include "domain/text.hpp"
#include "security/digest.hpp"

#include <algorithm>

namespace roost::http {

namespace {

constexpr const char* bad_cursor = "after must be the next of a page of this list";

/// Returns the weight of a media type in Accept, such as 0.8; 0 if it is not named. Ranges such as text/* do
/// not count: clients that accept everything get JSON.
double weight_of(std::string_view accept, std::string_view type) {
  while (!accept.empty()) {
    auto item = ascii::take_until(accept, ',');
    if (!ascii::equal_ignoring_case(ascii::trim(ascii::take_until(item, ';')), type)) continue;
    while (!item.empty()) {
      const auto parameter = ascii::trim(ascii::take_until(item, ';'));
      if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
      const double weight = js_number(parameter.substr(2));
      return weight >= 0 && weight <= 1 ? weight : 0;
    }
    return 1;
  }
  return 0;
}

} // namespace

std::string cursor_of(const std::vector<std::string>& place) {
  std::string text;
  for (const auto& each : place) text.append(&each == &place.front() ? "" : "\n").append(each);
  return security::to_hex({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

std::optional<std::vector<std::string>> place_in(std::string_view cursor, std::size_t texts) {
  const auto decoded = security::from_hex(cursor);
  if (!decoded || !is_utf8(*decoded)) return std::nullopt;
  std::vector<std::string> place;
  for (auto rest = std::string_view{*decoded};;) {
    const auto end = rest.find('\n');
    place.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (place.size() != texts) return std::nullopt;
  return place;
}

std::size_t read_list_limit(query_reader& query) {
  const double limit = query.count("limit", max_list_limit, default_list_limit);
  return limit >= 1 && limit <= max_list_limit ? static_cast<std::size_t>(limit) : default_list_limit;
}

std::optional<std::vector<std::string>> read_cursor(query_reader& query, std::size_t texts) {
  const auto cursor = query.text("after");
  if (!cursor) return std::nullopt;
  auto place = place_in(*cursor, texts);
  if (!place) refuse_cursor(query);
  return place;
}

std::optional<bool> parse_flag(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  return std::nullopt;
}

std::optional<std::string> parse_storable(std::string_view text) {
  return domain::is_storable(text) ? std::optional{std::string(text)} : std::nullopt;
}

std::nullopt_t refuse_cursor(query_reader& query) {
  query.refuse(bad_cursor);
  return std::nullopt;
}

error invalid_cursor() { return bad_request(bad_cursor); }

std::string list_json(const std::vector<std::string>& items, std::string_view next, std::int64_t total) {
  std::string text = R"({"items":[)";
  for (const auto& each : items) text.append(&each == &items.front() ? "" : ",").append(each);
  text += R"(],"next":)";
  text += next.empty() ? std::string("null") : '"' + std::string(next) + '"';
  return text + R"(,"total":)" + std::to_string(total) + '}';
}

bool wants_csv(const request& req) {
  std::string accept;
  for (const auto value : req.all("accept")) accept.append(value) += ',';
  const auto weight = weight_of(accept, "text/csv");
  return weight > 0 && weight >= weight_of(accept, "application/json");
}

void csv_table::add(std::string_view text) {
  if (!is_first_) text_ += ',';
  is_first_ = false;
  text_ += domain::csv_cell(domain::escape_formula(text));
}

void csv_table::end_row() {
  text_ += "\r\n";
  is_first_ = true;
}

response csv_table::to_response(std::string_view name) && {
  response result;
  result.content_type = "text/csv; charset=utf-8";
  result.fields.emplace_back("Content-Disposition", "attachment; filename=\"" + std::string(name) + ".csv\"");
  result.body = std::move(text_);
  return result;
}

} // namespace roost::http
