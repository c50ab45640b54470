#include "simulation/clients/stay_changer.hpp"

#include "service/support/booking_load.hpp"
#include "service/support/json_text.hpp"
#include "service/support/manual_bookings.hpp"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto changing_platform = "marketplace-c"; // an outcome_follower follows it
/// Stays of other lengths than those of other clients, whose rows in listings must stay recognizable.
constexpr int short_stay = 6, long_stay = 71, stay_days_ahead = 1'400;

/// Returns whether a request arrived before the decided one, but is not known to be decided.
template <typename Request, typename Decided>
bool may_be_overtaken(const Request& request, const Decided& decided) {
  return !request.is_decided() && request.times.precede(decided.times);
}

} // namespace

stay_changer::stay_changer(history& in, std::string name, mixed_settings platforms)
    : simulated_client(in, std::move(name)), platforms_(std::move(platforms)), requests_(platforms_, 0) {}

client_task<> stay_changer::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 400ms));
    co_await act_once();
  }
  for (auto& stay : stays_) co_await finish(stay);
}

/// Waits until the booking and all its changes are decided.
client_task<> stay_changer::finish(changed_stay& stay) {
  co_await put(stay, true);
  for (auto& change : stay.changes) {
    if (!change.is_rejected) co_await put_change(stay, change, true);
    while (!change.is_rejected && !change.is_decided()) co_await read_change(stay, change, true);
  }
  do co_await read(stay, true);
  while (!stay.is_decided());
}

void stay_changer::forget() { stays_.clear(); }

client_task<> stay_changer::act_once() {
  const auto choice = random_index(100);
  auto* const stay = any_stay();
  if (!stay || choice < 18) co_return co_await book();
  if (choice < 40) co_return co_await change_any();
  if (choice < 50) co_return co_await compete();
  if (choice < 55) co_return co_await cancel(*stay);
  if (choice < 68) co_return co_await read_and_check(*stay);
  if (choice < 71) co_return co_await put(*stay, false);
  if (stay->changes.empty()) co_return co_await change_any();
  auto& change = chance(50) ? stay->changes.back() : stay->changes[random_index(stay->changes.size())];
  if (choice < 78) co_return co_await put_change(*stay, change, false);
  if (choice < 82) co_return co_await put_another_body(*stay, change);
  co_await read_and_check(*stay, change);
}

/// Returns a random stay, more often one of the last; null if there is none.
changed_stay* stay_changer::any_stay() {
  if (stays_.empty()) return nullptr;
  const auto recent = std::min<std::size_t>(stays_.size(), 3);
  return chance(60) ? &stays_[stays_.size() - 1 - random_index(recent)]
                    : &stays_[random_index(stays_.size())];
}

/// Returns a random stay that may be changed, preferably one that can be; null if there is none.
changed_stay* stay_changer::changeable_stay() {
  constexpr unsigned tries = 5;
  for (unsigned i = 0; i < tries; ++i) {
    auto* const stay = any_stay();
    if (stay && !stay->receipt.empty() && !stay->is_left_alone && (!stay->is_over() || chance(10)))
      return stay;
  }
  return nullptr;
}

std::string stay_changer::random_id() {
  std::mt19937 random(static_cast<std::uint32_t>(history_.random()));
  return random_reference(random);
}

stay_dates stay_changer::some_dates() {
  constexpr int days_ahead = 10, other_lengths = 2, other_long_lengths = 20;
  const auto check_in = std::chrono::floor<domain::days>(std::chrono::system_clock::now()) +
                        domain::days{days_ahead + static_cast<int>(random_index(stay_days_ahead))};
  const auto nights =
      chance(80) ? short_stay + random_index(other_lengths) : long_stay + random_index(other_long_lengths);
  return {check_in, check_in + domain::days{static_cast<int>(nights)}};
}

/// Returns dates that often share nights with these.
stay_dates stay_changer::dates_near(const stay_dates& dates) {
  auto near = some_dates();
  if (chance(40)) return near;
  const auto nights = near.check_out - near.check_in;
  near.check_in = dates.check_in + domain::days{static_cast<int>(random_index(9)) - 4};
  near.check_out = near.check_in + nights;
  return near;
}

changed_stay& stay_changer::add_stay(unsigned unit, const stay_dates& dates) {
  client_event event;
  event.kind = client_event::type::submission;
  event.platform = changing_platform;
  event.unit = unit;
  event.check_in = dates.check_in;
  event.check_out = dates.check_out;
  event.reference = random_id();
  auto& added = stays_.emplace_back();
  added.event = std::move(event);
  return added;
}

requested_change& stay_changer::add_change(changed_stay& stay, const stay_dates& dates, bool has_payment) {
  auto& change = stay.changes.emplace_back();
  change.id = random_id();
  change.dates = dates;
  change.has_payment = has_payment;
  const std::string payment = !has_payment ? "0" : chance(30) ? "700" : "";
  change.body = R"({"checkInDate":")" + domain::to_string(dates.check_in) + R"(","checkOutDate":")" +
                domain::to_string(dates.check_out) + '"' +
                (payment.empty() ? "" : R"(,"platformProviderPaymentValue":)" + payment) +
                (chance(20) ? R"(,"numberOfExtraTenants":2)" : "") + '}';
  if (change.is_valid())
    history_.facts().office_stays().on_request({stay.event.unit, dates.check_in, dates.check_out});
  return change;
}

