#include "simulation/clients/simulated_command.hpp"
#include "simulation/simulation.hpp"
#include "simulation/store_faults.hpp"
#include "simulation/virtual_clock.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>

/// What goes wrong in a history: faults of the store, of servers and of the receiver of mail.
namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// A server that is started by mistake runs for a while, and then the next one comes after such a time.
constexpr auto max_wait_for_extra = 60s, max_extra_run = 6s;
constexpr auto max_backup_interval = 20s, max_shift_interval = 60s;
constexpr unsigned percent_restored = 15;
/// Mails wait for at most that long after a step back. Steps ahead may add up to an untrusted time.
constexpr auto max_step_back = 20s;
constexpr auto max_step_ahead = 10min;
/// How many of an actor's runs are delayed, in a thousand, and for how long at most.
constexpr unsigned delayed_per_thousand = 3;
constexpr auto max_delay = 2s;
constexpr auto lease_length = 10s;
/// Between two renewals, with the delay of a message.
constexpr auto max_renewal_time = 3s + max_delay + 500ms;
/// How many reads of a server that starts fail, in a thousand: in the middle of its load, or at the
/// beginning.
constexpr std::array failing_per_thousand{3U, 15U, 200U};
constexpr auto max_failing_start = 3s;
constexpr auto max_late_commit = 6s, max_hang = 8s;

} // namespace

void simulation::add_extra() {
  auto& extra = *nodes_.emplace_back(std::make_unique<node>());
  extra.name = "another server";
  extra.is_extra = true;
  extra.acts_at = now() + between(1s, max_wait_for_extra);
}

void simulation::harm_store() {
  fault_at_ = now() + between(100ms, 5s);
  using store_faults::fault;
  constexpr std::array kinds{std::pair{fault_kind::full_disk, fault::full_disk},
                             std::pair{fault_kind::lost_response, fault::lost_response},
                             std::pair{fault_kind::failed_sync, fault::failed_sync},
                             std::pair{fault_kind::late_commit, fault::late_commit},
                             std::pair{fault_kind::failed_read, fault::failed_read},
                             std::pair{fault_kind::hang, fault::hang}};
  const auto [kind, next] = kinds[random_() % kinds.size()];
  if (!may_happen(kind)) return;
  tell("the next commit meets " + std::string(to_string(kind)));
  store_faults::arm(next, {between(1ms, max_late_commit), chance(50)});
}

/// Makes a backup, or puts the last one in the place of the store. What was acknowledged in between is lost.
void simulation::back_up_or_restore() {
  backup_at_ = now() + between(1s, max_backup_interval);
  if (!may_happen(fault_kind::restore)) return;
  if (!backup_ || !chance(percent_restored)) return back_up();
  const bool are_killed = chance(50);
  if (!are_killed && chance(50)) {
    store_faults::arm(store_faults::fault::none); // it strikes no commit of a server
    if (!store_faults::restore_content(store_file() + ".backup")) return;
    tell("the store returns to the state of a backup");
    return forget_since_backup(false);
  }
  tell(are_killed ? "all servers are killed, and a backup is restored"
                  : "a backup is restored under the servers");
  for (auto& each : nodes_) {
    if (!are_killed) break;
    each->server.reset();
    each->acts_at = now() + between(0s, 5s);
  }
  store_faults::leave_file();
  const auto store = store_file();
  for (const auto* log : {"-wal", "-shm"}) std::filesystem::remove(store + log);
  std::filesystem::copy_file(store + ".backup", store + ".restored");
  std::filesystem::rename(store + ".restored", store);
  forget_since_backup(are_killed);
}

void simulation::forget_since_backup(bool are_killed) {
  for (auto& event : std::span(events_).subspan(backup_->events)) event.response.reset();
  facts_.forget_since(backup_->moment);
  mailbox_->restore(backup_->mails);
  ++restores_;
  ++harms_;
  // The former store's lease holder reads until its next renewal.
  if (are_killed || nodes_.size() == 1) return;
  trusts_reads_at_ = now() + lease_length;
  jump_.reset();
}

void simulation::back_up() {
  std::filesystem::remove(store_file() + ".backup");
  if (!store_faults::copy_file(store_file() + ".backup")) return backup_.reset();
  backup_ = backup{events_.size(), facts_.now(), mailbox_->state()};
  tell("a backup is made");
}

std::string simulation::store_file() const {
  return settings_.store.url.substr(std::string_view("sqlite3://").size());
}

/// The lease of a store whose clock jumps ends at another time than its holder expects. Another server may
/// take it then, before the holder finds out.
void simulation::shift_clock() {
  shift_at_ = now() + between(1s, max_shift_interval);
  if (!may_happen(fault_kind::clock)) return;
  const auto by = chance(50) ? between(-max_step_back, 0s) : between(0s, max_step_ahead);
  tell("the clock jumps by " + std::to_string(std::chrono::floor<std::chrono::seconds>(by).count()) + " s");
  virtual_clock::shift_calendar(by);
  ++harms_;
  if (nodes_.size() == 1) return;
  trusts_reads_at_ = now() + lease_length;
  jump_ = clock_jump{now(), disturbances()};
}

