#pragma once

#include "domain/ai_usage.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/text.hpp"
#include "domain/unit.hpp"
#include "domain/uuid.hpp"
#include "json/schema.hpp"
#include "portfolio/reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Values of a portfolio file: how they are read, how they are written, and what a schema shows of them.
namespace roost::portfolio {

inline constexpr std::int64_t whole_amount_limit = domain::amount_limit.cents / 100;

/// Appends text as a JSON string.
void append_quoted(std::string& to, std::string_view text);

/// Appends a JSON array, each element by `append(element)`.
template <typename T, typename Append>
void append_array(std::string& to, const std::vector<T>& elements, Append append) {
  to += '[';
  for (const auto& each : elements) {
    if (&each != &elements.front()) to += ", ";
    append(each);
  }
  to += ']';
}

void append_json(std::string& to, const std::vector<std::string>& texts);
void append_json(std::string& to, const domain::localized_text& texts);

/// Appends a value of a simple type as JSON.
template <typename V>
void append_json(std::string& to, const V& value) {
  if constexpr (std::same_as<V, bool>) {
    to += value ? "true" : "false";
  } else if constexpr (std::integral<V> || std::floating_point<V>) {
    std::array<char, 32> text; // the shortest text that reads back as the same number
    to.append(text.begin(), std::to_chars(text.begin(), text.end(), value).ptr);
  } else if constexpr (std::same_as<V, domain::money>) {
    to += domain::to_short_text(value).view();
  } else if constexpr (std::same_as<V, domain::decimal>) {
    to += domain::to_string(value);
  } else if constexpr (std::convertible_to<V, std::string_view>) {
    append_quoted(to, value);
  } else if constexpr (std::same_as<V, domain::boxed_text>) {
    append_quoted(to, value.view());
  } else {
    to.append(1, '"').append(domain::to_string(value)) += '"';
  }
}

bool is_time_of_day(std::string_view text);
bool is_currency(std::string_view text);
bool is_country(std::string_view text);

/// Returns an email address in Unicode's Normalization Form C, as those that users enter; nullopt if the text
/// is none.
std::optional<std::string> parse_email(std::string_view text);

// Each of these reads the value at the reader's position, reports problems with it, and returns whether it is
// good.

bool read_boolean(reader& in, bool& to);
bool read_integer(reader& in, std::int64_t& to, std::int64_t min, std::int64_t max);
/// A number with at most two decimals, as hundredths: from 0 to below `limit` whole ones.
bool read_hundredths(reader& in, std::int64_t& to, std::int64_t limit);
bool read_amount(reader& in, domain::money& to);
bool read_cost(reader& in, domain::decimal& to);
bool read_degrees(reader& in, double& to, int limit);
bool read_id(reader& in, domain::uuid& to);
bool read_url(reader& in, std::string& to);
bool read_json_object(reader& in, std::string& to);
/// Refuses a text that is not one of `names`; `expected` ends the sentence `is not …`.
bool check_configured(reader& in, std::span<const std::string_view> names, std::string_view expected);
/// Reads the index of one of `names`.
bool read_choice(reader& in, std::size_t& to, std::span<const std::string_view> names);

/// The kinds of value that members have. Each says what a schema shows of it and reads one; one without
/// write() is written as its type is.
namespace kind {

/// Text. Lengths are in characters.
struct text {
  std::size_t min_length = 0, max_length = domain::max_name_length;
  bool may_be_blank = false;
  bool may_have_lines = false; ///< line breaks and tabs, the only control characters that any text may hold

