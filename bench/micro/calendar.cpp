#include "domain/calendar.hpp"

#include <benchmark/benchmark.h>
#include <random>

/// Benchmarks of a calendar of 10 to 10,000 blocks: checking whether nights are free, and taking them.
namespace roost::domain::calendar_micro {
namespace {

const auto first_day = domain::date_of(std::chrono::year{2027} / 1 / 1);
constexpr int nights_per_block = 3, nights_between_starts = 5;

block numbered_block(std::int64_t number) {
  block result;
  result.id.data[0] = 1;
  for (int i = 0; i < 8; ++i) result.id.data[8 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  result.nights.first = first_day + days{number * nights_between_starts};
  result.nights.last = result.nights.first + days{nights_per_block - 1};
  return result;
}

calendar calendar_of(std::int64_t blocks) {
  std::vector<block> all;
  for (std::int64_t i = 0; i < blocks; ++i) all.push_back(numbered_block(i));
  return calendar(std::move(all));
}

/// Returns free nights, each directly after a random block.
std::vector<nights> gaps(std::int64_t blocks) {
  std::mt19937_64 random(1);
  std::vector<nights> result(1024);
  for (auto& each : result) {
    const auto after =
        numbered_block(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(blocks)));
    each = {after.nights.last + days{1}, after.nights.last + days{2}};
  }
  return result;
}

void check(benchmark::State& state) {
  const auto held = calendar_of(state.range(0));
  const auto free_nights = gaps(state.range(0));
  std::size_t next = 0;
  for (auto _ : state)
    if (!held.is_free(free_nights[next++ % free_nights.size()])) state.SkipWithError("the nights are taken");
}
BENCHMARK(check)->Name("calendar/check")->RangeMultiplier(10)->Range(10, 10'000);

/// Takes the nights after the last block in each iteration, like a calendar that fills up.
void check_and_add(benchmark::State& state) {
  const auto before = calendar_of(state.range(0));
  auto held = before;
  auto next = state.range(0);
  const auto max_blocks = next + next / 10 + 10; // keeps the size of the calendar
  for (auto _ : state) {
    auto added = numbered_block(next++);
    if (!held.is_free(added.nights)) state.SkipWithError("the nights are taken");
    held.add(std::move(added));
    if (next < max_blocks) continue;
    state.PauseTiming();
    held = before;
    next = state.range(0);
    state.ResumeTiming();
  }
}
BENCHMARK(check_and_add)->Name("calendar/check_and_add")->RangeMultiplier(10)->Range(10, 10'000);

} // namespace
} // namespace roost::domain::calendar_micro
