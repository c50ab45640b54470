#include "simulation/simulation.hpp"

#include "service/support/partner.hpp"
#include "service/support/portfolio.hpp"
#include "simulation/store_faults.hpp"
#include "simulation/story.hpp"
#include "simulation/virtual_clock.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <stdexcept>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// How long a client waits for a response, like those of the booking platforms.
constexpr auto patience = 20s;
/// The maximum time to handle a message.
constexpr auto max_handling_time = 400us;
/// The maximum time between two checks of connection timers.
constexpr auto tick = 500ms;
/// The percentage of unit reads that request the exported calendar.
constexpr unsigned percent_calendars = 25;

} // namespace

simulation::simulation(const prepared_world& world, const simulation_options& options,
                       const std::filesystem::path& folder)
    : options_(options), settings_(world.copy_to(folder)),
      clients_settings_(world.clients(static_cast<std::uint32_t>(options.seed))), random_(options.seed),
      mailbox_(std::make_shared<mailbox>(mailbox::receiver{
          [this] { return next_reply(); }, [this] { return mail_delay(); }, [this] { return fault_count(); },
          [this](const auto& text) { add_to_story(text); }})),
      view_(make_view()) {
  store_faults::set_file(store_file());
  store_faults::on_hang([this] { hang(); });
  store_faults::fail_reads_if([this] { return should_fail_read(); });
  for (unsigned i = 0; i < options_.servers; ++i) {
    auto& added = *nodes_.emplace_back(std::make_unique<node>());
    added.name = "server " + std::to_string(i + 1);
    start(added);
  }
  if (options_.faults.contains(fault_kind::second_start)) add_extra_server();
  for (unsigned i = 0; i < options_.clients; ++i)
    clients_.push_back(
        std::make_unique<platform_client>("client " + std::to_string(i + 1), clients_settings_, i));
  for (unsigned i = 0; i < options_.readers; ++i) readers_.push_back(std::make_unique<unit_reader>());
  other_clients_ = make_clients(*view_, options_.others, world);
}

simulation::~simulation() {
  for (auto& each : nodes_) each->server.reset();
}

void simulation::run_until(time_point end, const std::function<bool()>& is_done) {
  while (now() < end && !is_done()) {
    act(end);
    if (step_servers())
      spend_handling_time();
    else
      advance_time_until(end);
  }
}

/// Advances the clock after some messages, so that kills and pauses also occur between messages that follow
/// each other closely.
void simulation::spend_handling_time() {
  if (chance(75)) return;
  virtual_clock::advance_to(now() + between(1us, max_handling_time));
  send_due();
}

/// Runs one step of a random server that has work. Returns false if there is none.
bool simulation::step_servers() {
  const auto first = random_() % nodes_.size();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    auto& each = *nodes_[(first + i) % nodes_.size()];
    if (!each.server || each.is_paused()) continue;
    const auto* outer = std::exchange(stepping_, &each);
    const bool has_run = each.server->step();
    stepping_ = outer;
    if (has_run) return true;
  }
  return false;
}

void simulation::advance_time() { advance_time_until(now() + tick); }

/// Advances the clock to the next event. Events that a wait or a hanging commit has delayed may be in the
/// past.
void simulation::advance_time_until(time_point end) {
  auto next = std::min(end, now() + tick);
  const auto note = [&next](time_point event) {
    if (event > now()) next = std::min(next, event);
  };
  for (const auto& each : nodes_) {
    if (!completing_ || !each->server) note(each->next_action_at);
    if (!each->server) continue;
    if (each->is_paused())
      note(each->paused_until);
    else if (const auto timer = each->server->next_timer())
      next = std::min(next, *timer);
  }
  for (const auto& each : clients_)
    if (!completing_ || each->pending_request != 0) note(each->next_action_at);
  for (const auto& each : readers_)
    if (!completing_ && !each->is_waiting) note(each->next_action_at);
  for (const auto& each : other_clients_) note(each->next_action_at());
  virtual_clock::advance_to(std::max(next, now() + 1us));
  send_due();
}

void simulation::send_due() {
  for (const auto& each : nodes_)
    if (each->server && !each->is_paused()) each->server->send_due();
}

void simulation::act(time_point end) {
  store_faults::advance_late_commit();
  update_read_trust();
  if (now() >= end) return;
  if (!options_.faults.empty() && !completing_ && now() >= next_fault_at_) inject_store_fault();
  if (now() >= next_backup_at_) back_up_or_restore();
  if (now() >= next_shift_at_) shift_clock();
  for (auto& each : nodes_)
    if (now() >= each->next_action_at) act(*each);
  for (auto& each : clients_)
    if (now() >= each->next_action_at) act(*each);
  for (auto& each : readers_)
    if (!completing_ && !each->is_waiting && now() >= each->next_action_at) act(*each);
  for (auto& each : other_clients_) {
    try {
      each->act();
    } catch (const contradiction& error) {
      report_contradiction(error.what());
    }
  }
}

void simulation::act(platform_client& sender) {
  if (sender.pending_request != 0) {
    add_to_story(sender.name + " gives up waiting");
    if (sender.target->server && sender.target->running_since <= sender.sent_at)
      report_contradiction(sender.target->name + " did not respond to a " + to_string(sender.sent.kind));
    events_.push_back(std::exchange(sender.sent, {}));
    sender.pending_request = 0;
  }
  sender.next_action_at = now() + between(1ms, 300ms);
  if (!completing_) send(sender);
}

