// The limits of sizes, counts and times.
#include "http/support/running_server.hpp"
#include "support/raw_client.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <sys/resource.h>
#include <utility>

namespace roost::http::testing::limits_test {
using namespace std::chrono_literals;

const std::string hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string waits = "GET /waits HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string json_type = "Content-Type: application/json\r\n";

raw_response only_response(std::uint16_t port, const std::string& req) {
  raw_client client(port);
  client.send(req);
  auto responses = responses_in(client.receive_until_close());
  return responses.size() == 1 ? responses[0] : raw_response{};
}

settings impatient() {
  settings options;
  options.header_timeout = options.body_timeout = options.idle_timeout = options.write_timeout = 200ms;
  return options;
}

TEST(HeaderLimits, RefuseALongTarget) {
  running_server server;
  EXPECT_EQ(raw_client(server.port())
                .exchange("GET /" + std::string(8191, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n")
                .status,
            404U);
  EXPECT_EQ(
      only_response(server.port(), "GET /" + std::string(8192, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n").status,
      414U);
  EXPECT_EQ(only_response(server.port(), "GET /" + std::string(20'000, 'x')).status, 414U);
}

TEST(HeaderLimits, RefuseALongBlock) {
  running_server server;
  const auto request = [](std::size_t size) {
    std::string text = "GET /hello HTTP/1.1\r\nHost: a\r\nX: ";
    return text + std::string(size - text.size() - 4, 'x') + "\r\n\r\n";
  };
  EXPECT_EQ(raw_client(server.port()).exchange(request(16 * 1024)).status, 200U);
  EXPECT_EQ(only_response(server.port(), request(16 * 1024 + 1)).status, 431U);
  EXPECT_EQ(only_response(server.port(), request(200'000)).status, 431U);
}

TEST(HeaderLimits, RefuseManyFields) {
  running_server server;
  const auto request = [](int fields) {
    std::string text = "GET /hello HTTP/1.1\r\nHost: a\r\n";
    for (int i = 1; i < fields; ++i) text += "X: y\r\n";
    return text + "\r\n";
  };
  EXPECT_EQ(raw_client(server.port()).exchange(request(100)).status, 200U);
  EXPECT_EQ(only_response(server.port(), request(101)).status, 431U);
}

TEST(BodyLimits, RefuseABigBody) {
  running_server server;
  const std::string refusal =
      R"({"statusCode":413,"message":"Payload Too Large","error":"PayloadTooLargeException"})";
  EXPECT_EQ(only_response(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type +
                                             "Content-Length: 1048577\r\n\r\n")
                .body,
            refusal);
  EXPECT_EQ(only_response(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type +
                                             "Content-Length: 3000000\r\n\r\n" + std::string(3'000'000, 'x'))
                .body,
            refusal);
  EXPECT_EQ(only_response(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type +
                                             "Transfer-Encoding: chunked\r\n\r\n100001\r\n")
                .body,
            refusal);
  EXPECT_EQ(only_response(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type +
                                             "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n")
                .body,
            refusal);
}

/// Returns the status of a request whose header announces a body of this size, or whose first chunk has it.
unsigned status_of_size(const running_server& server, const std::string& path, std::size_t size,
                        bool is_chunked) {
  std::ostringstream request;
  request << "POST " << path << " HTTP/1.1\r\nHost: a\r\n" << json_type;
  if (is_chunked)
    request << "Transfer-Encoding: chunked\r\n\r\n"
            << std::hex << size << "\r\n"
            << std::string(size, 'x') << "\r\n0\r\n\r\n";
  else
    request << "Content-Length: " << size << "\r\n\r\n" << std::string(size, 'x');
  raw_client client(server.port());
  client.send(request.str());
  return client.receive(false, 20s).value_or(raw_response{}).status;
}

TEST(BodyLimits, MayBeThoseOfARoute) {
  const immediate_handler reply = [](request& req) { return json(200, std::to_string(req.body.size())); };
  const auto limited = [&](const char* path, std::size_t max) {
    return route{
        .method = "POST", .pattern = path, .body = body_policy::json, .handle = reply, .max_body = max};
  };
  constexpr std::size_t listeners = 1 << 20, larger = 3 << 20, smaller = 100'000;
  router routes;
  routes.mount("", {limited("/usual", 0), limited("/larger", larger), limited("/smaller", smaller)});
  const running_server server({}, std::move(routes));
  for (const bool is_chunked : {false, true})
    for (const auto& [path, max] :
         {std::pair{"/usual", listeners}, std::pair{"/larger", larger}, std::pair{"/smaller", smaller}}) {
      EXPECT_EQ(status_of_size(server, path, max, is_chunked), 200U) << path << is_chunked;
      EXPECT_EQ(status_of_size(server, path, max + 1, is_chunked), 413U) << path << is_chunked;
    }
}

/// The connection stays open without the body only if nothing of it was read.
TEST(BodyLimits, OfARouteDoNotApplyToRefusedRequests) {
  const check refuses = [](request&) { throw unauthorized("Missing key"); };
  const immediate_handler reply = [](request&) { return json(200, "{}"); };
  router routes;
  routes.mount("", {{.method = "POST",
                     .pattern = "/guarded",
                     .body = body_policy::json,
                     .entry = {refuses},
                     .handle = reply,
                     .max_body = 5 << 20}});
  const running_server server({}, std::move(routes));
  const auto refused = only_response(server.port(), "POST /guarded HTTP/1.1\r\nHost: a\r\n" + json_type +
                                                        "Content-Length: 4000000\r\n\r\n");
  EXPECT_EQ(refused.status, 401U) << "before the body arrives";
}

TEST(BodyLimits, RefuseTheTypeBeforeTheSize) {
  running_server server;
  EXPECT_EQ(only_response(server.port(), "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n")
                .status,
            415U);
}

TEST(Timeouts, EndASlowHeaderWithAResponse) {
  running_server server(impatient());
  raw_client client(server.port());
  client.send("GET /hello HTTP/1.1\r\nHo");
  EXPECT_EQ(responses_in(client.receive_until_close()).at(0).status, 408U);
}

TEST(Timeouts, AreNotExtendedByOccasionalBytes) {
  running_server server(impatient());
  raw_client client(server.port());
  client.send("GET /hello HTTP/1.1\r\nHost: a\r\nX: ");
  const auto started = std::chrono::steady_clock::now();
  while (!client.is_closed_within(30ms) && std::chrono::steady_clock::now() - started < 4s) client.send("x");
  EXPECT_LT(std::chrono::steady_clock::now() - started, 3500ms);
}

TEST(Timeouts, EndASlowBodyWithAResponse) {
  running_server server(impatient());
  for (const std::string framing :
       {"Content-Length: 5\r\n\r\nab", "Transfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
    raw_client client(server.port());
    client.send("POST /any HTTP/1.1\r\nHost: a\r\n" + framing);
    EXPECT_EQ(responses_in(client.receive_until_close()).at(0).status, 408U);
  }
}

TEST(Timeouts, CloseIdleConnectionsSilently) {
  running_server server(impatient());
  raw_client silent(server.port());
  EXPECT_EQ(silent.receive_until_close(), "");
  raw_client served(server.port());
  EXPECT_EQ(served.exchange(hello).status, 200U);
  EXPECT_EQ(served.receive_until_close(), "");
}

TEST(Timeouts, DoNotApplyToHandlers) {
  running_server server(impatient());
  raw_client client(server.port());
  EXPECT_EQ(client.exchange(waits).body, R"("waited")");
  EXPECT_EQ(client.exchange(hello).status, 200U);
}

TEST(Timeouts, CloseConnectionsOfClientsThatReadNothing) {
  running_server server(impatient());
  raw_client client(server.port(), 4096);
  client.send("GET /files/big HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(server.eventually("roost_http_open_connections", 1));
  ASSERT_TRUE(server.eventually("roost_http_open_connections", 0)); // while the client reads nothing
  EXPECT_LT(client.receive_until_close().size(), std::size_t{32} << 20);
}

TEST(Timeouts, CloseConnectionsOfClientsThatReadTooSlowly) {
  settings options = impatient();
  options.write_timeout = 100ms;
  running_server server(options);
  raw_client client(server.port(), 4096);
  client.send("GET /files/big HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto started = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - started < 1500ms && client.read_once())
    std::this_thread::sleep_for(20ms);
  EXPECT_LT(client.receive_until_close().size(), std::size_t{32} << 20);
}

TEST(LargeResponses, ArriveCompletelyAtASlowClient) {
  running_server server;
  raw_client client(server.port(), 8192);
  client.send("GET /files/big HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(client.receive(false, 20s).value_or(raw_response{}).body, std::string(32 << 20, 'b'));
}

TEST(LargeResponses, ArriveCompletelyFromManyParts) {
  running_server server;
  const auto expected = to_string(parted_body());
  raw_client slow(server.port(), 8192);
  slow.send("GET /files/parted HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(slow.receive(false, 20s).value_or(raw_response{}).body, expected);
  raw_client client(server.port());
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(client.exchange("GET /files/parted HTTP/1.1\r\nHost: a\r\n\r\n").body, expected);
  EXPECT_EQ(client.exchange(hello).status, 200U);
}

TEST(LargeResponses, SurviveADisconnect) {
  running_server server;
  for (int i = 0; i < 20; ++i) {
    raw_client client(server.port(), 4096);
    client.send("GET /files/big HTTP/1.1\r\nHost: a\r\n\r\n");
    client.is_closed_within(5ms);
  }
  EXPECT_EQ(raw_client(server.port()).exchange(hello).status, 200U);
}

TEST(InFlightCap, ReturnsBusyAndKeepsTheConnection) {
  settings options;
  options.max_in_flight = 1;
  running_server server(options);
  raw_client first(server.port()), second(server.port());
  first.send(waits);
  raw_response refusal;
  const auto deadline = std::chrono::steady_clock::now() + 250ms;
  while (refusal.status != 503 && std::chrono::steady_clock::now() < deadline)
    refusal = second.exchange(hello);
  EXPECT_EQ(refusal.status, 503U);
  EXPECT_EQ(refusal.header("retry-after"), "5");
  EXPECT_EQ(refusal.body,
            R"({"statusCode":503,"message":"The service is busy. Please try again in a moment.",)"
            R"("error":"ServiceUnavailableException"})");
  EXPECT_EQ(first.receive().value_or(raw_response{}).status, 200U);
  EXPECT_EQ(second.exchange(hello).status, 200U);
}

const std::string json_head = "POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type;
const std::string half_a_body = json_head + "Content-Length: 5\r\n\r\n\"a";
constexpr auto awaited_bodies = "roost_http_awaited_bodies";

TEST(BodyCap, ReturnsBusyAndCloses) {
  settings options;
  options.max_bodies_per_address = 2;
  running_server server(options);
  raw_client first(server.port()), second(server.port());
  first.send(half_a_body);
  second.send(json_head + "Transfer-Encoding: chunked\r\n\r\n5\r\n\"a");
  ASSERT_TRUE(server.eventually(awaited_bodies, 2));
  for (const auto& framing : {"Content-Length: 5\r\n\r\n\"a", "Transfer-Encoding: chunked\r\n\r\n",
                              "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n"}) {
    const auto refusal = only_response(server.port(), json_head + framing);
    EXPECT_EQ(refusal.status, 503U) << framing;
    EXPECT_EQ(refusal.header("retry-after"), "5") << framing;
    EXPECT_EQ(refusal.header("connection"), "close") << framing;
  }
  EXPECT_EQ(first.exchange("bc\"").body, R"("abc")");
  EXPECT_EQ(second.exchange("bc\"\r\n0\r\n\r\n").body, R"("abc")");
  ASSERT_TRUE(server.eventually(awaited_bodies, 0));
  raw_client third(server.port());
  third.send(half_a_body);
  ASSERT_TRUE(server.eventually(awaited_bodies, 1));
  EXPECT_EQ(third.exchange("bc\"").body, R"("abc")");
}

TEST(BodyCap, IgnoresABodyThatArrivesWithItsHeader) {
  settings options;
  options.max_bodies_per_prefix = 1;
  running_server server(options);
  raw_client slow(server.port()), quick(server.port());
  slow.send(half_a_body);
  ASSERT_TRUE(server.eventually(awaited_bodies, 1));
  EXPECT_EQ(quick.exchange(half_a_body + "bc\"").body, R"("abc")");
  EXPECT_EQ(quick.exchange(json_head + "Transfer-Encoding: chunked\r\n\r\n5\r\n\"abc\"\r\n0\r\n\r\n").body,
            R"("abc")");
  EXPECT_EQ(quick.exchange(hello).status, 200U);
}

TEST(BodyCap, IgnoresTheBodyOfARefusedRequest) {
  settings options;
  options.max_bodies_per_prefix = 1;
  running_server server(options);
  raw_client refused(server.port()), accepted(server.port());
  const auto head = "POST /guarded HTTP/1.1\r\nHost: a\r\n" + json_type + "Content-Length: 5\r\n";
  EXPECT_EQ(refused.exchange(head + "\r\n\"a").status, 401U);
  accepted.send(head + "X-Key: open\r\n\r\n\"a");
  ASSERT_TRUE(server.eventually(awaited_bodies, 1));
  refused.send("bc\"");
  EXPECT_EQ(refused.exchange(hello).status, 200U); // discarded, so that the connection stays open
  EXPECT_EQ(accepted.exchange("bc\"").status, 200U);
}

TEST(BodyCap, IsReleasedByADisconnectOrATimeout) {
  auto options = impatient();
  options.max_bodies_per_prefix = 1;
  running_server server(options);
  {
    raw_client leaves(server.port());
    leaves.send(half_a_body);
    ASSERT_TRUE(server.eventually(awaited_bodies, 1));
  }
  ASSERT_TRUE(server.eventually(awaited_bodies, 0));
  raw_client slow(server.port());
  slow.send(half_a_body);
  EXPECT_EQ(slow.receive().value_or(raw_response{}).status, 408U);
  ASSERT_TRUE(server.eventually(awaited_bodies, 0));
}

TEST(ConnectionLimit, ReturnsBusyAndCloses) {
  settings options;
  options.max_connections = 2;
  running_server server(options);
  raw_client first(server.port()), second(server.port());
  EXPECT_EQ(first.exchange(hello).status, 200U);
  EXPECT_EQ(second.exchange(hello).status, 200U);
  const auto refusal = only_response(server.port(), hello + hello);
  EXPECT_EQ(refusal.status, 503U);
  EXPECT_EQ(refusal.header("retry-after"), "5");
  EXPECT_EQ(first.exchange(hello).status, 200U);
}

TEST(FileDescriptors, MayBeExhaustedWithoutStoppingTheServer) {
  running_server server;
  raw_client waiting(server.port());
  EXPECT_EQ(waiting.exchange(hello).status, 200U);
  // The client's socket is opened before the limit is reduced to the open ones: none is left for the server's
  // end.
  const int spare = ::dup(0);
  const rlimit all = [] {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit;
  }();
  rlimit tight = all;
  tight.rlim_cur = static_cast<rlim_t>(spare) + 1; // the spare is the highest; the client reuses it
  ::close(spare);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
  raw_client refused(server.port());
  refused.send(hello);
  EXPECT_FALSE(refused.receive(false, 200ms).has_value());
  EXPECT_EQ(waiting.exchange(hello).status, 200U);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &all), 0);
  EXPECT_EQ(refused.receive().value_or(raw_response{}).status, 200U);
}

TEST(Threads, ShareOnePort) {
  running_server server({}, test_routes(), 3);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(raw_client(server.port()).exchange(hello).status, 200U);
}

/// The server survives any input and only sends valid responses.
TEST(Fuzz, NeverBreaksTheServerOrItsResponses) {
  running_server server(impatient());
  const std::vector<std::string> seeds{
      hello, "POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type + "Content-Length: 4\r\n\r\n{  }" + hello,
      "POST /any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n" +
          hello,
      "GET http://a/units/%41?x HTTP/1.0\r\nConnection: keep-alive\r\nX-Forwarded-For: ::1\r\n\r\n"};
  const std::vector<std::string> splices{"\r\n",
                                         "\n",
                                         "\r",
                                         std::string(1, '\0'),
                                         ":",
                                         " ",
                                         "\t",
                                         "%",
                                         "0",
                                         "\xff",
                                         ";",
                                         ",",
                                         "Content-Length: 3\r\n",
                                         "Transfer-Encoding: chunked\r\n",
                                         "HTTP/1.1",
                                         "ffffffffffffffff"};
  std::mt19937 random(20261120);
  const auto pick = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  const auto deadline = std::chrono::steady_clock::now() + 2s;
  for (int round = 0; round < 3000 && std::chrono::steady_clock::now() < deadline; ++round) {
    std::string bytes = seeds[pick(seeds.size())];
    for (std::size_t edits = 1 + pick(3); edits > 0; --edits) {
      const auto at = pick(bytes.size());
      if (pick(2) == 0)
        bytes.insert(at, splices[pick(splices.size())]);
      else
        bytes.replace(at, 1 + pick(4), splices[pick(splices.size())]);
    }
    raw_client client(server.port());
    client.send(bytes);
    client.shut_down_sending();
    EXPECT_NO_THROW(responses_in(client.receive_until_close())) << ::testing::PrintToString(bytes);
  }
  EXPECT_EQ(raw_client(server.port()).exchange(hello).status, 200U);
}

} // namespace roost::http::testing::limits_test
