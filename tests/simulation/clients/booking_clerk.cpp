#include "simulation/clients/booking_clerk.hpp"

#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// Stays of other lengths than those of platforms and of blocks, so that reads show which of them they mean.
constexpr int min_stay_nights = 17, max_stay_nights = 24;
constexpr unsigned stay_days_ahead = 600;

bool says_taken(const simulated_response& response) {
  const auto reason = response.status == 409 ? json_text_at(response.body, "/reason") : std::string();
  return reason == "nights_taken" || reason == "nights_held";
}

/// Returns whether the reference is one of a client that no office disturbs: a guest, or the simulation at
/// its end.
bool is_reserved(const std::string& reference) {
  return reference.starts_with("e0000000-") || reference.starts_with("f0000000-");
}

} // namespace

void booking_clerk::forget() {
  office_client::forget();
  bookings_.clear();
  refusals_.clear();
  final_quotes_.clear();
  shown().clear();
}

client_task<> booking_clerk::act_once() {
  const auto choice = random_index(100);
  if (choice < 35)
    co_await book();
  else if (choice < 55)
    co_await change_any(false);
  else if (choice < 68)
    co_await change_any(true);
  else if (choice < 76)
    co_await repeat_creation();
  else if (choice < 88)
    co_await list();
  else
    co_await take_platform_booking();
}

booking_clerk::booking_pointer booking_clerk::any_certain(bool with_cancelled) {
  std::vector<booking_pointer> all;
  std::ranges::copy_if(bookings_, std::back_inserter(all), [&](const auto& each) {
    return each->is_certain() && (with_cancelled || !each->is_cancelled);
  });
  return all.empty() ? nullptr : all[random_index(all.size())];
}

stay_placement booking_clerk::random_place() {
  const auto today = std::chrono::floor<domain::days>(std::chrono::system_clock::now());
  const auto check_in = today + domain::days{2 + static_cast<int>(random_index(stay_days_ahead))};
  const auto nights = min_stay_nights + static_cast<int>(random_index(max_stay_nights - min_stay_nights + 1));
  return {random_unit(), check_in, check_in + domain::days{nights}};
}

/// Returns a place that often shares nights with this one.
stay_placement booking_clerk::place_near(const stay_placement& place) {
  auto near = random_place();
  const auto nights = near.check_out - near.check_in;
  if (chance(60)) near.check_in = place.check_in + domain::days{1 + static_cast<int>(random_index(10))};
  if (chance(50)) near.unit = place.unit;
  near.check_out = near.check_in + nights;
  return near;
}

// New bookings

client_task<std::optional<booking_clerk::quote>> booking_clerk::ask_quote(stay_placement place,
                                                                          bool is_final) {
  const auto sent = history_.facts().next_sequence();
  const auto response = co_await ask_office("for a quote of " + to_string(place), "POST", "/api/quotes",
                                            '{' + json_of(place) + R"(,"occupants":1})");
  if (is_doubtful(response) || is_signed_out(response)) co_return std::nullopt;
  if (response.status != 200) fail("got an unexpected response to a quote: " + response.body);
  const bool is_available = json_at(response.body, "/available") == "true";
  if (is_available != (json_at(response.body, "/takenNights") == "[]"))
    fail("a quote contradicts itself: " + response.body);
  if (!is_available && is_final)
    final_quotes_.push_back(
        {place, std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())});
  if (!is_available) co_return std::nullopt;
  co_return quote{json_at(response.body, "/plan"), sent};
}

/// Retries a request in doubt, which its id makes safe.
client_task<simulated_response> booking_clerk::create(booking_pointer booking, bool& may_exist) {
  simulated_response response;
  for (unsigned attempt = 0; attempt < max_attempts && session_; ++attempt) {
    response = co_await ask_office("to book " + to_string(booking->place) + " as " + booking->id, "POST",
                                   office_bookings_path, booking->creation);
    if (!is_doubtful(response)) break;
    may_exist = true;
  }
  co_return response;
}

