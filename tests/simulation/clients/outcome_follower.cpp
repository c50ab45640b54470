#include "simulation/clients/outcome_follower.hpp"

#include "service/support/booking_load.hpp"
#include "service/support/json_text.hpp"
#include "store/bookings/outcomes.hpp"

#include <random>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto followed_platform = "marketplace-c"; // other clients submit bookings to it, too
constexpr std::size_t every_outcome = 1'000'000;

std::string unquoted_at(const std::string& document, const std::string& pointer) {
  const auto value = json_at(document, pointer);
  return value.size() < 2 ? value : value.substr(1, value.size() - 2);
}

/// Returns what the copy keeps of an outcome.
std::string kept_text(const std::string& status, const std::string& check_in, const std::string& check_out) {
  return status + " from " + check_in + " to " + check_out;
}

std::string kept_text(const store::submission_outcome& outcome) {
  return kept_text(std::string(store::outcome_status_names.at(static_cast<std::size_t>(outcome.status))),
                   domain::to_string(outcome.check_in), domain::to_string(outcome.check_out));
}

void apply_outcomes(std::map<std::string, std::string>& to,
                    const std::vector<store::submission_outcome>& outcomes) {
  for (const auto& each : outcomes) to.insert_or_assign(each.reference, kept_text(each));
}

} // namespace

outcome_follower::outcome_follower(history& in, std::string name, mixed_settings platforms)
    : simulated_client(in, std::move(name)), platforms_(std::move(platforms)), requests_(platforms_, 0) {}

client_task<> outcome_follower::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 1500ms));
    co_await act_once();
  }
  for (std::size_t i = 0; i < submissions_.size(); ++i) {
    co_await put(i, true);
    while (!submissions_[i].is_decided) co_await read(i, true);
  }
  for (bool has_more = true; has_more;) has_more = co_await follow(true);
}

client_task<> outcome_follower::act_once() {
  const auto choice = random_index(100);
  if (submissions_.empty() || choice < 30) {
    add_submission();
    co_await put(submissions_.size() - 1, false);
    if (chance(20)) co_await cancel(submissions_.size() - 1); // often before the decision
  } else if (choice < 50) {
    co_await put(random_index(submissions_.size()), false);
  } else if (choice < 56) {
    co_await put_another_body(random_index(submissions_.size()));
  } else if (choice < 61) {
    co_await cancel(chance(60) ? submissions_.size() - 1 : random_index(submissions_.size()));
  } else if (choice < 78) {
    co_await read(chance(50) ? submissions_.size() - 1 : random_index(submissions_.size()), false);
  } else {
    co_await follow(false);
  }
}

