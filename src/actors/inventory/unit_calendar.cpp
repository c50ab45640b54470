#include "actors/inventory/unit_calendar.hpp"

#include "domain/pricing.hpp"
#include "listings/full_listing.hpp"
#include "listings/ical.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <forward_list>
#include <map>

namespace roost::actors {

namespace {

/// Nights that a decision holds until it is durable. They are taken, but no feed shows them yet unless the
/// decision is in doubt.
struct hold {
  domain::block block;
  bool cancelled = false; ///< before the word came that it is durable
  bool shown = false;     ///< in the calendar already: the decision is in doubt
};

/// The text of the last single read. Reads come in runs of the same listing, and writing one costs more than
/// all else in a read; it is one text a unit at most.
struct last_read {
  std::size_t platform = 0;
  domain::date day;
  std::string json;
};

class calendar_state {
public:
  static constexpr const char* name = "unit_calendar";

  void open(std::shared_ptr<const calendar_context> around, std::shared_ptr<const unit_setup> setup,
            std::vector<domain::block> blocks, std::shared_ptr<unit_changes> changes) {
    changes_ = std::move(changes);
    around_ = std::move(around);
    calendar_ = domain::calendar{std::move(blocks)};
    setup_ = std::move(setup);
  }

  listing_response read(const read_listing& wanted) {
    around_->busy->note_read(setup_->terms.id, setup_->terms.internal_name, *setup_->account);
    const auto platform = wanted.platform;
    listing_response answer{publication_on(platform), {}};
    if (wanted.shown)
      answer.gaps = listings::gaps_of(answer.publication, setup_->terms, wanted.shown->property->address,
                                      platform_at(platform).kind);
    if (answer.publication != listings::publication::published) return answer;
    if (wanted.shown) {
      answer.json = render_full(platform, *wanted.shown);
      return answer;
    }
    const auto now = around_->now();
    const auto today = domain::day_of(now);
    if (!last_read_ || last_read_->platform != platform || last_read_->day != today)
      last_read_ = std::make_unique<last_read>(
          last_read{platform, today, std::string{render(platform, now, listings::past_blocks::shown)}});
    answer.json = last_read_->json;
    return answer;
  }

  publication_response read(const read_publication& wanted) const {
    return {publication_on(wanted.platform)};
  }

  ical_response ical(std::string_view reader) const {
    if (setup_->terms.archived || setup_->property->archived) return {};
    return {listings::to_ical(setup_->terms, calendar_, reader, domain::day_of(around_->now()))};
  }

  feed_row row(const render_row& wanted) const {
    thread_local std::map<std::size_t, feeds::row_buffer> strips; // by platform
    feed_row answer{wanted.build, wanted.index, {}};
    if (publication_on(wanted.platform) == listings::publication::published)
      answer.json =
          strips[wanted.platform].add(render(wanted.platform, wanted.now, listings::past_blocks::left_out));
    return answer;
  }

  reserve_response reserve_nights(const reserve& wanted) {
    reserve_response answer;
    answer.unit = {setup_->terms.internal_name, setup_->property->city};
    answer.refused = refusal_of(wanted, answer);
    around_->busy->note_stay(setup_->terms.id, setup_->terms.internal_name, *setup_->account,
                             !answer.refused);
    if (answer.refused) return answer;
    answer.held.id = wanted.booking_id;
    answer.held.source = domain::block_source::booking;
    answer.held.nights =
        domain::booked_nights(wanted.check_in, wanted.check_out, setup_->terms.preparation_days);
    answer.held.created_at = answer.held.updated_at = wanted.now;
    answer.terms = terms_of(wanted, answer.provider_payment);
    answer.warnings = warnings_of(wanted);
    holds_.push_front({answer.held});
    return answer;
  }

  void settle(const settle_nights& outcome) {
    const auto held = find_hold(outcome.booking_id);
    if (outcome.fate == hold_outcome::cancelled) {
      if (held != holds_.end()) held->cancelled = true;
      if (calendar_.remove(outcome.booking_id)) changed();
      return;
    }
    if (held == holds_.end()) return;
    if (outcome.fate == hold_outcome::given_up) {
      if (held->shown && calendar_.remove(outcome.booking_id)) changed();
    } else if (!held->cancelled && !held->shown) {
      calendar_.add(held->block);
      changed();
    }
    held->shown = true;
    if (outcome.fate == hold_outcome::in_doubt) return;
    holds_.remove_if([&](const hold& h) { return h.block.id == outcome.booking_id; });
  }

  /// Those that are held are settled by whoever holds them.
  void learn(const domain::block& stay) {
    if (find_hold(stay.id) != holds_.end() || knows(stay.id)) return;
    calendar_.add(stay);
    changed();
  }

  void update(update_unit& change) {
    auto& blocks = change.blocks;
    std::vector<domain::block> booked;
    std::ranges::copy_if(calendar_.blocks(), std::back_inserter(booked), is_booked);
    std::erase_if(blocks, [&](const domain::block& stored) {
      return is_booked(stored) && (find_hold(stored.id) != holds_.end() ||
                                   std::ranges::find(booked, stored.id, &domain::block::id) != booked.end());
    });
    std::ranges::move(booked, std::back_inserter(blocks));
    calendar_ = domain::calendar{std::move(blocks)};
    setup_ = std::move(change.setup);
    changed();
  }

private:
  static bool is_booked(const domain::block& block) { return block.source == domain::block_source::booking; }

  std::forward_list<hold>::iterator find_hold(const domain::uuid& booking_id) {
    return std::ranges::find(holds_, booking_id, [](const hold& h) { return h.block.id; });
  }

  bool knows(const domain::uuid& block) const {
    return std::ranges::find(calendar_.blocks(), block, &domain::block::id) != calendar_.blocks().end();
  }