  constexpr json::facts schema_facts() const {
    json::facts facts{.type = "string"};
    if (min_length > 0 || !may_be_blank)
      facts.min_length = static_cast<std::int64_t>(std::max<std::size_t>(1, min_length));
    facts.max_length = static_cast<std::int64_t>(max_length);
    return facts;
  }
  bool read(reader& in, std::string& to) const;
};

inline constexpr text name;
inline constexpr text detail{.may_be_blank = true};
inline constexpr text long_text{.max_length = 20'000, .may_be_blank = true, .may_have_lines = true};

/// A value that a function reads.
template <typename V>
struct simple {
  bool (*read)(reader& in, V& to);
  json::facts facts;

  constexpr json::facts schema_facts() const { return facts; }
};

/// Text of a fixed form.
struct form {
  bool (*matches)(std::string_view text);
  const char* problem;
  json::facts facts;

  constexpr json::facts schema_facts() const { return facts; }
  bool read(reader& in, std::string& to) const {
    if (!in.is(json_type::text) || !matches(in.node().text)) return in.refuse(problem);
    to = in.node().text;
    return true;
  }
};

/// Text of a fixed form, kept as a V.
template <typename V>
struct parsed {
  std::optional<V> (*parse)(std::string_view text);
  const char* problem;
  json::facts facts;

  constexpr json::facts schema_facts() const { return facts; }
  bool read(reader& in, V& to) const {
    const auto value = in.is(json_type::text) ? parse(in.node().text) : std::nullopt;
    if (!value) return in.refuse(problem);
    to = *value;
    return true;
  }
};

inline constexpr simple<bool> flag{read_boolean, {.type = "boolean"}};
/// An amount of money below domain::amount_limit.
inline constexpr simple<domain::money> amount{
    read_amount, {.type = "number", .minimum = 0, .exclusive_maximum = whole_amount_limit}};
/// A cost or a rate of the AI usage ledger.
inline constexpr simple<domain::decimal> cost{read_cost, {.type = "number", .minimum = 0}};
inline constexpr parsed<domain::date> day{
    domain::parse_date, "must be a real date written YYYY-MM-DD", {.type = "string", .format = "date"}};
inline constexpr parsed<domain::timestamp> moment{domain::parse_timestamp,
                                                  "must be a UTC time written like 2026-11-20T09:30:00.000Z",
                                                  {.type = "string", .format = "date-time"}};
inline constexpr form time_of_day{is_time_of_day,
                                  "must be a time written HH:MM",
                                  {.type = "string", .pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"}};
/// A canonical UUID, not the nil one.
inline constexpr simple<domain::uuid> id{read_id, {.type = "string", .format = "uuid"}};
/// http or https.
inline constexpr simple<std::string> url{read_url, {.type = "string", .format = "uri"}};
inline constexpr parsed<std::string> email{
    parse_email, "must be an email address", {.type = "string", .format = "email"}};
inline constexpr form currency{is_currency,
                               "must be the ISO 4217 code of a currency, like EUR",
                               {.type = "string", .pattern = "^[A-Z]{3}$"}};
inline constexpr form country{is_country,
                              "must be an ISO 3166-1 country code of two capital letters, like ES",
                              {.type = "string", .pattern = "^[A-Z]{2}$"}};
/// A whole number.
struct whole {
  std::int64_t min, max;

  constexpr json::facts schema_facts() const { return {.type = "integer", .minimum = min, .maximum = max}; }
  template <std::integral V>
  bool read(reader& in, V& to) const {
    std::int64_t value = 0;
    if (!read_integer(in, value, min, max)) return false;
    to = static_cast<V>(value);
    return true;
  }
};

inline constexpr whole size{1, 1'000'000}; ///< square metres

struct degrees {
  int limit;

  constexpr json::facts schema_facts() const {
    return {.type = "number", .minimum = -limit, .maximum = limit};
  }
  bool read(reader& in, double& to) const { return read_degrees(in, to, limit); }
};

/// Texts by language.
struct localized {
  kind::text text;

  constexpr json::facts schema_facts() const { return {.type = "object", .other_members = json::texts_only}; }
  bool read(reader& in, domain::localized_text& to) const;
};

/// One of the words for the first values of an enumeration.
struct choice {
  std::span<const std::string_view> words;

  constexpr json::facts schema_facts() const { return {.type = "string", .names = words}; }
  template <typename V>
  bool read(reader& in, V& to) const {
    std::size_t index = 0;
    if (!read_choice(in, index, words)) return false;
    to = static_cast<V>(index);
    return true;
  }
  template <typename V>
  void write(std::string& to, const V& value) const {
    append_quoted(to, words[static_cast<std::size_t>(value)]);
  }
};

/// One of the names of a kind that the configuration has.
struct configured {
  std::vector<std::string_view> file_scope::*names;
  std::string_view expected;

  constexpr json::facts schema_facts() const { return {.type = "string"}; }
  template <typename V>
  bool read(reader& in, V& to) const {
    if (!check_configured(in, in.file().*names, expected)) return false;
    to = in.node().text;
    return true;
  }
};

inline constexpr configured configured_platform{&file_scope::platforms, "a configured platform"};

/// An array of texts; `repeated` is the problem of a second equal one, unless null.
template <typename Kind>
struct texts {
  Kind element;
  const char* repeated = nullptr;

  constexpr json::facts schema_facts() const { return {.type = "array"}; }
  bool read(reader& in, std::vector<std::string>& to) const {
    return in.list(to, [&](std::string& text) {
      if (!element.read(in, text)) return false;
      return !repeated || std::ranges::find(to, text) == to.end() || in.refuse(repeated);
    });
  }
};

inline constexpr texts<text> labels{name};
inline constexpr texts<configured> platforms{configured_platform, "is named twice"};

/// Hundredths of a unit that depends on another member of T, written like money.
template <typename T>
struct hundredths {
  std::int64_t (*limit)(const T& object); ///< in whole units, exclusive

  constexpr json::facts schema_facts() const { return {.type = "number", .minimum = 0}; }
  template <typename Reading>
  bool read(Reading& at, std::int64_t& to) const {
    return read_hundredths(at.in, to, limit(at.to));
  }
  void write(std::string& to, std::int64_t value) const { append_json(to, domain::money{value}); }
};

/// An object of any content, kept as its text.
struct json_object {
  bool (*read)(reader& in, std::string& to) = read_json_object;

  constexpr json::facts schema_facts() const { return {.type = "object"}; }
  void write(std::string& to, const std::string& json) const { to += json; }
};

} // namespace kind

} // namespace roost::portfolio
