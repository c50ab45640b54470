#include "store/database/error.hpp"
#include "store/database/postgresql_copy.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <utility>

namespace roost::store {

namespace {

using namespace std::chrono_literals;

/// Where PostgreSQL's days and microseconds are counted from.
constexpr domain::date epoch{2000y / 1 / 1};
constexpr char jsonb_version = 1;
constexpr std::int32_t length_of_null = -1;

template <typename Value>
Value required(const std::optional<Value>& value) {
  if (!value) throw failure("a cell does not hold what its column should");
  return *value;
}

template <typename Number>
Number number(std::string_view text) {
  Number value{};
  const auto [end, fault] = std::from_chars(text.begin(), text.end(), value);
  return required(fault == std::errc{} && end == text.end() ? std::optional(value) : std::nullopt);
}

template <std::integral Integer>
void append_fixed(std::string& out, Integer value) {
  append_integer(out, static_cast<std::int32_t>(sizeof value));
  append_integer(out, value);
}

void append_text(std::string& out, std::string_view text, std::string_view before = {}) {
  if (text.find('\0') != std::string_view::npos)
    throw constraint_violated(violation::other, "text_without_nul");
  append_integer(out, static_cast<std::int32_t>(before.size() + text.size()));
  out.append(before).append(text);
}

void append_uuid(std::string& out, std::string_view text) {
  const auto id = required(domain::parse_uuid(text));
  append_integer(out, static_cast<std::int32_t>(id.size()));
  out.append(id.begin(), id.end());
}

void append_date(std::string& out, std::string_view text) {
  append_fixed(out, static_cast<std::int32_t>((required(domain::parse_date(text)) - epoch).count()));
}

void append_moment(std::string& out, std::string_view text) {
  const std::chrono::microseconds since = required(domain::parse_timestamp(text)) - epoch;
  append_fixed(out, static_cast<std::int64_t>(since.count()));
}

} // namespace

binary_type binary_type_of(std::string_view name) {
  using enum binary_type;
  static constexpr std::array<std::pair<std::string_view, binary_type>, 10> names{
      {{"text", text},
       {"json", text},
       {"jsonb", jsonb},
       {"boolean", boolean},
       {"integer", integer},
       {"bigint", bigint},
       {"double precision", double_precision},
       {"uuid", uuid},
       {"date", date},
       {"timestamptz", timestamptz}}};
  for (const auto& [known, type] : names)
    if (known == name) return type;
  throw failure("no binary form is known of the type " + std::string(name));
}

void append_field(std::string& out, binary_type type, cell_view value) {
  if (!value) return append_integer(out, length_of_null);
  switch (type) {
  case binary_type::text:
    return append_text(out, *value);
  case binary_type::jsonb:
    return append_text(out, *value, {&jsonb_version, 1});
  case binary_type::boolean:
    return append_fixed(out, static_cast<std::int8_t>(number<int>(*value)));
  case binary_type::integer:
    return append_fixed(out, number<std::int32_t>(*value));
  case binary_type::bigint:
    return append_fixed(out, number<std::int64_t>(*value));
  case binary_type::double_precision:
    return append_fixed(out, std::bit_cast<std::int64_t>(number<double>(*value)));
  case binary_type::uuid:
    return append_uuid(out, *value);
  case binary_type::date:
    return append_date(out, *value);
  case binary_type::timestamptz:
    return append_moment(out, *value);
  }
}

} // namespace roost::store
