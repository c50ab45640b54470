#include "store/database/row.hpp"

#include "store/database/error.hpp"

#include <charconv>

namespace roost::store {

namespace {

template <typename Value>
Value required(std::optional<Value> value, std::size_t column) {
  if (!value) throw failure("column " + std::to_string(column) + " does not hold what it should");
  return *std::move(value);
}

template <typename Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

} // namespace

const std::string& row::text() {
  if (next_ >= values_.size()) throw failure("a row has fewer columns than are read");
  if (indicators_[next_] != soci::i_ok) throw failure("column " + std::to_string(next_ + 1) + " is NULL");
  return values_[next_++];
}

bool row::skip_null() {
  if (next_ >= values_.size()) throw failure("a row has fewer columns than are read");
  if (indicators_[next_] == soci::i_ok) return false;
  ++next_;
  return true;
}

std::optional<std::string> row::optional_text() {
  if (skip_null()) return std::nullopt;
  return text();
}

std::int64_t row::integer() { return required(parse_number<std::int64_t>(text()), next_); }

std::optional<int> row::optional_integer() {
  if (skip_null()) return std::nullopt;
  return small_integer();
}

std::optional<double> row::optional_real() {
  if (skip_null()) return std::nullopt;
  return required(parse_number<double>(text()), next_);
}

bool row::flag() {
  const auto& value = text();
  return value == "1" || value == "t";
}

std::optional<domain::money> row::optional_amount() {
  if (skip_null()) return std::nullopt;
  return amount();
}

domain::uuid row::id() { return required(domain::parse_uuid(text()), next_); }

std::optional<domain::uuid> row::optional_id() {
  if (skip_null()) return std::nullopt;
  return id();
}

domain::date row::day() { return required(domain::parse_date(text()), next_); }

std::optional<domain::date> row::optional_day() {
  if (skip_null()) return std::nullopt;
  return day();
}

domain::date row::last_night() { return optional_day().value_or(domain::no_end); }

domain::timestamp row::moment() { return required(domain::parse_timestamp(text()), next_); }

std::optional<domain::timestamp> row::optional_moment() {
  if (skip_null()) return std::nullopt;
  return moment();
}

} // namespace roost::store
