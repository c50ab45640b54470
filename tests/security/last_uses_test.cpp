#include "security/live_keys.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace roost::testing::last_uses_test {
using namespace std::chrono_literals;
using domain::credential_use;

domain::uuid id_of(std::uint8_t number) {
  domain::uuid id{};
  id.data[15] = number;
  return id;
}

const domain::timestamp nine{1'790'000'040s}; // a whole minute

TEST(LastUses, AreToTheMinute) {
  security::last_uses uses;
  uses.of(id_of(1))->note(nine + 59'999ms);
  EXPECT_EQ(uses.take(), (std::vector<credential_use>{{id_of(1), nine}}));
}

TEST(LastUses, AreTakenOnce) {
  security::last_uses uses;
  const auto use = uses.of(id_of(1));
  EXPECT_TRUE(uses.take().empty()) << "it was never used";
  use->note(nine);
  EXPECT_EQ(uses.take().size(), 1U);
  use->note(nine + 30s);
  EXPECT_TRUE(uses.take().empty()) << "the same minute";
  use->note(nine + 60s);
  EXPECT_EQ(uses.take(), (std::vector<credential_use>{{id_of(1), nine + 1min}}));
}

TEST(LastUses, DoNotGoBackWithTheClock) {
  security::last_uses uses;
  const auto use = uses.of(id_of(1));
  use->note(nine);
  use->note(nine - 1h);
  EXPECT_EQ(uses.take(), (std::vector<credential_use>{{id_of(1), nine}}));
}

TEST(LastUses, OutliveAListThatIsReadAnew) {
  security::last_uses uses;
  auto before = uses.of(id_of(1));
  const auto after = uses.of(id_of(1));
  EXPECT_EQ(before, after);
  before->note(nine);
  before = nullptr;
  EXPECT_EQ(uses.take().size(), 1U);
}

TEST(LastUses, OfACredentialThatHasEndedAreTakenAndForgotten) {
  security::last_uses uses;
  const std::weak_ptr<security::last_use> ended = uses.of(id_of(1));
  ended.lock()->note(nine);
  EXPECT_EQ(uses.take().size(), 1U);
  EXPECT_TRUE(ended.expired());
}

TEST(LastUses, MayBeNotedByAllThreads) {
  security::last_uses uses;
  const auto use = uses.of(id_of(1));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&use] {
      for (int minute = 0; minute < 100; ++minute) use->note(nine + std::chrono::minutes{minute});
    });
  for (auto& each : threads) each.join();
  EXPECT_EQ(uses.take(), (std::vector<credential_use>{{id_of(1), nine + 99min}}));
}

} // namespace roost::testing::last_uses_test
