#include "actors/inventory/unit_calendar.hpp"

#include "actors/inventory/calendar_parts.hpp"
#include "listings/ical.hpp"
#include "listings/listing.hpp"

#include <concepts>
#include <forward_list>
#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace roost::actors {

namespace {

/// A request for nights that are held.
struct waiting_request {
  std::variant<reserve, hold_nights> message;
  caf::response_promise caller;
};

class calendar_state : public actor_state<unit_calendar> {
public:
  static constexpr const char* name = "unit_calendar";
  using actor_state::actor_state;

  ~calendar_state() {
    if (!waiting_) return;
    for (auto& each : *waiting_) each.caller.deliver(caf::make_error(caf::exit_reason::user_shutdown));
  }
  calendar_state(const calendar_state&) = delete;
  calendar_state& operator=(const calendar_state&) = delete;

  behavior open(std::shared_ptr<const calendar_context> context, std::shared_ptr<const unit_setup> setup,
                std::vector<domain::block> blocks, std::shared_ptr<unit_changes> changes) {
    changes_ = std::move(changes);
    context_ = std::move(context);
    calendar_ = domain::calendar{std::move(blocks)};
    setup_ = std::move(setup);
    return shared_behavior();
  }

  listing_response read(const read_listing& request) {
    context_->hot_units->record_read(setup_->terms.id, setup_->terms.internal_name, *setup_->account);
    const auto platform = request.platform;
    listing_response response{publication_on(platform), {}};
    if (request.shown)
      response.gaps = listings::gaps_of(response.publication, setup_->terms, request.shown->property->address,
                                        platform_at(platform).kind);
    if (response.publication != listings::publication::published) return response;
    if (request.shown) {
      response.json = render_full(platform, *request.shown);
      return response;
    }
    const auto now = context_->now();
    if (!last_read_ || last_read_->platform != platform || last_read_->day != domain::day_of(now))
      cache_read(platform, now);
    response.json = last_read_->json;
    response.digest = last_read_->digest;
    return response;
  }

  publication_response read(const read_publication& request) const {
    return {publication_on(request.platform)};
  }

  quote_response read(const read_quote& request) const {
    quote_response response{publication_on(request.platform), {}};
    if (response.publication != listings::publication::published) return response;
    const auto quote_in = [&](const domain::calendar& calendar) {
      response.quote = domain::quote_of(bookable_on(request.platform), request.stay, calendar);
    };
    if (reservations_.empty()) {
      quote_in(calendar_);
    } else {
      auto with_holds = calendar_;
      for (const auto& each : reservations_)
        if (!each.shown) with_holds.add(each.block);
      quote_in(with_holds);
    }
    return response;
  }

  ical_response ical(std::string_view reader) const {
    if (setup_->terms.archived || setup_->property->archived) return {};
    return {listings::to_ical(setup_->terms, calendar_, reader, domain::day_of(context_->now()))};
  }

  feed_row row(const render_row& request) const {
    thread_local std::map<std::size_t, feeds::row_buffer> strips; // by platform
    feed_row response{request.build, request.index, {}};
    if (publication_on(request.platform) == listings::publication::published)
      response.json = strips[request.platform].add(
          render(request.platform, request.now, listings::past_blocks::left_out));
    return response;
  }

  void send_row(const render_row& request) { self_->send(request.feed, row(request)); }

  caf::result<reserve_response> reserve_or_wait(reserve& request) {
    if (!must_wait(request)) return reserve_nights(request);
    return wait<reserve_response>(std::move(request));
  }

  caf::result<nights_held> hold_or_wait(hold_nights& request) {
    if (must_wait(request)) return wait<nights_held>(std::move(request));
    return hold_for_office(request);
  }

