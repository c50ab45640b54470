#include "load.hpp"

#include "processor.hpp"

#include <thread>

namespace roost::contention {

namespace {

using records = std::vector<std::unique_ptr<client_record>>;

processor_time used_so_far(const records& clients, const measured_processes& processes) {
  processor_time used;
  for (const auto& each : clients) used.clients += each->used;
  used.server = processes.server > 0 ? time_of_tree(processes.server) : time_of_process() - used.clients;
  if (processes.database > 0) used.database = time_of_tree(processes.database);
  return used;
}

void collect(const records& clients, load_result& into) {
  for (const auto& each : clients) {
    into.operations.insert(into.operations.end(), each->operations.begin(), each->operations.end());
    into.all.conflicts += each->all.conflicts;
    into.all.deadlocks += each->all.deadlocks;
    into.all.retries += each->all.retries;
    into.all.errors += each->all.errors;
  }
}

} // namespace

load_result run_load(strategy& by, workload& requests, const load_options& options,
                     const std::atomic<bool>& stop, const measured_processes& processes,
                     const std::function<void()>& measuring) {
  records clients;
  for (unsigned i = 0; i < options.clients; ++i) clients.push_back(std::make_unique<client_record>());
  orders from(requests, options, stop);
  by.start(from, clients);
  std::this_thread::sleep_until(from.start() + options.warm_up);
  const auto before = used_so_far(clients, processes);
  measuring();
  by.join();
  const auto after = used_so_far(clients, processes);
  from.rethrow();

  load_result result;
  result.started = from.start();
  result.cut_short = from.is_cut();
  result.used = {after.clients - before.clients, after.server - before.server,
                 after.database - before.database};
  collect(clients, result);
  return result;
}

} // namespace roost::contention
