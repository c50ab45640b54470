#include "simulation/clients/holder.hpp"

#include "service/support/booking_load.hpp"
#include "service/support/manual_bookings.hpp"
#include "service/support/portfolio.hpp"
#include "simulation/shown_stays.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto holding_platform = "marketplace-c"; // an outcome_follower follows it
constexpr auto other_platform = "marketplace-d";
/// Holds are longer than the stays that other clients request so far ahead, so that reads show which of them
/// they mean. Competing bookings are a night shorter.
constexpr int min_nights = 22, max_nights = 24;
/// Other clients request stays of these lengths in the near days.
constexpr int near_days = 640, holding_days = 1'500;
constexpr unsigned percent_near = 25;
/// Requests that the servers may still have when faults end are over then.
constexpr auto settling_time = 25s;
/// A hold ends within a second of its expiry.
constexpr auto expiry_tolerance = 1500ms;

} // namespace

holder::holder(history& in, std::string name, mixed_settings platforms)
    : simulated_client(in, std::move(name)), platforms_(std::move(platforms)), requests_(platforms_, 0) {}

client_task<> holder::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 700ms));
    co_await act_once();
  }
  co_await finish();
}

/// The ids of holds stay known: they must end, too.
void holder::forget() {
  holds_.clear();
  bookings_.clear();
}

client_task<> holder::act_once() {
  const auto choice = random_index(100);
  auto* const active = any_active_hold();
  if (!active || choice < 22) co_return co_await hold_some();
  if (choice < 38) co_return co_await claim(*active);
  if (choice < 50) co_return co_await compete(*active);
  if (choice < 56) co_return co_await hold_again(*active);
  if (choice < 62) co_return co_await release(*active, false);
  if (choice < 74) co_return co_await check_nights(*active, false);
  if (choice < 80) co_return co_await place(*any_hold(), false);
  if (choice < 83) co_return co_await place_another_body(*any_hold());
  if (bookings_.empty()) co_return;
  auto& booking = chance(60) ? bookings_.back() : bookings_[random_index(bookings_.size())];
  if (choice < 86) co_return co_await put(booking, false);
  if (choice < 89) co_return co_await cancel(booking, false);
  co_await read(booking, false);
}

known_hold* holder::any_hold() { return chance(50) ? &holds_.back() : &holds_[random_index(holds_.size())]; }

/// Returns a random hold that takes nights, more often one of the last; null if there is none.
known_hold* holder::any_active_hold() {
  std::vector<known_hold*> active;
  for (auto& each : holds_)
    if (takes_nights(each)) active.push_back(&each);
  if (active.empty()) return nullptr;
  return chance(50) ? active.back() : active[random_index(active.size())];
}

std::string holder::random_id() {
  std::mt19937 random(static_cast<std::uint32_t>(history_.random()));
  return random_reference(random);
}

http_call holder::call_of(std::string method, const std::string& platform, const std::string& target) const {
  return {
      std::move(method),
      '/' + platform + target,
      {},
      {{"Authorization", "Bearer " + platforms_.tokens.at(platform)}, {"Content-Type", "application/json"}}};
}

client_task<simulated_response> holder::send(std::string purpose, http_call call, bool until_served) {
  simulated_response response;
  if (until_served)
    response = co_await ask_until_served(std::move(purpose), std::move(call));
  else
    response = co_await ask(std::move(purpose), std::move(call));
  co_return response;
}

// Holds

known_hold& holder::add_hold(unsigned unit, const stay_dates& dates, bool may_share_dates) {
  constexpr std::array lengths{1, 1, 1, 30, 30};
  auto& known = holds_.emplace_back();
  known.id = random_id();
  known.unit = unit;
  known.dates = dates;
  known.may_share_dates = may_share_dates;
  known.length = std::chrono::minutes{lengths[random_index(lengths.size())]};
  known.body = R"({"externalId":"u)" + std::to_string(unit) + R"(","checkInDate":")" +
               domain::to_string(dates.check_in) + R"(","checkOutDate":")" +
               domain::to_string(dates.check_out) + R"(","minutes":)" + std::to_string(known.length.count()) +
               '}';
  history_.facts().office_stays().on_request({unit, dates.check_in, dates.check_out});
  sent_.insert(known.id);
  return known;
}

/// No two holds have the same dates, except for those that compete, so that reads show which of them they
/// mean.
client_task<> holder::hold_some() {
  const bool is_near = chance(percent_near);
  const auto unit = 1 + static_cast<unsigned>(random_index(platforms_.units));
  const auto days_ahead =
      is_near ? 2 + random_index(near_days) : near_days + random_index(holding_days - near_days);
  stay_dates dates;
  dates.check_in = std::chrono::floor<domain::days>(std::chrono::system_clock::now()) +
                   domain::days{static_cast<int>(days_ahead)};
  dates.check_out =
      dates.check_in + domain::days{min_nights + static_cast<int>(random_index(max_nights - min_nights + 1))};
  if (!used_places_.insert(std::to_string(unit) + ' ' + to_string(dates)).second) co_return;
  auto& known = add_hold(unit, dates, is_near);
  co_await place(known, false);
  if (!known.is_acknowledged() && !known.is_rejected && chance(70)) co_await place(known, false);
  if (!known.is_acknowledged()) co_return;
  if (chance(40)) co_await check_nights(known, false);
  if (chance(20)) co_await claim(known);
}

