#include "service/support/booking_load.hpp"
#include "service/support/partner.hpp"
#include "service/support/portfolio.hpp"
#include "simulation/portfolio_files.hpp"
#include "simulation/simulation.hpp"
#include "simulation/store_faults.hpp"
#include "simulation/stored_holds.hpp"
#include "simulation/story.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/store_state.hpp"
#include "store/messages/messages.hpp"
#include "store/support/stored_rows.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <utility>

/// The end of a history: completes all work without faults, and compares the results.
namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// The time limit for decisions and mails after the last fault.
constexpr auto completion = 180s;
constexpr std::size_t every_row = 1'000'000;

domain::timestamp calendar_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// Returns the ranges of nights without a booking or a block, up to the latest night that clients may
/// request.
std::vector<domain::nights> free_nights(store::session& db, unsigned unit) {
  constexpr domain::days horizon{1'600};
  store::booking_filter filter;
  filter.unit = domain::parse_uuid(unit_id(unit)).value();
  const auto records = store::list_bookings(db, filter, every_row);
  std::vector<domain::nights> taken;
  for (const auto& each : stored_blocks(db, *filter.unit)) taken.push_back(each.nights);
  for (const auto& each : records)
    if (each.booking.status != domain::booking_status::cancelled)
      taken.push_back(domain::stay_nights(each.booking.check_in, each.booking.check_out));
  std::ranges::sort(taken, {}, &domain::nights::first);
  const auto today = domain::day_of(calendar_now());
  std::vector<domain::nights> free;
  auto from = today + domain::days{2};
  const auto add_until = [&](domain::date to) {
    if (from < to) free.push_back(domain::stay_nights(from, to));
  };
  for (const auto& each : taken) {
    add_until(each.first);
    if (each.last == domain::no_end) return free;
    from = std::max(from, each.last + domain::days{1});
  }
  add_until(today + horizon);
  return free;
}

/// Returns a UUID that no client uses for its bookings.
std::string reference_of(std::size_t number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "f0000000-0000-4000-8000-%012zu", number);
  return text.data();
}

} // namespace

std::vector<std::string> simulation::run() {
  run_until(now() + options_.length, [this] { return !contradictions_.empty(); });
  end_faults();
  store::session db(settings_.store.url);
  auto differences = contradicting_holds(db); // before they end
  bool is_complete = await_completion(db);
  // Before book_free_nights(), which gives every refusal a reason.
  std::ranges::copy(refusals_without_reason(db), std::back_inserter(differences));
  if (is_complete) {
    book_free_nights(db);
    is_complete = await_completion(db);
  }
  fingerprint_ ^= random_(); // depends on how many random numbers were used
  if (options_.story) std::cout << decisions_since(db, started_at_);
  if (!contradictions_.empty()) return contradictions_;
  if (!is_complete) differences.emplace_back("not everything was decided and mailed in time");
  std::ranges::copy(
      mixed_differences(db, events_,
                        [this](const auto& platform, const auto& path) { return read(platform, path); }),
      std::back_inserter(differences));
  for (const auto& each : other_clients_)
    std::ranges::copy(each->differences(db), std::back_inserter(differences));
  std::ranges::copy(refused_nights(db), std::back_inserter(differences));
  std::ranges::copy(contradicting_holds(db), std::back_inserter(differences));
  if (const auto active = count_rows(db, "holds where ended_at is null"))
    differences.push_back(std::to_string(active) + " holds have not ended");
  std::ranges::copy(final_differences(db), std::back_inserter(differences));
  std::ranges::copy(export_differences(db, settings_), std::back_inserter(differences));
  return differences;
}

void simulation::end_faults() {
  completing_ = true;
  store_faults::arm(store_faults::fault::none);
  store_faults::advance_late_commit(true);
  for (auto& each : nodes_) {
    each->paused_until = {};
    each->running_since = now();
    if (each->is_extra) {
      if (each->server) kill_extra_server(*each);
      each->next_action_at = time_point::max();
    } else if (!each->server) {
      start(*each);
    }
  }
}

