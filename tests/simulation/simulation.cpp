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

/// A client gives up on a response after this time, like those of the booking platforms.
constexpr auto patience = 20s;
/// The longest time that a message takes.
constexpr auto max_handling_time = 400us;
/// Timers of connections are looked at this often even if nothing else happens.
constexpr auto tick = 500ms;
/// How many reads of units are of their exported calendars.
constexpr unsigned percent_calendars = 25;

} // namespace

simulation::simulation(const prepared_world& world, const simulation_options& options,
                       const std::filesystem::path& folder)
    : options_(options), settings_(world.copy_to(folder)),
      clients_settings_(world.clients(static_cast<std::uint32_t>(options.seed))), random_(options.seed),
      mailbox_(std::make_shared<mailbox>(
          mailbox::receiver{[this] { return next_answer(); }, [this] { return mail_delay(); },
                            [this] { return disturbances(); }, [this](const auto& text) { tell(text); }})),
      view_(make_view()) {
  store_faults::set_file(store_file());
  store_faults::on_hang([this] { hang(); });
  store_faults::fail_reads_if([this] { return fails_read(); });
  for (unsigned i = 0; i < options_.servers; ++i) {
    auto& added = *nodes_.emplace_back(std::make_unique<node>());
    added.name = "server " + std::to_string(i + 1);
    start(added);
  }
  if (options_.faults.contains(fault_kind::second_start)) add_extra();
  for (unsigned i = 0; i < options_.clients; ++i)
    clients_.push_back(
        std::make_unique<platform_client>("client " + std::to_string(i + 1), clients_settings_, i));
  for (unsigned i = 0; i < options_.readers; ++i) readers_.push_back(std::make_unique<unit_reader>());
  others_ = make_clients(*view_, options_.others, world);
}

simulation::~simulation() {
  for (auto& each : nodes_) each->server.reset();
}

void simulation::run_until(time_point end, const std::function<bool()>& is_done) {
  while (now() < end && !is_done()) {
    act(end);
    if (step_servers())
      take_time();
    else
      pass_time_until(end);
  }
}

/// Some messages take time, so kills and pauses, too, come while others are being handled.
void simulation::take_time() {
  if (chance(75)) return;
  virtual_clock::advance_to(now() + between(1us, max_handling_time));
  send_due();
}

/// Lets one of the servers that have something to do run. Returns false if there is none.
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

void simulation::pass_time() { pass_time_until(now() + tick); }

/// Lets time pass until the next event. A wait or a hanging commit delays what others do, so their time may
/// be over.
void simulation::pass_time_until(time_point end) {
  auto next = std::min(end, now() + tick);
  const auto note = [&next](time_point event) {
    if (event > now()) next = std::min(next, event);
  };
  for (const auto& each : nodes_) {
    if (!completing_ || !each->server) note(each->acts_at);
    if (!each->server) continue;
    if (each->is_paused())
      note(each->paused_until);
    else if (const auto timer = each->server->next_timer())
      next = std::min(next, *timer);
  }
  for (const auto& each : clients_)
    if (!completing_ || each->awaited != 0) note(each->acts_at);
  for (const auto& each : readers_)
    if (!completing_ && !each->awaits) note(each->acts_at);
  for (const auto& each : others_) note(each->acts_at());
  virtual_clock::advance_to(std::max(next, now() + 1us));
  send_due();
}

void simulation::send_due() {
  for (const auto& each : nodes_)
    if (each->server && !each->is_paused()) each->server->send_due();
}

void simulation::act(time_point end) {
  store_faults::continue_late_commit();
  trust_reads_again();
  if (now() >= end) return;
  if (!options_.faults.empty() && !completing_ && now() >= fault_at_) harm_store();
  if (now() >= backup_at_) back_up_or_restore();
  if (now() >= shift_at_) shift_clock();
  for (auto& each : nodes_)
    if (now() >= each->acts_at) act(*each);
  for (auto& each : clients_)
    if (now() >= each->acts_at) act(*each);
  for (auto& each : readers_)
    if (!completing_ && !each->awaits && now() >= each->acts_at) act(*each);
  for (auto& each : others_) {
    try {
      each->act();
    } catch (const contradiction& found) {
      contradict(found.what());
    }
  }
}

