#pragma once

#include "domain/money.hpp"

#include <string>

namespace roost::cli {

/// A line of what `show` prints of one thing: a label and its value. Nothing is printed where there is none.
void print_fact(const char* label, const std::string& value);

/// `650.00 EUR`.
std::string amount_of(domain::money value, const std::string& currency);

} // namespace roost::cli
