#include "simulation/clients/simulated_command.hpp"
#include "simulation/simulation.hpp"
#include "simulation/store_faults.hpp"
#include "simulation/virtual_clock.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>

/// The faults of a history: of the store, of servers and of the mail receiver.
namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// The maximum time between two starts of the extra server, and how long it runs.
constexpr auto max_wait_for_extra = 60s, max_extra_run = 6s;
constexpr auto max_backup_interval = 20s, max_shift_interval = 60s;
constexpr unsigned percent_restored = 15;
/// Mails wait at most this long after a step back. Several steps ahead may make the time untrusted.
constexpr auto max_step_back = 20s;
constexpr auto max_step_ahead = 10min;
/// The share of an actor's runs that are delayed, and the maximum delay.
constexpr unsigned delayed_per_thousand = 3;
constexpr auto max_delay = 2s;
constexpr auto lease_length = 10s;
/// The maximum time between two renewals, including the delay of a message.
constexpr auto max_renewal_time = 3s + max_delay + 500ms;
/// How many reads fail while a server starts, in a thousand: at the beginning of its load, or in the middle.
constexpr std::array failing_per_thousand{3U, 15U, 200U};
constexpr auto max_failing_start = 3s;
constexpr auto max_late_commit = 6s, max_hang = 8s;

} // namespace

void simulation::add_extra_server() {
  auto& extra = *nodes_.emplace_back(std::make_unique<node>());
  extra.name = "another server";
  extra.is_extra = true;
  extra.next_action_at = now() + between(1s, max_wait_for_extra);
}

void simulation::inject_store_fault() {
  next_fault_at_ = now() + between(100ms, 5s);
  using store_faults::fault;
  constexpr std::array kinds{std::pair{fault_kind::full_disk, fault::full_disk},
                             std::pair{fault_kind::lost_response, fault::lost_response},
                             std::pair{fault_kind::failed_sync, fault::failed_sync},
                             std::pair{fault_kind::late_commit, fault::late_commit},
                             std::pair{fault_kind::failed_read, fault::failed_read},
                             std::pair{fault_kind::hang, fault::hang}};
  const auto [kind, next] = kinds[random_() % kinds.size()];
  if (!may_happen(kind)) return;
  add_to_story("the next commit meets " + std::string(to_string(kind)));
  store_faults::arm(next, {between(1ms, max_late_commit), chance(50)});
}

/// Makes a backup, or replaces the store by the last one, which loses everything acknowledged since.
void simulation::back_up_or_restore() {
  next_backup_at_ = now() + between(1s, max_backup_interval);
  if (!may_happen(fault_kind::restore)) return;
  if (!backup_ || !chance(percent_restored)) return back_up();
  const bool are_killed = chance(50);
  if (!are_killed && chance(50)) {
    store_faults::arm(store_faults::fault::none); // it must not affect the restore itself
    if (!store_faults::restore_content(store_file() + ".backup")) return;
    add_to_story("the store returns to the state of a backup");
    return forget_since_backup(false);
  }
  add_to_story(are_killed ? "all servers are killed, and a backup is restored"
                          : "a backup is restored under the servers");
  for (auto& each : nodes_) {
    if (!are_killed) break;
    each->server.reset();
    each->next_action_at = now() + between(0s, 5s);
  }
  store_faults::close_file();
  const auto store = store_file();
  for (const auto* log : {"-wal", "-shm"}) std::filesystem::remove(store + log);
  std::filesystem::copy_file(store + ".backup", store + ".restored");
  std::filesystem::rename(store + ".restored", store);
  forget_since_backup(are_killed);
}

void simulation::forget_since_backup(bool are_killed) {
  for (auto& event : std::span(events_).subspan(backup_->events)) event.response.reset();
  facts_.forget_since(backup_->sequence);
  mailbox_->restore(backup_->mails);
  ++restores_;
  ++injected_faults_;
  // The lease holder of the replaced store serves reads until its next renewal.
  if (are_killed || nodes_.size() == 1) return;
  reads_trusted_at_ = now() + lease_length;
  jump_.reset();
}

void simulation::back_up() {
  std::filesystem::remove(store_file() + ".backup");
  if (!store_faults::copy_file(store_file() + ".backup")) return backup_.reset();
  backup_ = backup{events_.size(), facts_.next_sequence(), mailbox_->state()};
  add_to_story("a backup is made");
}

std::string simulation::store_file() const {
  return settings_.store.url.substr(std::string_view("sqlite3://").size());
}

/// After a jump of the store's clock, the lease ends at another time than its holder expects, so another
/// server may take it before the holder notices.
void simulation::shift_clock() {
  next_shift_at_ = now() + between(1s, max_shift_interval);
  if (!may_happen(fault_kind::clock)) return;
  const auto by = chance(50) ? between(-max_step_back, 0s) : between(0s, max_step_ahead);
  add_to_story("the clock jumps by " + std::to_string(std::chrono::floor<std::chrono::seconds>(by).count()) +
               " s");
  virtual_clock::shift_calendar(by);
  ++injected_faults_;
  if (nodes_.size() == 1) return;
  reads_trusted_at_ = now() + lease_length;
  jump_ = clock_jump{now(), fault_count()};
}

