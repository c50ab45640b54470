#pragma once

#include "actors/inventory/unit_calendar.hpp"
#include "support/sample_portfolio.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roost::testing {

/// One calendar, asked by messages.
class calendar_scene : public ::testing::Test {
protected:
  static constexpr std::size_t marketplace = 0, room_sharing = 3;

  calendar_scene() { create({}); }

  ~calendar_scene() override { end(); }

  /// Creates the calendar with these blocks, in place of the one before.
  void create(std::vector<domain::block> blocks) {
    end();
    auto context = std::make_shared<actors::calendar_context>();
    context->platforms = sample_platforms();
    context->now = [this] { return now.load(); };
    calendar = spawn_unit_calendar(rt, context, setup(), std::move(blocks), changes);
  }

  static std::shared_ptr<actors::unit_setup> setup() {
    auto setup = std::make_shared<actors::unit_setup>();
    setup->account = std::make_shared<domain::account>(sample_account(1).details);
    setup->property = std::make_shared<domain::property_terms>();
    setup->terms = sample_unit(1).terms;
    setup->terms.account_id = setup->account->id;
    setup->links = {{marketplace, "u1"}};
    return setup;
  }

  actors::reserve_response reserve_nights(const char* check_in, const char* check_out, int request = 1,
                                          const std::optional<domain::uuid>& claimed_hold = std::nullopt) {
    actors::reserve message;
    message.platform = marketplace;
    message.booking_id = numbered_id(3000 + request);
    message.check_in = day(check_in);
    message.check_out = day(check_out);
    message.provider_payment = domain::money{65000};
    message.claimed_hold = claimed_hold;
    actors::reserve_response response;
    caf::scoped_actor self{rt.system()};
    self->request(calendar, std::chrono::seconds{5}, message)
        .receive([&](actors::reserve_response& received) { response = std::move(received); },
                 [](const caf::error&) { FAIL() << "no response"; });
    return response;
  }

  void settle(int request, actors::hold_outcome outcome) {
    caf::anon_send(calendar, actors::settle_nights{numbered_id(3000 + request), outcome});
  }

  std::string listing() { return read(marketplace).json; }

  actors::listing_response read(std::size_t platform) {
    actors::listing_response read;
    caf::scoped_actor self{rt.system()};
    self->request(calendar, std::chrono::seconds{5}, actors::read_listing{platform})
        .receive([&](actors::listing_response& response) { read = std::move(response); },
                 [](const caf::error&) { FAIL() << "no response"; });
    return read;
  }

  listings::publication publication() {
    auto result = listings::publication::withheld;
    caf::scoped_actor self{rt.system()};
    self->request(calendar, std::chrono::seconds{5}, actors::read_publication{marketplace})
        .receive([&](const actors::publication_response& response) { result = response.publication; },
                 [](const caf::error&) { FAIL() << "no response"; });
    return result;
  }

  domain::stay_quote quote(const char* check_in, const char* check_out) {
    domain::stay_quote quote;
    caf::scoped_actor self{rt.system()};
    const domain::requested_stay stay{day(check_in), day(check_out), 1, domain::money{65000},
                                      domain::day_of(domain::timestamp{})}; // as reserve_nights() does
    self->request(calendar, std::chrono::seconds{5}, actors::read_quote{marketplace, stay})
        .receive([&](actors::quote_response& response) { quote = std::move(response.quote).value(); },
                 [](const caf::error&) { FAIL() << "no response"; });
    return quote;
  }

  /// Returns the export for `reader`, or nullopt if there is none.
  std::optional<std::string> ical(const std::string& reader = "") {
    std::optional<std::string> text;
    caf::scoped_actor self{rt.system()};
    self->request(calendar, std::chrono::seconds{5}, actors::read_ical{reader})
        .receive([&](actors::ical_response& response) { text = std::move(response.text); },
                 [](const caf::error&) { FAIL() << "no response"; });
    return text;
  }

  bool exports(const std::string& text, const std::string& reader = "") {
    return ical(reader).value().find(text) != std::string::npos;
  }

  bool shows(const std::string& text) { return listing().find(text) != std::string::npos; }

  std::atomic<domain::timestamp> now{domain::timestamp{day("2026-11-20")}};
  actors::runtime rt{actors::scheduler_knobs{}};
  std::shared_ptr<actors::change_clock> clock = std::make_shared<actors::change_clock>();
  std::shared_ptr<actors::unit_changes> changes = std::make_shared<actors::unit_changes>(*clock);
  actors::unit_calendar calendar;

private:
  void end() {
    if (calendar) caf::anon_send_exit(calendar, caf::exit_reason::user_shutdown);
    calendar = nullptr;
  }
};

} // namespace roost::testing