/// A server that is disturbed by nothing else learns at its next renewal that another one has taken its
/// lease.
void simulation::trust_reads_again() {
  if (!jump_ || now() < jump_->at + max_renewal_time) return;
  const auto runs = [this](const auto& each) { return !each->server || each->runs_since <= jump_->at; };
  if (!trusts_reads() && disturbances() == jump_->disturbances && std::ranges::all_of(nodes_, runs))
    trusts_reads_at_ = now();
  jump_.reset();
}

/// Lets the others continue during a commit that hangs. Not while a wait runs other actors, which could not
/// end before this does.
void simulation::hang() {
  const auto is_waiting = [](const auto& each) { return each->server && each->server->is_waiting(); };
  if (is_ending_server_ || is_command_running() || std::ranges::any_of(nodes_, is_waiting)) return;
  const auto end = now() + between(50ms, max_hang);
  tell("a commit hangs");
  for (auto& each : nodes_) each->runs_since = std::max(each->runs_since, end);
  while (now() < end) {
    for (auto& each : clients_)
      if (now() >= each->acts_at) act(*each);
    if (step_servers())
      take_time();
    else
      pass_time_until(end);
  }
  for (auto& each : nodes_) each->runs_since = std::max(each->runs_since, now());
  ++harms_;
  tell("the commit continues");
}

void simulation::act(node& server) {
  if (!server.server) return start(server);
  if (server.is_extra) return end_extra(server);
  server.acts_at = now() + between(1s, 20s);
  const auto kind = chance(50) ? fault_kind::kills : chance(40) ? fault_kind::stops : fault_kind::pauses;
  if (!may_happen(kind)) return;
  server.paused_until = {};
  if (kind == fault_kind::kills) {
    tell(server.name + " is killed");
    ++harms_;
    server.server.reset();
    server.acts_at = now() + between(0s, 5s);
  } else if (kind == fault_kind::stops) {
    tell(server.name + " is stopped");
    is_ending_server_ = true;
    server.server->stop();
    server.server.reset();
    is_ending_server_ = false;
    server.acts_at = now() + between(0s, 5s);
  } else {
    ++harms_;
    server.paused_until = server.runs_since = now() + between(1ms, 40s);
    if (chance(50)) server.acts_at = server.paused_until + between(0s, 5s); // else its end may come first
    tell(server.name + " is paused");
  }
}

void simulation::end_extra(node& server) {
  tell(server.name + " is killed");
  ++harms_;
  server.server.reset();
  server.acts_at = now() + between(1s, max_wait_for_extra);
}

void simulation::start(node& server) {
  ++server.starts;
  server.runs_since = now();
  tell(server.name + " starts");
  server.server = std::make_unique<simulated_server>(
      settings_, mailbox_, random_, [this] { pass_time(); },
      [this, &server](const std::string& error) { contradict(server.name + ": " + error); });
  if (may_happen(fault_kind::failed_read) && chance(25)) {
    server.reads_fail_until = now() + between(1ms, max_failing_start);
    server.failing_reads = failing_per_thousand[random_() % failing_per_thousand.size()];
  }
  if (may_happen(fault_kind::delays))
    server.server->delay_messages(
        [this] { return may_happen(fault_kind::delays) && random_() % 1'000 < delayed_per_thousand; },
        max_delay);
  server.acts_at = now() + (server.is_extra ? between(100ms, max_extra_run) : between(1s, 20s));
}

/// The first reads of a server are its load of some hundred pages, and a failure in the middle of it must
/// leave nothing in memory.
bool simulation::fails_read() {
  return stepping_ != nullptr && now() < stepping_->reads_fail_until && may_happen(fault_kind::failed_read) &&
         random_() % 1'000 < stepping_->failing_reads;
}

bool simulation::may_happen(fault_kind kind) const { return !completing_ && options_.faults.contains(kind); }

/// A receiver may take its time before it takes a mail, or before it confirms it.
std::chrono::nanoseconds simulation::mail_delay() {
  constexpr unsigned slow_percent = 5;
  constexpr auto max_mail_delay = 5s;
  return may_happen(fault_kind::mail) && chance(slow_percent) ? between(1ms, max_mail_delay) : 0s;
}

mailbox::answer simulation::next_answer() {
  constexpr unsigned harmed_percent = 10;
  if (!may_happen(fault_kind::mail) || !chance(harmed_percent)) return mailbox::answer::confirmed;
  return chance(50) ? mailbox::answer::deferred : mailbox::answer::unconfirmed;
}

/// Each may keep a delivery from being recorded.
std::uint64_t simulation::disturbances() const { return harms_ + store_faults::happened(); }

} // namespace roost::testing
