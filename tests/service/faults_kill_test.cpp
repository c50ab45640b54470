#include "service/support/fault_scene.hpp"
#include "store/lease.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

/// `kill -9` of a busy server, again and again.
namespace roost::testing {
namespace {

/// How many times; ROOST_TEST_KILL_ROUNDS asks for more than a normal run has time for.
int rounds() {
  constexpr int usual = 25;
  const char* wanted = std::getenv("ROOST_TEST_KILL_ROUNDS");
  return wanted ? std::atoi(wanted) : usual;
}

/// ROOST_TEST_SEED repeats a run's choices, though not its timing.
std::uint32_t chosen_seed() {
  const char* wanted = std::getenv("ROOST_TEST_SEED");
  return wanted ? static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10)) : std::random_device{}();
}

/// What ten seconds without the holder do.
void let_the_lease_run_out(workplace& place) {
  auto session = place.store().open();
  if (const auto held = store::current_lease(session)) store::release(session, held->holder);
}

ROOST_FOR_EACH_STORE(KilledServer);

TEST_P(KilledServer, DecidesEveryAcknowledgedRequestExactlyOnce) {
  const auto seed = chosen_seed();
  SCOPED_TRACE("ROOST_TEST_SEED=" + std::to_string(seed));
  RecordProperty("seed", std::to_string(seed));
  std::mt19937 random{seed};
  std::uniform_int_distribution<int> moment{0, 350}; // milliseconds; a start takes some of them
  workplace place(GetParam());
  booking_load load(prepare_for_load(place, seed));
  for (int round = 0; round < rounds(); ++round) {
    running_roost server(place, started::listening);
    load.aim_at(server.port());
    EXPECT_EQ(server.process().wait_for_end(std::chrono::milliseconds{moment(random)}), std::nullopt);
    server.kill();
    load.aim_at(0);
    let_the_lease_run_out(place);
  }
  running_roost last(place);
  load.aim_at(last.port());
  EXPECT_TRUE(load.wait_for_more(201, 20, running_roost::patience));
  const auto submitted = load.finish();
  std::cout << "seed " << seed << ", " << summary(submitted) << '\n';
  EXPECT_GT(std::ranges::count_if(submitted, [](const auto& made) { return !made.got; }), rounds() / 2)
      << "the kills met no request on its way";
  expect_clear_answers(submitted, unanswered::allowed);
  expect_exact_history(place, submitted);
  EXPECT_EQ(last.stop(), 0);
}

} // namespace
} // namespace roost::testing
