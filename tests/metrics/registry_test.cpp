#include "metrics/http_metrics.hpp"
#include "metrics/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace roost::metrics::registry_test {
using ::testing::HasSubstr;

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
  EXPECT_THAT(text, HasSubstr("roost_http_request_duration_seconds_count{listener=\"public\",method=\"GET\","
                              "route=\"/p\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("le=\"10\"} 2\n"));
}

} // namespace roost::metrics::registry_test