void outcome_follower::add_submission() {
  std::mt19937 random(static_cast<std::uint32_t>(history_.random()));
  client_event event;
  event.kind = client_event::type::submission;
  event.platform = followed_platform;
  event.unit = 1 + static_cast<unsigned>(random_index(platforms_.units));
  event.check_in = std::chrono::floor<domain::days>(std::chrono::system_clock::now()) +
                   domain::days{2 + static_cast<int>(random_index(1'400))};
  event.check_out = event.check_in + domain::days{1 + static_cast<int>(random_index(20))};
  event.reference = random_reference(random);
  submissions_.push_back({std::move(event), {}, false});
}

client_task<simulated_response> outcome_follower::send(std::string purpose, http_call call,
                                                       bool until_served) {
  simulated_response response;
  if (until_served)
    response = co_await ask_until_served(std::move(purpose), std::move(call));
  else
    response = co_await ask(std::move(purpose), std::move(call));
  co_return response;
}

client_task<> outcome_follower::put(std::size_t number, bool until_served) {
  auto call = put_of(submissions_[number].event);
  const auto response =
      co_await send("to book " + submissions_[number].event.reference, std::move(call), until_served);
  if (response.status == 0 || response.status == 503) co_return;
  if (response.status != 200 && response.status != 201) fail("got an unexpected response: " + response.body);
  auto& known = submissions_[number];
  if (known.receipt.empty()) {
    known.receipt = response.body;
    known.event.response = raw_response{response.status, {}, response.body};
    history_.add(known.event);
  } else if (response.body != known.receipt) {
    fail("the repeat of " + known.event.reference + " got another receipt: " + response.body);
  } else if (response.status != 200) {
    fail("the repeat of " + known.event.reference + " counts as a new booking");
  }
}

client_task<> outcome_follower::put_another_body(std::size_t number) {
  if (submissions_[number].receipt.empty()) co_return; // the server may accept it
  auto other = submissions_[number].event;
  other.check_out += domain::days{1};
  auto call = put_of(other);
  const auto response = co_await send("to book other nights", std::move(call), false);
  if (response.status != 0 && response.status != 503 && response.status != 409)
    fail("got " + std::to_string(response.status) + " for another body of " + other.reference);
}

client_task<> outcome_follower::read(std::size_t number, bool until_served) {
  if (submissions_[number].receipt.empty()) co_return; // the server may not have it
  const auto reference = submissions_[number].event.reference;
  auto call = get_of("/" + reference + (until_served || chance(70) ? "?wait=10s" : ""));
  const auto response = co_await send("what became of " + reference, std::move(call), until_served);
  if (response.status == 0 || response.status == 503) co_return;
  if (response.status != 200 || unquoted_at(response.body, "/bookingId") != reference)
    fail("cannot read its booking " + reference + ": " + response.body);
  check_outcome(number, response.body);
}

void outcome_follower::check_outcome(std::size_t number, const std::string& outcome) {
  auto& known = submissions_[number];
  const auto status = unquoted_at(outcome, "/status");
  const bool is_decided = status != "pending", is_cancelled = status == "cancelled";
  if (known.is_decided && !is_decided) fail("the decision about " + known.event.reference + " is lost");
  if (known.is_cancelled && !is_cancelled)
    fail("the cancellation of " + known.event.reference + " is lost: " + outcome);
  known.is_decided = is_decided;
  known.is_cancelled = is_cancelled;
}

/// Cancels what may be decided or not; a repeat by POST books nothing any more.
client_task<> outcome_follower::cancel(std::size_t number) {
  if (submissions_[number].receipt.empty()) co_return; // the server may not have it
  auto event = submissions_[number].event;
  event.kind = client_event::type::cancel;
  event.response.reset();
  history_.add(event);
  auto call = get_of("/" + event.reference);
  call.method = "DELETE";
  const auto response = co_await send("to cancel " + event.reference, std::move(call), false);
  if (response.status == 0 || response.status == 503) co_return;
  const auto status = unquoted_at(response.body, "/status");
  if (response.status != 200 || (status != "cancelled" && status != "refused"))
    fail("cannot cancel " + event.reference + ": " + response.body);
  check_outcome(number, response.body);
  if (status != "cancelled" || chance(50)) co_return;
  auto repeat = requests_.to_call(submissions_[number].event);
  co_await send("to book " + event.reference + " again", std::move(repeat), false);
}

/// Returns whether the list has more.
client_task<bool> outcome_follower::follow(bool until_served) {
  auto call = get_of("?limit=7&after=" + cursor_ + (!until_served && chance(50) ? "&wait=5s" : ""));
  const auto position =
      cursor_.substr(0, cursor_.find('-')); // its mark is random, also if a seed is repeated
  const auto response = co_await send("for outcomes after " + position, std::move(call), until_served);
  if (response.status == 0 || response.status == 503) co_return true;
  if (response.status != 200) fail("cannot follow its outcomes: " + response.body);
  apply(response.body);
  co_return json_at(response.body, "/more") == "true";
}

void outcome_follower::apply(const std::string& list) {
  for (std::size_t i = 0;; ++i) {
    const auto outcome = json_at(list, "/bookings/" + std::to_string(i));
    if (outcome.empty()) break;
    const auto status = unquoted_at(outcome, "/status");
    if (status == "pending") fail("the list has a pending booking: " + outcome);
    copy_.insert_or_assign(
        unquoted_at(outcome, "/bookingId"),
        kept_text(status, unquoted_at(outcome, "/checkInDate"), unquoted_at(outcome, "/checkOutDate")));
  }
  cursor_ = unquoted_at(list, "/cursor");
}

http_call outcome_follower::put_of(const client_event& event) const {
  auto call = requests_.to_call(event);
  call.method = "PUT";
  call.path += '/' + event.reference;
  return call;
}

http_call outcome_follower::get_of(const std::string& target) const {
  return {"GET",
          std::string("/") + followed_platform + "/bookings" + target,
          {},
          {{"Authorization", "Bearer " + platforms_.tokens.at(followed_platform)}}};
}

void outcome_follower::forget() {
  submissions_.clear();
  copy_.clear();
  cursor_ = "0";
}

/// Continues the copy in the store from the cursor: other clients may have changed outcomes since.
std::vector<std::string> outcome_follower::differences(store::session& db) const {
  auto copy = copy_;
  const auto position = std::stoll(cursor_);
  apply_outcomes(copy, store::outcomes_after(db, followed_platform, position, every_outcome).outcomes);
  std::map<std::string, std::string> stored;
  apply_outcomes(stored, store::outcomes_after(db, followed_platform, 0, every_outcome).outcomes);
  std::vector<std::string> result;
  for (const auto& [reference, text] : stored) {
    const auto kept = copy.find(reference);
    if (kept == copy.end())
      result.push_back(name() + ": the list has skipped " + reference + ", which is " + text);
    else if (kept->second != text)
      result.push_back(name() + ": " + reference + " is " + text + " instead of " + kept->second);
  }
  for (const auto& [reference, text] : copy)
    if (!stored.contains(reference)) result.push_back(name() + ": the store lacks " + reference);
  for (const auto& each : submissions_) {
    const auto outcome = store::find_outcome(db, followed_platform, each.event.reference);
    if (!outcome || stored[each.event.reference] != kept_text(*outcome))
      result.push_back(name() + ": the list and a read differ about " + each.event.reference);
    if (outcome && each.is_cancelled && outcome->status != store::outcome_status::cancelled)
      result.push_back(name() + ": the cancelled booking " + each.event.reference + " was made");
  }
  return result;
}

} // namespace roost::testing