  /// Also discards a request that still waits: its caller has given up.
  void release(const domain::uuid& id) {
    reservations_.remove_if([&](const reservation& h) { return h.by_office && h.block.id == id; });
    if (waiting_)
      std::erase_if(*waiting_, [&](const waiting_request& each) {
        const auto* request = std::get_if<hold_nights>(&each.message);
        return request != nullptr && request->id == id;
      });
    serve_waiting();
  }

  reserve_response reserve_nights(const reserve& request) {
    reserve_response response;
    response.unit = {setup_->terms.internal_name, setup_->property->city};
    const auto unit = bookable_on(request.platform);
    const domain::requested_stay stay{request.check_in, request.check_out, request.occupants,
                                      request.provider_payment, domain::day_of(request.now)};
    response.refused =
        domain::refusal_of(unit, stay, response.provider_payment, [&](const domain::nights& nights) {
          return taken_by(nights, request.claimed_hold);
        });
    context_->hot_units->record_stay(setup_->terms.id, setup_->terms.internal_name, *setup_->account,
                                     !response.refused);
    if (response.refused && domain::is_about_nights(*response.refused))
      response.taken =
          taken_among(domain::stay_nights(request.check_in, request.check_out), request.claimed_hold);
    if (response.refused) return response;
    response.held.id = request.booking_id;
    response.held.source = domain::block_source::booking;
    response.held.nights =
        domain::booked_nights(request.check_in, request.check_out, setup_->terms.preparation_days);
    response.held.created_at = response.held.updated_at = request.now;
    response.terms = std::make_shared<const domain::booking_terms>(
        domain::terms_of(unit, stay, response.provider_payment));
    response.warnings = domain::warnings_of(setup_->terms, stay);
    reservations_.push_front({response.held});
    return response;
  }

  void settle(const settle_nights& settled) {
    const auto held = find_reservation(settled.booking_id);
    if (settled.outcome == hold_outcome::cancelled) {
      if (held != reservations_.end()) held->cancelled = true;
      if (calendar_.remove(settled.booking_id)) changed();
      return;
    }
    if (held == reservations_.end()) return;
    if (settled.outcome == hold_outcome::given_up) {
      if (held->shown && calendar_.remove(settled.booking_id)) changed();
    } else if (!held->cancelled && !held->shown) {
      calendar_.add(held->block);
      changed();
    }
    held->shown = true;
    if (settled.outcome == hold_outcome::in_doubt) return;
    reservations_.remove_if([&](const reservation& h) { return h.block.id == settled.booking_id; });
    serve_waiting();
  }

  /// Only shows bookings whose nights are held here, because settle() handles them, unless the stay has
  /// changed since. Ignores states of a booking that are not newer than the known one.
  void learn(const domain::block& stay) {
    if (const auto held = find_reservation(stay.id); held != reservations_.end()) {
      if (stay.revision == 0) return show(*held);
      reservations_.remove_if([&](const reservation& h) { return h.block.id == stay.id; });
    }
    const auto& known = calendar_.blocks();
    const auto before = std::ranges::find_if(
        known, [&](const domain::block& each) { return is_booked(each) && each.id == stay.id; });
    if (before == known.end() || before->revision < stay.revision) {
      if (before != known.end()) calendar_.remove(stay.id);
      calendar_.add(stay);
      changed();
    }
    serve_waiting();
  }

  void show(std::vector<domain::block>& holds) {
    auto blocks = calendar_.blocks();
    std::erase_if(blocks, is_hold);
    std::ranges::move(holds, std::back_inserter(blocks));
    calendar_ = domain::calendar{std::move(blocks)};
    changed();
  }

