#include "cli/facts.hpp"

#include <cstdio>

namespace roost::cli {

void print_fact(const char* label, const std::string& value) {
  if (!value.empty()) std::printf("%-14s %s\n", label, value.c_str());
}

std::string amount_of(domain::money value, const std::string& currency) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%02lld", static_cast<long long>(value.cents / 100),
                static_cast<long long>(value.cents % 100));
  return std::string{text} + " " + currency;
}

} // namespace roost::cli
