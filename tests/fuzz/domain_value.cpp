#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/uuid.hpp"
#include "fuzz/support/target.hpp"

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

/// Values in bodies, files and queries: dates, times, amounts and IDs.
namespace roost::fuzz::domain_value {
namespace {

void check_times(std::string_view input) {
  if (const auto day = domain::parse_date(input)) {
    require(domain::to_string(*day) == input, "a date has one form");
    require(domain::add_months(*day, 12) >= *day, "a year later is later");
    require(!domain::written_out(*day).empty(), "a date can be written out");
  }
  if (const auto moment = domain::parse_timestamp(input))
    require(domain::parse_timestamp(domain::to_string(*moment)) == moment,
            "a written time is read as the same");
  // Years beyond these are limited before they are written.
  constexpr domain::timestamp earliest = domain::date_of(std::chrono::year{1} / 1 / 1),
                              after_latest = domain::date_of(std::chrono::year{10000} / 1 / 1);
  if (const auto moment = domain::parse_iso_moment(input);
      moment && *moment >= earliest && *moment < after_latest)
    require(domain::parse_iso_moment(domain::to_string(*moment)) == moment,
            "a written moment is read as the same");
}

void check_numbers(std::string_view input) {
  const auto number = domain::parse_decimal(input);
  require(number.has_value() == domain::is_number(input), "a number is a decimal");
  if (number && domain::has_digits(*number, 300, 300)) {
    const auto written = domain::to_string(*number);
    require(std::strtod(written.c_str(), nullptr) == std::strtod(std::string{input}.c_str(), nullptr),
            "another parser reads the same number");
  }
  if (number && domain::has_digits(*number, 40, 40)) {
    require(domain::parse_decimal(domain::to_string(*number)) == number,
            "a written number is read as the same");
    const auto twice = *number + *number;
    require(domain::has_digits(twice, 41, 40), "a sum has at most one more digit");
    require(domain::shifted(domain::shifted(*number, 7), -7) == *number, "a number is shifted back");
  }
  if (const auto amount = domain::parse_money(input)) {
    require(domain::parse_money(domain::to_string(*amount)) == amount,
            "a written amount is read as the same");
    require(domain::times(*amount, 1'000'000'000'000) < domain::amount_limit, "a product is limited");
  }
}

void check(std::string_view input) {
  check_times(input);
  check_numbers(input);
  if (const auto id = domain::parse_uuid(input))
    require(domain::parse_uuid(domain::to_string(*id)) == id, "a written ID is read as the same");
  if (domain::is_rfc_uuid(input))
    require(domain::parse_uuid(input).has_value(), "a UUID of the RFC is a UUID");
}

const target registered{"domain_value", "WrittenValuesAreReadAsTheSame", check};

} // namespace
} // namespace roost::fuzz::domain_value