void simulation::send(platform_client& sender) {
  auto& to = random_node();
  auto event = sender.requests.next();
  if (!to.server) return; // connection refused
  const auto call = sender.requests.to_call(event);
  auto fields = call.fields;
  static std::uint64_t requests = 0;
  const auto number = ++requests;
  sender.pending_request = number;
  sender.sent = event;
  sender.sent_at = now();
  sender.target = &to;
  sender.next_action_at = now() + patience;
  const auto fact = facts_.on_request(event);
  add_to_story(sender.name + " asks " + to.name + " for a " + to_string(event.kind) + " " + event.reference);
  to.server->request(to_request(call.method, call.path, fields, call.body),
                     [this, &sender, number, fact, restores = restores_,
                      server = to.server_name()](simulated_response response) {
                       if (restores != restores_)
                         response.status = 0; // the response may come from the replaced store
                       if (response.status != 0)
                         facts_.on_response(fact, {response.status, {}, response.body}, server);
                       if (sender.pending_request == number)
                         handle_response(sender, std::move(sender.sent), std::move(response));
                     });
}

void simulation::handle_response(platform_client& sender, client_event event, simulated_response response) {
  sender.pending_request = 0;
  sender.next_action_at = now() + between(1ms, 300ms);
  add_to_story(sender.name + " gets " + std::to_string(response.status) + " for " + event.reference);
  if (response.status / 100 == 2 && chance(50)) read_soon(event.unit);
  if (response.status != 0) event.response = raw_response{response.status, {}, std::move(response.body)};
  events_.push_back(std::move(event));
}

/// Schedules a read directly after a write: it detects acknowledgements that were sent too early.
void simulation::read_soon(unsigned unit) {
  const auto idle = std::ranges::find(readers_, false, [](const auto& each) { return each->is_waiting; });
  if (idle == readers_.end()) return;
  (*idle)->unit = unit;
  (*idle)->next_action_at = now() + between(0ms, 2ms);
}

void simulation::act(unit_reader& from) {
  from.next_action_at = now() + between(20ms, 400ms);
  auto* const retried_server = std::exchange(from.retried_server, nullptr);
  auto& to = retried_server != nullptr ? *retried_server : random_node();
  if (!to.server) return;
  const auto requested_unit = std::exchange(from.unit, 0);
  const auto unit =
      requested_unit != 0 ? requested_unit : 1 + static_cast<unsigned>(random_() % clients_settings_.units);
  from.is_waiting = true;
  const auto view = chance(percent_calendars) ? shown_facts::view::calendar : shown_facts::view::listing;
  to.server->request(view == shown_facts::view::calendar
                         ? to_request("GET", "/ical-integration/listings/" + unit_id(unit) + "/iCal", {}, "")
                         : get("channel-manager", "/listings/u" + std::to_string(unit)),
                     [this, &from, &to, unit, view, sent = facts_.next_sequence(),
                      server = to.server_name()](simulated_response response) {
                       from.is_waiting = false;
                       if (response.status == 503) return retry_soon(from, to, unit);
                       from.refusals = 0;
                       if (response.status == 0 || !are_reads_trusted()) return;
                       const raw_response shown{response.status, {}, std::move(response.body)};
                       if (const auto wrong = facts_.contradiction(unit, view, sent, shown, server))
                         report_contradiction(server + ": " + *wrong);
                     });
}

/// Sometimes repeats a read until the server serves, because right then it may still show old data.
void simulation::retry_soon(unit_reader& from, node& retried_server, unsigned unit) {
  constexpr unsigned max_refusals = 40;
  const bool keeps_retrying = from.refusals > 0 || chance(10);
  if (!keeps_retrying || ++from.refusals > max_refusals) return void(from.refusals = 0);
  from.retried_server = &retried_server;
  from.unit = unit;
  from.next_action_at = now() + between(1ms, 10ms);
}

/// Returns a random machine for a client's next request, without the extra server while it is not running.
node& simulation::random_node() {
  auto& chosen = *nodes_[random_() % nodes_.size()];
  return chosen.is_extra && !chosen.server ? *nodes_.front() : chosen;
}

void simulation::report_contradiction(std::string what) {
  add_to_story(what);
  contradictions_.push_back(std::move(what));
}

/// Adds the text to the fingerprint, and prints it if the story is requested.
void simulation::add_to_story(const std::string& text) {
  const auto at = std::chrono::duration_cast<std::chrono::microseconds>(now() - started_).count();
  for (const char each : std::to_string(at) + text)
    fingerprint_ = (fingerprint_ ^ static_cast<unsigned char>(each)) * 1099511628211U;
  if (options_.story) std::cout << story_line(at, text);
}

std::string simulation::get(const std::string& platform, const std::string& path) const {
  return to_request("GET", "/" + platform + path,
                    {{"Authorization", "Bearer " + clients_settings_.tokens.at(platform)}}, "");
}

simulation::duration simulation::between(duration min, duration max) {
  return min + duration{static_cast<duration::rep>(random_() %
                                                   static_cast<std::uint64_t>((max - min).count() + 1))};
}

} // namespace roost::testing
