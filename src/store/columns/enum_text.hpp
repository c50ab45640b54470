#pragma once

#include "domain/account.hpp"
#include "domain/ai_usage.hpp"
#include "domain/booking.hpp"
#include "domain/unit.hpp"
#include "store/database/cell.hpp"

#include <array>
#include <string_view>

/// The words for enumerations, as listed in the check constraints of the schema.
namespace roost::store {

constexpr std::string_view to_string(domain::markup_mode mode) {
  return std::array{"none", "percentage", "fixed"}.at(static_cast<std::size_t>(mode));
}
constexpr std::string_view to_string(domain::due_item item) {
  return std::array{"first_rent", "last_rent", "deposit", "admin_fee", "cleaning_fee"}.at(
      static_cast<std::size_t>(item));
}
constexpr std::string_view to_string(domain::fee_mode mode) {
  return domain::fee_mode_names.at(static_cast<std::size_t>(mode));
}
constexpr std::string_view to_string(domain::deposit_mode mode) {
  return std::array{"fixed", "rent_multiple"}.at(static_cast<std::size_t>(mode));
}
constexpr std::string_view to_string(domain::block_source source) {
  return std::array{"manual", "channel", "booking"}.at(static_cast<std::size_t>(source));
}

template <>
struct column_format<domain::markup_mode> : enum_format<domain::markup_mode::fixed, to_string> {};
template <>
struct column_format<domain::due_item> : enum_format<domain::due_item::cleaning_fee, to_string> {};
template <>
struct column_format<domain::property_type>
    : enum_format<domain::property_type::residence, domain::to_string> {};
template <>
struct column_format<domain::unit_kind> : enum_format<domain::unit_kind::bed, domain::to_string> {};
template <>
struct column_format<domain::part_month> : enum_format<domain::part_month::monthly, domain::to_string> {};
template <>
struct column_format<domain::fee_mode> : enum_format<domain::fee_mode::tiered, to_string> {};
template <>
struct column_format<domain::deposit_mode> : enum_format<domain::deposit_mode::rent_multiple, to_string> {};
template <>
struct column_format<domain::block_source> : enum_format<domain::block_source::booking, to_string> {};
template <>
struct column_format<domain::request_state> : enum_format<domain::request_state::dropped, domain::to_string> {
};
template <>
struct column_format<domain::booking_status>
    : enum_format<domain::booking_status::cancelled, domain::to_string> {};
template <>
struct column_format<domain::cancelled_by> : enum_format<domain::cancelled_by::landlord, domain::to_string> {
};
template <>
struct column_format<domain::payment_kind>
    : enum_format<domain::payment_kind::provider_platform_payment, domain::to_string> {};
template <>
struct column_format<domain::payment_party>
    : enum_format<domain::payment_party::platform, domain::to_string> {};
template <>
struct column_format<domain::ai_feature>
    : enum_format<domain::ai_feature::cashflow_invoice_analysis, domain::to_string> {};

} // namespace roost::store