http_call stay_changer::call_of(std::string method, const std::string& target) const {
  return {std::move(method),
          std::string("/") + changing_platform + "/bookings/" + target,
          {},
          {{"Authorization", "Bearer " + platforms_.tokens.at(changing_platform)},
           {"Content-Type", "application/json"}}};
}

client_task<simulated_response> stay_changer::send(std::string purpose, http_call call, bool until_served) {
  simulated_response response;
  if (until_served)
    response = co_await ask_until_served(std::move(purpose), std::move(call));
  else
    response = co_await ask(std::move(purpose), std::move(call));
  co_return response;
}

// Bookings

client_task<> stay_changer::book() {
  const auto unit = 1 + static_cast<unsigned>(random_index(platforms_.units));
  auto& stay = add_stay(unit, some_dates());
  co_await put(stay, false);
  if (stay.receipt.empty()) co_return;
  if (chance(40)) { // usually before the decision
    auto& change = add_change(stay, dates_near(stay.booked()));
    co_await put_change(stay, change, false);
  }
  if (chance(15)) co_await cancel(stay);
  if (chance(40)) co_await read_and_check(stay);
}

client_task<> stay_changer::put(changed_stay& stay, bool until_served) {
  auto call = requests_.to_call(stay.event);
  call.method = "PUT";
  call.path += '/' + stay.event.reference;
  if (stay.times.sent == 0) stay.times.sent = ++last_time_;
  const auto response = co_await send("to book " + stay.event.reference, std::move(call), until_served);
  if (is_missing(response)) co_return;
  if (response.status != 200 && response.status != 201) fail("got an unexpected response: " + response.body);
  if (!stay.receipt.empty()) {
    if (response.body != stay.receipt || response.status != 200)
      fail("the repeat of " + stay.event.reference + " got another receipt: " + response.body);
    co_return;
  }
  stay.receipt = response.body;
  stay.times.acknowledged = ++last_time_;
  stay.event.response = raw_response{response.status, {}, response.body};
  history_.add(stay.event);
}

client_task<> stay_changer::cancel(changed_stay& stay) {
  if (stay.receipt.empty() || stay.is_left_alone) co_return;
  auto event = stay.event;
  event.kind = client_event::type::cancel;
  event.response.reset();
  history_.add(event);
  stay.may_be_cancelled = true;
  auto call = call_of("DELETE", event.reference);
  const auto response = co_await send("to cancel " + event.reference, std::move(call), false);
  if (is_missing(response)) co_return;
  if (response.status != 200) fail("cannot cancel " + event.reference + ": " + response.body);
  learn(stay, response.body);
  if (!stay.is_over()) fail("the cancelled booking " + event.reference + " goes on: " + response.body);
}

/// Keeps the first stay and the second one unchanged from then on, so that the change decides about the
/// second one: if it is applied, the second stay must be refused.
client_task<> stay_changer::compete() {
  auto* const first = changeable_stay();
  if (!first || first->is_over() || first->may_be_cancelled) co_return;
  if (!std::ranges::all_of(first->changes, &requested_change::is_certain)) co_return;
  const auto dates = chance(50) ? some_dates() : dates_near(first->booked());
  auto& change = add_change(*first, dates);
  co_await put_change(*first, change, false);
  if (change.receipt.empty()) co_return;
  first->is_left_alone = true;
  auto& second = add_stay(first->event.unit, dates);
  second.is_left_alone = true;
  second.rival = &change;
  co_await put(second, false);
  if (chance(50))
    co_await read_and_check(second);
  else
    co_await read_and_check(*first, change);
}

client_task<std::string> stay_changer::read(changed_stay& stay, bool until_served) {
  if (stay.receipt.empty()) co_return std::string(); // the server may not have it
  auto call = call_of("GET", stay.event.reference + (until_served || chance(50) ? "?wait=10s" : ""));
  const auto response =
      co_await send("what became of " + stay.event.reference, std::move(call), until_served);
  if (is_missing(response)) co_return std::string();
  if (response.status != 200 || json_text_at(response.body, "/bookingId") != stay.event.reference)
    fail("cannot read its booking " + stay.event.reference + ": " + response.body);
  learn(stay, response.body);
  co_return json_text_at(response.body, "/status");
}

client_task<> stay_changer::read_and_check(changed_stay& stay) {
  co_await read(stay, false);
  if (stay.decision == "confirmed" || stay.decision == "refused") co_await check_earlier(stay);
}

/// A change of a refused or cancelled booking has no effect, so others may overtake it.
client_task<> stay_changer::fail_unless_over(changed_stay& stay, std::string text) {
  const auto status = co_await read(stay, false);
  if (!status.empty() && !stay.is_over()) fail(text);
}