/// Returns whether all requests were decided, imports written, mails sent and clients finished within the
/// time limit.
bool simulation::await_completion(store::session& db) {
  bool is_complete = false;
  auto next_check = now();
  run_until(now() + completion, [&] {
    if (!contradictions_.empty()) return true;
    if (now() < next_check) return false;
    next_check = now() + 1s;
    is_complete =
        undecided_requests(db) == 0 && count_rows(db, "stay_changes where state = 'pending'") == 0 &&
        !store::is_import_pending(db) && store::pending_mail_count(db, calendar_now()) == 0 &&
        std::ranges::all_of(clients_, [](const auto& each) { return each->pending_request == 0; }) &&
        std::ranges::all_of(other_clients_, [](const auto& each) { return each->is_done(); });
    return is_complete;
  });
  return is_complete;
}

/// Returns whether a request included one of these nights, so that a server may still hold it.
bool simulation::was_requested(unsigned unit, const domain::nights& nights) const {
  if (facts_.office_stays().was_requested(unit, nights)) return true;
  return std::ranges::any_of(events_, [&](const auto& event) {
    using type = client_event::type;
    return event.unit == unit && (event.kind == type::submission || event.kind == type::paid) &&
           overlap(nights, domain::stay_nights(event.check_in, event.check_out));
  });
}

/// Books the free nights that were requested before. A server that still holds nights without a booking
/// refuses them; no read would show such nights.
void simulation::book_free_nights(store::session& db) {
  read("booking-engine", "/listings"); // cached: it must be built again after these bookings
  const mixed_client client(clients_settings_, options_.clients);
  for (unsigned unit = 1; unit <= clients_settings_.units; ++unit)
    for (const auto& nights : free_nights(db, unit)) {
      if (!was_requested(unit, nights)) continue;
      client_event event;
      event.kind = client_event::type::submission;
      event.platform = "marketplace-c";
      event.unit = unit;
      event.check_in = nights.first;
      event.check_out = nights.last + domain::days{1};
      event.reference = reference_of(free_stays_.size() + 1);
      const auto call = client.to_call(event);
      event.response = respond(to_request(call.method, call.path, call.fields, call.body));
      free_stays_.insert(event.reference);
      events_.push_back(std::move(event));
    }
}

std::vector<std::string> simulation::refused_nights(store::session& db) const {
  std::vector<std::string> refused;
  for (const auto& each : store::list_requests(db, {}, every_row))
    if (const auto& request = each.request;
        request.reference && free_stays_.contains(*request.reference) && !each.booking_id)
      refused.push_back("the free nights from " + domain::to_string(request.check_in) + " to " +
                        domain::to_string(request.check_out) + " of " + request.external_id +
                        " are refused: " + each.reason.value_or("undecided"));
  return refused;
}

raw_response simulation::read(const std::string& platform, const std::string& path) {
  return respond(get(platform, path));
}

/// Returns the response of the server that holds the lease.
raw_response simulation::respond(const std::string& request) {
  for (const auto end = now() + completion; now() < end; advance_time()) {
    for (auto& each : nodes_) {
      if (!each->server) continue;
      std::optional<simulated_response> response;
      each->server->request(request, [&](simulated_response received) { response = std::move(received); });
      while (!response)
        if (!step_servers()) advance_time();
      if (response->status != 503) return {response->status, {}, response->body};
    }
  }
  throw std::runtime_error("no server responds");
}

/// Compares mails and lists with the store, once everything is complete.
std::vector<std::string> simulation::final_differences(store::session& db) {
  auto differences = mailbox_->contradictions();
  // After kills and unconfirmed deliveries, some mails are given up after the second delivery.
  if (const auto unsent = unsent_mails(db) - unconfirmed_mails(db))
    differences.push_back(std::to_string(unsent) + " mails were not sent");
  for (const auto& each : store::list_mails(db, {}, every_row))
    if (each.sent_at && !mailbox_->has_received(each.mail.id))
      differences.push_back("the mail " + domain::to_string(each.mail.id) +
                            " counts as sent, but was not received");
  const auto list = read("booking-engine", "/listings").body;
  for (unsigned i = 1; i <= clients_settings_.units; ++i)
    if (list.find(read("booking-engine", "/listings/u" + std::to_string(i)).body) == std::string::npos)
      differences.push_back("the list shows another unit " + std::to_string(i) + " than a read of it");
  return differences;
}

} // namespace roost::testing
