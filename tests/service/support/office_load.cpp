#include "service/support/office_load.hpp"

#include "service/support/booking_load.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto office_response_timeout = 15s;
constexpr auto office_pause = 5ms;

bool is_doubtful(const raw_response& response) { return response.status == 0 || response.status == 503; }

std::string tag_in(const raw_response& response) {
  const auto field = response.headers.find("etag");
  return field == response.headers.end() ? std::string{} : field->second;
}

} // namespace

office_load::office_load(office_load_settings settings)
    : settings_(std::move(settings)), random_{settings_.seed}, thread_([this] { run(); }) {}

office_load::~office_load() { finish(); }

void office_load::finish() {
  stopped_ = true;
  if (thread_.joinable()) thread_.join();
}

void office_load::run() {
  constexpr int book_percent = 50;
  while (!stopped_) {
    if (port_ == 0)
      std::this_thread::sleep_for(office_pause);
    else if (between(1, 100) <= book_percent)
      book();
    else
      change();
  }
}

raw_response office_load::send(const std::string& method, const std::string& path, const std::string& body,
                               header_fields fields) {
  fields.emplace_back("Authorization", "Bearer " + settings_.token);
  fields.emplace_back("Content-Type", "application/json");
  std::this_thread::sleep_for(office_pause);
  try {
    raw_client connection(port_);
    connection.send(to_request(method, path, fields, body));
    if (auto response = connection.receive(false, office_response_timeout)) return *std::move(response);
  } catch (const std::runtime_error&) { // connection refused
  }
  return {};
}

void office_load::report(const std::string& text, const raw_response& response) {
  errors_.push_back(text + ": " + std::to_string(response.status) + ' ' + response.body);
}

stay_placement office_load::random_place() {
  constexpr int horizon = 1'500, min_nights = 6, max_nights = 24;
  stay_placement place;
  place.unit = static_cast<unsigned>(between(1, static_cast<int>(settings_.units)));
  place.check_in =
      std::chrono::floor<domain::days>(std::chrono::system_clock::now()) + domain::days{between(2, horizon)};
  place.check_out = place.check_in + domain::days{between(min_nights, max_nights)};
  return place;
}

/// Repeats a request without an outcome until the user is stopped.
void office_load::book() {
  manual_booking booking;
  booking.id = random_reference(random_);
  booking.place = random_place();
  booking.creation = creation_of(booking.id, booking.place, "ida@tenant.example");
  bool may_exist = false;
  raw_response response;
  do {
    response = send("POST", office_bookings_path, booking.creation, {});
    may_exist = may_exist || is_doubtful(response);
  } while (is_doubtful(response) && !stopped_);
  if (is_doubtful(response)) return;
  if (response.status == 409 && json_text_at(response.body, "/reason") == "nights_taken") return;
  if (response.status != 201 && !(response.status == 200 && may_exist))
    return report("could not book", response);
  ++succeeded_;
  booking.tag = tag_in(response);
  bookings_.push_back(std::move(booking));
}

manual_booking* office_load::any_certain() {
  std::vector<manual_booking*> all;
  for (auto& each : bookings_)
    if (each.is_certain() && !each.is_cancelled) all.push_back(&each);
  return all.empty() ? nullptr : all[static_cast<std::size_t>(between(0, static_cast<int>(all.size()) - 1))];
}

/// Sends a change once: without a response, either outcome is possible.
void office_load::change() {
  auto* const booking = any_certain();
  if (booking == nullptr) return book();
  const bool is_move = between(0, 2) > 0;
  const auto target = random_place();
  raw_response response;
  if (is_move) {
    booking->targets = {target};
    response = send("PATCH", path_of_booking(booking->id), '{' + json_of(target) + '}',
                    {{"If-Match", booking->tag}});
  } else {
    booking->may_be_cancelled = true;
    cancellations_sent_.insert(booking->id);
    response = send("POST", path_of_booking(booking->id) + "/cancel", R"({"reason":"Ill"})",
                    {{"If-Match", booking->tag}});
  }
  if (is_doubtful(response)) return;
  booking->targets.clear();
  booking->may_be_cancelled = false;
  if (response.status == 409 && json_text_at(response.body, "/reason") == "nights_taken") return;
  if (response.status != 200) return report("could not change a booking", response);
  ++succeeded_;
  booking->tag = tag_in(response);
  if (is_move)
    booking->place = target;
  else
    booking->is_cancelled = true;
}

std::vector<std::string> office_load::differences(store::session& db) const {
  auto errors = errors_;
  const auto stored = read_bookings(db);
  for (const auto& each : bookings_)
    if (auto difference = difference_of(each, stored)) errors.push_back(*std::move(difference));
  for (const auto& [id, record] : stored)
    if (record.cancelled_by == domain::cancelled_by::landlord && !cancellations_sent_.contains(id))
      errors.push_back("the booking " + id + " was cancelled without a request");
  return errors;
}

} // namespace roost::testing
