#pragma once

#include "actors/inventory/hot_units.hpp"
#include "actors/inventory/unit_changes.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "domain/account.hpp"
#include "domain/booking.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "feeds/row_text.hpp"
#include "listings/listing.hpp"
#include "listings/publication.hpp"
#include "mail/notices.hpp"
#include "store/portfolio/presentations.hpp"

#include <caf/typed_actor.hpp>

#include <bitset>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace roost::actors {

/// The configured platforms; an index into it stands for a platform in messages and in memory.
using platform_list = std::shared_ptr<const std::vector<domain::platform>>;

inline constexpr std::size_t max_platforms = 64;

/// A unit's ID on a platform.
struct platform_link {
  std::size_t platform = 0;
  std::string external_id;
};

/// What all calendars are given alike.
struct calendar_context {
  platform_list platforms;
  wall_clock now;
  std::shared_ptr<hot_units> busy = std::make_shared<hot_units>();
};

/// What a unit's calendar is told about its unit.
struct unit_setup {
  std::shared_ptr<const domain::account> account;
  std::shared_ptr<const domain::property_terms> property;
  domain::unit terms;
  std::vector<platform_link> links;
  std::bitset<max_platforms> excluded_from;
};

/// A live read for one platform: the listing object, or with what a full feed shows beside it the platform's
/// full shape (Partner API, Full-feed objects).
struct read_listing {
  std::size_t platform = 0;
  std::shared_ptr<const store::presentation> shown = nullptr;
};

/// Whether the unit is published on a platform: the publication that a read_listing would find.
struct read_publication {
  std::size_t platform = 0;
};

struct publication_response {
  listings::publication publication = listings::publication::withheld;
};

struct listing_response {
  listings::publication publication = listings::publication::withheld;
  std::string json;              ///< published only
  listings::data_gaps gaps = {}; ///< of a full listing
};

/// The unit's calendar for others (Partner API, Calendar export).
struct read_ical {
  std::string reader; ///< the short-term host that asks, whose own blocks are left out; or empty
};

struct ical_response {
  std::optional<std::string> text; ///< none: the unit or its property is archived
};

struct feed_row;
struct render_row;

/// Asks for the nights of a booking request.
struct reserve {
  std::size_t platform = 0;
  domain::uuid booking_id{}; ///< of the booking, if the nights are given; settle_nights names it
  domain::date check_in{}, check_out{};
  int occupants = 1;
  std::optional<domain::money> provider_payment;
  domain::timestamp now{};
};

/// What people call a unit.
struct unit_label {
  std::string name, city;
};

/// The nights are held until settle_nights, or they are refused.
struct reserve_response {
  std::optional<domain::refusal> refused;
  domain::block held;             ///< preparation days included
  domain::money provider_payment; ///< sent or derived
  std::shared_ptr<const domain::booking_terms> terms;
  std::vector<mail::stay_warning> warnings; ///< for the landlord; the booking is made all the same
  unit_label unit;
};

/// What becomes of a booking's nights.
enum class hold_outcome {
  booked,    ///< the decision is durable
  in_doubt,  ///< nobody knows whether it is: reads show the nights as taken until one of the others comes
  given_up,  ///< the decision has failed: the nights are free again
  cancelled, ///< the booking was cancelled; this may come before the word that it is durable
};

struct settle_nights {
  domain::uuid booking_id{};
  hold_outcome fate{};
};

/// A booking that another process has made, or whose commit nobody told this one of.
struct learn_stay {
  domain::block block;
};

/// The portfolio has changed. A booking that the calendar has missed is taken from the blocks; those that it
/// knows stay, because they may be newer than the blocks.
struct update_unit {
  std::shared_ptr<const unit_setup> setup;
  std::vector<domain::block> blocks;
};

/// A listing for a feed that is being rebuilt; see feed.hpp.
using feed_row_sink = caf::typed_actor<caf::reacts_to<feed_row>>;

struct render_row {
  feed_row_sink feed;
  std::size_t platform = 0;
  std::uint64_t build = 0;
  std::uint32_t index = 0;
  domain::timestamp now{}; ///< the build's: all rows of a list are of the same moment
};

/// The answer to render_row: empty when the unit is not published. Until the unit changes it is true for the
/// whole day.
struct feed_row {
  std::uint64_t build = 0;
  std::uint32_t index = 0;
  feeds::row_text json;
};

/// Owns one unit's terms, blocks and booking windows, and serialises all that happens to its nights.
using unit_calendar = caf::typed_actor<
    /// The listing as it is now (Partner API, Limits: single reads are live).
    caf::replies_to<read_listing>::with<listing_response>,
    caf::replies_to<read_publication>::with<publication_response>,
    caf::replies_to<read_ical>::with<ical_response>,
    /// The listing for a list: without blocks that are over.
    caf::reacts_to<render_row>,
    /// Availability check and hold in one step.
    caf::replies_to<reserve>::with<reserve_response>, caf::reacts_to<settle_nights>,
    caf::reacts_to<learn_stay>, caf::reacts_to<update_unit>>;

/// Spawns the calendar on its account's unit. It notes in `changes` what changes its listings.
unit_calendar spawn_unit_calendar(runtime& rt, std::shared_ptr<const calendar_context> around,
                                  std::shared_ptr<const unit_setup> setup, std::vector<domain::block> blocks,
                                  std::shared_ptr<unit_changes> changes);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_listing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::listing_response)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_publication)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::publication_response)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_ical)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::ical_response)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::render_row)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::feed_row)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::reserve)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::reserve_response)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::settle_nights)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::learn_stay)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::update_unit)
