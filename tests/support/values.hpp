#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace roost::domain {

// Short ways to write values in tests; a text that is no such value throws.

inline date operator""_date(const char* text, std::size_t length) {
  return parse_date(std::string_view{text, length}).value();
}

inline timestamp operator""_at(const char* text, std::size_t length) {
  return parse_timestamp(std::string_view{text, length}).value();
}

constexpr money operator""_cents(unsigned long long amount) { return {static_cast<std::int64_t>(amount)}; }

/// A day as failures should show it.
inline std::string text_of(const std::optional<date>& day) { return day ? to_string(*day) : "none"; }

inline std::string text_of(const nights& run) { return to_string(run.first) + ".." + to_string(run.last); }

/// How GoogleTest shows an amount.
inline void PrintTo(money amount, std::ostream* out) { *out << to_string(amount); }

} // namespace roost::domain
