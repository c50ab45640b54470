#pragma once

#include "actors/office/office_writer.hpp"
#include "http/office/office_objects.hpp"
#include "portfolio/unit.hpp"

/// The description of blocked nights in the office. This header is for the .cpp files that hold descriptions.
namespace roost::http {

namespace office_objects {

template <auto Member>
inline constexpr auto of_block = portfolio::via(&store::office_block::block, Member);
template <auto Member>
inline constexpr auto night = portfolio::via(&store::office_block::block, &domain::block::nights, Member);

inline bool finish_block(portfolio::reading<store::office_block>& at) {
  const auto& [first, last] = at.to.block.nights;
  return portfolio::objects::check_days(at.in, first, last, "from", "to", true);
}

/// The name of a short-term host, which clients cannot set.
struct host_text {
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
  bool read(portfolio::reader&, domain::boxed_text&) const { return true; }
};

} // namespace office_objects

inline constexpr auto block_object = portfolio::record<store::office_block>(
    {.finish = office_objects::finish_block},
    portfolio::field("id", portfolio::kind::id, office_objects::of_block<&domain::block::id>,
                     "The block's UUID. Clients may choose it", portfolio::optional),
    portfolio::field("from", portfolio::kind::day, office_objects::night<&domain::nights::first>,
                     "The first blocked night"),
    portfolio::field("to", portfolio::objects::none_is_null{portfolio::kind::day, domain::no_end},
                     office_objects::night<&domain::nights::last>,
                     "The last blocked night; null: without end"),
    portfolio::field("note", portfolio::objects::block_note, office_objects::of_block<&domain::block::note>,
                     "For the office only; never published", portfolio::optional),
    portfolio::field("source", portfolio::kind::choice{portfolio::objects::block_source_words},
                     office_objects::of_block<&domain::block::source>,
                     "`channel`: from another platform's calendar", portfolio::optional,
                     portfolio::read_only),
    portfolio::field("host",
                     portfolio::objects::none_is_null{office_objects::host_text{}, std::string_view{}},
                     office_objects::of_block<&domain::block::host>,
                     "The short-term host of a channel block, which does not get the block back",
                     portfolio::optional, portfolio::read_only),
    portfolio::field("calendarId", portfolio::kind::id, &store::office_block::calendar_id,
                     "The imported calendar that the block comes from; null: none", portfolio::optional,
                     portfolio::read_only),
    portfolio::field("createdAt", portfolio::kind::moment,
                     office_objects::of_block<&domain::block::created_at>, "", portfolio::optional,
                     portfolio::read_only, untagged),
    portfolio::field("updatedAt", portfolio::kind::moment,
                     office_objects::of_block<&domain::block::updated_at>, "", portfolio::optional,
                     portfolio::read_only, untagged));

} // namespace roost::http
