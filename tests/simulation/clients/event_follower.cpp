#include "simulation/clients/event_follower.hpp"

#include "service/support/portfolio.hpp"
#include "store/office/events.hpp"

#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// Returns the rest of the line that begins with this text; empty if there is none.
std::string_view line_of(std::string_view event, std::string_view name) {
  for (std::size_t at = 0; at < event.size();) {
    const auto line = event.substr(at, event.find('\n', at) - at);
    if (line.starts_with(name)) return line.substr(name.size());
    at += line.size() + 1;
  }
  return {};
}

store::stream_point point_of(const std::string& id) {
  const auto separator = id.find('-');
  return {std::stoll(id.substr(0, separator)), domain::parse_uuid(id.substr(separator + 1)).value()};
}

std::string id_of(const store::stream_point& point) {
  return std::to_string(point.position) + '-' + domain::to_string(point.id);
}

} // namespace

event_follower::event_follower(history& in, std::string name, std::shared_ptr<known_user> user)
    : user_client(in, std::move(name), std::move(user)) {}

client_task<> event_follower::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 400ms));
    if (session_)
      co_await follow();
    else
      session_ = co_await sign_in(0);
  }
  --user_->clients;
}

void event_follower::forget() {
  user_client::forget();
  session_.reset();
  start_over();
}

void event_follower::start_over() {
  first_.reset();
  last_.reset();
  seen_.clear();
}

client_task<> event_follower::follow() {
  http_call call{"GET", "/api/events", "", {}};
  call.fields.emplace_back("Authorization", "Bearer " + session_->access_token);
  std::string purpose = "for events from now on";
  if (last_) {
    purpose = "for events since " + std::to_string(last_->position); // ids are random
    call.fields.emplace_back("Last-Event-ID", id_of(*last_));
  }
  const auto response = co_await ask(std::move(purpose), std::move(call));
  if (response.status == 401 || response.status == 403) session_.reset();
  if (response.status != 200) co_return;
  constexpr std::string_view end = "\n\n";
  std::string_view rest = response.body;
  for (auto at = rest.find(end); at != std::string_view::npos; at = rest.find(end)) {
    take(rest.substr(0, at));
    rest.remove_prefix(at + end.size());
  }
}

void event_follower::take(std::string_view event) {
  if (line_of(event, "event: ") == "reload") start_over();
  const auto data = line_of(event, "data: ");
  const auto at =
      data.find("\"ids\"") == std::string_view::npos ? std::string_view::npos : data.find("\"position\":");
  if (at != std::string_view::npos) {
    const auto position = std::stoll(std::string(data.substr(at + std::string_view("\"position\":").size())));
    if (last_ && position <= last_->position) fail("got an event again: " + std::string(data));
    if (!seen_.empty() && position <= *seen_.rbegin())
      fail("got events in another order: " + std::string(data));
    seen_.insert(position);
  }
  const auto id = line_of(event, "id: ");
  if (id.empty()) return;
  last_ = point_of(std::string(id));
  if (!first_) first_ = last_;
}

std::vector<std::string> event_follower::differences(store::session& db) const {
  if (!first_) return {};
  constexpr std::size_t all = 1'000'000;
  const store::office_scope scope{domain::parse_uuid(account_id).value(), {}};
  const auto stored = store::events_after(db, *first_, last_->position, all);
  if (!stored) return {}; // the store was restored, or the entries have been deleted
  std::vector<std::string> errors;
  for (const auto& event : stored->events)
    if (!store::ids_in(event, scope).empty() && !seen_.contains(event.position))
      errors.push_back(name() + ": the event at position " + std::to_string(event.position) + " was missed");
  return errors;
}

} // namespace roost::testing
