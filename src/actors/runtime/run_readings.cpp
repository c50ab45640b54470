#include "actors/runtime/run_readings.hpp"

#include <algorithm>
#include <vector>

namespace roost::actors {

namespace {

void add(durations_read& to, const duration_tally& counted) {
  for (std::size_t i = 0; i < to.counts.size(); ++i) to.counts[i] += counted.in_bucket(i);
  to.sum += counted.sum();
}

} // namespace

std::map<std::string, type_read> read_types() {
  std::vector<const actor_type*> types; // which are never destroyed
  meter::for_each_type([&](const actor_type& type) { types.push_back(&type); });
  std::map<std::string, type_read> all;
  for (const auto* type : types) all[type->name].alive = type->alive.load(std::memory_order_relaxed);
  meter::for_each_thread([&](run_thread& thread) {
    for (const auto* type : types) {
      auto& tally = thread.tallies[type->slot];
      auto& read = all[type->name];
      add(read.runs, tally.runs);
      add(read.waits, tally.waits);
      read.messages += tally.messages.load(std::memory_order_relaxed);
      read.deepest = std::max(read.deepest, tally.deepest.exchange(0, std::memory_order_relaxed));
    }
  });
  return all;
}

std::map<std::string, thread_read> read_threads() {
  std::map<std::string, thread_read> all;
  meter::for_each_thread([&](run_thread& thread) {
    auto& read = all[thread.name];
    read.is_scheduled = thread.must_not_block;
    read.processor_time += thread.processor_time();
    for (const auto& tally : thread.tallies) read.busy += tally.runs.sum();
    read.turns += thread.turns.load(std::memory_order_relaxed);
    read.steals += thread.steals.load(std::memory_order_relaxed);
    read.stalls += thread.stalls.load(std::memory_order_relaxed);
  });
  return all;
}

} // namespace roost::actors
