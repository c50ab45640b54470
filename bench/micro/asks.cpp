#include "actors/inventory/unit_calendar.hpp"
#include "actors/runtime/runtime.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>

#include <benchmark/benchmark.h>

/// An actor asked from an I/O thread, as connections ask: the bare round trip under each policy, and a unit's
/// calendar that reserves nights. Times are real times: the actors work on other threads than the benchmark.
namespace roost::actors::asks_micro {

struct ping {
  int value = 0;
};

using echo = caf::typed_actor<caf::replies_to<ping>::with<int>>;

} // namespace roost::actors::asks_micro

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::asks_micro::ping)

namespace roost::actors::asks_micro {
namespace {

constexpr int asks_a_batch = 1000;

echo::behavior_type answer_pings(echo::pointer /*self*/) {
  return {[](const ping& asked) { return asked.value; }};
}

scheduler_knobs knobs_of(const std::string& policy) {
  scheduler_knobs knobs;
  knobs.policy = policy;
  knobs.max_threads = 2;
  return knobs;
}

asio::awaitable<void> ask_often(echo whom) {
  for (int i = 0; i < asks_a_batch; ++i) benchmark::DoNotOptimize(co_await ask(whom, ping{i}));
}

void round_trip(benchmark::State& state, const std::string& policy) {
  runtime rt{knobs_of(policy)};
  auto actor = rt.spawn_at(0, answer_pings);
  auto& io = rt.io_contexts().front().get();
  while (state.KeepRunningBatch(asks_a_batch)) asio::co_spawn(io, ask_often(actor), asio::use_future).get();
  rt.close_ports();
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  actor = nullptr;
}
BENCHMARK_CAPTURE(round_trip, asio, "asio")->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(round_trip, stealing, "stealing")->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(round_trip, sharing, "sharing")->UseRealTime()->MeasureProcessCPUTime();

const domain::date first_day = std::chrono::year{2027} / 1 / 1;

domain::uuid numbered(std::int64_t number) {
  domain::uuid id{};
  for (int i = 0; i < 8; ++i) id.data[8 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  return id;
}

std::vector<domain::block> blocks_of(std::int64_t count) {
  std::vector<domain::block> all(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    auto& each = all[static_cast<std::size_t>(i)];
    each.id = numbered(i);
    each.nights = {first_day + domain::days{i * 5}, first_day + domain::days{i * 5 + 2}};
  }
  return all;
}

unit_calendar spawn_calendar(runtime& rt, std::int64_t blocks) {
  auto around = std::make_shared<calendar_context>();
  around->platforms = std::make_shared<const std::vector<domain::platform>>(
      1, domain::platform{.name = "marketplace-a", .kind = domain::platform_kind::marketplace_a});
  around->now = [] { return domain::timestamp{first_day - domain::days{30}}; };
  auto account = std::make_shared<domain::account>();
  account->id = numbered(1);
  account->cards = {{.platform = "marketplace-a", .integration_email = "feeds@landlord.example"}};
  auto setup = std::make_shared<unit_setup>();
  setup->terms.account_id = account->id;
  setup->account = std::move(account);
  setup->property = std::make_shared<domain::property_terms>();
  setup->links = {{0, "u1"}};
  return spawn_unit_calendar(rt, around, setup, blocks_of(blocks),
                             std::make_shared<unit_changes>(std::make_shared<change_clock>()));
}

/// Nights in the midst of the calendar, given up again each time.
asio::awaitable<int> reserve_often(unit_calendar whom, std::int64_t blocks) {
  int refused = 0;
  for (std::int64_t i = 0; i < asks_a_batch; ++i) {
    reserve wanted;
    wanted.booking_id = numbered(1'000'000 + i);
    wanted.check_in = first_day + domain::days{(i * 7919) % blocks * 5 + 3};
    wanted.check_out = wanted.check_in + domain::days{2};
    wanted.provider_payment = domain::money{65000};
    const auto given = co_await ask(whom, std::move(wanted));
    if (given.refused) ++refused;
    caf::anon_send(whom, settle_nights{numbered(1'000'000 + i), hold_outcome::given_up});
  }
  co_return refused;
}

void reserve_nights(benchmark::State& state) {
  runtime rt{knobs_of("asio")};
  auto calendar = spawn_calendar(rt, state.range(0));
  auto& io = rt.io_contexts().front().get();
  while (state.KeepRunningBatch(asks_a_batch))
    if (asio::co_spawn(io, reserve_often(calendar, state.range(0)), asio::use_future).get() > 0)
      state.SkipWithError("the nights are taken");
  rt.close_ports();
  caf::anon_send_exit(calendar, caf::exit_reason::user_shutdown);
  calendar = nullptr;
}
BENCHMARK(reserve_nights)
    ->Name("calendar/reserve")
    ->RangeMultiplier(10)
    ->Range(10, 10'000)
    ->UseRealTime()
    ->MeasureProcessCPUTime();

} // namespace
} // namespace roost::actors::asks_micro
