#include "http/json/object_fields.hpp"

#include <algorithm>
#include <cmath>

namespace roost::http {

namespace {

std::string says(std::string_view key, const char* rule) { return std::string{key} + ' ' + rule; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

} // namespace

void object_fields::allow(std::initializer_list<std::string_view> keys) {
  for (const auto key : unknown_in(object_, {keys.begin(), keys.size()}))
    refuse("property " + std::string{key} + " should not exist");
}

void object_fields::check(std::string_view text, std::size_t longest) {
  if (std::ranges::any_of(text, is_control)) columns_.invalid_format();
  if (length_of(text) > longest) columns_.too_long();
}

std::optional<std::string> object_fields::text(std::string_view key, presence wanted) {
  const auto value = find(key);
  if (!value && wanted == presence::optional) return std::nullopt;
  if (const auto text = value ? as_text(*value) : std::nullopt) return std::string{*text};
  refuse(says(key, "must be a string"));
  return std::nullopt;
}

std::optional<std::string> object_fields::text(std::string_view key, presence wanted, std::size_t longest) {
  auto text = this->text(key, wanted);
  if (text) check(*text, longest);
  return text;
}

std::optional<std::string> object_fields::identifier(std::string_view key, presence wanted,
                                                     std::size_t longest) {
  const auto value = find(key);
  if (!value && wanted == presence::optional) return std::nullopt;
  if (value && as_text(*value)) return text(key, wanted, longest);
  if (auto number = value ? as_number_text(*value) : std::nullopt) return number;
  refuse(says(key, "must be a string or a number"));
  return std::nullopt;
}

std::optional<bool> object_fields::flag(std::string_view key, presence wanted) {
  const auto value = find(key);
  if (!value && wanted == presence::optional) return std::nullopt;
  bool flag = false;
  if (value && !value->get(flag)) return flag;
  refuse(says(key, "must be a boolean value"));
  return std::nullopt;
}

std::optional<double> object_fields::number(std::string_view key, presence wanted,
                                            const number_bounds& bounds) {
  const auto value = find(key);
  if (!value && wanted == presence::optional) return std::nullopt;
  double number = 0;
  const bool is_number = value && !value->get(number);
  const bool is_whole = is_number && number == std::floor(number);
  bool good = true;
  const auto expect = [&](bool holds, std::string rule) {
    if (!holds) refuse(says(key, rule.c_str()));
    good = good && holds;
  };
  if (bounds.greatest)
    expect(is_number && number <= *bounds.greatest,
           "must not be greater than " + std::to_string(*bounds.greatest));
  if (bounds.least)
    expect(is_number && number >= *bounds.least, "must not be less than " + std::to_string(*bounds.least));
  if (bounds.whole)
    expect(is_whole, "must be an integer number");
  else
    expect(is_number, "must be a number conforming to the specified constraints");
  return good ? std::optional{number} : std::nullopt;
}

std::optional<std::string> object_fields::number_text(std::string_view key, presence wanted) {
  if (!number(key, wanted)) return std::nullopt;
  return as_number_text(*find(key));
}

std::optional<domain::money> object_fields::amount(std::string_view key, presence wanted) {
  if (!number(key, wanted, {.least = 0})) return std::nullopt;
  const auto amount = as_money(*find(key));
  if (*amount >= domain::amount_limit) columns_.out_of_range();
  return amount;
}

std::optional<int> object_fields::count(std::string_view key, presence wanted, int least, int greatest) {
  const auto sent = number(key, wanted, {.least = least});
  if (!sent) return std::nullopt;
  if (*sent != std::floor(*sent)) {
    columns_.invalid_format();
  } else if (*sent > greatest) {
    columns_.out_of_range();
  } else {
    return static_cast<int>(*sent);
  }
  return std::nullopt;
}

std::optional<domain::date> object_fields::day(std::string_view key, presence wanted) {
  const auto value = find(key);
  if (!value && wanted == presence::optional) return std::nullopt;
  const auto text = value ? as_text(*value) : std::nullopt;
  if (const auto day = text ? domain::parse_date(*text) : std::nullopt) return day;
  refuse(says(key, "must be a valid ISO 8601 date string"));
  return std::nullopt;
}

std::size_t object_fields::objects(std::string_view key, presence wanted,
                                   const std::function<void(object_fields&)>& each) {
  const auto value = find(key);
  std::size_t count = 0;
  if (!value && wanted == presence::optional) return count;
  simdjson::dom::array array;
  if (!value || value->get(array)) {
    refuse(says(key, "must be an array"));
    return count;
  }
  const auto path = path_ + std::string{key} + '.';
  if (!items(array, path, count, each))
    body_.refuse(path + "each value in nested property " + std::string{key} +
                 " must be either object or array");
  return count;
}

/// Whether all of them are objects or arrays of such.
bool object_fields::items(const simdjson::dom::array& in, const std::string& path, std::size_t& count,
                          const std::function<void(object_fields&)>& each) {
  bool good = true;
  std::size_t index = 0;
  for (const auto item : in) {
    const auto here = path + std::to_string(index++) + '.';
    simdjson::dom::object object;
    simdjson::dom::array array;
    if (!item.get(object)) {
      object_fields fields(body_, columns_, object, here);
      ++count;
      each(fields);
    } else if (!item.get(array)) {
      good = items(array, here, count, each) && good;
    } else {
      good = false;
    }
  }
  return good;
}

} // namespace roost::http
