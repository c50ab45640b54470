#include "http/json/query_reader.hpp"

#include <algorithm>
#include <cmath>

namespace roost::http {

namespace {

/// Returns whether a name is ignored, as JavaScript classes ignore it.
bool is_ignored(std::string_view name) { return name == "__proto__" || name == "constructor"; }

} // namespace

query_reader::query_reader(std::string_view query, std::initializer_list<std::string_view> known)
    : fields_(read_query(query)) {
  for (const auto& field : fields_)
    if (!is_ignored(field.name) && std::ranges::find(known, field.name) == known.end())
      messages_.refuse("property " + field.name + " should not exist");
}

double query_reader::count(std::string_view name, std::optional<int> max, double default_value) {
  const auto* values = find(name);
  if (!values) return default_value;
  const double number = values->size() == 1 ? js_number(values->front()) : std::nan("");
  const auto expect = [&](bool holds, const std::string& rule) {
    if (!holds) messages_.refuse(std::string(name) + rule);
  };
  if (max) expect(number <= *max, " must not be greater than " + std::to_string(*max));
  expect(number >= 1, " must not be less than 1");
  expect(std::isfinite(number) && number == std::trunc(number), " must be an integer number");
  return number;
}

std::optional<std::string> query_reader::text(std::string_view name) {
  const auto* values = find(name);
  if (!values) return std::nullopt;
  if (values->size() == 1) return values->front();
  refuse(std::string(name) + " must be given once");
  return std::nullopt;
}

const std::vector<std::string>* query_reader::find(std::string_view name) const {
  const auto field = std::ranges::find(fields_, name, &query_field::name);
  return field == fields_.end() ? nullptr : &field->values;
}

} // namespace roost::http
