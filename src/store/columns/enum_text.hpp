#pragma once

#include "domain/account.hpp"
#include "domain/ai_usage.hpp"
#include "domain/booking.hpp"
#include "domain/unit.hpp"
#include "store/database/column_format.hpp"

#include <string_view>

/// The words for enumerations, as listed in the check constraints of the schema. Parsing an unknown word
/// throws failure.
namespace roost::store {

std::string_view to_string(domain::markup_mode mode);
std::string_view to_string(domain::due_item item);
std::string_view to_string(domain::fee_mode mode);
std::string_view to_string(domain::deposit_mode mode);
std::string_view to_string(domain::block_source source);

domain::markup_mode parse_markup_mode(std::string_view text);
domain::due_item parse_due_item(std::string_view text);
domain::property_type parse_property_type(std::string_view text);
domain::unit_kind parse_unit_kind(std::string_view text);
domain::part_month parse_part_month(std::string_view text);
domain::fee_mode parse_fee_mode(std::string_view text);
domain::deposit_mode parse_deposit_mode(std::string_view text);
domain::block_source parse_block_source(std::string_view text);
domain::request_state parse_request_state(std::string_view text);
domain::booking_status parse_booking_status(std::string_view text);
domain::cancelled_by parse_cancelled_by(std::string_view text);
domain::payment_kind parse_payment_kind(std::string_view text);
domain::payment_party parse_payment_party(std::string_view text);
domain::ai_feature parse_ai_feature(std::string_view text);

template <>
struct column_format<domain::markup_mode> : enum_format<domain::markup_mode, to_string, parse_markup_mode> {};
template <>
struct column_format<domain::property_type>
    : enum_format<domain::property_type, domain::to_string, parse_property_type> {};
template <>
struct column_format<domain::unit_kind> : enum_format<domain::unit_kind, domain::to_string, parse_unit_kind> {
};
template <>
struct column_format<domain::part_month>
    : enum_format<domain::part_month, domain::to_string, parse_part_month> {};
template <>
struct column_format<domain::fee_mode> : enum_format<domain::fee_mode, to_string, parse_fee_mode> {};
template <>
struct column_format<domain::deposit_mode>
    : enum_format<domain::deposit_mode, to_string, parse_deposit_mode> {};
template <>
struct column_format<domain::block_source>
    : enum_format<domain::block_source, to_string, parse_block_source> {};
template <>
struct column_format<domain::request_state>
    : enum_format<domain::request_state, domain::to_string, parse_request_state> {};
template <>
struct column_format<domain::booking_status>
    : enum_format<domain::booking_status, domain::to_string, parse_booking_status> {};
template <>
struct column_format<domain::cancelled_by>
    : enum_format<domain::cancelled_by, domain::to_string, parse_cancelled_by> {};
template <>
struct column_format<domain::ai_feature>
    : enum_format<domain::ai_feature, domain::to_string, parse_ai_feature> {};

} // namespace roost::store
