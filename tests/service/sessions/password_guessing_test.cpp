#include "service/support/web_browser.hpp"
#include "service/support/workplace.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

/// Protection against guessed passwords and addresses (Management API, States and transitions).
namespace roost::testing::password_guessing_test {
ROOST_FOR_EACH_STORE(PasswordGuessing);

const std::string no_credentials = unauthorized("Invalid credentials");

TEST_P(PasswordGuessing, BlocksAKnownOrUnknownAddressAfterTenPasswords) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  for (const auto* email : {"ana@casaverde.example", "nobody@casaverde.example"}) {
    for (int i = 0; i < 10; ++i)
      EXPECT_EQ(browser.post("/auth/login", login_json(email, "wrong-one")).body, no_credentials) << i;
    const auto blocked = browser.post("/auth/login", login_json(email, "ana-only"));
    EXPECT_EQ(blocked.status, 429U);
    EXPECT_EQ(json_at(blocked.body, "/message"),
              R"("Too many sign-in attempts for this account. Wait a few minutes and try again.")");
    EXPECT_EQ(json_at(blocked.body, "/errorCode"), R"("TOO_MANY_LOGIN_ATTEMPTS")");
    EXPECT_EQ(json_at(blocked.body, "/retryAfterSeconds"), blocked.header("retry-after"));
    EXPECT_GT(std::stoi(blocked.header("retry-after")), 800);
  }
  fixture.server->kill();
  fixture.server.emplace(fixture.place);
  browser.set_port(fixture.server->port());
  EXPECT_EQ(browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only")).status, 429U)
      << "a restart must not reset the attempts";
}

TEST_P(PasswordGuessing, IsLimitedToTenPasswordsForFiftyConcurrentClients) {
  const management_fixture fixture(GetParam());
  std::atomic<int> tried{0}, blocked{0};
  std::vector<std::thread> guessers;
  for (int i = 0; i < 50; ++i)
    guessers.emplace_back([&] {
      auto browser = fixture.browser();
      const auto refused = browser.post("/auth/login", login_json("ana@casaverde.example", "wrong-one"));
      ++(refused.status == 401 ? tried : blocked);
    });
  for (auto& guesser : guessers) guesser.join();
  EXPECT_EQ(tried, 10);
  EXPECT_EQ(blocked, 40);
}

/// Returns Welch's t of two samples: the difference of their means relative to their noise.
double welch_t(const std::vector<double>& a, const std::vector<double>& b) {
  const auto mean = [](const std::vector<double>& sample) {
    return std::accumulate(sample.begin(), sample.end(), 0.0) / static_cast<double>(sample.size());
  };
  const auto error = [&](const std::vector<double>& sample) {
    const double center = mean(sample);
    double sum = 0;
    for (const double value : sample) sum += (value - center) * (value - center);
    return sum / static_cast<double>(sample.size() - 1) / static_cast<double>(sample.size());
  };
  return std::abs(mean(a) - mean(b)) / std::sqrt(error(a) + error(b));
}

TEST_P(PasswordGuessing, TakesTheSameTimeForAnUnknownAddress) {
  const management_fixture fixture(GetParam(), {{"sessions.wrong_passwords_per_15m", "1000000"}});
  raw_client connection(fixture.server->port());
  const auto seconds_for = [&](const char* email) {
    const auto request = to_request("POST", "/auth/login", {{"Content-Type", "application/json"}},
                                    login_json(email, "wrong-one"));
    const auto started = std::chrono::steady_clock::now();
    EXPECT_EQ(connection.exchange(request).status, 401U);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  std::vector<double> known, unknown;
  for (int i = 0; i < 1000; ++i) {
    known.push_back(seconds_for("ana@casaverde.example"));
    unknown.push_back(seconds_for("bob@casaverde.example"));
  }
  EXPECT_LT(welch_t(known, unknown), 4.5); // the usual threshold of leakage tests
}

} // namespace roost::testing::password_guessing_test
