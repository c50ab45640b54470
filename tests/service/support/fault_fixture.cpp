#include "service/support/fault_fixture.hpp"

#include "service/support/portfolio.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

namespace roost::testing {

namespace {

constexpr std::chrono::seconds drain_timeout{20};

} // namespace

load_settings prepare_load(const workplace& place, std::uint32_t seed) {
  place.import(portfolio_of(fault_units));
  return {.token = place.issue_token("marketplace-a"), .seed = seed, .units = fault_units};
}

::testing::Matcher<const raw_response&> is_busy() {
  using ::testing::AllOf, ::testing::Field, ::testing::ResultOf;
  return AllOf(
      Field("status", &raw_response::status, 503U),
      Field("body", &raw_response::body,
            R"({"statusCode":503,"message":"The service is busy. Please try again in a moment.",)"
            R"("error":"ServiceUnavailableException"})"),
      ResultOf(
          "Retry-After", [](const raw_response& response) { return response.header("retry-after"); }, "5"));
}

void expect_exact_history(workplace& place, const std::vector<submission>& submitted) {
  auto session = place.store().open();
  EXPECT_TRUE(eventually([&] { return undecided_requests(session) == 0; }, drain_timeout));
  EXPECT_THAT(differences(session, submitted), ::testing::IsEmpty());
}

std::string summary(const std::vector<submission>& submitted) {
  const auto count = [&](auto condition) {
    return std::to_string(std::ranges::count_if(submitted, condition));
  };
  return std::to_string(submitted.size()) +
         " submissions: " + count([](const auto& each) { return each.acknowledged(); }) + " acknowledged, " +
         count([](const auto& each) { return each.response && !each.acknowledged(); }) + " refused, " +
         count([](const auto& each) { return !each.response; }) + " without a response";
}

void expect_acknowledged_or_busy(const std::vector<submission>& submitted, unanswered rule) {
  std::size_t timed_out = 0, lost = 0;
  for (const auto& each : submitted) {
    timed_out += each.timed_out ? 1 : 0;
    lost += each.response ? 0 : 1;
    if (each.response && !each.acknowledged()) {
      ASSERT_THAT(*each.response, is_busy());
    }
  }
  EXPECT_EQ(timed_out, 0U);
  if (rule == unanswered::forbidden) {
    EXPECT_EQ(lost, 0U);
  }
}

void expect_consistent_responses(workplace& place, const std::vector<submission>& submitted) {
  std::cout << summary(submitted) << '\n';
  expect_acknowledged_or_busy(submitted, unanswered::forbidden);
  expect_exact_history(place, submitted);
}

int kill_rounds(int default_rounds) {
  const char* rounds = std::getenv("ROOST_TEST_KILL_ROUNDS");
  return rounds ? std::atoi(rounds) : default_rounds;
}

std::uint32_t test_seed() {
  const char* seed = std::getenv("ROOST_TEST_SEED");
  return seed ? static_cast<std::uint32_t>(std::strtoul(seed, nullptr, 10)) : std::random_device{}();
}

} // namespace roost::testing
