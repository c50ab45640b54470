#include "http/support/running_server.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace roost::http::testing::streamed_body_test {

using namespace std::chrono_literals;

/// The parts of a body, which a test adds one after the other.
class fed_parts {
public:
  void add(std::string part) {
    const std::lock_guard lock(mutex_);
    parts_.push_back(std::move(part));
  }
  void end() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    fails_ = true;
  }

  body_parts source() {
    return [this]() -> asio::awaitable<std::optional<std::string>> {
      asio::steady_timer timer(co_await asio::this_coro::executor);
      for (;;) {
        if (auto taken = take()) co_return std::move(*taken);
        timer.expires_after(1ms);
        co_await timer.async_wait(asio::use_awaitable);
      }
    };
  }

private:
  std::optional<std::optional<std::string>> take() {
    const std::lock_guard lock(mutex_);
    if (!parts_.empty()) {
      std::optional<std::string> part = std::move(parts_.front());
      parts_.pop_front();
      return part;
    }
    if (fails_) throw std::runtime_error("no more parts");
    if (has_ended_) return std::optional<std::string>{};
    return std::nullopt;
  }

  std::mutex mutex_;
  std::deque<std::string> parts_;
  bool has_ended_ = false, fails_ = false;
};

class StreamedBody : public ::testing::Test {
protected:
  StreamedBody() {
    const auto stream = [this](bool must_end) {
      return immediate_handler([this, must_end](request&) {
        response result;
        result.content_type = "text/event-stream";
        result.parts = parts.source();
        result.parts_must_end = must_end;
        return result;
      });
    };
    routes_.mount("/streams", {{"GET", "/all", body_policy::none, {}, stream(false)},
                               {"GET", "/whole", body_policy::none, {}, stream(true)}});
    server.emplace(settings{}, std::move(routes_));
    client.emplace(server->port());
  }

  static std::string get(const std::string& version = "1.1") {
    return "GET /streams/all HTTP/" + version + "\r\nHost: a\r\n\r\n";
  }

  fed_parts parts;

private:
  router routes_ = test_routes();

public:
  std::optional<running_server> server;
  std::optional<raw_client> client;
};

TEST_F(StreamedBody, IsSentPartByPart) {
  client->send(get());
  parts.add("first\n");
  const auto received = client->receive_until("6\r\nfirst\n\r\n");
  EXPECT_NE(received.find("Transfer-Encoding: chunked\r\n"), std::string::npos);
  EXPECT_NE(received.find("Content-Type: text/event-stream\r\n"), std::string::npos);
  EXPECT_EQ(received.find("Content-Length"), std::string::npos);
  parts.add("");
  parts.add(std::string(20, 'x'));
  EXPECT_EQ(client->receive_until("x\r\n"), "14\r\n" + std::string(20, 'x') + "\r\n")
      << "an empty chunk would end the body";
}

TEST_F(StreamedBody, IsFollowedByTheNextResponse) {
  client->send(get());
  parts.add("only");
  parts.end();
  client->receive_until("4\r\nonly\r\n0\r\n\r\n");
  EXPECT_EQ(client->exchange("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body, R"("hello")");
}

TEST_F(StreamedBody, EndsWithTheConnectionForAClientThatDoesNotKnowChunks) {
  client->send(get("1.0"));
  parts.add("first");
  parts.add("second");
  parts.end();
  const auto text = client->receive_until_close();
  EXPECT_NE(text.find("Connection: close\r\n"), std::string::npos);
  EXPECT_EQ(text.find("chunked"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\n\r\nfirstsecond")) << text;
}

TEST_F(StreamedBody, HasNoPartsInAResponseToHead) {
  const auto head = client->exchange("HEAD /streams/all HTTP/1.1\r\nHost: a\r\n\r\n", true);
  EXPECT_EQ(head.status, 200U);
  EXPECT_EQ(head.header("transfer-encoding"), "chunked");
  EXPECT_EQ(client->exchange("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").body, R"("hello")");
}

TEST_F(StreamedBody, IsCutOffByAFailure) {
  client->send(get());
  parts.add("first");
  parts.fail();
  const auto text = client->receive_until_close();
  EXPECT_TRUE(text.ends_with("5\r\nfirst\r\n")) << "without the last chunk, the client knows: " << text;
}

TEST_F(StreamedBody, IsEndedByAShutdown) {
  client->send(get());
  parts.add("first");
  client->receive_until("first\r\n");
  auto drained = server->drain(1h);
  while (drained.wait_for(1ms) != std::future_status::ready)
    parts.add("more"); // the stream notices after its next part
  EXPECT_TRUE(drained.get());
  EXPECT_TRUE(client->receive_until_close().ends_with("0\r\n\r\n"));
}

TEST_F(StreamedBody, IsCutOffByAShutdownIfItMustEnd) {
  client->send("GET /streams/whole HTTP/1.1\r\nHost: a\r\n\r\n");
  parts.add("first");
  client->receive_until("first\r\n");
  auto drained = server->drain(1h);
  while (drained.wait_for(1ms) != std::future_status::ready) parts.add("more");
  EXPECT_TRUE(drained.get());
  const auto text = client->receive_until_close();
  EXPECT_FALSE(text.ends_with("0\r\n\r\n")) << text;
}

TEST_F(StreamedBody, WithAnEndIsWholeIfItMustEnd) {
  client->send("GET /streams/whole HTTP/1.1\r\nHost: a\r\n\r\n");
  parts.add("only");
  parts.end();
  client->receive_until("4\r\nonly\r\n0\r\n\r\n");
}

TEST_F(StreamedBody, EndsOnceTheClientHasDisconnected) {
  client->send(get());
  parts.add("first");
  client->receive_until("first\r\n");
  client.reset();
  for (int i = 0; i < 10; ++i) parts.add("more");
  EXPECT_TRUE(server->eventually("roost_http_open_connections", 0));
}

TEST_F(StreamedBody, IsNoRequestInFlight) {
  client->send(get());
  parts.add("first");
  client->receive_until("first\r\n");
  EXPECT_TRUE(server->eventually("roost_http_requests_in_flight", 0));
}

} // namespace roost::http::testing::streamed_body_test
