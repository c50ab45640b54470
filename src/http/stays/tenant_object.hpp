#pragma once

#include "domain/booking.hpp"
#include "portfolio/description.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

/// The details of a tenant, as the office shows and changes them. This header is for the .cpp files that hold
/// descriptions.
namespace roost::http {

/// A text of a tenant, by the rules of the partner API (Tenant object): at most so many characters; an empty
/// text counts as missing.
struct tenant_text {
  std::size_t max_length = domain::max_tenant_text_length;

  constexpr json::facts schema_facts() const {
    return {.type = "string", .min_length = 1, .max_length = static_cast<std::int64_t>(max_length)};
  }
  bool read(portfolio::reader& in, std::string& to) const {
    return portfolio::kind::text{.max_length = max_length}.read(in, to);
  }
};

inline bool is_nationality(std::string_view text) {
  constexpr std::size_t letters = 2;
  return text.size() == letters &&
         std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

inline constexpr portfolio::kind::form nationality{
    is_nationality,
    "must be an ISO 3166-1 country code of two letters, like ES",
    {.type = "string", .pattern = "^[A-Za-z]{2}$"}};

/// The lead tenant of a request.
struct lead_tenant {
  domain::tenant_details details;

  friend bool operator==(const lead_tenant& a, const lead_tenant& b) {
    const auto values = [](const domain::tenant_details& each) {
      return std::tie(each.first_name, each.last_name, each.email, each.fiscal_id, each.phone,
                      each.nationality);
    };
    return values(a.details) == values(b.details);
  }
};

template <auto Member>
inline constexpr auto of_lead_tenant = portfolio::via(&lead_tenant::details, Member);

inline constexpr auto lead_tenant_object = portfolio::record<lead_tenant>(
    portfolio::field("firstName", tenant_text{}, of_lead_tenant<&domain::tenant_details::first_name>, ""),
    portfolio::field("lastName", tenant_text{}, of_lead_tenant<&domain::tenant_details::last_name>, ""),
    portfolio::field("email", tenant_text{}, of_lead_tenant<&domain::tenant_details::email>,
                     "Its format is not checked"),
    portfolio::field("fiscalId", tenant_text{}, of_lead_tenant<&domain::tenant_details::fiscal_id>,
                     "Tax number"),
    portfolio::field("phone", tenant_text{domain::max_tenant_phone_length},
                     of_lead_tenant<&domain::tenant_details::phone>, ""),
    portfolio::field("nationality", nationality, of_lead_tenant<&domain::tenant_details::nationality>,
                     "ISO 3166-1 country code of two letters"));

} // namespace roost::http
