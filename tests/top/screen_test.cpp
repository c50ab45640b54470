#include "top/screen.hpp"
#include "top/view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace roost::top::screen_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

reading reading_of(const std::string& metrics) {
  return {samples::parse(metrics), R"({"status":"not ready","checks":{"store":"ok","writer":"standing by"}})",
          R"({"seconds":2,"units":[{"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","name":"Ático 1",)"
          R"("reads":20,"reserved":2,"refused":1}],"accounts":[]})"};
}

constexpr const char* before_text = R"(roost_thread_cpu_seconds_total{thread="io-0"} 1
roost_http_requests_total{listener="public",method="GET",route="/shop/listings",status="200"} 0
roost_store_lane_jobs_total{lane="decisions",outcome="done"} 0
roost_actors{actor="unit_calendar"} 25
roost_actor_messages_total{actor="unit_calendar"} 0
)";
constexpr const char* now_text = R"(roost_thread_cpu_seconds_total{thread="io-0"} 1.5
roost_thread_busy_seconds_total{thread="io-0"} 0.25
roost_http_requests_total{listener="public",method="GET",route="/shop/listings",status="200"} 90
roost_http_requests_total{listener="public",method="POST",route="/shop/bookings",status="503"} 10
roost_store_lane_jobs_total{lane="decisions",outcome="done"} 7
roost_actors{actor="unit_calendar"} 25
roost_actor_messages_total{actor="unit_calendar"} 12000
roost_decision_stage_seconds_bucket{stage="waiting",le="1"} 10
roost_decision_stage_seconds_bucket{stage="waiting",le="+Inf"} 10
roost_decision_stage_seconds_count{stage="committing"} 10
roost_queue_requests{state="New"} 4
)";

view example() { return view_of("127.0.0.1:9090", reading_of(before_text), reading_of(now_text), 1); }

TEST(View, TellsWhatIsNotReady) {
  const auto shown = example();
  EXPECT_FALSE(shown.ready);
  EXPECT_EQ(shown.not_ready, std::vector<std::string>{"writer: standing by"});
}

TEST(View, MergesTheRoutesOfAPlatform) {
  const auto shown = example();
  ASSERT_EQ(shown.platforms.size(), 1U);
  EXPECT_EQ(shown.platforms[0].name, "shop");
  EXPECT_EQ(shown.platforms[0].reads, 90);
  EXPECT_EQ(shown.platforms[0].writes, 10);
  EXPECT_EQ(shown.platforms[0].refused, 10);
}

TEST(View, SplitsTheTimeOfDecisions) {
  const auto decisions = example().stages.back();
  EXPECT_EQ(decisions.of, "decisions");
  EXPECT_EQ(decisions.rate, 10);
  EXPECT_DOUBLE_EQ(*decisions.waiting.p50, 0.5);
  EXPECT_EQ(decisions.deciding.p50, std::nullopt);
}

TEST(View, ShowsHowOftenBusyUnitsAreAskedInASecond) {
  const auto shown = example();
  ASSERT_EQ(shown.hot_units.size(), 1U);
  EXPECT_EQ(shown.hot_units[0].reads, 10);
  EXPECT_EQ(shown.hot_units[0].reserved, 1);
}

TEST(View, TakesAnotherServersBodiesForNothing) {
  const auto shown = view_of("x", {{}, "<html>", "null"}, {{}, "[]", "{\"units\":3}"}, 0);
  EXPECT_FALSE(shown.ready);
  EXPECT_TRUE(shown.hot_units.empty());
  EXPECT_FALSE(draw(shown, least_columns, 24).empty());
}

/// How wide a line is on a terminal.
std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
}

TEST(Screen, FitsIntoTheTerminal) {
  auto shown = example();
  shown.advice.assign(3, "server.io_threads: " + std::string(200, 'x'));
  shown.hot_units.assign(20, {"0b2f7f8e", std::string(100, 'n'), 1, 2, 3});
  for (const std::size_t rows : {8U, 24U, 50U}) {
    const auto lines = draw(shown, least_columns, rows);
    EXPECT_LE(lines.size(), rows);
    for (const auto& line : lines) EXPECT_LE(columns_of(line), least_columns) << line;
  }
}

TEST(Screen, ShowsAllOfItWhereThereIsNoEnd) {
  const auto lines = draw(example(), least_columns, 0);
  for (const auto* part : {"127.0.0.1:9090", "NOT READY; writer: standing by", "4 waiting", "shop", "io-0",
                           "decisions", "unit_calendar", "12.0k", "nothing to tune"})
    EXPECT_THAT(lines, Contains(HasSubstr(part))) << part;
}

TEST(Screen, LetsNoNameSteerTheTerminal) {
  auto shown = example();
  shown.hot_units[0].name = "\033[2J";
  EXPECT_THAT(draw(shown, least_columns, 0), Not(Contains(HasSubstr("\033"))));
}

TEST(Json, HasTheSameFigures) {
  rapidjson::Document json;
  json.Parse(to_json(example()).c_str());
  ASSERT_FALSE(json.HasParseError());
  EXPECT_EQ(json["queue"]["waiting"].GetDouble(), 4);
  EXPECT_EQ(json["threads"][0]["cpu"].GetDouble(), 0.5);
  EXPECT_EQ(json["actors"][0]["messages_per_s"].GetDouble(), 12000);
  EXPECT_EQ(json["latencies"][2]["waiting"]["p50_ms"].GetDouble(), 500);
  EXPECT_FALSE(json["latencies"][2]["deciding"].HasMember("p50_ms"));
  EXPECT_EQ(std::string{json["busiest_units"][0]["name"].GetString()}, "Ático 1");
}

} // namespace roost::top::screen_test
