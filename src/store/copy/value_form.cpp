#include "store/copy/value_form.hpp"

#include "store/copy/canonical_json.hpp"
#include "store/database/cell.hpp"
#include "store/database/error.hpp"
#include "store/usage/usage_costs.hpp"

#include <array>
#include <charconv>

namespace roost::store {

namespace {

constexpr int digits_of_sqlite = 15;

template <typename Value>
Value value_in(std::string_view text) {
  Value value{};
  if (!read_cell(text, value)) throw failure("a column holds what is no value of its type");
  return value;
}

template <typename Value>
std::string rewritten(std::string_view text) {
  return *to_cell(value_in<Value>(text));
}

std::string canonical_real(std::string_view text) {
  const auto number = value_in<double>(text);
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), number == 0 ? 0 : number,
                                 std::chars_format::general, digits_of_sqlite)
                       .ptr;
  return {digits.begin(), end};
}

} // namespace

std::optional<value_form> value_form_of(std::string_view type) {
  using enum value_form;
  static constexpr std::array<std::pair<std::string_view, value_form>, 11> forms{
      {{"text", text},
       {"json", text},
       {"jsonb", jsonb},
       {"boolean", boolean},
       {"integer", integer},
       {"bigint", integer},
       {"double precision", real},
       {"numeric", decimal},
       {"uuid", uuid},
       {"date", date},
       {"timestamp with time zone", moment}}};
  if (type == "real") return real;
  for (const auto& [name, form] : forms)
    if (name == type) return form;
  return std::nullopt;
}

std::string text_for_target(value_form form, dialect source, dialect target, std::string_view text) {
  if (source == target || target == dialect::postgresql) return std::string(text);
  switch (form) {
  case value_form::boolean:
    return rewritten<bool>(text);
  case value_form::moment:
    return rewritten<domain::timestamp>(text);
  case value_form::jsonb:
    return compact_json(text);
  default:
    return std::string(text);
  }
}

std::string canonical_text(value_form form, std::string_view text) {
  switch (form) {
  case value_form::boolean:
    return rewritten<bool>(text);
  case value_form::moment:
    return rewritten<domain::timestamp>(text);
  case value_form::jsonb:
    return canonical_json(text);
  case value_form::real:
    return canonical_real(text);
  case value_form::decimal:
    return domain::to_string(cost_in(text));
  default:
    return std::string(text);
  }
}

} // namespace roost::store
