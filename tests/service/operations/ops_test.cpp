#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

/// The operator's listener: /healthz, /readyz, /metrics.
namespace roost::testing::ops_test {
using namespace std::chrono_literals;
using ::testing::HasSubstr;

ROOST_FOR_EACH_STORE(Ops);
ROOST_FOR_SQLITE(OpsOverHttp);

TEST_P(Ops, ReportsAHealthyAndReadyServer) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto health = server.ops("/healthz"), ready = server.ops("/readyz");
  EXPECT_EQ(health.status, 200U);
  EXPECT_EQ(health.body, R"({"status":"ok"})");
  EXPECT_EQ(ready.status, 200U);
  EXPECT_EQ(
      ready.body,
      R"({"status":"ready","checks":{"store":"ok","lanes":"ok","schema":"ok","secrets":"ok","writer":"ok",)"
      R"("changes":"ok","clock":"ok","portfolio":"ok","decisions":"ok"}})");
  EXPECT_EQ(ready.header("content-type"), "application/json; charset=utf-8");
}

TEST_P(Ops, IsNotReadyWhileAnotherServerIsTheWriter) {
  workplace place(GetParam());
  const running_roost first(place);
  const running_roost second(place, started::listening);
  std::string body;
  EXPECT_TRUE(eventually([&] {
    body = second.ops("/readyz").body;
    return body.find("standing by") != std::string::npos;
  }));
  EXPECT_THAT(json_at(body, "/checks/writer"), HasSubstr("/" + std::to_string(first.process_id()) + "/"));
  EXPECT_EQ(second.ops("/readyz").status, 503U);
  EXPECT_EQ(second.ops("/healthz").status, 200U);
  const auto response = second.partner_of("marketplace-a").get("/listings");
  EXPECT_EQ(response.status, 503U);
  EXPECT_EQ(response.body, error_body(503, "The service is busy. Please try again in a moment.",
                                      "ServiceUnavailableException"));
  EXPECT_EQ(response.header("retry-after"), "5");
}

TEST_P(OpsOverHttp, HasNoOtherPathsOrMethods) {
  workplace place(GetParam());
  const running_roost server(place);
  for (const std::string path : {"/", "/metrics/", "/marketplace-a/listings"})
    EXPECT_EQ(server.ops(path).body, not_found("Cannot GET " + path));
  EXPECT_EQ(send_request(server.ops_port(), "POST", "/healthz").body, not_found("Cannot POST /healthz"));
  EXPECT_EQ(send_request(server.ops_port(), "HEAD", "/healthz").status, 200U);
}

TEST_P(OpsOverHttp, UpdatesMetrics) {
  workplace place(GetParam());
  place.import(portfolio_of(2, {{unit_pointer(1) + "/excludedFrom", R"(["marketplace-a"])"}}));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const auto value = [&](const std::string& name) { return server.metric(name).value_or(-1); };
  const auto route = [](const std::string& method, const std::string& pattern, int status) {
    return R"(roost_http_requests_total{listener="public",method=")" + method + R"(",route="/marketplace-a)" +
           pattern + R"(",status=")" + std::to_string(status) + "\"}";
  };
  partner.get("/listings");
  partner.get("/listings");
  partner.get("/listings/u1");
  partner.get("/listings/none");
  send_request(server.port(), "GET", "/marketplace-a/listings");
  send_request(server.port(), "GET", "/nope");
  EXPECT_EQ(value(route("GET", "/listings", 200)), 2);
  EXPECT_EQ(value(route("GET", "/listings", 401)), 1);
  EXPECT_EQ(value(route("GET", "/listings/{externalId}", 200)), 1);
  EXPECT_EQ(value(route("GET", "/listings/{externalId}", 404)), 1);
  EXPECT_EQ(
      value(R"(roost_http_requests_total{listener="public",method="other",route="unmatched",status="404"})"),
      1);
  EXPECT_EQ(value(R"(roost_http_request_duration_seconds_count{route="/marketplace-a/listings"})"), 3);
  EXPECT_TRUE(eventually(
      [&] { return value(R"(roost_http_responses_total{listener="public",status="other"})") == 6; }));
  EXPECT_EQ(value(R"(roost_http_requests_in_flight{listener="public"})"), 0);
  EXPECT_GE(value(R"(roost_http_connections_total{listener="public"})"), 6);
  EXPECT_GT(value(R"(roost_http_sent_bytes_total{listener="public"})"), 1000);
  EXPECT_GT(value(R"(roost_http_received_bytes_total{listener="public"})"), 1000);
  EXPECT_EQ(value("roost_units"), 2);
  EXPECT_EQ(value("roost_lease_held"), 1);
  EXPECT_EQ(value(R"(roost_feed_units{platform="marketplace-a"})"), 1);
  EXPECT_EQ(value(R"(roost_feed_units{platform="marketplace-b"})"), 2);
  EXPECT_EQ(value(R"(roost_feed_bytes{encoding="identity",platform="marketplace-a"})"),
            static_cast<double>(partner.get("/listings").body.size()));
  EXPECT_GT(value(R"(roost_feed_bytes{encoding="gzip",platform="marketplace-a"})"), 0);
  EXPECT_LT(value(R"(roost_feed_age_seconds{platform="marketplace-a"})"), 60);
  EXPECT_GE(value("roost_feed_rebuild_seconds_count"), 1);
  const auto runs = value("roost_actor_runs_total");
  partner.get("/listings/u1");
  EXPECT_GT(value("roost_actor_runs_total"), runs);
}