  void update(update_unit& change) {
    auto& blocks = change.blocks;
    std::vector<domain::block> booked;
    std::ranges::copy_if(calendar_.blocks(), std::back_inserter(booked),
                         [](const domain::block& each) { return is_booked(each) || is_hold(each); });
    std::erase_if(blocks, [&](const domain::block& stored) {
      if (is_hold(stored)) return true;
      if (!is_booked(stored)) return false;
      if (stored.revision == 0 && find_reservation(stored.id) != reservations_.end()) return true;
      const auto known = std::ranges::find(booked, stored.id, &domain::block::id);
      if (known != booked.end() && known->revision >= stored.revision) return true;
      if (known != booked.end()) booked.erase(known);
      reservations_.remove_if([&](const reservation& h) { return !h.by_office && h.block.id == stored.id; });
      return false;
    });
    std::ranges::move(booked, std::back_inserter(blocks));
    calendar_ = domain::calendar{std::move(blocks)};
    setup_ = std::move(change.setup);
    changed();
    serve_waiting(); // a hold may have ended
  }

private:
  static const behavior& shared_behavior() {
    static const behavior shared{[](const read_listing& request) { return running().read(request); },
                                 [](const read_publication& request) { return running().read(request); },
                                 [](const read_quote& request) { return running().read(request); },
                                 [](const read_ical& request) { return running().ical(request.reader); },
                                 [](const render_row& request) { running().send_row(request); },
                                 [](reserve& request) { return running().reserve_or_wait(request); },
                                 [](const settle_nights& settled) { running().settle(settled); },
                                 [](hold_nights& request) { return running().hold_or_wait(request); },
                                 [](const release_nights& ended) { running().release(ended.id); },
                                 [](const learn_stay& stay) { running().learn(stay.block); },
                                 [](show_holds& now) { running().show(now.holds); },
                                 [](update_unit& change) { running().update(change); }};
    return shared;
  }

  static calendar_state& running() { return actor_state::running<calendar_state>(); }

  bool is_held(const domain::nights& nights, bool by_office_only) const {
    return std::ranges::any_of(reservations_, [&](const reservation& h) {
      return (h.by_office || !by_office_only) && domain::overlap(h.block.nights, nights);
    });
  }

  /// Returns whether the outcome of a write of the office decides about the request. Nights that a booking
  /// holds are no reason to wait: the queue decides one request after the other.
  bool must_wait(const reserve& request) const {
    return request.check_in < request.check_out &&
           is_held(domain::stay_nights(request.check_in, request.check_out), true);
  }

  bool must_wait(const hold_nights& request) const { return is_held(request.nights, false); }

  template <typename Response, typename Request>
  caf::result<Response> wait(Request request) {
    auto caller = self_->make_response_promise<Response>();
    if (!waiting_) waiting_ = std::make_unique<std::vector<waiting_request>>();
    waiting_->push_back({std::move(request), caller});
    return caller;
  }

  nights_held hold_for_office(const hold_nights& request) {
    auto& added = reservations_.emplace_front();
    added.block.id = request.id;
    added.block.nights = request.nights;
    added.by_office = true;
    return {};
  }

  /// Serves waiting requests in the order of their arrival, as far as their nights are not held any more.
  void serve_waiting() {
    if (!waiting_) return;
    std::erase_if(*waiting_, [this](waiting_request& each) {
      return std::visit([&](const auto& message) { return serve(message, each.caller); }, each.message);
    });
    if (waiting_->empty()) waiting_.reset();
  }

  /// Returns whether the request does not wait any more.
  template <typename Request>
  bool serve(const Request& request, caf::response_promise& caller) {
    if (must_wait(request)) return false;
    if constexpr (std::same_as<Request, reserve>)
      caller.deliver(reserve_nights(request));
    else
      caller.deliver(hold_for_office(request));
    return true;
  }

  /// Shows a booking whose decision is durable although its outcome is not known here yet.
  void show(reservation& held) {
    if (!held.is_booking_in_progress()) return;
    calendar_.add(held.block);
    held.shown = true;
    changed();
  }

  static bool is_booked(const domain::block& block) { return block.source == domain::block_source::booking; }
  static bool is_hold(const domain::block& block) { return block.source == domain::block_source::hold; }

  std::forward_list<reservation>::iterator find_reservation(const domain::uuid& booking_id) {
    return std::ranges::find(reservations_, booking_id, [](const reservation& h) { return h.block.id; });
  }

