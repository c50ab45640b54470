#include "service/support/fault_scene.hpp"

#include "service/support/portfolio.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>

namespace roost::testing {

namespace {

constexpr std::chrono::seconds drain_patience{20};

} // namespace

load_settings prepare_for_load(const workplace& place, std::uint32_t seed) {
  place.import(portfolio_of(fault_units));
  return {.token = place.issue_token("marketplace-a"), .seed = seed, .units = fault_units};
}

::testing::Matcher<const raw_response&> is_busy() {
  using ::testing::AllOf, ::testing::Field, ::testing::ResultOf;
  return AllOf(Field("status", &answer::status, 503U),
               Field("body", &answer::body,
                     R"({"statusCode":503,"message":"The service is busy. Please try again in a moment.",)"
                     R"("error":"ServiceUnavailableException"})"),
               ResultOf(
                   "Retry-After", [](const raw_response& got) { return got.header("retry-after"); }, "5"));
}

void expect_exact_history(workplace& place, const std::vector<submission>& submitted) {
  auto session = place.store().open();
  EXPECT_TRUE(eventually([&] { return undecided_requests(session) == 0; }, drain_patience));
  EXPECT_THAT(differences(session, submitted), ::testing::IsEmpty());
}

std::string summary(const std::vector<submission>& submitted) {
  const auto count = [&](auto holds) { return std::to_string(std::ranges::count_if(submitted, holds)); };
  return std::to_string(submitted.size()) +
         " submissions: " + count([](const auto& made) { return made.acknowledged(); }) + " acknowledged, " +
         count([](const auto& made) { return made.got && !made.acknowledged(); }) + " refused, " +
         count([](const auto& made) { return !made.got; }) + " without an answer";
}

void expect_clear_responses(const std::vector<submission>& submitted, unanswered allowed) {
  std::size_t hung = 0, lost = 0;
  for (const auto& made : submitted) {
    hung += made.timed_out ? 1 : 0;
    lost += made.got ? 0 : 1;
    if (made.got && !made.acknowledged()) {
      ASSERT_THAT(*made.got, is_busy());
    }
  }
  EXPECT_EQ(hung, 0U);
  if (allowed == unanswered::forbidden) {
    EXPECT_EQ(lost, 0U);
  }
}

void expect_every_answer_true(workplace& place, const std::vector<submission>& submitted) {
  std::cout << summary(submitted) << '\n';
  expect_clear_responses(submitted, unanswered::forbidden);
  expect_exact_history(place, submitted);
}

int chosen_rounds(int usual) {
  const char* wanted = std::getenv("ROOST_TEST_KILL_ROUNDS");
  return wanted ? std::atoi(wanted) : usual;
}

std::uint32_t chosen_seed() {
  const char* wanted = std::getenv("ROOST_TEST_SEED");
  return wanted ? static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10)) : std::random_device{}();
}

} // namespace roost::testing
