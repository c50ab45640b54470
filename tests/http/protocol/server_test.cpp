// What a server waits for on shutdown.
#include "http/support/running_server.hpp"
#include "support/raw_client.hpp"

#include <gtest/gtest.h>

namespace roost::http::testing::server_test {
using namespace std::chrono_literals;

const std::string hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string waits = "GET /waits HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string json_head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";

/// Requests for /held do not complete until the test allows it, separately for reads and writes.
struct held_requests {
  std::atomic<bool> reads_may_go = false, writes_may_go = false;

  static handler until(const std::atomic<bool>& may_go) {
    return [&may_go](request&) -> asio::awaitable<response> {
      asio::steady_timer timer(co_await asio::this_coro::executor);
      while (!may_go) {
        timer.expires_after(2ms);
        co_await timer.async_wait(asio::use_awaitable);
      }
      co_return json(200, R"("held")");
    };
  }

  router routes() const {
    auto all = test_routes();
    all.mount("/held", {{"GET", "", body_policy::none, {}, until(reads_may_go)},
                        {"POST", "", body_policy::none, {}, until(writes_may_go)}});
    return all;
  }
};

TEST(Drain, LetsARequestFinishAndClosesIdleConnections) {
  running_server server;
  raw_client idle(server.port()), busy(server.port());
  EXPECT_EQ(idle.exchange(hello).status, 200U);
  busy.send(waits);
  ASSERT_TRUE(server.eventually("roost_http_requests_in_flight", 1));
  auto drained = server.drain(5s);
  EXPECT_EQ(idle.receive_until_close(), "");
  const auto responses = responses_in(busy.receive_until_close());
  ASSERT_EQ(responses.size(), 1U);
  EXPECT_EQ(responses[0].body, R"("waited")");
  EXPECT_EQ(responses[0].header("connection"), "close");
  EXPECT_TRUE(drained.get());
  EXPECT_THROW(raw_client(server.port()), std::runtime_error);
}

TEST(Drain, ClosesTheRemainingConnectionsOnTimeout) {
  running_server server;
  raw_client slow(server.port(), 4096);
  slow.send("GET /files/big HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(slow.read_some());
  EXPECT_FALSE(server.drain(50ms).get());
  EXPECT_LT(slow.receive_until_close().size(), std::size_t{32} << 20);
}

TEST(Drain, DoesNotWaitForIncompleteRequests) {
  running_server server;
  raw_client head(server.port()), body(server.port()), chunked(server.port()), refused(server.port());
  head.send("GET /hello HTTP/1.1\r\nHo");
  body.send(json_head + "Content-Length: 5\r\n\r\n\"a");
  chunked.send(json_head + "Transfer-Encoding: chunked\r\n\r\n5\r\n\"a");
  ASSERT_TRUE(server.eventually("roost_http_awaited_bodies", 2));
  refused.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\"a");
  EXPECT_EQ(refused.receive().value_or(raw_response{}).status, 404U);
  EXPECT_TRUE(server.drain(1h).get());
  for (auto* client : {&body, &chunked}) {
    const auto responses = responses_in(client->receive_until_close());
    ASSERT_EQ(responses.size(), 1U);
    EXPECT_EQ(responses[0].status, 503U);
    EXPECT_EQ(responses[0].header("retry-after"), "5");
    EXPECT_EQ(responses[0].header("connection"), "close");
  }
  EXPECT_EQ(responses_in(head.receive_until_close()).at(0).status, 503U);
  EXPECT_EQ(refused.receive_until_close(), "");
}

TEST(Drain, IgnoresLaterRequests) {
  held_requests held;
  running_server server({}, held.routes());
  raw_client client(server.port());
  client.send("POST /held HTTP/1.1\r\nHost: a\r\n\r\n" + hello); // the second one is in the buffer
  ASSERT_TRUE(server.eventually("roost_http_requests_in_flight", 1));
  auto drained = server.drain(1h);
  held.writes_may_go = true;
  const auto responses = responses_in(client.receive_until_close());
  ASSERT_EQ(responses.size(), 1U);
  EXPECT_EQ(responses[0].body, R"("held")");
  EXPECT_TRUE(drained.get());
}

TEST(FinishWrites, DoesNotWaitForReads) {
  held_requests held;
  running_server server({}, held.routes());
  raw_client reads(server.port()), writes(server.port()), slow(server.port(), 4096);
  slow.send("GET /files/big HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(slow.read_some());
  reads.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
  writes.send("POST /held HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(server.eventually("roost_http_requests_in_flight", 2));
  EXPECT_FALSE(server.finish_writes(0ms).get());
  auto finished = server.finish_writes(1h);
  held.writes_may_go = true;
  EXPECT_TRUE(finished.get()); // the reads have not been answered yet
  EXPECT_EQ(writes.receive().value_or(raw_response{}).body, R"("held")");
  auto drained = server.drain(1h);
  held.reads_may_go = true;
  EXPECT_EQ(reads.receive().value_or(raw_response{}).body, R"("held")");
  EXPECT_EQ(slow.receive(false, 20s).value_or(raw_response{}).body.size(), std::size_t{32} << 20);
  EXPECT_TRUE(drained.get());
}

} // namespace roost::http::testing::server_test