void simulation::act(platform_client& sender) {
  if (sender.awaited != 0) {
    tell(sender.name + " gives up waiting");
    if (sender.asked->server && sender.asked->runs_since <= sender.sent_at)
      contradict(sender.asked->name + " did not respond to a " + to_string(sender.sent.kind));
    events_.push_back(std::exchange(sender.sent, {}));
    sender.awaited = 0;
  }
  sender.acts_at = now() + between(1ms, 300ms);
  if (!completing_) send(sender);
}

void simulation::send(platform_client& sender) {
  auto& to = any_node();
  auto event = sender.requests.next();
  if (!to.server) return; // connection refused
  const auto call = sender.requests.to_call(event);
  auto fields = call.fields;
  static std::uint64_t requests = 0;
  const auto number = ++requests;
  sender.awaited = number;
  sender.sent = event;
  sender.sent_at = now();
  sender.asked = &to;
  sender.acts_at = now() + patience;
  const auto fact = facts_.sent(event);
  tell(sender.name + " asks " + to.name + " for a " + to_string(event.kind) + " " + event.reference);
  to.server->request(to_request(call.method, call.path, fields, call.body),
                     [this, &sender, number, fact, restores = restores_,
                      server = to.server_name()](simulated_response response) {
                       if (restores != restores_) response.status = 0; // it may be about the former store
                       if (response.status != 0)
                         facts_.answered(fact, {response.status, {}, response.body}, server);
                       if (sender.awaited == number)
                         take(sender, std::move(sender.sent), std::move(response));
                     });
}

void simulation::take(platform_client& sender, client_event event, simulated_response response) {
  sender.awaited = 0;
  sender.acts_at = now() + between(1ms, 300ms);
  tell(sender.name + " gets " + std::to_string(response.status) + " for " + event.reference);
  if (response.status / 100 == 2 && chance(50)) read_soon(event.unit);
  if (response.status != 0) event.response = raw_response{response.status, {}, std::move(response.body)};
  events_.push_back(std::move(event));
}

/// A client that reads its own write finds what is acknowledged too early.
void simulation::read_soon(unsigned unit) {
  const auto idle = std::ranges::find(readers_, false, [](const auto& each) { return each->awaits; });
  if (idle == readers_.end()) return;
  (*idle)->unit = unit;
  (*idle)->acts_at = now() + between(0ms, 2ms);
}

void simulation::act(unit_reader& from) {
  from.acts_at = now() + between(20ms, 400ms);
  auto* const refusing = std::exchange(from.refusing, nullptr);
  auto& to = refusing != nullptr ? *refusing : any_node();
  if (!to.server) return;
  const auto wanted = std::exchange(from.unit, 0);
  const auto unit = wanted != 0 ? wanted : 1 + static_cast<unsigned>(random_() % clients_settings_.units);
  from.awaits = true;
  const auto view = chance(percent_calendars) ? shown_facts::view::calendar : shown_facts::view::listing;
  to.server->request(view == shown_facts::view::calendar
                         ? to_request("GET", "/ical-integration/listings/" + unit_id(unit) + "/iCal", {}, "")
                         : get("channel-manager", "/listings/u" + std::to_string(unit)),
                     [this, &from, &to, unit, view, sent = facts_.now(),
                      server = to.server_name()](simulated_response response) {
                       from.awaits = false;
                       if (response.status == 503) return retry_soon(from, to, unit);
                       from.refusals = 0;
                       if (response.status == 0 || !trusts_reads()) return;
                       const raw_response shown{response.status, {}, std::move(response.body)};
                       if (const auto wrong = facts_.contradiction(unit, view, sent, shown, server))
                         contradict(server + ": " + *wrong);
                     });
}

/// Sometimes waits until the server serves: right then it may still show old data.
void simulation::retry_soon(unit_reader& from, node& refusing, unsigned unit) {
  constexpr unsigned max_refusals = 40;
  const bool is_waiting = from.refusals > 0 || chance(10);
  if (!is_waiting || ++from.refusals > max_refusals) return void(from.refusals = 0);
  from.refusing = &refusing;
  from.unit = unit;
  from.acts_at = now() + between(1ms, 10ms);
}

/// Returns the machine that a client's next request goes to. No client asks for the extra server while there
/// is none.
node& simulation::any_node() {
  auto& chosen = *nodes_[random_() % nodes_.size()];
  return chosen.is_extra && !chosen.server ? *nodes_.front() : chosen;
}

void simulation::contradict(std::string what) {
  tell(what);
  contradictions_.push_back(std::move(what));
}

/// Mixes the text into the fingerprint, and prints it if wanted.
void simulation::tell(const std::string& text) {
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
