#pragma once

#include "domain/ai_usage.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/unit.hpp"
#include "domain/uuid.hpp"
#include "portfolio/reader.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Values of a portfolio file: each function reads the value that the reader stands at, reports what is wrong
/// with it, and returns whether it was good.
namespace roost::portfolio {

/// What text must be like. Lengths are in characters.
struct text_rule {
  std::size_t shortest = 0, longest = 256;
  bool may_be_blank = false;
  bool may_have_lines = false; ///< line breaks and tabs, the only control characters that any text may hold
};

inline constexpr text_rule name_rule{};
inline constexpr text_rule detail_rule{.may_be_blank = true};
inline constexpr text_rule description_rule{.longest = 20'000, .may_be_blank = true, .may_have_lines = true};

bool read_text(reader& in, std::string& to, const text_rule& rule = name_rule);
bool read_boolean(reader& in, bool& to);
bool read_integer(reader& in, int& to, int least, int greatest);
bool read_count(reader& in, std::int64_t& to); ///< 0 to 10^12

/// A number with at most two decimals, as hundredths: from 0 to below `limit` whole ones.
bool read_hundredths(reader& in, std::int64_t& to, std::int64_t limit);

/// An amount of money below domain::amount_limit.
bool read_amount(reader& in, domain::money& to);

/// A cost or a rate of the AI usage ledger: a number of at least 0.
bool read_cost(reader& in, domain::decimal& to);

/// Degrees from -`limit` to `limit`.
bool read_degrees(reader& in, double& to, double limit);

bool read_date(reader& in, domain::date& to);
bool read_moment(reader& in, domain::timestamp& to);        ///< ISO 8601 in UTC
bool read_time_of_day(reader& in, std::string& to);         ///< `HH:MM`
bool read_id(reader& in, domain::uuid& to);                 ///< a canonical UUID, not the nil one
bool read_url(reader& in, std::string& to);                 ///< http or https
bool read_email(reader& in, std::string& to);               ///< `local@domain`
bool read_currency(reader& in, std::string& to);            ///< ISO 4217
bool read_country(reader& in, std::string& to);             ///< ISO 3166-1 alpha-2
bool read_json_object(reader& in, std::string& to);         ///< of any content; its text
bool read_labels(reader& in, std::vector<std::string>& to); ///< an array of short texts
bool read_localized(reader& in, domain::localized_text& to, const text_rule& rule);
bool read_images(reader& in, std::vector<domain::image>& to);

/// One of `names`; `what` ends the sentence `is not …`.
bool read_configured(reader& in, std::string& to, const std::vector<std::string_view>& names,
                     std::string_view what);

/// What read_choice() says when the text is none of `names`.
bool refuse_choice(reader& in, const std::vector<std::string_view>& names);

template <typename T, std::size_t Count>
using choices = std::array<std::pair<std::string_view, T>, Count>;

/// The value that stands beside the text.
template <typename T, std::size_t Count>
bool read_choice(reader& in, T& to, const choices<T, Count>& of) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : of) {
    if (in.is(json_type::text) && in.node().text == name) {
      to = value;
      return true;
    }
  }
  for (const auto& [name, value] : of) names.push_back(name);
  return refuse_choice(in, names);
}

} // namespace roost::portfolio
