#include "portfolio/values.hpp"

#include "domain/email_address.hpp"
#include "domain/entered_text.hpp"
#include "domain/mapping.hpp"
#include "domain/text.hpp"
#include "json/writer.hpp"

#include <limits>
#include <utility>

namespace roost::portfolio {

namespace {

constexpr std::size_t max_url_length = 2'048;
constexpr std::size_t max_json_length = 20'000;

constexpr std::string_view two_decimals = "must be a number with at most two decimals";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_line_character(char c) { return c == '\n' || c == '\r' || c == '\t'; }

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_language(std::string_view text) {
  return text.size() == 2 && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// In alphabetical order, separated by single spaces.
constexpr std::string_view currencies =
    "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF "
    "CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ "
    "GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP "
    "LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR "
    "PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC "
    "SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF "
    "XPF YER ZAR ZMW ZWG";

constexpr std::string_view countries =
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT "
    "BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH "
    "ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT "
    "HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS "
    "LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI "
    "NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG "
    "SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG "
    "UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/// Returns whether `code` is one of the codes of `length` letters in `list`.
bool is_listed(std::string_view code, std::size_t length, std::string_view list) {
  if (code.size() != length) return false;
  for (std::size_t at = 0; at < list.size(); at += length + 1)
    if (list.substr(at, length) == code) return true;
  return false;
}

/// Returns the number; the parser has checked it.
domain::decimal number_of(const reader& in) { return domain::parse_decimal(in.node().text).value(); }

/// Returns the number × 10^`places`; nullopt if it has more decimals.
std::optional<std::int64_t> exact(const reader& in, int places) {
  if (!in.is(json_type::number)) return std::nullopt;
  return scaled(number_of(in), places);
}

/// Returns the number of digits before the decimal point; 0 or less for a number below 1.
long whole_digits(const domain::decimal& number) {
  return static_cast<long>(number.digits.size()) + number.exponent;
}

/// Returns whether a database's JSON type accepts the value, and every parser that reads it later: unique
/// keys, no NUL in any text, and no number beyond a double.
bool is_storable(reader& in) {
  const auto holds_nul = [](std::string_view text) { return text.find('\0') != std::string_view::npos; };
  switch (in.node().type) {
  case json_type::object:
    return in.members([&](std::string_view key) {
      return holds_nul(key) ? in.refuse("must not hold control characters") : is_storable(in);
    });
  case json_type::array:
    return in.elements([&] { return is_storable(in); });
  case json_type::text:
    return !holds_nul(in.node().text) || in.refuse("must not hold control characters");
  case json_type::number:
    return whole_digits(number_of(in)) <= std::numeric_limits<double>::max_exponent10 ||
           in.refuse("must not have more than 308 digits before the point");
  default:
    return true;
  }
}

} // namespace

bool is_time_of_day(std::string_view text) {
  const auto is_digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  if (text.size() != 5 || text[2] != ':') return false;
  if (!is_digit(0) || !is_digit(1) || !is_digit(3) || !is_digit(4)) return false;
  return text.substr(0, 2) <= "23" && text[3] <= '5';
}

bool is_currency(std::string_view text) { return is_listed(text, 3, currencies); }

bool is_country(std::string_view text) { return is_listed(text, 2, countries); }

std::optional<std::string> parse_email(std::string_view text) {
  auto address = domain::composed(text);
  return domain::is_email_address(address) ? std::optional(std::move(address)) : std::nullopt;
}

void append_quoted(std::string& to, std::string_view text) {
  static thread_local json::writer json;
  json.clear();
  json.value(text);
  to += json.text();
}

void append_json(std::string& to, const std::vector<std::string>& texts) {
  append_array(to, texts, [&](const std::string& each) { append_quoted(to, each); });
}

void append_json(std::string& to, const domain::localized_text& texts) {
  to += '{';
  for (const auto& [language, text] : texts) {
    if (to.back() != '{') to += ", ";
    append_quoted(to, language);
    to += ": ";
    append_quoted(to, text);
  }
  to += '}';
}

bool kind::text::read(reader& in, std::string& to) const {
  if (!in.is(json_type::text)) return in.refuse("must be text");
  const auto text = in.node().text;
  if (!may_be_blank && is_blank(text)) return in.refuse("must not be blank");
  const auto is_refused = [&](char c) { return is_control(c) && !(may_have_lines && is_line_character(c)); };
  if (std::ranges::any_of(text, is_refused)) return in.refuse("must not hold control characters");
  const auto length = domain::character_count(text);
  if (length < min_length)
    return in.refuse("must have at least " + std::to_string(min_length) + " characters");
  if (length > max_length)
    return in.refuse("must not be longer than " + std::to_string(max_length) + " characters");
  to = text;
  return true;
}

bool read_boolean(reader& in, bool& to) {
  if (!in.is(json_type::boolean)) return in.refuse("must be true or false");
  to = in.node().boolean;
  return true;
}

bool read_integer(reader& in, std::int64_t& to, std::int64_t min, std::int64_t max) {
  const auto value = exact(in, 0);
  if (!value || *value < min || *value > max)
    return in.refuse("must be a whole number from " + std::to_string(min) + " to " + std::to_string(max));
  to = *value;
  return true;
}

bool read_hundredths(reader& in, std::int64_t& to, std::int64_t limit) {
  const auto value = exact(in, 2);
  if (!value) return in.refuse(std::string{two_decimals});
  if (*value < 0) return in.refuse("must not be less than 0");
  if (*value >= limit * 100) return in.refuse("must be below " + std::to_string(limit));
  to = *value;
  return true;
}

bool read_amount(reader& in, domain::money& to) { return read_hundredths(in, to.cents, whole_amount_limit); }

bool read_cost(reader& in, domain::decimal& to) {
  if (!in.is(json_type::number)) return in.refuse("must be a number");
  auto value = number_of(in);
  if (value.negative) return in.refuse("must not be less than 0");
  if (!has_digits(value, domain::max_cost_digits, domain::max_cost_decimals))
    return in.refuse("must be below 10^15 and have at most 18 decimals");
  to = std::move(value);
  return true;
}

bool read_degrees(reader& in, double& to, int limit) {
  double value = 0;
  const auto text = in.node().text;
  if (in.is(json_type::number)) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool too_small = error == std::errc::result_out_of_range && whole_digits(number_of(in)) <= 0;
    if (too_small) value = 0;
    if ((error == std::errc{} || too_small) && value >= -limit && value <= limit) {
      to = value;
      return true;
    }
  }
  const auto bound = std::to_string(limit);
  return in.refuse("must be a number from -" + bound + " to " + bound);
}

bool read_id(reader& in, domain::uuid& to) {
  const auto id = in.is(json_type::text) ? domain::parse_uuid(in.node().text) : std::nullopt;
  if (!id) return in.refuse("must be a UUID");
  if (id->is_nil()) return in.refuse("must not be the nil UUID");
  to = *id;
  return true;
}

bool read_url(reader& in, std::string& to) {
  if (in.is(json_type::text) && in.node().text.size() > max_url_length)
    return in.refuse("must not be longer than " + std::to_string(max_url_length) + " characters");
  if (!in.is(json_type::text) || !domain::parse_page_url(in.node().text))
    return in.refuse("must be an http or https URL");
  to = in.node().text;
  return true;
}

bool read_json_object(reader& in, std::string& to) {
  if (!in.is(json_type::object)) return in.refuse("must be an object");
  if (in.node().text.size() > max_json_length)
    return in.refuse("must not be longer than " + std::to_string(max_json_length) + " characters");
  if (!is_storable(in)) return false;
  to = in.node().text;
  return true;
}

bool kind::localized::read(reader& in, domain::localized_text& to) const {
  to.clear();
  return in.members([&](std::string_view language) {
    if (!is_language(language)) return in.refuse("must be under a language of two lower-case letters");
    return text.read(in, to[std::string{language}]);
  });
}

bool check_configured(reader& in, std::span<const std::string_view> names, std::string_view expected) {
  if (!in.is(json_type::text)) return in.refuse("must be text");
  const auto text = in.node().text;
  return std::ranges::find(names, text) != names.end() ||
         in.refuse("is not " + std::string{expected} + hint(text, names));
}

bool read_choice(reader& in, std::size_t& to, std::span<const std::string_view> names) {
  const auto found = in.is(json_type::text) ? std::ranges::find(names, in.node().text) : names.end();
  to = static_cast<std::size_t>(found - names.begin());
  if (found != names.end()) return true;
  std::string text = "must be one of";
  for (const auto& name : names) {
    text += &name == &names.front() ? " " : ", ";
    text += name;
  }
  return in.refuse(std::move(text));
}

} // namespace roost::portfolio
