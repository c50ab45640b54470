#include "load.hpp"

#include "cpu_time.hpp"

#include <thread>

namespace roost::contention {

namespace {

using records = std::vector<std::unique_ptr<client_record>>;

processor_time used_so_far(const records& clients, const measured_processes& processes) {
  processor_time used;
  for (const auto& client : clients) used.clients += client->cpu_seconds;
  used.server = processes.server > 0 ? process_tree_cpu_seconds(processes.server)
                                     : process_cpu_seconds() - used.clients;
  if (processes.database > 0) used.database = process_tree_cpu_seconds(processes.database);
  return used;
}

void collect(const records& clients, load_result& result) {
  for (const auto& client : clients) {
    result.operations.insert(result.operations.end(), client->operations.begin(), client->operations.end());
    result.totals.conflicts += client->totals.conflicts;
    result.totals.deadlocks += client->totals.deadlocks;
    result.totals.retries += client->totals.retries;
    result.totals.errors += client->totals.errors;
  }
}

} // namespace

load_result run_load(strategy& strategy, workload& requests, const load_options& options,
                     const std::atomic<bool>& stop, const measured_processes& processes,
                     const std::function<void()>& on_measuring) {
  records clients;
  for (unsigned i = 0; i < options.clients; ++i) clients.push_back(std::make_unique<client_record>());
  request_schedule schedule(requests, options, stop);
  strategy.start(schedule, clients);
  std::this_thread::sleep_until(schedule.start() + options.warm_up);
  const auto before = used_so_far(clients, processes);
  on_measuring();
  strategy.join();
  const auto after = used_so_far(clients, processes);
  schedule.rethrow_error();

  load_result result;
  result.started = schedule.start();
  result.cut_short = schedule.is_cut_short();
  result.used = {after.clients - before.clients, after.server - before.server,
                 after.database - before.database};
  collect(clients, result);
  return result;
}

} // namespace roost::contention
