#include "simulation/simulation.hpp"

#include "service/support/booking_load.hpp"
#include "service/support/partner.hpp"
#include "simulation/store_faults.hpp"
#include "simulation/story.hpp"
#include "simulation/virtual_clock.hpp"
#include "store/messages/messages.hpp"

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
/// How long decisions and mails may take once there are no more faults.
constexpr auto completion = 180s;
/// The longest time that a message takes.
constexpr auto max_handling_time = 400us;
/// Timers of connections are looked at this often even if nothing else happens.
constexpr auto tick = 500ms;

} // namespace

simulation::simulation(const prepared_world& world, const simulation_options& options,
                       const std::filesystem::path& folder)
    : options_(options), settings_(world.copy_to(folder)),
      clients_settings_(world.clients(static_cast<std::uint32_t>(options.seed))), random_(options.seed),
      mailbox_(
          std::make_shared<mailbox>([this] { return next_answer(); }, [this] { return disturbances(); })),
      view_(make_view()) {
  store_faults::set_file(store_file());
  store_faults::on_hang([this] { hang(); });
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

std::vector<std::string> simulation::run() {
  run_until(now() + options_.length, [this] { return !contradictions_.empty(); });
  completing_ = true;
  store_faults::arm(store_faults::fault::none);
  store_faults::continue_late_commit(true);
  for (auto& each : nodes_) {
    each->paused_until = {};
    each->runs_since = now();
    if (each->is_extra) {
      if (each->server) end_extra(*each);
      each->acts_at = time_point::max();
    } else if (!each->server) {
      start(*each);
    }
  }
  store::session db(settings_.store.url);
  const auto calendar_now = [] {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  };
  auto next_check = now();
  const auto is_complete = [&] {
    if (now() < next_check) return false;
    next_check = now() + 1s;
    return undecided_requests(db) == 0 && store::pending_mail_count(db, calendar_now()) == 0 &&
           std::ranges::all_of(clients_, [](const auto& each) { return each->awaited == 0; }) &&
           std::ranges::all_of(others_, [](const auto& each) { return each->is_done(); });
  };
  const auto end = now() + completion;
  run_until(end, [&] { return !contradictions_.empty() || is_complete(); });
  fingerprint_ ^= random_(); // differs after any other number of choices
  if (options_.story) std::cout << decisions_since(db, started_at_);
  if (!contradictions_.empty()) return contradictions_;
  std::vector<std::string> differences;
  if (now() >= end) differences.emplace_back("not everything was decided and mailed in time");
  std::ranges::copy(
      mixed_differences(db, events_,
                        [this](const auto& platform, const auto& path) { return read(platform, path); }),
      std::back_inserter(differences));
  for (const auto& each : others_) std::ranges::copy(each->differences(db), std::back_inserter(differences));
  // With kills and receivers that do not confirm, some mails are given up after the second delivery.
  if (const auto unsent = unsent_mails(db) - unconfirmed_mails(db))
    differences.push_back(std::to_string(unsent) + " mails were not sent");
  std::ranges::copy(final_differences(db), std::back_inserter(differences));
  return differences;
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
    if (each.server && !each.is_paused() && each.server->step()) return true;
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
  if (response.status != 0) event.response = raw_response{response.status, {}, std::move(response.body)};
  events_.push_back(std::move(event));
}

void simulation::act(unit_reader& from) {
  from.acts_at = now() + between(20ms, 400ms);
  auto& to = any_node();
  if (!to.server) return;
  const auto unit = 1 + static_cast<unsigned>(random_() % clients_settings_.units);
  from.awaits = true;
  to.server->request(
      get("channel-manager", "/listings/u" + std::to_string(unit)),
      [this, &from, unit, sent = facts_.now(), server = to.server_name()](simulated_response response) {
        from.awaits = false;
        if (response.status == 0 || now() < trusts_reads_at_) return;
        const raw_response shown{response.status, {}, std::move(response.body)};
        if (const auto wrong = facts_.contradiction(unit, sent, shown, server))
          contradict(server + ": " + *wrong);
      });
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

/// Compares mails and lists with the store, once everything is complete.
std::vector<std::string> simulation::final_differences(store::session& db) {
  auto differences = mailbox_->contradictions();
  constexpr std::size_t no_limit = 1'000'000;
  for (const auto& each : store::list_mails(db, {}, no_limit))
    if (each.sent_at && !mailbox_->has_received(each.mail.id))
      differences.push_back("the mail " + domain::to_string(each.mail.id) +
                            " counts as sent, but was not received");
  const auto list = read("booking-engine", "/listings").body;
  for (unsigned i = 1; i <= clients_settings_.units; ++i)
    if (list.find(read("booking-engine", "/listings/u" + std::to_string(i)).body) == std::string::npos)
      differences.push_back("the list shows another unit " + std::to_string(i) + " than a read of it");
  return differences;
}

/// Mixes the text into the fingerprint, and prints it if wanted.
void simulation::tell(const std::string& text) {
  const auto at = std::chrono::duration_cast<std::chrono::microseconds>(now() - started_).count();
  for (const char each : std::to_string(at) + text)
    fingerprint_ = (fingerprint_ ^ static_cast<unsigned char>(each)) * 1099511628211U;
  if (options_.story) std::cout << story_line(at, text);
}

/// Reads from the server that holds the lease.
raw_response simulation::read(const std::string& platform, const std::string& path) {
  for (const auto end = now() + completion; now() < end; pass_time()) {
    for (auto& each : nodes_) {
      if (!each->server) continue;
      std::optional<simulated_response> response;
      each->server->request(get(platform, path), [&](simulated_response got) { response = std::move(got); });
      while (!response)
        if (!step_servers()) pass_time();
      if (response->status != 503) return {response->status, {}, response->body};
    }
  }
  throw std::runtime_error("no server responds");
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
