#pragma once

#include <string_view>

namespace roost::portfolio {

/// Whether text is the code of a currency in use that one can pay rent with (ISO 4217, list one, without
/// funds, metals and testing codes).
bool is_currency(std::string_view text);

/// Whether text is an assigned two-letter country code (ISO 3166-1).
bool is_country(std::string_view text);

} // namespace roost::portfolio
