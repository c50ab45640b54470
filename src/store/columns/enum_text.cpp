#include "store/columns/enum_text.hpp"

#include "store/database/error.hpp"

#include <array>
#include <utility>

namespace roost::store {

namespace {

template <typename Enum, std::size_t Size>
using word_list = std::array<std::pair<Enum, std::string_view>, Size>;

constexpr word_list<domain::markup_mode, 3> markup_modes{{{domain::markup_mode::none, "none"},
                                                          {domain::markup_mode::percentage, "percentage"},
                                                          {domain::markup_mode::fixed, "fixed"}}};
constexpr word_list<domain::due_item, 5> due_items{{{domain::due_item::first_rent, "first_rent"},
                                                    {domain::due_item::last_rent, "last_rent"},
                                                    {domain::due_item::deposit, "deposit"},
                                                    {domain::due_item::admin_fee, "admin_fee"},
                                                    {domain::due_item::cleaning_fee, "cleaning_fee"}}};
constexpr word_list<domain::fee_mode, 2> fee_modes{
    {{domain::fee_mode::fixed, "fixed"}, {domain::fee_mode::tiered, "tiered"}}};
constexpr word_list<domain::deposit_mode, 2> deposit_modes{
    {{domain::deposit_mode::fixed, "fixed"}, {domain::deposit_mode::rent_multiple, "rent_multiple"}}};
constexpr word_list<domain::block_source, 3> block_sources{{{domain::block_source::manual, "manual"},
                                                            {domain::block_source::channel, "channel"},
                                                            {domain::block_source::booking, "booking"}}};

template <typename Enum, std::size_t Size>
std::string_view word_of(const word_list<Enum, Size>& list, Enum value) {
  for (const auto& [candidate, text] : list)
    if (candidate == value) return text;
  throw failure("an enumerator has no word");
}

template <typename Enum, std::size_t Size>
Enum value_of(const word_list<Enum, Size>& list, std::string_view text) {
  for (const auto& [value, word] : list)
    if (word == text) return value;
  throw failure("a column has an unknown word");
}

/// Parses an enumeration whose words are defined in the domain.
template <typename Enum>
Enum value_named(std::initializer_list<Enum> values, std::string_view text) {
  for (const auto value : values)
    if (to_string(value) == text) return value;
  throw failure("a column has an unknown word");
}

} // namespace

std::string_view to_string(domain::markup_mode mode) { return word_of(markup_modes, mode); }
std::string_view to_string(domain::due_item item) { return word_of(due_items, item); }
std::string_view to_string(domain::fee_mode mode) { return word_of(fee_modes, mode); }
std::string_view to_string(domain::deposit_mode mode) { return word_of(deposit_modes, mode); }
std::string_view to_string(domain::block_source source) { return word_of(block_sources, source); }

domain::markup_mode parse_markup_mode(std::string_view text) { return value_of(markup_modes, text); }
domain::due_item parse_due_item(std::string_view text) { return value_of(due_items, text); }
domain::fee_mode parse_fee_mode(std::string_view text) { return value_of(fee_modes, text); }
domain::deposit_mode parse_deposit_mode(std::string_view text) { return value_of(deposit_modes, text); }
domain::block_source parse_block_source(std::string_view text) { return value_of(block_sources, text); }

domain::property_type parse_property_type(std::string_view text) {
  using enum domain::property_type;
  return value_named({apartment, house, studio, residence}, text);
}

domain::unit_kind parse_unit_kind(std::string_view text) {
  using enum domain::unit_kind;
  return value_named({property, room, bed}, text);
}

domain::part_month parse_part_month(std::string_view text) {
  using enum domain::part_month;
  return value_named({daily, fortnightly, monthly}, text);
}

domain::request_state parse_request_state(std::string_view text) {
  using enum domain::request_state;
  return value_named({pending, success, failed, dropped}, text);
}

domain::booking_status parse_booking_status(std::string_view text) {
  using enum domain::booking_status;
  return value_named({confirmed, checked_in, checked_out, cancelled}, text);
}

domain::cancelled_by parse_cancelled_by(std::string_view text) {
  using enum domain::cancelled_by;
  return value_named({platform, landlord}, text);
}

domain::payment_kind parse_payment_kind(std::string_view text) {
  using enum domain::payment_kind;
  return value_named({rent, deposit, admin_fee, cleaning_fee, exit_fee, provider_platform_payment}, text);
}

domain::payment_party parse_payment_party(std::string_view text) {
  using enum domain::payment_party;
  return value_named({tenant, landlord, platform}, text);
}

domain::ai_feature parse_ai_feature(std::string_view text) {
  if (const auto feature = domain::parse_name<domain::ai_feature>(text)) return *feature;
  throw failure("a column has an unknown word");
}

} // namespace roost::store
