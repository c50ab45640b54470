#pragma once

#include "actors/inventory/hot_units.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/runtime.hpp"
#include "domain/account.hpp"
#include "domain/booking.hpp"
#include "domain/booking_terms.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "domain/stay_decision.hpp"
#include "feeds/feed_text.hpp"
#include "listings/publication.hpp"
#include "security/digest.hpp"
#include "store/portfolio/live.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::actors {

/// The configured platforms. Messages and memory refer to platforms by their index.
using platform_list = std::shared_ptr<const std::vector<domain::platform>>;

/// Returns nullopt for a platform that is not, or no longer, configured.
inline std::optional<std::size_t> index_of(const platform_list& platforms, const std::string& name) {
  const auto found = std::ranges::find(*platforms, name, &domain::platform::name);
  if (found == platforms->end()) return std::nullopt;
  return static_cast<std::size_t>(found - platforms->begin());
}

/// A set of indexes in platform_list. Most units' sets are empty, and then only a pointer.
class platform_set {
public:
  platform_set& set(std::size_t platform) {
    if (!(*this)[platform]) indexes_.push_front(platform);
    return *this;
  }
  bool operator[](std::size_t platform) const {
    return std::find(indexes_.begin(), indexes_.end(), platform) != indexes_.end();
  }

private:
  std::forward_list<std::size_t> indexes_;
};

/// A unit's id on a platform.
struct platform_link {
  std::size_t platform = 0;
  std::string external_id;
};

/// A clock that advances with every change of any unit. Shows without asking calendars that something derived
/// from many units is still valid.
class change_clock {
public:
  std::uint64_t now() const { return ticks_.load(); }

  /// Returns a time that is later than all before.
  std::uint64_t tick() { return ticks_.fetch_add(1) + 1; }

private:
  std::atomic<std::uint64_t> ticks_{0};
};

/// The time at which a unit's listings may last have changed, readable without asking its calendar.
/// Thread-safe.
///
/// The calendar notes each change when it applies it. Senders of a change that a caller waits for note it,
/// too, after sending: a reader that sees the note then asks the calendar after the change has arrived.
class unit_changes {
public:
  /// The clock must outlive this object.
  explicit unit_changes(change_clock& clock) : clock_(clock), latest_(clock_.tick()) {}

  /// Never the same for two units, or twice for one unit.
  std::uint64_t latest() const { return latest_.load(); }

  void note() {
    latest_.store(clock_.tick());
    clock_.tick(); // a reader of the first tick may have checked the unit before the note
  }

private:
  change_clock& clock_;
  std::atomic<std::uint64_t> latest_;
};

/// Shared by all calendars.
struct calendar_context {
  platform_list platforms;
  wall_clock now;
  std::shared_ptr<actors::hot_units> hot_units = std::make_shared<actors::hot_units>();
};

/// The unit's settings, as passed to its calendar.
struct unit_setup {
  std::shared_ptr<const domain::account> account;
  std::shared_ptr<const domain::property_terms> property;
  domain::unit terms;
  std::vector<platform_link> links;
  platform_set excluded_from;

  /// Returns the unit's id on a platform, or an empty text if it is not linked.
  std::string_view linked_id(std::size_t platform) const {
    const auto link = std::ranges::find(links, platform, &platform_link::platform);
    return link != links.end() ? std::string_view{link->external_id} : std::string_view{};
  }

  /// Returns the unit's id on a platform, or its UUID if it is not linked.
  std::string shown_id(std::size_t platform) const {
    const auto linked = linked_id(platform);
    return linked.empty() ? domain::to_string(terms.id) : std::string{linked};
  }
};

/// Reads the current listing for one platform: the listing object, or if `shown` is set, the platform's
/// full-feed object (Partner API, Full-feed objects).
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

/// What a booking of the platform would cost, and whether it would be made now.
struct read_quote {
  std::size_t platform = 0;
  domain::requested_stay stay; ///< its dates must be in order
};

struct quote_response {
  listings::publication publication = listings::publication::withheld;
  std::optional<domain::stay_quote> quote; ///< nullopt unless published
};

struct listing_response {
  listings::publication publication = listings::publication::withheld;
  std::string json;                 ///< empty unless published
  security::sha256_digest digest{}; ///< of `json`, but not of a full listing
  listings::data_gaps gaps = {};    ///< of a full listing
};

/// Exports the unit's calendar (Partner API, Calendar export).
struct read_ical {
  std::string reader; ///< the short-term host whose own blocks are omitted; may be empty
};

struct ical_response {
  std::optional<std::string> text; ///< nullopt: the unit or its property is archived
};

