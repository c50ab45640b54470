#include "actors/inventory/unit_calendar.hpp"
#include "actors/runtime/runtime.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>

#include <benchmark/benchmark.h>

/// Benchmarks of asking an actor from an I/O thread, like connections: the bare round trip under each policy,
/// and reserving nights of a unit's calendar. They use real time, because actors run on other threads.
namespace roost::actors::asks_micro {

struct ping {
  int value = 0;
};

using echo = caf::typed_actor<caf::replies_to<ping>::with<int>>;

} // namespace roost::actors::asks_micro

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::asks_micro::ping)

namespace roost::actors::asks_micro {
namespace {

constexpr int asks_per_batch = 1000;

echo::behavior_type respond_to_pings(echo::pointer /*self*/) {
  return {[](const ping& request) { return request.value; }};
}

scheduler_knobs knobs_of(const std::string& policy) {
  scheduler_knobs knobs;
  knobs.policy = policy;
  knobs.max_threads = 2;
  return knobs;
}

asio::awaitable<void> ask_repeatedly(echo actor) {
  for (int i = 0; i < asks_per_batch; ++i) benchmark::DoNotOptimize(co_await ask(actor, ping{i}));
}

void round_trip(benchmark::State& state, const std::string& policy) {
  runtime rt{knobs_of(policy)};
  auto actor = rt.spawn_at(0, respond_to_pings);
  auto& io = rt.io_contexts().front().get();
  while (state.KeepRunningBatch(asks_per_batch))
    asio::co_spawn(io, ask_repeatedly(actor), asio::use_future).get();
  rt.close_ports();
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  actor = nullptr;
}
BENCHMARK_CAPTURE(round_trip, asio, "asio")->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(round_trip, stealing, "stealing")->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(round_trip, sharing, "sharing")->UseRealTime()->MeasureProcessCPUTime();

const auto first_day = domain::date_of(std::chrono::year{2027} / 1 / 1);

domain::uuid numbered_id(std::int64_t number) {
  domain::uuid id{};
  for (int i = 0; i < 8; ++i) id.data[8 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  return id;
}

std::vector<domain::block> blocks_of(std::int64_t count) {
  std::vector<domain::block> all(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    auto& each = all[static_cast<std::size_t>(i)];
    each.id = numbered_id(i);
    each.nights = {first_day + domain::days{i * 5}, first_day + domain::days{i * 5 + 2}};
  }
  return all;
}

unit_calendar spawn_calendar(runtime& rt, std::int64_t blocks) {
  auto context = std::make_shared<calendar_context>();
  context->platforms = std::make_shared<const std::vector<domain::platform>>(
      1, domain::platform{.name = "marketplace-a", .kind = domain::platform_kind::marketplace_a});
  context->now = [] { return domain::timestamp{first_day - domain::days{30}}; };
  auto account = std::make_shared<domain::account>();
  account->id = numbered_id(1);
  account->cards = {{.platform = "marketplace-a", .integration_email = "feeds@landlord.example"}};
  auto setup = std::make_shared<unit_setup>();
  setup->terms.account_id = account->id;
  setup->account = std::move(account);
  setup->property = std::make_shared<domain::property_terms>();
  setup->links = {{0, "u1"}};
  static change_clock clock;
  return spawn_unit_calendar(rt, context, setup, blocks_of(blocks), std::make_shared<unit_changes>(clock));
}

/// Reserves nights in the middle of the calendar and releases them each time. Returns the number of refusals.
asio::awaitable<int> reserve_repeatedly(unit_calendar calendar, std::int64_t blocks) {
  int refused = 0;
  for (std::int64_t i = 0; i < asks_per_batch; ++i) {
    reserve request;
    request.booking_id = numbered_id(1'000'000 + i);
    request.check_in = first_day + domain::days{(i * 7919) % blocks * 5 + 3};
    request.check_out = request.check_in + domain::days{2};
    request.provider_payment = domain::money{65000};
    const auto response = co_await ask(calendar, std::move(request));
    if (response.refused) ++refused;
    caf::anon_send(calendar, settle_nights{numbered_id(1'000'000 + i), hold_outcome::given_up});
  }
  co_return refused;
}

void reserve_nights(benchmark::State& state) {
  runtime rt{knobs_of("asio")};
  auto calendar = spawn_calendar(rt, state.range(0));
  auto& io = rt.io_contexts().front().get();
  while (state.KeepRunningBatch(asks_per_batch))
    if (asio::co_spawn(io, reserve_repeatedly(calendar, state.range(0)), asio::use_future).get() > 0)
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
