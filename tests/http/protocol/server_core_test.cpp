#include "http/protocol/server_core.hpp"
#include "http/support/running_server.hpp"

#include <gtest/gtest.h>

/// When a response is still valid.
namespace roost::http::testing::server_core_test {

constexpr unsigned refusal_statuses[] = {400, 401, 404, 410, 413, 499};

route route_of(std::string method, condition holds) {
  return {.method = std::move(method),
          .pattern = "/any",
          .handle = immediate_handler([](request&) { return empty(200); }),
          .holds = std::move(holds)};
}

const condition always = [] { return true; }, never = [] { return false; };

TEST(AResponseToARead, IsValidWhileTheDataIsCurrent) {
  for (const unsigned status : {200U, 304U, 404U, 500U}) {
    EXPECT_TRUE(still_holds(route_of("GET", always), empty(status))) << status;
    EXPECT_TRUE(still_holds(route_of("GET", {}), empty(status))) << status;
  }
}

TEST(AResponseToARead, IsInvalidOnceTheDataMayBeStale) {
  for (const unsigned status : {200U, 304U}) EXPECT_FALSE(still_holds(route_of("GET", never), empty(status)));
  for (const unsigned status : refusal_statuses)
    EXPECT_FALSE(still_holds(route_of("GET", never), empty(status)));
}

TEST(AResponseToAWrite, StaysValid) {
  for (const auto* method : {"POST", "PUT"})
    for (const unsigned status : {200U, 201U, 204U})
      EXPECT_TRUE(still_holds(route_of(method, never), empty(status))) << method << status;
}

TEST(ARefusedWrite, DependsOnReadDataToo) {
  for (const unsigned status : refusal_statuses) {
    EXPECT_FALSE(still_holds(route_of("POST", never), empty(status))) << status;
    EXPECT_TRUE(still_holds(route_of("POST", always), empty(status))) << status;
  }
}

TEST(AFailure, IsAlwaysReported) {
  for (const auto* method : {"GET", "POST"})
    for (const unsigned status : {500U, 503U})
      EXPECT_TRUE(still_holds(route_of(method, never), empty(status))) << method << status;
}

/// The handler itself invalidates its data, like a suspension after the checks.
TEST(AStaleResponse, IsReplacedByBusyOnAnOpenConnection) {
  std::atomic<bool> holds = true;
  const condition is_current = [&] { return holds.load(); };
  const auto responds = [&](unsigned status) {
    return immediate_handler([&holds, status](request&) {
      holds = false;
      if (status == 404) throw not_found("Nothing there");
      return json(status, R"("was true")");
    });
  };
  router routes;
  routes.mount("", {{"GET", "/read", body_policy::none, {}, responds(200), nullptr, is_current},
                    {"GET", "/missing", body_policy::none, {}, responds(404), nullptr, is_current},
                    {"POST", "/write", body_policy::none, {}, responds(201), nullptr, is_current},
                    {"GET", "/document", body_policy::none, {}, responds(200)}});
  running_server server({}, std::move(routes));
  raw_client client(server.port());
  const auto exchange = [&](const std::string& line) {
    holds = true;
    return client.exchange(line + " HTTP/1.1\r\nHost: a\r\n\r\n", line.starts_with("HEAD"));
  };
  for (const auto* line : {"GET /read", "HEAD /read", "GET /missing"}) {
    const auto refused = exchange(line);
    EXPECT_EQ(refused.status, 503U) << line;
    EXPECT_EQ(refused.header("retry-after"), "5") << line;
    EXPECT_EQ(refused.body.find("was true"), std::string::npos) << line;
  }
  EXPECT_EQ(exchange("POST /write").status, 201U);
  EXPECT_EQ(exchange("GET /document").body, R"("was true")");
  EXPECT_EQ(exchange("GET /unknown").status, 404U);
}

} // namespace roost::http::testing::server_core_test
