#include "http/operations/ops_routes.hpp"
#include "http/support/running_server.hpp"
#include "support/raw_client.hpp"

#include <gtest/gtest.h>

namespace roost::http::testing::ops_routes_test {
raw_response ask(const running_server& server, const std::string& method, const std::string& path) {
  return raw_client(server.port()).exchange(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

const std::vector<readiness_check> no_checks;
const busiest_report no_units = [] { return R"({"units":[]})"; };

TEST(Ops, ReportsThatTheProcessIsAlive) {
  metrics::registry registry;
  const running_server server({}, make_ops_router(registry, no_checks, no_units));
  EXPECT_EQ(ask(server, "GET", "/healthz").body, R"({"status":"ok"})");
}

TEST(Ops, IsReadyOnlyIfAllChecksAre) {
  metrics::registry registry;
  std::atomic<bool> loaded = false;
  const std::vector<readiness_check> checks{{"store", [] { return std::optional<std::string>(); }},
                                            {"portfolio", [&]() -> std::optional<std::string> {
                                               if (loaded) return std::nullopt;
                                               return "not \"loaded\"";
                                             }}};
  const running_server server({}, make_ops_router(registry, checks, no_units));
  const auto before = ask(server, "GET", "/readyz");
  EXPECT_EQ(before.status, 503U);
  EXPECT_EQ(before.body, R"({"status":"not ready","checks":{"store":"ok","portfolio":"not \"loaded\""}})");
  loaded = true;
  const auto after = ask(server, "GET", "/readyz");
  EXPECT_EQ(after.status, 200U);
  EXPECT_EQ(after.body, R"({"status":"ready","checks":{"store":"ok","portfolio":"ok"}})");
}

TEST(Ops, IsReadyDespiteAnAdvisoryCheck) {
  metrics::registry registry;
  const std::vector<readiness_check> checks{
      {"time", [] { return std::optional<std::string>("not trusted"); }, true},
      {"hint", [] { return std::optional<std::string>(); }, true}};
  const running_server server({}, make_ops_router(registry, checks, no_units));
  const auto response = ask(server, "GET", "/readyz");
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(response.body, R"({"status":"ready","checks":{"time":"not trusted"}})");
}

TEST(Ops, TreatsAFailingCheckAsNotReady) {
  metrics::registry registry;
  const std::vector<readiness_check> checks{
      {"store", []() -> std::optional<std::string> { throw std::runtime_error("secret"); }}};
  const running_server server({}, make_ops_router(registry, checks, no_units));
  EXPECT_EQ(ask(server, "GET", "/readyz").body,
            R"({"status":"not ready","checks":{"store":"the check itself failed"}})");
}

TEST(Ops, ExposesMetricsAsText) {
  metrics::registry registry;
  registry.counter("roost_things_total", "Things").increment();
  const running_server server({}, make_ops_router(registry, no_checks, no_units));
  const auto response = ask(server, "GET", "/metrics");
  EXPECT_EQ(response.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(response.body.find("\nroost_things_total 1\n"), std::string::npos);
}

TEST(Ops, ReportsTheBusiestUnits) {
  metrics::registry registry;
  const running_server server({}, make_ops_router(registry, no_checks, no_units));
  const auto response = ask(server, "GET", "/busiest");
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
  EXPECT_EQ(response.body, R"({"units":[]})");
}

TEST(Ops, ServesOnlyHostsThatNoOtherSiteCanName) {
  metrics::registry registry;
  const running_server server(
      {}, make_ops_router(registry, no_checks, no_units, {"roost", "ops.example", "metrics_1"}));
  const auto status_for = [&](const std::string& path, const std::string& host) {
    return raw_client(server.port())
        .exchange("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
        .status;
  };
  for (const auto* path : {"/healthz", "/readyz", "/metrics", "/busiest"}) {
    for (const auto* known : {"localhost", "LocalHost:9090", "127.0.0.1:9090", "10.1.2.3", "[::1]:9090",
                              "roost:9090", "metrics_1:9090", "OPS.example", "ops.example.:9090"})
      EXPECT_EQ(status_for(path, known), 200U) << known;
    for (const auto* other : {"evil.example", "evil.example:9090", "localhost.evil.example",
                              "127.0.0.1.evil.example", "127.1", "2130706433", "roost.evil.example"})
      EXPECT_EQ(status_for(path, other), 403U) << other;
  }
  EXPECT_EQ(raw_client(server.port()).exchange("GET /healthz HTTP/1.0\r\n\r\n").status, 200U);
  EXPECT_EQ(
      raw_client(server.port()).exchange("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n").body,
      R"({"statusCode":403,"message":"This listener does not serve the host evil.example. Add it to ops.hosts, )"
      R"(or use the address.","error":"ForbiddenException"})");
}

TEST(Ops, IsReadOnly) {
  metrics::registry registry;
  const running_server server({}, make_ops_router(registry, no_checks, no_units));
  EXPECT_EQ(ask(server, "POST", "/metrics").body,
            R"({"statusCode":404,"message":"Cannot POST /metrics","error":"NotFoundException"})");
}

} // namespace roost::http::testing::ops_routes_test