/// Trusts reads again once servers without other faults have renewed the lease or learned that they lost it.
void simulation::update_read_trust() {
  if (!jump_ || now() < jump_->at + max_renewal_time) return;
  const auto runs = [this](const auto& each) { return !each->server || each->running_since <= jump_->at; };
  if (!are_reads_trusted() && fault_count() == jump_->fault_count && std::ranges::all_of(nodes_, runs))
    reads_trusted_at_ = now();
  jump_.reset();
}

/// Runs servers and clients during a hanging commit, except during a wait that runs other actors: it could
/// not end before the commit does.
void simulation::hang() {
  const auto is_waiting = [](const auto& each) { return each->server && each->server->is_waiting(); };
  if (is_ending_server_ || is_command_running() || std::ranges::any_of(nodes_, is_waiting)) return;
  const auto end = now() + between(50ms, max_hang);
  add_to_story("a commit hangs");
  for (auto& each : nodes_) each->running_since = std::max(each->running_since, end);
  while (now() < end) {
    for (auto& each : clients_)
      if (now() >= each->next_action_at) act(*each);
    if (step_servers())
      spend_handling_time();
    else
      advance_time_until(end);
  }
  for (auto& each : nodes_) each->running_since = std::max(each->running_since, now());
  ++injected_faults_;
  add_to_story("the commit continues");
}

void simulation::act(node& server) {
  if (!server.server) return start(server);
  if (server.is_extra) return kill_extra_server(server);
  server.next_action_at = now() + between(1s, 20s);
  const auto kind = chance(50) ? fault_kind::kills : chance(40) ? fault_kind::stops : fault_kind::pauses;
  if (!may_happen(kind)) return;
  server.paused_until = {};
  if (kind == fault_kind::kills) {
    add_to_story(server.name + " is killed");
    ++injected_faults_;
    server.server.reset();
    server.next_action_at = now() + between(0s, 5s);
  } else if (kind == fault_kind::stops) {
    add_to_story(server.name + " is stopped");
    is_ending_server_ = true;
    server.server->stop();
    server.server.reset();
    is_ending_server_ = false;
    server.next_action_at = now() + between(0s, 5s);
  } else {
    ++injected_faults_;
    server.paused_until = server.running_since = now() + between(1ms, 40s);
    if (chance(50))
      server.next_action_at =
          server.paused_until + between(0s, 5s); // else it may be killed while it is paused
    add_to_story(server.name + " is paused");
  }
}

void simulation::kill_extra_server(node& server) {
  add_to_story(server.name + " is killed");
  ++injected_faults_;
  server.server.reset();
  server.next_action_at = now() + between(1s, max_wait_for_extra);
}

void simulation::start(node& server) {
  ++server.starts;
  server.running_since = now();
  add_to_story(server.name + " starts");
  server.server = std::make_unique<simulated_server>(
      settings_, mailbox_, random_, [this] { advance_time(); },
      [this, &server](const std::string& error) { report_contradiction(server.name + ": " + error); });
  if (may_happen(fault_kind::failed_read) && chance(25)) {
    server.reads_fail_until = now() + between(1ms, max_failing_start);
    server.failing_reads = failing_per_thousand[random_() % failing_per_thousand.size()];
  }
  if (may_happen(fault_kind::delays))
    server.server->delay_messages(
        [this] { return may_happen(fault_kind::delays) && random_() % 1'000 < delayed_per_thousand; },
        max_delay);
  server.next_action_at = now() + (server.is_extra ? between(100ms, max_extra_run) : between(1s, 20s));
}

/// Returns whether the current read should fail. A starting server loads some hundred pages; a failure in the
/// middle must leave nothing in memory.
bool simulation::should_fail_read() {
  return stepping_ != nullptr && now() < stepping_->reads_fail_until && may_happen(fault_kind::failed_read) &&
         random_() % 1'000 < stepping_->failing_reads;
}

bool simulation::may_happen(fault_kind kind) const { return !completing_ && options_.faults.contains(kind); }

/// Returns a delay before a mail is received or confirmed.
std::chrono::nanoseconds simulation::mail_delay() {
  constexpr unsigned slow_percent = 5;
  constexpr auto max_mail_delay = 5s;
  return may_happen(fault_kind::mail) && chance(slow_percent) ? between(1ms, max_mail_delay) : 0s;
}

mailbox::reply simulation::next_reply() {
  constexpr unsigned failure_percent = 10;
  if (!may_happen(fault_kind::mail) || !chance(failure_percent)) return mailbox::reply::confirmed;
  return chance(50) ? mailbox::reply::deferred : mailbox::reply::unconfirmed;
}

/// Returns the number of faults so far. Each may prevent the recording of a delivery.
std::uint64_t simulation::fault_count() const { return injected_faults_ + store_faults::fault_count(); }

} // namespace roost::testing