client_task<> booking_clerk::book() {
  const auto booking = std::make_shared<manual_booking>();
  booking->id = random_id("b0000000");
  booking->place = random_place();
  const std::string address = chance(50) ? "eva@tenant.example" : "ida@tenant.example"; // platforms' guest
  booking->creation = creation_of(booking->id, booking->place, address);
  std::optional<quote> quoted;
  if (chance(40)) quoted = co_await ask_quote(booking->place);
  if (!session_) co_return;
  shown().on_request(booking->place);
  bool may_exist = false;
  const auto response = co_await create(booking, may_exist);
  if (is_doubtful(response) || is_signed_out(response)) co_return;
  if (response.status == 409) {
    check_nights_taken(response, booking->place, {}, may_exist);
    co_return;
  }
  check_creation(*booking, response, may_exist);
  if (quoted) check_plan(response, *quoted, booking->place);
  booking->tag = field_of(response, "ETag");
  bookings_.push_back(booking);
  if (history_.is_trusted()) shown().on_booked(booking->id, booking->place, history_.facts().next_sequence());
  if (chance(60)) co_await read_back(booking);
}

void booking_clerk::check_creation(const manual_booking& booking, const simulated_response& response,
                                   bool may_exist) {
  if (response.status != 201 && response.status != 200)
    fail("got an unexpected response to a booking: " + response.body);
  if (response.status == 200 && !may_exist) fail("the new booking " + booking.id + " counts as repeated");
  check_body(booking, response.body);
}

/// The plan may only differ if an update of the unit may have come between.
void booking_clerk::check_plan(const simulated_response& response, const quote& quoted,
                               const stay_placement& place) {
  const auto plan = json_at(response.body, "/plan");
  if (plan != quoted.plan && history_.facts().is_settled_since(place.unit, quoted.sent))
    fail("a booking has the plan " + plan + ", but its quote " + quoted.plan);
}

/// The body of a certain booking must have its state.
void booking_clerk::check_body(const manual_booking& booking, const std::string& body) {
  if (place_in(body, "", units_) != booking.place)
    fail("the booking " + booking.id + " is not in " + to_string(booking.place) + ": " + body);
  if ((json_text_at(body, "/status") == "cancelled") != booking.is_cancelled)
    fail("the booking " + booking.id + (booking.is_cancelled ? " was" : " was not") + " cancelled: " + body);
}

/// The nights must be taken; differences() looks for the reason. An earlier attempt may still be performed.
void booking_clerk::check_nights_taken(const simulated_response& response, const stay_placement& place,
                                       const std::string& moved, bool is_doubted) {
  if (!says_taken(response)) fail("got an unexpected refusal: " + response.body);
  if (json_at(response.body, "/takenNights") == "[]") fail("no nights are taken: " + response.body);
  if (!is_doubted) refusals_.push_back({place, moved});
}

/// A repeated creation is no new booking, whatever happened to the first one.
client_task<> booking_clerk::repeat_creation() {
  const auto booking = any_certain(true);
  if (!booking || booking->creation.empty()) co_return;
  const auto version = booking->version;
  const auto response =
      co_await ask_office("to book again as " + booking->id, "POST", office_bookings_path, booking->creation);
  if (is_doubtful(response) || is_signed_out(response) || booking->version != version) co_return;
  if (response.status != 200) fail("the repetition of " + booking->id + " is refused: " + response.body);
  check_body(*booking, response.body);
}

// Changes

client_task<> booking_clerk::change_any(bool is_cancelled) {
  const auto booking = any_certain(false);
  if (!booking) co_return;
  change wanted;
  if (!is_cancelled) wanted = place_near(booking->place);
  co_await send_change(booking, wanted);
  if (booking->is_certain() && session_ && chance(60)) co_await read_back(booking);
}

