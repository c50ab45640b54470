#include "actors/runtime/ask.hpp"
#include "actors/sessions/password_hasher.hpp"
#include "support/eventually.hpp"
#include "support/metric_value.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>

namespace roost::actors::password_hasher_test {

using namespace std::chrono_literals;

constexpr security::password_cost cheap{8, 1, 1};

class PasswordHasher : public ::testing::Test {
protected:
  void start(password_hasher_setup setup) {
    setup.registry = &registry;
    hasher = spawn_password_hasher(rt, setup);
  }

  void TearDown() override {
    rt.close_ports();
    caf::anon_send_exit(hasher, caf::exit_reason::user_shutdown);
    hasher = nullptr;
  }

  template <typename Message>
  auto begin(Message message) {
    return asio::co_spawn(rt.io_contexts().front().get(), ask(hasher, std::move(message)), asio::use_future);
  }

  bool verify(const std::string& password, std::optional<std::string> encoded) {
    return begin(verify_password{password, std::move(encoded), {}}).get();
  }

  double metric(const std::string& sample) { return roost::testing::metric_value(registry.scrape(), sample); }

  static std::size_t threads_at_priority(int nice) {
    std::size_t count = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream file(task.path() / "stat");
      std::string stat;
      std::getline(file, stat, '\0'); // empty if the thread has ended; does not throw
      std::istringstream rest(stat.substr(stat.rfind(')') + 1));
      std::string field;
      for (int i = 3; i <= 19; ++i) rest >> field; // proc(5): nice is field 19, the state field 3
      count += field == std::to_string(nice) ? 1 : 0;
    }
    return count;
  }

  metrics::registry registry;
  runtime rt{{}};
  password_hasher hasher;
};

TEST_F(PasswordHasher, ChecksPasswords) {
  start({.cost = cheap});
  const auto encoded = security::hash_password("correct horse", cheap);
  EXPECT_TRUE(verify("correct horse", encoded));
  EXPECT_FALSE(verify("wrong horse", encoded));
}

TEST_F(PasswordHasher, HashesAtTheConfiguredCost) {
  start({.cost = {16, 3, 2}});
  const auto encoded = begin(hash_password{"correct horse", {}}).get();
  EXPECT_THAT(encoded, ::testing::StartsWith("$argon2id$v=19$m=16,t=3,p=2$"));
  EXPECT_TRUE(security::password_matches("correct horse", encoded));
}

TEST_F(PasswordHasher, DoesTheSameWorkWithoutAHash) {
  start({.threads = 1, .cost = {8 * 1024, 2, 1}});
  const auto encoded = security::hash_password("correct horse", {8 * 1024, 2, 1});
  const auto cpu_seconds_of = [&](const std::optional<std::string>& hash) {
    const auto before = std::clock(); // CPU time: the machine may be busy
    for (int i = 0; i < 10; ++i) EXPECT_EQ(verify("correct horse", hash), hash == encoded);
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  };
  const auto known = cpu_seconds_of(encoded);
  for (const std::optional<std::string>& none :
       {std::optional<std::string>{}, std::optional<std::string>{""}, std::optional<std::string>{"no hash"}})
    EXPECT_GT(cpu_seconds_of(none), known / 4); // without the work, it would be a thousandth
  EXPECT_EQ(metric(R"(roost_password_hashing_seconds_count{kind="verify"})"), 40);
}

TEST_F(PasswordHasher, TakesAsLongForAHashOfALowerCost) {
  start({.threads = 1, .cost = {8 * 1024, 2, 1}});
  // The shortest of several: a busy machine makes some slower, but none faster.
  const auto cpu_seconds_of = [&](const std::optional<std::string>& hash) {
    auto shortest = std::numeric_limits<std::clock_t>::max();
    for (int i = 0; i < 10; ++i) {
      const auto before = std::clock();
      verify("correct horse", hash);
      shortest = std::min(shortest, std::clock() - before);
    }
    return static_cast<double>(shortest) / CLOCKS_PER_SEC;
  };
  const auto decoy = cpu_seconds_of(std::nullopt);
  for (const auto& lower : {cheap, security::password_cost{4 * 1024, 2, 1}, {8 * 1024, 1, 1}}) {
    const auto encoded = security::hash_password("correct horse", lower);
    EXPECT_TRUE(verify("correct horse", encoded));
    EXPECT_FALSE(verify("wrong horse", encoded));
    EXPECT_GT(cpu_seconds_of(encoded), decoy * 0.7); // without the rest, at most half
  }
}

TEST_F(PasswordHasher, RefusesImmediatelyWhenTheQueueIsFull) {
  start({.threads = 1, .queue = 2, .cost = cheap});
  constexpr int sent = 10, accepted = 3; // one running, two waiting
  // Blocks the hasher's I/O thread meanwhile, so that all messages precede the first result in its mailbox.
  std::promise<void> all_sent;
  asio::post(rt.io_contexts().front().get(), [&all_sent] { all_sent.get_future().wait(); });
  std::vector<std::future<bool>> verdicts;
  for (int i = 0; i < sent; ++i) verdicts.push_back(begin(verify_password{"x", std::nullopt, {}}));
  all_sent.set_value();
  int refused = 0;
  for (auto& verdict : verdicts) {
    try {
      EXPECT_FALSE(verdict.get());
    } catch (const ask_error& error) {
      EXPECT_EQ(error.kind(), ask_failure::refused);
      EXPECT_EQ(error.reason(), make_error(hashing_error::busy));
      ++refused;
    }
  }
  EXPECT_EQ(refused, sent - accepted);
  EXPECT_EQ(metric("roost_password_hashing_refused_total"), sent - accepted);
  EXPECT_EQ(metric("roost_password_hashing_waiting"), 0);
  EXPECT_FALSE(verify("x", std::nullopt)); // the queue has room again
}

TEST_F(PasswordHasher, DoesNotStartAfterTheDeadline) {
  start({.threads = 1, .cost = cheap});
  auto late = begin(verify_password{"x", std::nullopt, deadline::in(-1ms)});
  try {
    late.get();
    FAIL() << "it was hashed";
  } catch (const ask_error& error) {
    EXPECT_EQ(error.reason(), make_error(hashing_error::too_late));
  }
  EXPECT_EQ(metric(R"(roost_password_hashing_seconds_count{kind="verify"})"), 0);
}

TEST_F(PasswordHasher, RunsItsThreadsAtTheLowestPriority) {
  start({.threads = 3, .cost = cheap});
  // Threads of an earlier test may still be ending.
  EXPECT_TRUE(roost::testing::eventually([] { return threads_at_priority(19) == 3; }));
}

TEST_F(PasswordHasher, HasAtLeastOneThread) {
  start({.threads = 0, .cost = cheap});
  EXPECT_FALSE(verify("x", std::nullopt));
}

TEST_F(PasswordHasher, RespondsToAllThatFitInTheQueue) {
  start({.threads = 2, .queue = 200, .cost = cheap});
  const auto encoded = security::hash_password("right", cheap);
  std::vector<std::future<bool>> verdicts;
  for (int i = 0; i < 200; ++i)
    verdicts.push_back(begin(verify_password{i % 2 == 0 ? "right" : "wrong", encoded, {}}));
  for (int i = 0; i < 200; ++i) EXPECT_EQ(verdicts[static_cast<std::size_t>(i)].get(), i % 2 == 0);
}

} // namespace roost::actors::password_hasher_test
