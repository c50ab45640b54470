#include "metrics/http_metrics.hpp"
#include "metrics/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>

namespace roost::metrics::registry_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Registry, ExposesTheRecordedValues) {
  registry all;
  all.counter("c_total", "Counted").increment(2);
  all.gauge("g", "Gauged", {{"state", "New"}}).set(-1.5);
  all.histogram("h_seconds", "Timed").observe(0.0002);
  const auto text = all.scrape();
  EXPECT_THAT(text, HasSubstr("# HELP c_total Counted\n# TYPE c_total counter\nc_total 2\n"));
  EXPECT_THAT(text, HasSubstr("g{state=\"New\"} -1.5\n"));
  EXPECT_THAT(text, HasSubstr("h_seconds_bucket{le=\"0.0001\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("h_seconds_bucket{le=\"0.00025\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("h_seconds_count 1\n"));
}

TEST(Registry, ReturnsTheSameMetricForTheSameNameAndLabels) {
  registry all;
  all.counter("c_total", "Counted", {{"a", "b"}}).increment();
  all.counter("c_total", "Counted", {{"a", "b"}}).increment();
  EXPECT_THAT(all.scrape(), HasSubstr("c_total{a=\"b\"} 2\n"));
}

TEST(Registry, RefusesANameOfAnotherKind) {
  registry all;
  all.counter("same", "Counted");
  EXPECT_THROW(all.gauge("same", "Gauged"), std::invalid_argument);
}

TEST(Registry, RunsCallbacksBeforeEveryScrape) {
  registry all;
  const auto depth = all.gauge("depth", "Waiting");
  int value = 0;
  all.on_scrape([&] { depth.set(++value); });
  EXPECT_THAT(all.scrape(), HasSubstr("depth 1\n"));
  EXPECT_THAT(all.scrape(), HasSubstr("depth 2\n"));
}

TEST(Registry, HidesHistogramsWithoutValues) {
  registry all;
  const auto used = all.histogram("h_seconds", "Timed", {{"route", "used"}});
  all.histogram("h_seconds", "Timed", {{"route", "unused"}});
  all.histogram("empty_seconds", "Timed");
  EXPECT_THAT(all.scrape(), Not(HasSubstr("_seconds")));
  used.observe(0);
  const auto text = all.scrape();
  EXPECT_THAT(text, HasSubstr("h_seconds_count{route=\"used\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("unused")));
  EXPECT_THAT(text, Not(HasSubstr("empty_seconds")));
}

TEST(Registry, ShowsHistogramsWithoutValuesOnRequest) {
  registry all;
  all.histogram("h_seconds", "Timed", {{"stage", "waiting"}}, work_buckets(), when_empty::shown);
  const auto text = all.scrape();
  EXPECT_THAT(text, HasSubstr("# TYPE h_seconds histogram\n"));
  EXPECT_THAT(text, HasSubstr("h_seconds_bucket{stage=\"waiting\",le=\"1\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("h_seconds_count{stage=\"waiting\"} 0\n"));
}

TEST(Registry, LetsCallbacksCreateHistograms) {
  registry all;
  all.on_scrape(
      [&all] { all.histogram("h_seconds", "Timed", {}, latency_buckets(), when_empty::shown).observe(1); });
  EXPECT_THAT(all.scrape(), HasSubstr("h_seconds_count 1\n"));
}

TEST(Registry, CountsCallbacksThatFail) {
  registry all;
  all.on_scrape([] { throw std::runtime_error("no"); });
  all.scrape();
  EXPECT_THAT(all.scrape(), HasSubstr("roost_scrape_failures_total 2\n"));
}

TEST(RouteMeter, CountsByStatusAndMeasuresByRoute) {
  registry all;
  route_meter meter(all, "public", "GET", "/p");
  meter.record(200, 0.001);
  meter.record(200, 0.001);
  meter.record(404, 20);
  const auto text = all.scrape();
  EXPECT_THAT(text, HasSubstr("roost_http_requests_total{listener=\"public\",method=\"GET\",route=\"/p\","
                              "status=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("status=\"404\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("roost_http_request_duration_seconds_count{route=\"/p\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("le=\"5\"} 2\n"));
}

TEST(RouteMeter, MeasuresTheMethodsOfARouteTogether) {
  registry all;
  route_meter get(all, "public", "GET", "/p"), post(all, "public", "POST", "/p");
  get.record(200, 0.001);
  post.record(201, 0.1);
  const auto text = all.scrape();
  EXPECT_THAT(text, HasSubstr("roost_http_request_duration_seconds_bucket{route=\"/p\",le=\"0.5\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("roost_http_request_duration_seconds_bucket{route=\"/p\",le=\"0.05\"} 1\n"));
}

TEST(RouteMeter, HasOnlyWatchedStatusesFromTheStart) {
  registry all;
  constexpr std::array<unsigned, 1> watched{401};
  const route_meter with_credential(all, "public", "GET", "/p", watched), open(all, "public", "GET", "/open");
  const auto text = all.scrape();
  EXPECT_THAT(text, HasSubstr("roost_http_requests_total{listener=\"public\",method=\"GET\",route=\"/p\","
                              "status=\"401\"} 0\n"));
  EXPECT_THAT(text, Not(HasSubstr("/open")));
  EXPECT_THAT(text, Not(HasSubstr("roost_http_request_duration_seconds")));
}

TEST(ListenerMeter, CountsResponsesByStatus) {
  registry all;
  const listener_meter meter(all, "public");
  const auto responses = [](const char* status, int count) {
    return HasSubstr("roost_http_responses_total{listener=\"public\",status=\"" + std::string{status} +
                     "\"} " + std::to_string(count) + "\n");
  };
  EXPECT_THAT(all.scrape(), AllOf(responses("500", 0), responses("503", 0), responses("other", 0)));
  for (const auto status : {200U, 404U, 500U, 503U, 503U}) meter.record(status);
  EXPECT_THAT(all.scrape(), AllOf(responses("500", 1), responses("503", 2), responses("other", 2)));
}

} // namespace roost::metrics::registry_test
