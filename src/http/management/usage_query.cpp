#include "http/management/usage_query.hpp"

#include "domain/date.hpp"
#include "http/json/message_list.hpp"
#include "http/protocol/query.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace roost::http {

namespace {

/// Names that a class cannot take from outside: they are passed over, as they are in JavaScript.
bool is_passed_over(std::string_view name) { return name == "__proto__" || name == "constructor"; }

/// The fields of a query, and all that is wrong with them.
class query_reader {
public:
  query_reader(std::string_view query, std::initializer_list<std::string_view> known)
      : fields_(read_query(query)) {
    for (const auto& field : fields_)
      if (!is_passed_over(field.name) && std::ranges::find(known, field.name) == known.end())
        messages_.refuse("property " + field.name + " should not exist");
  }

  std::optional<domain::timestamp> moment(std::string_view name) {
    const auto* values = find(name);
    if (!values) return std::nullopt;
    const auto read = values->size() == 1 ? domain::parse_iso_moment(values->front()) : std::nullopt;
    if (!read) messages_.refuse(std::string(name) + " must be a valid ISO 8601 date string");
    return read;
  }

  std::optional<domain::ai_feature> feature(std::string_view name) {
    const auto* values = find(name);
    if (!values) return std::nullopt;
    const auto read = values->size() == 1 ? domain::parse_ai_feature(values->front()) : std::nullopt;
    if (!read)
      messages_.refuse(std::string(name) + " must be one of the following values: " + feature_list());
    return read;
  }

  /// A whole number of 1 or more, and at most `greatest` where that is given.
  double count(std::string_view name, std::optional<int> greatest, double otherwise) {
    const auto* values = find(name);
    if (!values) return otherwise;
    const double number = values->size() == 1 ? js_number(values->front()) : std::nan("");
    const auto expect = [&](bool holds, const std::string& rule) {
      if (!holds) messages_.refuse(std::string(name) + rule);
    };
    if (greatest) expect(number <= *greatest, " must not be greater than " + std::to_string(*greatest));
    expect(number >= 1, " must not be less than 1");
    expect(std::isfinite(number) && number == std::trunc(number), " must be an integer number");
    return number;
  }

  void throw_if_refused() const { messages_.throw_if_any(); }

private:
  const std::vector<std::string>* find(std::string_view name) const {
    const auto found = std::ranges::find(fields_, name, &query_field::name);
    return found == fields_.end() ? nullptr : &found->values;
  }

  static std::string feature_list() {
    std::string list;
    for (const auto name : domain::ai_feature_names) list.append(list.empty() ? "" : ", ").append(name);
    return list;
  }

  std::vector<query_field> fields_;
  message_list messages_;
};

domain::ai_usage_filter read_filter(query_reader& query) {
  domain::ai_usage_filter filter;
  filter.from = query.moment("from");
  filter.to = query.moment("to");
  filter.feature = query.feature("feature");
  return filter;
}

} // namespace

usage_page_query parse_usage_page_query(std::string_view text) {
  query_reader query{text, {"from", "to", "feature", "page", "limit"}};
  usage_page_query wanted;
  wanted.filter = read_filter(query);
  wanted.page = query.count("page", std::nullopt, wanted.page);
  const double limit = query.count("limit", largest_page_limit, wanted.limit);
  query.throw_if_refused();
  wanted.limit = static_cast<int>(limit);
  return wanted;
}

domain::ai_usage_filter parse_usage_summary_query(std::string_view text) {
  query_reader query{text, {"from", "to", "feature"}};
  const auto filter = read_filter(query);
  query.throw_if_refused();
  return filter;
}

void add_usage_query_schemas(json::schemas& to) {
  const json::facts moment{.type = "string",
                           .meaning =
                               "ISO 8601. Without an offset it is UTC, and a date alone is its midnight",
                           .examples = R"(["2026-11-01T00:00:00.000Z"])"};
  to.add("DateTime", json::schema{moment});
  to.add("PageNumber", json::schema{{.type = "integer", .minimum = 1, .initial = "1"}});
  to.add("PageLimit",
         json::schema{{.type = "integer", .minimum = 1, .maximum = largest_page_limit, .initial = "50"}});
}

} // namespace roost::http
