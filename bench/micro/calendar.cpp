#include "domain/calendar.hpp"

#include <benchmark/benchmark.h>
#include <random>

/// A calendar of 10 to 10,000 blocks: whether nights are free, and taking them.
namespace roost::domain::calendar_micro {
namespace {

const date first_day = std::chrono::year{2027} / 1 / 1;
constexpr int nights_of_a_block = 3, nights_to_the_next = 5;

block numbered_block(std::int64_t number) {
  block made;
  made.id.data[0] = 1;
  for (int i = 0; i < 8; ++i) made.id.data[8 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  made.nights.first = first_day + days{number * nights_to_the_next};
  made.nights.last = made.nights.first + days{nights_of_a_block - 1};
  return made;
}

calendar calendar_of(std::int64_t blocks) {
  std::vector<block> all;
  for (std::int64_t i = 0; i < blocks; ++i) all.push_back(numbered_block(i));
  return calendar(std::move(all));
}

/// Nights that are free, after blocks that lie all over the calendar.
std::vector<nights> gaps(std::int64_t blocks) {
  std::mt19937_64 chance(1);
  std::vector<nights> found(1024);
  for (auto& each : found) {
    const auto after =
        numbered_block(static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(blocks)));
    each = {after.nights.last + days{1}, after.nights.last + days{2}};
  }
  return found;
}

void check(benchmark::State& state) {
  const auto held = calendar_of(state.range(0));
  const auto wanted = gaps(state.range(0));
  std::size_t next = 0;
  for (auto _ : state)
    if (!held.is_free(wanted[next++ % wanted.size()])) state.SkipWithError("the nights are taken");
}
BENCHMARK(check)->Name("calendar/check")->RangeMultiplier(10)->Range(10, 10'000);

/// Each round takes the nights after the last block, as a calendar that fills up does.
void check_and_add(benchmark::State& state) {
  const auto before = calendar_of(state.range(0));
  auto held = before;
  auto next = state.range(0);
  const auto most = next + next / 10 + 10; // blocks, so that the calendar stays of its size
  for (auto _ : state) {
    auto added = numbered_block(next++);
    if (!held.is_free(added.nights)) state.SkipWithError("the nights are taken");
    held.add(std::move(added));
    if (next < most) continue;
    state.PauseTiming();
    held = before;
    next = state.range(0);
    state.ResumeTiming();
  }
}
BENCHMARK(check_and_add)->Name("calendar/check_and_add")->RangeMultiplier(10)->Range(10, 10'000);

} // namespace
} // namespace roost::domain::calendar_micro
