#pragma once

#include "domain/booking.hpp"

#include <optional>
#include <string>
#include <string_view>

/// What a webhook's fields mean, and what the store can hold of them.
namespace roost::http {

/// Nothing for what is missing or blank.
std::optional<std::string> unless_blank(std::optional<std::string> text);

/// Throws bad_request for text that no column takes, or that is longer than its field.
std::string stored_text(std::string text, std::size_t longest);

/// The first characters of a text, whole ones.
std::string cut(std::string_view text, std::size_t longest);

/// An amount of cents; nothing for what nobody can pay. Throws bad_request at the amount limit.
std::optional<domain::money> cents_of(double number);

/// The tenant of a marketplace's booking: names are cut, and what is missing has a placeholder (Partner API,
/// Inbound webhooks).
domain::tenant_details webhook_tenant(std::optional<std::string> first_name,
                                      std::optional<std::string> last_name, std::optional<std::string> email,
                                      std::optional<std::string> phone, std::string_view reference);

} // namespace roost::http
