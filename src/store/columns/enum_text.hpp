#pragma once

#include "domain/account.hpp"
#include "domain/booking.hpp"
#include "domain/unit.hpp"

#include <string_view>

/// The words that the schema's check lists hold. Reading another word throws failure.
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

} // namespace roost::store
