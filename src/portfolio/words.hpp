#pragma once

#include "domain/account.hpp"
#include "domain/ai_usage.hpp"
#include "domain/unit.hpp"
#include "portfolio/values.hpp"

#include <algorithm>
#include <string_view>

/// The words of a portfolio file that stand for values, for reading and for writing.
namespace roost::portfolio {

inline constexpr choices<domain::due_item, 5> due_items{{{"firstRent", domain::due_item::first_rent},
                                                         {"lastRent", domain::due_item::last_rent},
                                                         {"deposit", domain::due_item::deposit},
                                                         {"adminFee", domain::due_item::admin_fee},
                                                         {"cleaningFee", domain::due_item::cleaning_fee}}};

inline constexpr choices<domain::markup_mode, 3> markup_modes{
    {{"none", domain::markup_mode::none},
     {"percentage", domain::markup_mode::percentage},
     {"fixed", domain::markup_mode::fixed}}};

inline constexpr choices<domain::property_type, 4> property_types{
    {{"apartment", domain::property_type::apartment},
     {"house", domain::property_type::house},
     {"studio", domain::property_type::studio},
     {"residence", domain::property_type::residence}}};

inline constexpr choices<domain::unit_kind, 3> unit_kinds{{{"property", domain::unit_kind::property},
                                                           {"room", domain::unit_kind::room},
                                                           {"bed", domain::unit_kind::bed}}};

inline constexpr choices<domain::fee_mode, 2> fee_modes{
    {{"fixed", domain::fee_mode::fixed}, {"tiered", domain::fee_mode::tiered}}};

inline constexpr choices<domain::deposit_mode, 2> deposit_modes{
    {{"fixed", domain::deposit_mode::fixed}, {"rentMultiple", domain::deposit_mode::rent_multiple}}};

/// A booking's block is the service's own: no file brings one.
inline constexpr choices<domain::block_source, 2> block_sources{
    {{"manual", domain::block_source::manual}, {"channel", domain::block_source::channel}}};

/// The value's word; empty for one that no file holds.
template <typename T, std::size_t Count>
constexpr std::string_view word_for(T value, const choices<T, Count>& of) {
  for (const auto& [word, meant] : of)
    if (meant == value) return word;
  return {};
}

} // namespace roost::portfolio
