#pragma once

#include "domain/booking.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Conversion of webhook fields into values that the store can hold.
namespace roost::http {

/// Returns the text; nullopt if it is missing or blank.
std::optional<std::string> unless_blank(std::optional<std::string> text);

/// Returns the text. Throws bad_request if it contains NUL or has more than `longest` characters.
std::string stored_text(std::string text, std::size_t longest);

/// Returns at most the first `longest` characters of UTF-8 text.
std::string cut(std::string_view text, std::size_t longest);

/// Returns an amount of cents, rounded; nullopt unless it is above 0. Throws bad_request at the amount limit.
std::optional<domain::money> cents_of(double number);

/// Returns the tenant of a marketplace's booking: cuts long names, and fills missing values with placeholders
/// (Partner API, Inbound webhooks).
domain::tenant_details webhook_tenant(std::optional<std::string> first_name,
                                      std::optional<std::string> last_name, std::optional<std::string> email,
                                      std::optional<std::string> phone, std::string_view reference);

} // namespace roost::http