  void changed() {
    last_read_.reset();
    changes_->note();
  }

  const domain::platform& platform_at(std::size_t index) const { return (*around_->platforms)[index]; }

  listings::publication publication_on(std::size_t platform) const {
    return listings::publication_of(setup_->terms, *setup_->property, platform_at(platform),
                                    setup_->excluded_from[platform]);
  }

  /// The platform's ID of the unit; its UUID where it is not linked.
  std::string external_id_on(std::size_t platform) const {
    const auto& links = setup_->links;
    const auto link = std::ranges::find(links, platform, &platform_link::platform);
    return link != links.end() ? link->external_id : domain::to_string(setup_->terms.id);
  }

  /// Until the next call on this thread.
  std::string_view render(std::size_t platform, domain::timestamp now, listings::past_blocks past) const {
    thread_local json::writer json;
    json.clear();
    const auto external_id = external_id_on(platform);
    listings::write_listing(
        json,
        {*setup_->account, *setup_->property, setup_->terms, calendar_, platform_at(platform), external_id},
        now, past);
    return json.text();
  }

  std::string render_full(std::size_t platform, const store::presentation& shown) const {
    thread_local json::writer json;
    json.clear();
    const auto external_id = external_id_on(platform);
    listings::write_full_listing(json,
                                 {*setup_->account, *shown.property, setup_->terms, shown.unit, calendar_,
                                  platform_at(platform), external_id, shown.link_url},
                                 domain::day_of(around_->now()));
    return std::string{json.text()};
  }

  std::shared_ptr<const domain::booking_terms> terms_of(const reserve& wanted, domain::money payment) const {
    const auto* card = domain::find_card(*setup_->account, platform_at(wanted.platform).name);
    return std::make_shared<const domain::booking_terms>(domain::make_booking_terms(
        {*setup_->account, *setup_->property, setup_->terms, card},
        {wanted.check_in, wanted.check_out, wanted.occupants, payment, domain::day_of(wanted.now)}));
  }

  /// Fills in the payment on the way, which is one of the checks.
  std::optional<domain::refusal> refusal_of(const reserve& wanted, reserve_response& answer) const {
    if (publication_on(wanted.platform) == listings::publication::withheld)
      return domain::refusal::unit_not_linked;
    if (wanted.check_out <= wanted.check_in) return domain::refusal::check_out_not_after_check_in;
    const auto& platform = platform_at(wanted.platform);
    const auto payment = domain::provider_payment_of(
        setup_->terms, platform.kind, domain::find_card(*setup_->account, platform.name), wanted.check_in,
        wanted.occupants, wanted.provider_payment);
    if (!payment || *payment <= domain::money{0}) return domain::refusal::provider_payment_missing;
    answer.provider_payment = *payment;
    const auto nights = domain::stay_nights(wanted.check_in, wanted.check_out);
    const bool held = std::ranges::any_of(
        holds_, [&](const hold& other) { return domain::overlap(other.block.nights, nights); });
    if (held || !calendar_.is_free(nights)) return domain::refusal::overlapping_nights;
    return std::nullopt;
  }

  std::vector<mail::stay_warning> warnings_of(const reserve& wanted) const {
    const auto& terms = setup_->terms;
    const int shortest = terms.min_stay_months.value_or(0), longest = terms.max_stay_months.value_or(0);
    std::vector<mail::stay_warning> warnings;
    if (wanted.occupants > terms.capacity) warnings.push_back(mail::stay_warning::above_capacity);
    if (shortest > 0 && wanted.check_out < domain::add_months(wanted.check_in, shortest))
      warnings.push_back(mail::stay_warning::shorter_than_minimum);
    if (longest > 0 && wanted.check_out > domain::add_months(wanted.check_in, longest))
      warnings.push_back(mail::stay_warning::longer_than_maximum);
    return warnings;
  }

  std::shared_ptr<const calendar_context> around_;
  std::shared_ptr<const unit_setup> setup_;
  domain::calendar calendar_;
  std::forward_list<hold> holds_; // nearly always none, which so takes a pointer
  std::unique_ptr<const last_read> last_read_;
  std::shared_ptr<unit_changes> changes_;
};

unit_calendar::behavior_type unit_calendar_behavior(unit_calendar::stateful_pointer<calendar_state> self,
                                                    std::shared_ptr<const calendar_context> around,
                                                    std::shared_ptr<const unit_setup> setup,
                                                    std::vector<domain::block> blocks,
                                                    std::shared_ptr<unit_changes> changes) {
  auto& state = self->state;
  state.open(std::move(around), std::move(setup), std::move(blocks), std::move(changes));
  return {
      [&state](const read_listing& wanted) { return state.read(wanted); },
      [&state](const read_publication& wanted) { return state.read(wanted); },
      [&state](const read_ical& wanted) { return state.ical(wanted.reader); },
      [self, &state](const render_row& wanted) { self->send(wanted.feed, state.row(wanted)); },
      [&state](const reserve& wanted) { return state.reserve_nights(wanted); },
      [&state](const settle_nights& outcome) { state.settle(outcome); },
      [&state](const learn_stay& made) { state.learn(made.block); },
      [&state](update_unit& change) { state.update(change); },
  };
}

} // namespace

unit_calendar spawn_unit_calendar(runtime& rt, std::shared_ptr<const calendar_context> around,
                                  std::shared_ptr<const unit_setup> setup, std::vector<domain::block> blocks,
                                  std::shared_ptr<unit_changes> changes) {
  const auto home = rt.home_of(setup->account->id);
  return rt.spawn_at<caf::lazy_init>(home, unit_calendar_behavior, std::move(around), std::move(setup),
                                     std::move(blocks), std::move(changes));
}

} // namespace roost::actors