struct feed_row;
struct render_row;

/// Requests the nights of a booking request.
struct reserve {
  std::size_t platform = 0;
  domain::uuid booking_id{}; ///< for the booking, if the nights are reserved; repeated in settle_nights
  domain::date check_in{}, check_out{};
  int occupants = 1;
  std::optional<domain::money> provider_payment;
  domain::timestamp now{};
  /// The hold that the request has claimed, as a block: its nights are free for this request.
  std::optional<domain::uuid> claimed_hold = {};
};

/// A unit's name and city, for messages.
struct unit_label {
  std::string name, city;
};

/// The nights are held until settle_nights, or refused.
struct reserve_response {
  std::optional<domain::refusal> refused;
  std::vector<domain::nights> taken; ///< the nights of the stay that are taken, of a refusal because of them
  domain::block held;                ///< preparation days included
  domain::money provider_payment;    ///< sent or derived
  std::shared_ptr<const domain::booking_terms> terms;
  std::vector<domain::stay_warning> warnings; ///< for the landlord; they do not prevent the booking
  unit_label unit;
};

/// The outcome of held nights.
enum class hold_outcome {
  booked,    ///< the decision is durable
  in_doubt,  ///< unknown whether it is: reads show the nights as taken until another outcome follows
  given_up,  ///< the decision has failed: the nights are free again
  cancelled, ///< the booking was cancelled or moved to another unit; this may arrive before `booked`
};

struct settle_nights {
  domain::uuid booking_id{};
  hold_outcome outcome{};
};

/// Requests nights for a write of the office, such as a block.
struct hold_nights {
  domain::uuid id{}; ///< of the write, repeated in release_nights
  domain::nights nights;
};

/// No booking is decided on the nights until release_nights.
struct nights_held {};

/// The write has ended, and this calendar has received its outcome.
struct release_nights {
  domain::uuid id{};
};

/// A booking made by the office or another process, or whose commit this process did not learn of; or the new
/// nights of one that was changed.
struct learn_stay {
  domain::block block;
};

/// The unit's holds as they are stored now, in place of those that the calendar knows.
struct show_holds {
  std::vector<domain::block> holds;
};

/// The portfolio has changed. The calendar adds bookings that are only in `blocks`, or have changed there. It
/// keeps the others and the holds that it knows, because they may be newer than `blocks`.
struct update_unit {
  std::shared_ptr<const unit_setup> setup;
  std::vector<domain::block> blocks;
};

using feed_row_sink = caf::typed_actor<caf::reacts_to<feed_row>>;

struct render_row {
  feed_row_sink feed;
  std::size_t platform = 0;
  std::uint64_t build = 0;
  std::uint32_t index = 0;
  domain::timestamp now{}; ///< the same for all rows of a build
};

/// The response to render_row; `json` is empty if the unit is not published. Valid for the whole day unless
/// the unit changes.
struct feed_row {
  std::uint64_t build = 0;
  std::uint32_t index = 0;
  feeds::row_text json;
};

/// Owns one unit's terms, blocks and booking windows, and serializes all changes of its nights.
using unit_calendar = caf::typed_actor<
    /// Returns the current listing (Partner API, Limits: single reads are live).
    caf::replies_to<read_listing>::with<listing_response>,
    caf::replies_to<read_publication>::with<publication_response>,
    /// Counts nights that a decision or a write of the office holds as taken.
    caf::replies_to<read_quote>::with<quote_response>, caf::replies_to<read_ical>::with<ical_response>,
    /// Renders the listing for a list, without past blocks.
    caf::reacts_to<render_row>,
    /// Checks availability and holds the nights in one step. Responds once no write of the office holds any
    /// of the nights: a refusal is final, but the write may fail.
    caf::replies_to<reserve>::with<reserve_response>, caf::reacts_to<settle_nights>,
    /// Responds once no decision and no other write of the office holds any of the nights. Whether they are
    /// booked is decided by the store.
    caf::replies_to<hold_nights>::with<nights_held>, caf::reacts_to<release_nights>,
    caf::reacts_to<learn_stay>, caf::reacts_to<show_holds>, caf::reacts_to<update_unit>>;

/// Spawns the calendar on its account's I/O unit. It records changes of its listings in `changes`.
unit_calendar spawn_unit_calendar(runtime& rt, std::shared_ptr<const calendar_context> context,
                                  std::shared_ptr<const unit_setup> setup, std::vector<domain::block> blocks,
                                  std::shared_ptr<unit_changes> changes);

} // namespace roost::actors