client_task<simulated_response> booking_clerk::ask_change(manual_booking booking, change wanted) {
  if (!wanted)
    co_return co_await ask_office("to cancel the booking " + booking.id, "POST",
                                  path_of_booking(booking.id) + "/cancel", R"({"reason":"Ill"})",
                                  booking.tag);
  co_return co_await ask_office("to move the booking " + booking.id + " to " + to_string(*wanted), "PATCH",
                                path_of_booking(booking.id), '{' + json_of(*wanted) + '}', booking.tag);
}

/// Retries a request in doubt. Its condition makes that safe: no attempt has an effect after another one.
client_task<> booking_clerk::send_change(booking_pointer booking, change wanted) {
  if (wanted)
    booking->targets.push_back(*wanted);
  else
    booking->may_be_cancelled = true;
  if (!wanted) cancellations_sent_.insert(booking->id);
  ++booking->version;
  shown().on_change_sent(booking->id, wanted);
  bool is_doubted = false;
  for (unsigned attempt = 0; attempt < max_attempts && session_; ++attempt) {
    const auto response = co_await ask_change(*booking, wanted);
    if (is_doubtful(response)) {
      is_doubted = true;
      continue;
    }
    if (is_signed_out(response)) break;
    if (response.status == 200) {
      settle(*booking, wanted, field_of(response, "ETag"));
      check_body(*booking, response.body);
      co_return;
    }
    if (response.status == 412 && is_doubted) co_return co_await learn_outcome(booking, wanted);
    if (response.status != 409) fail("could not change the booking " + booking->id + ": " + response.body);
    check_nights_taken(response, wanted.value_or(booking->place), booking->id, is_doubted);
    break;
  }
  if (!is_doubted) give_up(*booking);
}

/// The store has the outcome, but no response has promised that listings show it already.
client_task<> booking_clerk::learn_outcome(booking_pointer booking, change wanted) {
  const auto response =
      co_await ask_office("for the changed booking " + booking->id, "GET", path_of_booking(booking->id));
  if (is_doubtful(response) || is_signed_out(response)) co_return;
  if (response.status != 200) fail("the booking " + booking->id + " is lost: " + response.body);
  shown().forget(booking->id);
  settle(*booking, wanted, field_of(response, "ETag"));
  check_body(*booking, response.body);
}

void booking_clerk::settle(manual_booking& booking, const change& done, const std::string& tag) {
  booking.targets.clear();
  booking.may_be_cancelled = false;
  booking.tag = tag;
  ++booking.version;
  const auto acknowledged = history_.facts().next_sequence();
  if (done) {
    booking.place = *done;
    shown().on_moved(booking.id, *done, acknowledged);
  } else {
    booking.is_cancelled = true;
    shown().on_cancelled(booking.id, acknowledged);
  }
}

void booking_clerk::give_up(manual_booking& booking) {
  booking.targets.clear();
  booking.may_be_cancelled = false;
  ++booking.version;
  shown().on_refused(booking.id);
}

/// Cancels or moves a booking of a platform, which may cancel it at any time.
client_task<> booking_clerk::take_platform_booking() {
  constexpr unsigned listed = 10;
  const auto page =
      co_await ask_office("for bookings of platforms", "GET",
                          std::string(office_bookings_path) + "?status=confirmed&platform=marketplace-" +
                              (chance(50) ? "a" : "b") + "&limit=" + std::to_string(listed));
  if (page.status != 200 || !session_) co_return;
  const auto at = "/items/" + std::to_string(random_index(listed));
  const auto reference = json_text_at(page.body, at + "/reference");
  if (reference.empty() || reference == "null" || is_reserved(reference)) co_return;
  manual_booking booking;
  booking.id = json_text_at(page.body, at + "/id");
  const auto read = co_await ask_office("for the booking " + booking.id, "GET", path_of_booking(booking.id));
  if (read.status != 200 || !session_ || json_text_at(read.body, "/status") != "confirmed") co_return;
  booking.tag = field_of(read, "ETag");
  const auto place = place_in(read.body, "", units_);
  if (!place) co_return;
  booking.place = *place;
  change wanted;
  if (chance(60)) wanted = place_near(*place);
  if (!wanted) cancellations_sent_.insert(booking.id);
  if (wanted) shown().on_request(*wanted);
  history_.facts().exclude(reference);
  const auto response = co_await ask_change(booking, wanted);
  if (is_doubtful(response) || is_signed_out(response)) co_return;
  if (response.status == 412) co_return; // the platform has cancelled it
  if (response.status == 409)
    co_return check_nights_taken(response, wanted.value_or(booking.place), booking.id, false);
  if (response.status != 200) fail("could not change the booking " + booking.id + ": " + response.body);
}

