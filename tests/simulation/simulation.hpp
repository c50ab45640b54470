#pragma once

#include "simulation/clients/population.hpp"
#include "simulation/fault_kinds.hpp"
#include "simulation/mailbox.hpp"
#include "simulation/participants.hpp"
#include "simulation/prepared_world.hpp"
#include "simulation/shown_facts.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roost::testing {

struct simulation_options {
  std::uint64_t seed = 1;
  unsigned servers = 1; ///< on one store
  unsigned clients = 4; ///< of platforms
  unsigned readers = 2;
  population others;
  fault_set faults = all_faults(); ///< the enabled kinds
  std::chrono::seconds length{30}; ///< simulated time before completion
  bool story = false;              ///< print the events
};

/// One history: servers on one store, clients that use them, and faults, all determined by the seed.
class simulation {
public:
  /// Uses `folder` for the store; it must be empty or missing.
  simulation(const prepared_world& world, const simulation_options& options,
             const std::filesystem::path& folder);
  ~simulation();
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;

  /// Runs the history. Returns descriptions of violated guarantees.
  std::vector<std::string> run();

  /// Returns a hash of the history: different histories have different ones.
  std::uint64_t fingerprint() const { return fingerprint_; }

private:
  using time_point = seeded_scheduler::time_point;
  using duration = seeded_scheduler::time_point::duration;

  class view;

  /// The state of the clients and of the mailbox when the backup was made.
  struct backup {
    std::size_t events = 0;
    shown_facts::sequence sequence = 0;
    mailbox::received_mails mails;
  };

  struct clock_jump {
    time_point at;
    std::uint64_t fault_count = 0; ///< at the time of the jump
  };

  void run_until(time_point end, const std::function<bool()>& is_done);
  bool step_servers();
  void spend_handling_time();
  void advance_time();
  void send_due();
  void advance_time_until(time_point end);
  void act(time_point end);
  void inject_store_fault();
  void hang();
  void back_up_or_restore();
  void back_up();
  void forget_since_backup(bool are_killed);
  void shift_clock();
  std::string store_file() const;
  void act(node& server);
  void act(platform_client& sender);
  void act(unit_reader& from);
  void read_soon(unsigned unit);
  void retry_soon(unit_reader& from, node& retried_server, unsigned unit);
  void start(node& server);
  void add_extra_server();
  void kill_extra_server(node& server);
  void send(platform_client& sender);
  void handle_response(platform_client& sender, client_event event, simulated_response response);
  void add_to_story(const std::string& text);
  node& random_node();
  void report_contradiction(std::string what);
  bool may_happen(fault_kind kind) const;
  bool should_fail_read();
  void update_read_trust();
  bool are_reads_trusted() const { return now() >= reads_trusted_at_; }
  mailbox::reply next_reply();
  std::chrono::nanoseconds mail_delay();
  std::uint64_t fault_count() const;
  std::unique_ptr<history> make_view();
  void end_faults();
  bool await_completion(store::session& db);
  void book_free_nights(store::session& db);
  bool was_requested(unsigned unit, const domain::nights& nights) const;
  std::vector<std::string> refused_nights(store::session& db) const;
  std::vector<std::string> final_differences(store::session& db);
  raw_response read(const std::string& platform, const std::string& path);
  raw_response respond(const std::string& request);
  std::string get(const std::string& platform, const std::string& path) const;

  static time_point now() { return std::chrono::steady_clock::now(); }
  duration between(duration min, duration max);
  bool chance(unsigned percent) { return random_() % 100 < percent; }

  const simulation_options options_;
  const config::settings settings_;
  const mixed_settings clients_settings_;
  seeded_scheduler::random random_;
  std::shared_ptr<mailbox> mailbox_;
  std::vector<std::unique_ptr<node>> nodes_;
  std::vector<std::unique_ptr<platform_client>> clients_;
  std::vector<std::unique_ptr<unit_reader>> readers_;
  std::unique_ptr<history> view_; ///< used by other_clients_
  std::vector<std::unique_ptr<simulated_client>> other_clients_;
  std::vector<client_event> events_;
  std::set<std::string> free_stays_; ///< references of the bookings of free nights at the end
  shown_facts facts_;
  std::vector<std::string> contradictions_; ///< found during the history, which then ends
  /// The faults of servers and store so far, in addition to store_faults::fault_count().
  std::uint64_t injected_faults_ = 0;
  std::uint64_t fingerprint_ = 14695981039346656037U;
  const time_point started_ = now();
  const std::chrono::system_clock::time_point started_at_ = std::chrono::system_clock::now();
  time_point next_fault_at_{};
  time_point next_backup_at_ = started_ + std::chrono::seconds{2};
  time_point next_shift_at_ = started_ + std::chrono::seconds{2};
  time_point reads_trusted_at_{};  ///< until then a server may serve although another one has the lease
  std::optional<clock_jump> jump_; ///< the last one, until reads are trusted again
  std::optional<backup> backup_;
  unsigned restores_ = 0;
  const node* stepping_ = nullptr; ///< the server that handles a message
  bool is_ending_server_ = false;
  bool completing_ = false; ///< no more faults, and no new requests
};

} // namespace roost::testing