  void cache_read(std::size_t platform, domain::timestamp now) {
    last_read read{
        platform, domain::day_of(now), std::string{render(platform, now, listings::past_blocks::shown)}, {}};
    read.digest = security::sha256(read.json);
    last_read_ = std::make_unique<const last_read>(std::move(read));
  }

  void changed() {
    last_read_.reset();
    changes_->note();
  }

  const domain::platform& platform_at(std::size_t index) const { return (*context_->platforms)[index]; }

  listings::publication publication_on(std::size_t platform) const {
    return listings::publication_of(setup_->terms, *setup_->property, platform_at(platform),
                                    setup_->excluded_from[platform]);
  }

  /// Returns a text that is valid until the next call on this thread.
  std::string_view render(std::size_t platform, domain::timestamp now, listings::past_blocks past) const {
    thread_local json::writer json;
    json.clear();
    const auto external_id = setup_->shown_id(platform);
    listings::write_listing(
        json,
        {*setup_->account, *setup_->property, setup_->terms, calendar_, platform_at(platform), external_id},
        now, past);
    return json.text();
  }

  std::string render_full(std::size_t platform, const store::presentation& shown) const {
    thread_local json::writer json;
    json.clear();
    const auto external_id = setup_->shown_id(platform);
    listings::write_full_listing(json,
                                 {*setup_->account, *shown.property, setup_->terms, shown.unit, calendar_,
                                  platform_at(platform), external_id, shown.link_url},
                                 domain::day_of(context_->now()));
    return std::string{json.text()};
  }

  domain::bookable_unit bookable_on(std::size_t platform) const {
    const auto& sold_on = platform_at(platform);
    const auto* card = domain::find_card(*setup_->account, sold_on.name);
    return {{*setup_->account, *setup_->property, setup_->terms, card},
            &sold_on,
            listings::is_withheld(setup_->terms, *setup_->property, setup_->excluded_from[platform])};
  }

  using optional_hold = std::optional<domain::uuid>;
  std::optional<domain::refusal> taken_by(const domain::nights& nights, const optional_hold& claimed) const {
    if (is_held(nights, false)) return domain::refusal::overlapping_nights;
    if (calendar_.is_free(nights)) return std::nullopt;
    return domain::taken_by(calendar_, nights, claimed);
  }

  /// Returns the nights among these that are taken, also by decisions that are not durable yet.
  std::vector<domain::nights> taken_among(const domain::nights& nights, const optional_hold& claimed) const {
    std::vector<domain::block> taking;
    for (const auto& block : calendar_.blocks())
      if (domain::overlap(block.nights, nights) && block.id != claimed) taking.push_back(block);
    for (const auto& each : reservations_)
      if (!each.shown && domain::overlap(each.block.nights, nights)) taking.push_back(each.block);
    return domain::taken_nights(domain::calendar(std::move(taking)), nights);
  }

  std::shared_ptr<const calendar_context> context_;
  std::shared_ptr<const unit_setup> setup_;
  domain::calendar calendar_;
  std::forward_list<reservation> reservations_;           // almost always empty, and then only a pointer
  std::unique_ptr<std::vector<waiting_request>> waiting_; // the same; in the order of their arrival
  std::unique_ptr<const last_read> last_read_;
  std::shared_ptr<unit_changes> changes_;
};

} // namespace

unit_calendar spawn_unit_calendar(runtime& rt, std::shared_ptr<const calendar_context> context,
                                  std::shared_ptr<const unit_setup> setup, std::vector<domain::block> blocks,
                                  std::shared_ptr<unit_changes> changes) {
  const auto home = rt.home_of(setup->account->id);
  return rt.spawn_at<calendar_state, caf::lazy_init>(home, std::move(context), std::move(setup),
                                                     std::move(blocks), std::move(changes));
}

} // namespace roost::actors
