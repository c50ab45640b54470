#include "simulation/clients/guest.hpp"

#include "cli/context.hpp"
#include "simulation/clients/simulated_command.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/erasure.hpp"
#include "store/bookings/requests.hpp"

#include <array>
#include <cstdio>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_rows = 1'000'000;
/// Further ahead than the nights that other clients book.
constexpr domain::days first_night{2'000}, days_per_stay{5}, nights_per_stay{3};
constexpr auto cancel_accepted = R"({"ok":true})";

std::string stay_reference(std::size_t number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "e0000000-0000-4000-8000-%012zu", number);
  return text.data();
}

} // namespace

guest::guest(history& in, std::string name, mixed_settings platforms)
    : simulated_client(in, std::move(name)), platforms_(std::move(platforms)), requests_(platforms_, 0),
      address_("guest-0@erased.example") {}

client_task<> guest::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 1s));
    if (is_booked_)
      co_await cancel();
    else if (stays_.empty() || stays_.back().is_erased || chance(30))
      co_await book();
    else
      erase();
  }
  if (is_booked_) co_await cancel();
}

/// Changes the address: a forgotten stay may still be booked, so the guest with the former address could not
/// be erased.
void guest::forget() {
  address_ = "guest-" + std::to_string(booked_) + "@erased.example";
  stays_.clear();
  is_booked_ = false;
}

client_task<simulated_response> guest::send(const client_event& event, bool until_served) {
  const auto purpose = "for a " + to_string(event.kind) + " " + event.reference;
  auto call = requests_.to_call(event);
  if (until_served) co_return co_await ask_until_served(purpose, std::move(call));
  co_return co_await ask(purpose, std::move(call));
}

/// Books a stay. Retries until it is acknowledged, which is idempotent because of the reference.
client_task<> guest::book() {
  client_event event;
  event.kind = client_event::type::submission;
  event.platform = "marketplace-a";
  event.email = address_;
  event.reference = stay_reference(++booked_);
  event.check_in = std::chrono::floor<domain::days>(std::chrono::system_clock::now()) + first_night +
                   days_per_stay * static_cast<int>(booked_);
  event.check_out = event.check_in + nights_per_stay;
  stays_.push_back({event});
  const auto response = co_await send(event, true);
  if (response.status != 201) fail("could not book: " + response.body);
  event.response = raw_response{response.status, {}, response.body};
  history_.add(event);
  is_booked_ = true;
}

/// Tries to cancel the last stay, which succeeds once it is decided.
client_task<> guest::cancel() {
  auto event = stays_.back().event;
  event.kind = client_event::type::cancel;
  history_.add(event);
  const auto response = co_await send(event, history_.is_completing());
  is_booked_ = response.status / 100 != 2 || response.body != cancel_accepted;
}

void guest::erase() {
  add_to_story("has its data erased");
  for (auto& each : stays_) each.may_be_erased = true;
  bool is_erased = false;
  const auto outcome = run_command(history_, kill_percent, [&] {
    auto db = cli::open_store(history_.settings());
    const auto today = domain::day_of(cli::current_time());
    const auto known = store::find_guest(db, address_, today);
    const auto result = store::erase_guest(db, known, today);
    for (const auto& obstacle : {known.obstacle, result.obstacle})
      if (obstacle == store::erasure_obstacle::unfinished_stay)
        throw contradiction("a guest whose stays are cancelled cannot be erased");
    if (result.obstacle) return; // a retry of an earlier request has arrived late
    is_erased = !result.change || cli::wait_until_applied(db, *result.change);
  });
  if (outcome != command_outcome::done || !is_erased) return;
  for (auto& each : stays_) each.is_erased = true;
}

std::vector<std::string> guest::differences(store::session& db) const {
  std::vector<std::string> errors;
  const auto check = [&](const std::string& reference, const std::string& address, const std::string& where) {
    for (const auto& each : stays_) {
      if (each.event.reference != reference) continue;
      if (each.is_erased && !address.empty())
        errors.push_back(name() + ": the " + where + " of the erased booking " + reference +
                         " has an address");
      if (!each.may_be_erased && address != address_)
        errors.push_back(name() + ": the " + where + " of the booking " + reference + " has the address '" +
                         address + "'");
    }
  };
  // A retry may arrive after the erasure, and is then stored like any later request.
  for (const auto& each : store::list_requests(db, {}, max_rows))
    if (each.booking_id) check(each.request.reference.value_or(""), each.request.tenant.email, "request");
  for (const auto& each : store::list_bookings(db, {}, max_rows))
    check(each.booking.reference.value_or(""), each.tenant.details.email, "tenant");
  return errors;
}

} // namespace roost::testing