client_task<> holder::hold_again(known_hold& known) {
  auto& second = add_hold(known.unit, known.dates, true);
  second.rival = &known;
  co_await place(second, false);
  if (!second.is_rejected) known.may_share_dates = true;
}

client_task<> holder::place(known_hold& known, bool until_served) {
  if (known.is_rejected) co_return;
  if (known.first_sent == time_point{}) {
    known.first_sent = now();
    known.error = history_.clock_error();
  }
  auto call = call_of("PUT", holding_platform, "/holds/" + known.id);
  call.body = known.body;
  const auto response =
      co_await send("to hold " + to_string(known.dates) + " as " + known.id, std::move(call), until_served);
  if (is_missing(response)) co_return;
  if (response.status == 409 && !known.is_acknowledged()) {
    check_refusal(response);
    known.is_rejected = true;
    co_return;
  }
  check_receipt(known, response);
}

client_task<> holder::place_another_body(const known_hold& known) {
  if (!known.is_acknowledged()) co_return; // the server may accept it
  auto call = call_of("PUT", holding_platform, "/holds/" + known.id);
  call.body = R"({"externalId":"u1","checkInDate":"2040-01-01","checkOutDate":"2040-01-08","minutes":3})";
  const auto response = co_await send("for another hold with the same id", std::move(call), false);
  if (!is_missing(response) &&
      (response.status != 409 || response.body.find("different hold") == std::string::npos))
    fail("another body for the hold " + known.id + " is not refused: " + response.body);
}

client_task<> holder::release(known_hold& known, bool until_served) {
  const bool was_claimed = known.claim != nullptr, was_released = known.is_released;
  known.may_be_released = true;
  auto call = call_of("DELETE", holding_platform, "/holds/" + known.id);
  const auto response = co_await send("to release the hold " + known.id, std::move(call), until_served);
  if (is_missing(response)) co_return;
  if (response.status == 404 && !known.is_acknowledged()) co_return;
  if (response.status == 409 && was_claimed) co_return;
  if (response.status != 204) fail("cannot release the hold " + known.id + ": " + response.body);
  if (was_claimed || was_released || !known.is_acknowledged()) co_return;
  known.is_released = true;
  if (chance(60)) co_await check_nights(known, until_served);
}

client_task<> holder::check_nights(known_hold& known, bool until_served) {
  const auto view = chance(25) ? unit_view::calendar : unit_view::listing;
  auto call = view == unit_view::calendar
                  ? http_call{"GET", "/ical-integration/listings/" + unit_id(known.unit) + "/iCal", {}}
                  : call_of("GET", "channel-manager", "/listings/u" + std::to_string(known.unit));
  const auto response =
      co_await send("for the nights of the hold " + known.id, std::move(call), until_served);
  if (is_missing(response)) co_return;
  if (response.status != 200) fail("cannot read a unit: " + response.body);
  const auto row = row_of(known.dates.check_in, known.dates.check_out, view);
  const auto rows = rows_in(response.body, view);
  check_rows(known, static_cast<std::size_t>(std::ranges::count(rows, row)));
}

// Bookings

holding_booking& holder::add_booking(known_hold& of, const std::string& platform, const stay_dates& dates) {
  auto& booking = bookings_.emplace_back();
  booking.hold = &of;
  booking.event.kind = client_event::type::submission;
  booking.event.platform = platform;
  booking.event.unit = of.unit;
  booking.event.check_in = dates.check_in;
  booking.event.check_out = dates.check_out;
  booking.event.reference = random_id();
  history_.facts().office_stays().on_request({of.unit, dates.check_in, dates.check_out});
  return booking;
}

client_task<> holder::claim(known_hold& known) {
  if (known.claim) co_return;
  auto& booking = add_booking(known, holding_platform, known.dates);
  known.claim = &booking;
  booking.has_payment = chance(85);
  co_await put(booking, false);
  if (chance(20)) co_await cancel(booking, false); // often before the decision
  if (chance(60)) co_await read(booking, false);
  if (chance(40)) co_await check_nights(known, false);
}

client_task<> holder::compete(known_hold& known) {
  auto dates = known.dates;
  dates.check_in += domain::days{1};
  auto& booking = add_booking(known, chance(50) ? holding_platform : other_platform, dates);
  booking.is_rival = true;
  co_await put(booking, false);
  if (chance(60)) co_await read(booking, false);
}