// Reads

/// Reads a booking that was just written, by one of the routes that show it.
client_task<> booking_clerk::read_back(booking_pointer booking) {
  if (!session_) co_return;
  const auto version = booking->version;
  if (chance(40)) {
    const auto response =
        co_await ask_office("for the booking " + booking->id, "GET", path_of_booking(booking->id));
    if (is_doubtful(response) || is_signed_out(response) || booking->version != version) co_return;
    if (response.status != 200) fail("the booking " + booking->id + " is lost: " + response.body);
    co_return check_body(*booking, response.body);
  }
  const auto sent = history_.facts().next_sequence();
  const auto unit = booking->place.unit;
  const auto response = co_await ask_listing("for the listing of a unit with a booking", unit);
  if (response.status != 200) co_return;
  constexpr auto listing = unit_view::listing;
  if (const auto wrong = shown().contradiction(unit, listing, sent, rows_in(response.body, listing)))
    fail("a listing" + *wrong);
}

/// Compares a list of a unit's bookings with what was certain when it was requested, and still is.
client_task<> booking_clerk::list() {
  const auto unit = random_unit();
  const auto before = bookings_;
  std::vector<unsigned> versions;
  std::ranges::transform(before, std::back_inserter(versions),
                         [](const auto& each) { return each->version; });
  const bool only_confirmed = chance(50);
  const auto response =
      co_await ask_office("for the bookings of unit " + std::to_string(unit), "GET",
                          std::string(office_bookings_path) + "?limit=200&unit=" + unit_id(unit) +
                              (only_confirmed ? "&status=confirmed" : ""));
  if (response.status != 200 || json_at(response.body, "/next") != "null") co_return;
  std::map<std::string, std::string> listed;
  for (auto& [id, item] : items_in(response.body))
    if (!listed.emplace(id, std::move(item)).second) fail("a list has the booking " + id + " twice");
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto& booking = *before[i];
    if (!booking.is_certain() || booking.version != versions[i]) continue;
    const bool is_expected = booking.place.unit == unit && !(only_confirmed && booking.is_cancelled);
    const auto item = listed.find(booking.id);
    if ((item != listed.end()) != is_expected)
      fail("a list " + std::string(is_expected ? "lacks" : "still has") + " the booking " + booking.id);
    if (is_expected) check_body(booking, item->second);
  }
}

/// Asks for quotes of places that are likely to be free again.
client_task<> booking_clerk::verify() {
  constexpr std::size_t max_quotes = 20;
  std::vector<stay_placement> places;
  for (const auto& each : bookings_)
    if (each->is_certain() && each->is_cancelled) places.push_back(each->place);
  std::ranges::transform(refusals_, std::back_inserter(places), &refusal::place);
  if (places.size() > max_quotes) places.resize(max_quotes);
  for (const auto& place : places)
    if (session_) co_await ask_quote(place, true);
  const auto known = bookings_;
  for (const auto& each : known)
    if (session_ && each->is_certain() && chance(30)) co_await read_back(each);
}

} // namespace roost::testing
