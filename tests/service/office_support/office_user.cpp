#include "service/office_support/office_user.hpp"

#include "service/support/json_text.hpp"
#include "service/support/office.hpp"
#include "service/support/portfolio.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <utility>

namespace roost::testing {

namespace {

bool says_taken(const raw_response& response) {
  return response.status == 409 && json_text_at(response.body, "/reason") == "nights_taken";
}

bool says_booked(const raw_response& response) {
  return response.status == 409 && json_text_at(response.body, "/message") == "The nights are booked";
}

bool is_of_platform(const manual_booking& booking) { return booking.creation.empty(); }

std::string path_of(const known_block& block) { return path_of_blocks(block.unit) + '/' + block.id; }

} // namespace

office_user::office_user(const office_settings& settings, unsigned number)
    : settings_(settings), number_(number), random_{settings.seed * 1'000 + 500 + number} {}

void office_user::act(const http_exchange& exchange) {
  std::unique_lock lock(mutex_);
  if (!open_) start_any();
  if (!open_) return;
  const auto call = open_->call;
  lock.unlock();
  const auto response = exchange(call);
  lock.lock();
  if (is_doubtful(response)) {
    open_->is_doubted = true;
    return;
  }
  const auto concluded = std::exchange(open_, std::nullopt);
  was_doubted_ = concluded->is_doubted;
  concluded->conclude(*response);
}

void office_user::open(http_call call, std::function<void(const raw_response&)> conclude) {
  open_ = open_request{std::move(call), std::move(conclude)};
}

void office_user::start_any() {
  const int choice = between(1, 100);
  if (choice <= 22) return create_block();
  if (choice <= 30) return move_block();
  if (choice <= 42) return free_block();
  if (choice <= 66) return book();
  if (choice <= 80) return change_any(false);
  if (choice <= 90) return change_any(true);
  choose_platform_booking();
}

// Blocks

void office_user::create_block() {
  const auto block = std::make_shared<known_block>();
  block->id = new_id("d0000000");
  block->unit = any_unit();
  block->nights = any_nights(8);
  open(office_call("POST", path_of_blocks(block->unit),
                   R"({"id":")" + block->id + R"(",)" + json_of(block->nights) + R"(,"note":"Paint"})"),
       [this, block](const raw_response& response) {
         if (says_booked(response)) return; // if doubted, an earlier attempt may still be performed
         if (response.status != 201 && !(response.status == 200 && was_doubted_))
           return reject("could not set the block " + block->id, response);
         block->tag = response.header("etag");
         blocks_.push_back(block);
         ++acknowledged_.blocks;
       });
}

void office_user::move_block() {
  const auto block = any_block();
  if (!block) return;
  const auto nights = any_nights(8);
  block->is_certain = false;
  const auto settle_block = [this, block, nights](const raw_response& response) {
    block->is_certain = true;
    block->nights = nights;
    block->tag = response.header("etag");
    ++acknowledged_.moved_blocks;
  };
  open(office_call("PATCH", path_of(*block), '{' + json_of(nights) + '}', block->tag),
       [this, block, nights, settle_block](const raw_response& response) {
         if (response.status == 200) return settle_block(response);
         if (response.status == 412 && was_doubted_)
           return open(office_call("GET", path_of(*block)), [=, this](const raw_response& read) {
             if (read.status != 200 || !is_at(read.body, nights))
               return reject("the block " + block->id + " is not at " + json_of(nights), read);
             settle_block(read);
           });
         if (!says_booked(response)) return reject("could not move the block " + block->id, response);
         block->is_certain = !was_doubted_;
       });
}

void office_user::free_block() {
  const auto block = any_block();
  if (!block) return;
  block->is_certain = false;
  open(office_call("DELETE", path_of(*block), {}, block->tag), [this, block](const raw_response& response) {
    if (response.status != 204 && !(response.status == 404 && was_doubted_))
      return reject("could not delete the block " + block->id, response);
    block->is_certain = block->is_deleted = true;
    ++acknowledged_.freed_blocks;
  });
}

// Bookings

void office_user::book() {
  const auto booking = std::make_shared<manual_booking>();
  booking->id = new_id("b0000000");
  booking->place = any_place();
  booking->creation = creation_of(booking->id, booking->place, "ida@tenant.example");
  open(office_call("POST", office_bookings_path, booking->creation),
       [this, booking](const raw_response& response) {
         if (says_taken(response)) return; // if doubted, an earlier attempt may still be performed
         if (response.status != 201 && !(response.status == 200 && was_doubted_))
           return reject("could not book " + booking->id, response);
         bookings_.push_back(booking);
         settle(*booking, booking->place, false, response.header("etag"));
         ++acknowledged_.bookings;
       });
}

void office_user::change_any(bool is_cancelled) {
  const auto booking = any_booking();
  if (!booking) return;
  change wanted;
  if (!is_cancelled) wanted = any_place();
  send_change(booking, wanted);
}

/// Each user changes the bookings of another platform, whose own cancellations may come in between.
void office_user::choose_platform_booking() {
  constexpr std::array platforms{"marketplace-a", "marketplace-b"};
  open(office_call("GET", std::string(office_bookings_path) + "?status=confirmed&limit=10&platform=" +
                              platforms.at(number_ % platforms.size())),
       [this](const raw_response& page) {
         if (page.status != 200) return reject("could not list the bookings of a platform", page);
         const auto items = items_in(page.body);
         if (items.empty()) return;
         const auto index = between(0, static_cast<int>(items.size()) - 1);
         const auto& [id, item] = items[static_cast<std::size_t>(index)];
         if (std::ranges::find(bookings_, id, [](const auto& each) { return each->id; }) != bookings_.end())
           return; // any_booking() may choose it
         const auto place = place_in(item, "", settings_.units);
         if (!place) return reject("a booking of an unknown unit", page);
         auto booking = std::make_shared<manual_booking>();
         booking->id = id;
         bookings_.push_back(booking);
         settle(*booking, *place, false, item_tag(page, "/items/" + std::to_string(index)));
         send_change(booking, between(0, 1) == 0 ? change(any_place()) : std::nullopt);
       });
}

void office_user::send_change(const booking_pointer& booking, const change& wanted) {
  if (wanted)
    booking->targets.push_back(*wanted);
  else
    booking->may_be_cancelled = true;
  const auto conclude = [=, this](const raw_response& response) {
    conclude_change(booking, wanted, response);
  };
  if (wanted)
    open(office_call("PATCH", path_of_booking(booking->id), '{' + json_of(*wanted) + '}', booking->tag),
         conclude);
  else
    open(office_call("POST", path_of_booking(booking->id) + "/cancel", R"({"reason":"Ill"})", booking->tag),
         conclude);
}

void office_user::conclude_change(const booking_pointer& booking, const change& wanted,
                                  const raw_response& response) {
  if (response.status == 200) {
    settle(*booking, wanted.value_or(booking->place), !wanted, response.header("etag"));
    ++(wanted ? acknowledged_.moves : acknowledged_.cancellations);
    return;
  }
  if (response.status == 412 && (was_doubted_ || is_of_platform(*booking)))
    return learn_outcome(booking, wanted);
  if (!wanted || !says_taken(response))
    return reject("could not change the booking " + booking->id, response);
  if (!was_doubted_) settle(*booking, booking->place, false, booking->tag);
}

/// Reads a booking that has changed since the request was sent: by an earlier attempt, or by its platform.
void office_user::learn_outcome(const booking_pointer& booking, const change& wanted) {
  open(office_call("GET", path_of_booking(booking->id)), [=, this](const raw_response& response) {
    if (response.status != 200) return reject("the booking " + booking->id + " is lost", response);
    const auto place = place_in(response.body, "", settings_.units);
    const bool is_cancelled = json_text_at(response.body, "/status") == "cancelled";
    const bool is_changed = place == wanted.value_or(booking->place) && is_cancelled == !wanted;
    const bool is_cancelled_by_platform =
        is_of_platform(*booking) && is_cancelled && (place == booking->place || place == wanted);
    if (!is_changed && !is_cancelled_by_platform)
      return reject("the booking " + booking->id + " has changed without a request", response);
    settle(*booking, *place, is_cancelled, response.header("etag"));
  });
}

/// A platform may cancel its booking later.
void office_user::settle(manual_booking& booking, const stay_placement& place, bool is_cancelled,
                         const std::string& tag) {
  booking.targets.clear();
  booking.place = place;
  booking.is_cancelled = is_cancelled;
  booking.may_be_cancelled = is_of_platform(booking) && !is_cancelled;
  booking.tag = tag;
}

// What is known

std::vector<std::string> office_user::differences(const booking_records& bookings,
                                                  const block_records& blocks) const {
  const std::lock_guard lock(mutex_);
  auto problems = problems_;
  for (const auto& each : blocks_)
    if (auto difference = difference_of(*each, blocks)) problems.push_back(std::move(*difference));
  for (const auto& each : bookings_)
    if (auto difference = difference_of(*each, bookings)) problems.push_back(std::move(*difference));
  return problems;
}

office_counts office_user::acknowledged() const {
  const std::lock_guard lock(mutex_);
  return acknowledged_;
}

void office_user::report(std::string problem) {
  const std::lock_guard lock(mutex_);
  problems_.push_back(std::move(problem));
}

void office_user::reject(const std::string& problem, const raw_response& response) {
  problems_.push_back(problem + ": " + std::to_string(response.status) + ' ' + response.body);
}

// Choices

http_call office_user::office_call(const char* method, std::string path, std::string body,
                                   const std::string& if_match) const {
  http_call call{method, std::move(path), std::move(body), {}};
  call.fields.emplace_back("Authorization", "Bearer " + settings_.token);
  if (!call.body.empty()) call.fields.emplace_back("Content-Type", "application/json");
  if (!if_match.empty()) call.fields.emplace_back("If-Match", if_match);
  return call;
}

domain::nights office_user::any_nights(int max_length) {
  constexpr int horizon = 1'500;
  const auto today = std::chrono::floor<domain::days>(std::chrono::system_clock::now());
  const auto first = today + domain::days{between(2, horizon)};
  return {first, first + domain::days{between(1, max_length) - 1}};
}

stay_placement office_user::any_place() {
  const auto nights = any_nights(20);
  return {any_unit(), nights.first, nights.last + domain::days{1}};
}

/// Returns a block that exists for certain; null if there is none.
office_user::block_pointer office_user::any_block() {
  std::vector<block_pointer> all;
  std::ranges::copy_if(blocks_, std::back_inserter(all),
                       [](const auto& each) { return each->is_certain && !each->is_deleted; });
  return any_of(all);
}

/// Returns a booking whose place is certain, and which was not cancelled here; null if there is none.
office_user::booking_pointer office_user::any_booking() {
  std::vector<booking_pointer> all;
  std::ranges::copy_if(bookings_, std::back_inserter(all), [](const auto& each) {
    return each->targets.empty() && !each->is_cancelled && (!each->may_be_cancelled || is_of_platform(*each));
  });
  return any_of(all);
}

std::string office_user::new_id(const char* first_digits) {
  std::array<char, 40> id{};
  std::snprintf(id.data(), id.size(), "%s-0000-4000-8000-%04x%08x", first_digits, number_, ++ids_);
  return id.data();
}

} // namespace roost::testing
