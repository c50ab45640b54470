#pragma once

#include "domain/booking.hpp"
#include "http/json/body.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

/// The tenant in requests for bookings, of partners and of the office. This header is for the .cpp files that
/// hold descriptions.
namespace roost::http {

/// ISO 3166-1 alpha-2, in any letter case.
struct tenant_country {
  static constexpr std::size_t letters = 2;

  constexpr json::facts schema_facts() const {
    return {.type = "string", .nullable = true, .required = false};
  }
  std::optional<std::string> read(object_reader& tenant, std::string_view key, presence) const {
    auto code = tenant.column_text(key, letters);
    constexpr auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (code && length_of(*code) <= letters &&
        (code->size() != letters || !std::ranges::all_of(*code, is_letter)))
      tenant.refuse_format(key, "must be an ISO 3166-1 country code of two letters, like ES");
    return code;
  }
};

inline constexpr http::kind::column_text tenant_text{domain::max_tenant_text_length};
inline constexpr http::kind::column_text needed_tenant_text{domain::max_tenant_text_length, true};

/// Every field of the tenant may be null; an empty text counts as missing.
inline constexpr auto tenant_body = json::object<domain::tenant_details>(
    "",
    http::field("firstName", needed_tenant_text, &domain::tenant_details::first_name,
                "Given name; an empty one counts as missing"),
    http::field("lastName", tenant_text, &domain::tenant_details::last_name, "Family name"),
    http::field(
        "email", needed_tenant_text, &domain::tenant_details::email,
        "Email address; its format is not checked. It identifies an existing tenant of the landlord in any "
        "letter case; that tenant's details stay unchanged"),
    http::field("fiscalId", tenant_text, &domain::tenant_details::fiscal_id,
                "Tax number. It identifies a tenant if the email address does not"),
    http::field("phone", http::kind::column_text{domain::max_tenant_phone_length},
                &domain::tenant_details::phone, "Phone number, in any form"),
    http::field("nationality", tenant_country{}, &domain::tenant_details::nationality,
                "Country, ISO 3166-1 alpha-2: two letters in any case"));

} // namespace roost::http