/// A cancelled booking may have been withdrawn before the decision, so it says nothing.
client_task<> stay_changer::check_earlier(const changed_stay& decided) {
  for (auto& stay : stays_)
    for (auto& change : stay.changes) {
      if (!may_be_overtaken(change, decided)) continue;
      const auto status = co_await read_change(stay, change, false);
      if (status == "pending")
        co_await fail_unless_over(stay, "the booking " + decided.event.reference +
                                            " was decided before the earlier change " + change.id);
      co_return;
    }
}

// Changes

client_task<> stay_changer::change_any() {
  auto* const stay = changeable_stay();
  if (!stay) co_return;
  const auto kind = random_index(100);
  auto dates = kind < 80 ? dates_near(stay->booked()) : stay->booked();
  if (kind >= 95) std::swap(dates.check_in, dates.check_out);
  auto& change = add_change(*stay, dates, kind < 80 || kind >= 88);
  co_await put_change(*stay, change, false);
  if (chance(30)) co_await read_and_check(*stay, change);
}

client_task<> stay_changer::put_change(changed_stay& stay, requested_change& change, bool until_served) {
  if (stay.receipt.empty() || change.is_rejected) co_return;
  auto call = call_of("PUT", stay.event.reference + "/changes/" + change.id);
  call.body = change.body;
  const bool is_first = change.times.sent == 0, was_over = stay.is_over();
  if (is_first) change.times.sent = ++last_time_;
  const auto response = co_await send("to change " + stay.event.reference + " to " + to_string(change.dates),
                                      std::move(call), until_served);
  if (is_missing(response)) co_return;
  if (response.status == 409 && change.receipt.empty()) {
    if (response.body.find("is cancelled") != std::string::npos ? !stay.may_be_cancelled
                                                                : stay.decision == "confirmed")
      fail("could not change " + stay.event.reference + ": " + response.body);
    change.is_rejected = true;
    co_return;
  }
  if (response.status != 200 && response.status != 201) fail("got an unexpected response: " + response.body);
  if (is_first && was_over) fail("may change " + stay.event.reference + ", which was " + stay.decision);
  if (json_text_at(response.body, "/changeId") != change.id) fail("got a wrong receipt: " + response.body);
  if (!change.receipt.empty()) {
    if (response.body != change.receipt || response.status != 200)
      fail("the repeat of the change " + change.id + " got another receipt: " + response.body);
    co_return;
  }
  if (is_first && response.status != 201) fail("the new change " + change.id + " counts as a repeat");
  change.receipt = response.body;
  change.times.acknowledged = ++last_time_;
}

client_task<> stay_changer::put_another_body(changed_stay& stay, const requested_change& change) {
  if (change.receipt.empty()) co_return; // the server may accept it
  auto call = call_of("PUT", stay.event.reference + "/changes/" + change.id);
  call.body = R"({"checkInDate":"2040-01-01","checkOutDate":"2040-01-08"})";
  const auto response = co_await send("for another change with the same id", std::move(call), false);
  if (!is_missing(response) &&
      (response.status != 409 || response.body.find("different change") == std::string::npos))
    fail("another body for the change " + change.id + " is not refused: " + response.body);
}

client_task<std::string> stay_changer::read_change(changed_stay& stay, requested_change& change,
                                                   bool until_served) {
  if (change.receipt.empty()) co_return std::string(); // the server may not have it
  auto call = call_of("GET", stay.event.reference + "/changes/" + change.id +
                                 (until_served || chance(50) ? "?wait=10s" : ""));
  const auto response =
      co_await send("what became of the change " + change.id, std::move(call), until_served);
  if (is_missing(response)) co_return std::string();
  if (response.status != 200 || json_text_at(response.body, "/changeId") != change.id)
    fail("cannot read its change " + change.id + ": " + response.body);
  learn(stay, change, response.body);
  co_return json_text_at(response.body, "/status");
}

client_task<> stay_changer::read_and_check(changed_stay& stay, requested_change& change) {
  const bool was_decided = change.is_decided();
  co_await read_change(stay, change, false);
  if (change.is_decided() && !was_decided) co_await check_earlier(stay, change);
}

/// The changes of all stays are decided in the order in which they arrived, because the account is the same.
client_task<> stay_changer::check_earlier(changed_stay& stay, const requested_change& decided) {
  if (may_be_overtaken(stay, decided) || chance(30)) {
    const auto status = co_await read(stay, false);
    if (status == "pending") fail("the change " + decided.id + " was decided before its booking");
  }
  for (auto& other : stays_) {
    if (may_be_overtaken(other, decided)) {
      const auto status = co_await read(other, false);
      if (status == "pending")
        fail("the change " + decided.id + " was decided before the earlier booking " + other.event.reference);
      co_return;
    }
    for (auto& each : other.changes) {
      if (!may_be_overtaken(each, decided)) continue;
      const auto status = co_await read_change(other, each, false);
      if (status == "pending")
        co_await fail_unless_over(other, "the change " + decided.id +
                                             " was decided before the earlier change " + each.id);
      co_return;
    }
  }
}

} // namespace roost::testing