TEST_P(Ops, CountsDecisionsAndMails) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const edit reference{"/bookingId", R"("7b0a4d4e-8f0c-4f6b-9a51-0d6e6b1c2f3a")"};
  partner.post("/bookings", booking("u1", 30, 60, {reference}));
  server.wait_for_event("booking_created");
  partner.post("/bookings", booking("u1", 30, 60));
  server.wait_for_event("booking_refused");
  partner.post("/bookings", booking("u1", 30, 60, {reference}));
  server.wait_for_event("booking_dropped");
  server.wait_for_event("mail_sent");
  const auto decisions = [&](const std::string& outcome, const std::string& reason,
                             const std::string& platform = "marketplace-a") {
    return server.metric(R"(roost_decisions_total{outcome=")" + outcome + R"(",platform=")" + platform +
                         R"(",reason=")" + reason + "\"}");
  };
  EXPECT_EQ(decisions("Success", "booked"), 1);
  EXPECT_EQ(decisions("Failed", "overlapping_nights"), 1);
  EXPECT_EQ(decisions("Dropped", "repeated"), 1);
  for (const auto* reason : {"unit_not_linked", "provider_payment_missing", "check_out_not_after_check_in"})
    EXPECT_EQ(decisions("Failed", reason), 0) << reason;
  EXPECT_EQ(decisions("Failed", "unit_not_linked", "landlord-one"), 0) << "the series exists from the start";
  EXPECT_EQ(server.metric("roost_decision_seconds_count"), 3);
  EXPECT_GE(server.metric("roost_intake_group_size_count").value_or(0), 1);
  EXPECT_TRUE(eventually([&] { return server.metric(R"(roost_mails_total{outcome="sent"})") == 1; }));
  EXPECT_TRUE(
      eventually([&] { return server.metric(R"(roost_queue_requests{state="Success"})") == 1; }, 15s));
  EXPECT_EQ(server.metric(R"(roost_queue_requests{state="New"})"), 0);
  EXPECT_TRUE(server.metric(R"(roost_mailbox_depth{actor="booking_intake"})"));
}

TEST_P(Ops, WritesMetricsInThePrometheusTextFormat) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto response = server.ops("/metrics");
  EXPECT_EQ(response.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  std::set<std::string> described, typed, sampled;
  std::size_t at = 0;
  for (auto end = response.body.find('\n'); end != std::string::npos; end = response.body.find('\n', at)) {
    const auto line = response.body.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("# HELP ")) described.insert(line.substr(7, line.find(' ', 7) - 7));
    if (line.starts_with("# TYPE ")) typed.insert(line.substr(7, line.find(' ', 7) - 7));
    if (line.starts_with("#") || line.empty()) continue;
    EXPECT_THAT(line, ::testing::MatchesRegex("(roost|process)_[a-z_]+(\\{.*\\})? [-+0-9.eInf]+"));
    auto name = line.substr(0, line.find_first_of(" {"));
    for (const std::string suffix : {"_bucket", "_count", "_sum"})
      if (name.ends_with(suffix) && typed.contains(name.substr(0, name.size() - suffix.size())))
        name.resize(name.size() - suffix.size());
    sampled.insert(name);
  }
  EXPECT_EQ(at, response.body.size()); // the last line is terminated
  EXPECT_EQ(described, typed);
  for (const auto& name : sampled) EXPECT_TRUE(typed.contains(name)) << name;
}

} // namespace roost::testing::ops_test