/// A repeat may lack the id of the hold.
client_task<> holder::put(holding_booking& booking, bool until_served) {
  const auto& reference = booking.event.reference;
  const bool was_released = booking.hold->may_be_released;
  auto call = requests_.to_call(booking.event);
  call.method = "PUT";
  call.path += '/' + reference;
  if (!booking.is_rival && (booking.receipt.empty() || chance(50))) {
    call.body.pop_back();
    call.body += R"(,"holdId":")" + booking.hold->id + R"("})";
  }
  constexpr std::string_view payment = R"("platformProviderPaymentValue":650)";
  if (!booking.has_payment)
    call.body.replace(call.body.find(payment), payment.size(), R"("platformProviderPaymentValue":0)");
  const auto response = co_await send("to book " + reference + (booking.is_rival ? " next to" : " with") +
                                          " the hold " + booking.hold->id,
                                      std::move(call), until_served);
  if (is_missing(response)) co_return;
  if (response.status != 200 && response.status != 201) fail("got an unexpected response: " + response.body);
  if (!booking.receipt.empty()) {
    if (response.body != booking.receipt || response.status != 200)
      fail("the repeat of " + reference + " got another receipt: " + response.body);
    co_return;
  }
  booking.receipt = response.body;
  booking.event.response = raw_response{response.status, {}, response.body};
  booking.has_claimed = !booking.is_rival && !was_released && !may_be_expired(*booking.hold);
  history_.add(booking.event);
}

client_task<> holder::cancel(holding_booking& booking, bool until_served) {
  if (booking.receipt.empty()) co_return; // the server may not have it
  auto event = booking.event;
  event.kind = client_event::type::cancel;
  event.response.reset();
  history_.add(event);
  booking.may_be_cancelled = true;
  auto call = call_of("DELETE", event.platform, "/bookings/" + event.reference);
  const auto response = co_await send("to cancel " + event.reference, std::move(call), until_served);
  if (is_missing(response)) co_return;
  if (response.status != 200) fail("cannot cancel " + event.reference + ": " + response.body);
  learn(booking, response.body);
  if (booking.decision != "cancelled" && booking.decision != "refused")
    fail("the cancelled booking " + event.reference + " goes on: " + response.body);
  if (!booking.is_rival && chance(60)) co_await check_nights(*booking.hold, until_served);
}

client_task<> holder::read(holding_booking& booking, bool until_served) {
  const auto& reference = booking.event.reference;
  if (booking.receipt.empty()) co_return; // the server may not have it
  auto call = call_of("GET", booking.event.platform,
                      "/bookings/" + reference + (until_served || chance(70) ? "?wait=10s" : ""));
  const auto response = co_await send("what became of " + reference, std::move(call), until_served);
  if (is_missing(response)) co_return;
  if (response.status != 200 || json_text_at(response.body, "/bookingId") != reference)
    fail("cannot read its booking " + reference + ": " + response.body);
  learn(booking, response.body);
}

// The end

/// Waits until all bookings are decided and all holds have ended.
client_task<> holder::finish() {
  completing_since_ = now();
  const bool lets_expire = chance(70);
  for (auto& each : holds_)
    if (!each.is_acknowledged()) co_await place(each, true);
  for (auto& each : bookings_) {
    co_await put(each, true);
    if (each.may_be_cancelled) co_await cancel(each, true);
    while (!each.is_decided()) co_await read(each, true);
  }
  for (auto& each : holds_) {
    if (each.is_rejected || each.is_released) continue;
    if (lets_expire && each.length == 1min && !each.claim)
      co_await await_expiry(each);
    else
      co_await release(each, true);
  }
  co_await release_forgotten();
}

/// Books some of them right before.
client_task<> holder::await_expiry(known_hold& known) {
  const auto expiry = domain::parse_timestamp(known.expires_at);
  if (!expiry) fail("the hold " + known.id + " has no time of its expiry: " + known.receipt);
  if (chance(30)) {
    const auto before = between(1ms, 400ms);
    while (std::chrono::system_clock::now() < *expiry - before) co_await wait(20ms);
    co_await claim(known);
    while (known.claim->receipt.empty()) co_await put(*known.claim, true);
    while (!known.claim->is_decided()) co_await read(*known.claim, true);
    co_await wait(expiry_tolerance); // it may have arrived too late to claim the hold
    co_return;
  }
  while (std::chrono::system_clock::now() < *expiry + expiry_tolerance ||
         now() < completing_since_ + settling_time)
    co_await wait(500ms);
  add_to_story("expects that the hold " + known.id + " has expired");
  known.is_released = known.may_be_released = true;
  co_await check_nights(known, true);
}

/// Ends the holds that it placed before a backup was restored. A request in flight may still place one.
client_task<> holder::release_forgotten() {
  auto forgotten = sent_;
  for (const auto& each : holds_) forgotten.erase(each.id);
  if (forgotten.empty()) co_return;
  while (now() < completing_since_ + settling_time) co_await wait(500ms);
  for (const auto& id : forgotten) {
    simulated_response response;
    do {
      if (response.status == 409) co_await wait(500ms); // its booking is not decided yet
      auto call = call_of("DELETE", holding_platform, "/holds/" + id);
      response = co_await send("to release the forgotten hold " + id, std::move(call), true);
    } while (response.status == 409);
    if (response.status != 204 && response.status != 404)
      fail("cannot release the hold " + id + ": " + response.body);
  }
}

} // namespace roost::testing
