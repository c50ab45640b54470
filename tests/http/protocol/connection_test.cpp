// Connections over real sockets: order, keep-alive, bodies, and the requests that handlers see.
#include "actors/runtime/storage.hpp"
#include "http/support/running_server.hpp"
#include "support/raw_client.hpp"

#include <gtest/gtest.h>

#include <array>

namespace roost::http::testing::connection_test {
std::string get(const std::string& target, const std::string& fields = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}

std::string post(const std::string& target, const std::string& fields, const std::string& body) {
  return "POST " + target + " HTTP/1.1\r\nHost: a\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

const std::string json_type = "Content-Type: application/json\r\n";

TEST(Connection, RespondsToPipelinedRequestsInOrder) {
  running_server server;
  raw_client client(server.port());
  std::string requests;
  for (int i = 0; i < 200; ++i) requests += get(i % 50 == 7 ? "/waits" : "/units/" + std::to_string(i));
  client.send(requests);
  for (int i = 0; i < 200; ++i) {
    const auto response = client.receive();
    ASSERT_TRUE(response.has_value()) << i;
    EXPECT_EQ(response->header("x-parameter"), i % 50 == 7 ? "" : std::to_string(i));
  }
}

TEST(Connection, SendsADateAndAUniqueRequestIdWithEveryResponse) {
  running_server server;
  raw_client client(server.port());
  const auto first = client.exchange(get("/hello"));
  const auto second = client.exchange(get("/nope"));
  EXPECT_EQ(first.header("x-request-id").size(), 16U);
  EXPECT_NE(first.header("x-request-id"), second.header("x-request-id"));
  EXPECT_TRUE(first.header("date").ends_with(" GMT"));
  EXPECT_EQ(first.header("date").size(), 29U);
}

TEST(Connection, ForbidsGuessingTypesAndStoringResponses) {
  running_server server;
  raw_client client(server.port());
  for (const auto* target : {"/hello", "/nope", "/empty", "/throws"}) {
    const auto response = client.exchange(get(target));
    EXPECT_EQ(response.header("x-content-type-options"), "nosniff") << target;
    EXPECT_EQ(response.header("cache-control"), "no-store") << target;
    EXPECT_EQ(response.header("strict-transport-security"), "") << target;
  }
  const auto list = client.exchange(get("/files/parted"));
  EXPECT_EQ(list.header("x-content-type-options"), "nosniff");
  EXPECT_EQ(list.header("cache-control"), "");
}

TEST(Connection, AsksForHttpsIfItIsReachedByHttps) {
  settings options;
  options.https_only = true;
  running_server server(options);
  raw_client client(server.port());
  EXPECT_EQ(client.exchange(get("/hello")).header("strict-transport-security"), "max-age=31536000");
}

TEST(Connection, NamesTheSchemeOfAMissingCredential) {
  running_server server;
  raw_client client(server.port());
  EXPECT_EQ(client.exchange(post("/guarded", json_type, "{}")).header("www-authenticate"),
            R"(Bearer realm="roost")");
  EXPECT_EQ(client.exchange(get("/nope")).header("www-authenticate"), "");
}

TEST(Connection, IgnoresTheRequestIdOfTheClient) {
  running_server server;
  raw_client client(server.port());
  EXPECT_NE(client.exchange(get("/hello", "X-Request-Id: mine\r\n")).header("x-request-id"), "mine");
}

TEST(Connection, ObeysASecondConnectionField) {
  running_server server;
  raw_client client(server.port());
  client.send(get("/hello", "Connection: keep-alive\r\nConnection: x, Close\r\n") + get("/hello"));
  const auto responses = responses_in(client.receive_until_close());
  ASSERT_EQ(responses.size(), 1U);
  EXPECT_EQ(responses[0].header("connection"), "close");
}

TEST(Connection, ClosesAfterVersion10WithoutKeepAlive) {
  running_server server;
  raw_client brief(server.port());
  brief.send("GET /hello HTTP/1.0\r\n\r\n");
  EXPECT_EQ(responses_in(brief.receive_until_close()).size(), 1U);

  raw_client staying(server.port());
  const std::string request = "GET /hello HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
  EXPECT_EQ(staying.exchange(request).header("connection"), "keep-alive");
  EXPECT_EQ(staying.exchange(request).status, 200U);
}

TEST(Connection, RespondsToAClientThatHasShutDownSending) {
  running_server server;
  raw_client client(server.port());
  client.send(get("/waits"));
  client.shut_down_sending();
  const auto responses = responses_in(client.receive_until_close());
  ASSERT_EQ(responses.size(), 1U);
  EXPECT_EQ(responses[0].body, R"("waited")");
}

TEST(Connection, SendsHeadWithoutItsBody) {
  running_server server;
  raw_client client(server.port());
  const auto head = client.exchange("HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n", true);
  EXPECT_EQ(head.status, 200U);
  EXPECT_EQ(head.header("content-length"), "7");
  EXPECT_EQ(client.exchange("HEAD /nope HTTP/1.1\r\nHost: a\r\n\r\n", true).status, 404U);
  EXPECT_EQ(client.exchange(get("/hello")).body, R"("hello")");
}

TEST(Connection, SendsNoLengthWithoutContent) {
  running_server server;
  raw_client client(server.port());
  const auto response = client.exchange(get("/empty"));
  EXPECT_EQ(response.status, 204U);
  EXPECT_EQ(response.headers.count("content-length"), 0U);
  EXPECT_EQ(response.headers.count("content-type"), 0U);
}

TEST(Connection, Returns404ForUnknownPathsAndMethods) {
  running_server server;
  raw_client client(server.port());
  const auto body = [&](const std::string& request) { return client.exchange(request).body; };
  EXPECT_EQ(body(get("/nope?a=1&b=%20")),
            R"({"statusCode":404,"message":"Cannot GET /nope?a=1&b=%20","error":"NotFoundException"})");
  EXPECT_EQ(body(get("/hello/")),
            R"({"statusCode":404,"message":"Cannot GET /hello/","error":"NotFoundException"})");
  EXPECT_EQ(body("DELETE /hello HTTP/1.1\r\nHost: a\r\n\r\n"),
            R"({"statusCode":404,"message":"Cannot DELETE /hello","error":"NotFoundException"})");
  EXPECT_EQ(body("get /hello HTTP/1.1\r\nHost: a\r\n\r\n"),
            R"({"statusCode":404,"message":"Cannot get /hello","error":"NotFoundException"})");
  EXPECT_EQ(body("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
            R"({"statusCode":404,"message":"Cannot OPTIONS *","error":"NotFoundException"})");
  EXPECT_EQ(body(get("/nope/<script>\"")),
            R"({"statusCode":404,"message":"Cannot GET /nope/<script>\"","error":"NotFoundException"})");
}

TEST(Connection, ExtractsTheTargetFromAnAbsoluteForm) {
  running_server server;
  raw_client client(server.port());
  const auto response = client.exchange(get("http://example.org?x=1"));
  EXPECT_EQ(response.body, R"({"statusCode":404,"message":"Cannot GET /?x=1","error":"NotFoundException"})");
  EXPECT_EQ(client.exchange(get("https://example.org/units/7?q=8")).header("x-query"), "q=8");
}

TEST(Connection, RefusesMalformedPercentEncoding) {
  running_server server;
  raw_client client(server.port());
  for (const std::string path : {"/units/%", "/units/%2", "/units/%zz", "/units/%ff", "/nope/%ED%A0%80"}) {
    const auto response = client.exchange(get(path));
    EXPECT_EQ(response.status, 400U);
    EXPECT_EQ(response.body, R"({"statusCode":400,"message":"')" + path +
                                 R"(' is not a valid url component","error":"BadRequestException"})");
  }
}

TEST(Connection, HidesExceptionsOfHandlers) {
  running_server server;
  raw_client client(server.port());
  for (const std::string path : {"/throws", "/throws-later", "/injects"}) {
    const auto response = client.exchange(get(path));
    EXPECT_EQ(response.status, 500U) << path;
    EXPECT_EQ(response.body, R"({"statusCode":500,"message":"Internal server error",)"
                             R"("error":"InternalServerErrorException"})");
    EXPECT_EQ(response.headers.count("x-injected"), 0U);
  }
  EXPECT_EQ(client.exchange(get("/hello")).status, 200U);
}

TEST(Connection, Returns400OnlyForAValueThatTheStoreCannotHold) {
  const auto failing = [](actors::storage_error reason) {
    return immediate_handler([reason](request&) -> response {
      throw actors::ask_error{actors::ask_failure::refused, make_error(reason)};
    });
  };
  auto routes = test_routes();
  routes.mount("/store",
               {{"GET", "/value", body_policy::none, {}, failing(actors::storage_error::invalid_value)},
                {"GET", "/away", body_policy::none, {}, failing(actors::storage_error::unavailable)},
                {"GET", "/failed", body_policy::none, {}, failing(actors::storage_error::failed)}});
  running_server server({}, std::move(routes));
  raw_client client(server.port());
  const auto refused = client.exchange("GET /store/value HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(refused.status, 400U);
  EXPECT_EQ(refused.body, R"({"statusCode":400,"message":"A value has an invalid format.",)"
                          R"("error":"BadRequestException"})");
  EXPECT_EQ(refused.header("retry-after"), "");
  for (const std::string path : {"away", "failed"}) {
    const auto busy = client.exchange("GET /store/" + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(busy.status, 503U);
    EXPECT_EQ(busy.header("retry-after"), "5");
  }
}

TEST(Connection, IsBusyWhenAnActorDoesNotRespond) {
  using enum actors::ask_failure;
  constexpr std::array failures{timed_out, receiver_down, too_many, closed, refused};
  auto routes = test_routes();
  for (const auto failure : failures) {
    const immediate_handler fail = [failure](request&) -> response { throw actors::ask_error{failure}; };
    routes.mount("/asks", {{"GET", std::string("/") + to_string(failure), body_policy::none, {}, fail}});
  }
  running_server server({}, std::move(routes));
  raw_client client(server.port());
  for (const auto failure : failures) {
    const auto busy = client.exchange(get(std::string("/asks/") + to_string(failure)));
    EXPECT_EQ(busy.status, 503U) << to_string(failure);
    EXPECT_EQ(busy.header("retry-after"), "5") << to_string(failure);
  }
}

TEST(Connection, PassesCompleteBodies) {
  running_server server;
  raw_client client(server.port());
  for (const std::size_t size : {1U, 4000U, 5000U, 70'000U, 1'048'576U}) {
    const std::string body(size, 'x');
    const auto response = client.exchange(post("/echo", json_type, body));
    EXPECT_EQ(response.status, 200U);
    EXPECT_EQ(response.body, body);
  }
}

TEST(Connection, PassesCompleteChunkedBodiesHoweverTheyAreSplit) {
  running_server server;
  std::string body, chunks;
  for (int i = 1; i < 300; ++i) {
    const std::string chunk(static_cast<std::size_t>(i), static_cast<char>('a' + i % 26));
    char size[16];
    std::snprintf(size, sizeof size, "%x\r\n", i);
    body += chunk;
    chunks += size + chunk + "\r\n";
  }
  const std::string request = "POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type +
                              "Transfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n";
  for (const std::size_t cut : {std::size_t{7}, std::size_t{1000}, request.size()}) {
    raw_client client(server.port());
    for (std::size_t at = 0; at < request.size(); at += cut) client.send(request.substr(at, cut));
    EXPECT_EQ(client.receive().value_or(raw_response{}).body, body);
  }
}

TEST(BodyPolicy, RefusesOtherMediaTypes) {
  running_server server;
  raw_client client(server.port());
  const std::string refusal =
      R"({"statusCode":415,"message":"Unsupported Media Type","error":"UnsupportedMediaTypeException"})";
  for (const std::string fields : {"", "Content-Type: text/plain\r\n", "Content-Type: application/jsonx\r\n",
                                   "Content-Type: */*\r\n", "Content-Type: application/json,text/plain\r\n",
                                   "Content-Type: application/x-www-form-urlencoded\r\n",
                                   "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
                                   "Content-Type: application/json\r\nContent-Type: text/plain\r\n"}) {
    const auto response = client.exchange(post("/echo", fields, "{}"));
    EXPECT_EQ(response.status, 415U) << fields;
    EXPECT_EQ(response.body, refusal);
  }
}

TEST(BodyPolicy, AcceptsJsonWithACharsetAndFormsWhereAllowed) {
  running_server server;
  raw_client client(server.port());
  EXPECT_EQ(client.exchange(post("/echo", "Content-Type: Application/JSON ; charset=utf-8\r\n", "{}")).status,
            200U);
  EXPECT_EQ(client.exchange(post("/echo", json_type + "Content-Encoding: identity\r\n", "{}")).status, 200U);
  EXPECT_EQ(client.exchange(post("/form", "Content-Type: application/x-www-form-urlencoded\r\n", "a=b")).body,
            "a=b");
  EXPECT_EQ(client.exchange(post("/form", json_type, "{}")).status, 200U);
  EXPECT_EQ(client.exchange(post("/any", "", "anything")).body, "anything");
}

TEST(BodyPolicy, RefusesAnEmptyBodyAnnouncedAsJson) {
  running_server server;
  raw_client client(server.port());
  const std::string refusal =
      R"({"statusCode":400,"message":"Body cannot be empty when content-type is set to )"
      R"('application/json'","error":"BadRequestException"})";
  EXPECT_EQ(client.exchange(post("/echo", json_type, "")).body, refusal);
  EXPECT_EQ(client.exchange("POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type + "\r\n").body, refusal);
  EXPECT_EQ(client
                .exchange("POST /echo HTTP/1.1\r\nHost: a\r\n" + json_type +
                          "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
                .body,
            refusal);
  EXPECT_EQ(client.exchange("POST /echo HTTP/1.1\r\nHost: a\r\n\r\n").status, 200U);
  EXPECT_EQ(client.exchange("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/xml\r\n\r\n").status,
            415U);
}

TEST(Checks, RunBeforeTheBodyIsRead) {
  running_server server;
  raw_client client(server.port());
  EXPECT_EQ(client.exchange(post("/guarded", "Content-Type: text/plain\r\n", "not json")).status, 401U);
  EXPECT_EQ(client.exchange(post("/guarded", "X-Key: open\r\nContent-Type: text/plain\r\n", "x")).status,
            415U);
  EXPECT_EQ(client.exchange(post("/guarded", "X-Key: open\r\n" + json_type, "{}")).body, "{}");
}

TEST(Checks, AreNotSatisfiedByATrailer) {
  running_server server;
  raw_client client(server.port());
  const auto response =
      client.exchange("POST /guarded HTTP/1.1\r\nHost: a\r\n" + json_type +
                      "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Key: open\r\n\r\n");
  EXPECT_EQ(response.status, 401U);
}

TEST(Expectation, IsAnsweredOnlyAfterTheChecks) {
  running_server server;
  const std::string fields = json_type + "Expect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
  raw_client accepted(server.port());
  accepted.send("POST /guarded HTTP/1.1\r\nHost: a\r\nX-Key: open\r\n" + fields);
  EXPECT_EQ(accepted.receive().value_or(raw_response{}).status, 100U);
  EXPECT_EQ(accepted.exchange("{}").body, "{}");

  raw_client refused(server.port());
  refused.send("POST /guarded HTTP/1.1\r\nHost: a\r\n" + fields);
  const auto responses = responses_in(refused.receive_until_close());
  ASSERT_EQ(responses.size(), 1U);
  EXPECT_EQ(responses[0].status, 401U);
}

TEST(Expectation, IsSkippedIfTheBodyHasArrived) {
  running_server server;
  raw_client client(server.port());
  EXPECT_EQ(client.exchange(post("/echo", json_type + "Expect: 100-continue\r\n", "{}")).status, 200U);
  EXPECT_EQ(client.exchange(get("/hello", "Expect: 100-continue\r\n")).status, 200U);
}

TEST(UnreadBody, IsDiscardedIfSmallElseClosesTheConnection) {
  running_server server;
  raw_client staying(server.port());
  EXPECT_EQ(staying.exchange(post("/nope", "", get("/hello"))).status, 404U);
  EXPECT_EQ(staying.exchange(get("/units/after")).header("x-parameter"), "after");

  raw_client ending(server.port());
  ending.send(post("/nope", "", std::string(100'000, 'x')));
  const auto responses = responses_in(ending.receive_until_close());
  ASSERT_EQ(responses.size(), 1U);
  EXPECT_EQ(responses[0].header("connection"), "close");
}

TEST(ForwardedFor, IsTrustedFromConfiguredProxiesOnly) {
  const std::string fields = "X-Forwarded-For: 203.0.113.9, 198.51.100.7\r\n";
  running_server open;
  EXPECT_EQ(raw_client(open.port()).exchange(get("/units/1", fields)).header("x-remote"), "127.0.0.1");

  settings trusting;
  trusting.trusted_proxies = {"127.0.0.0/8"};
  running_server behind(trusting);
  EXPECT_EQ(raw_client(behind.port()).exchange(get("/units/1", fields)).header("x-remote"), "198.51.100.7");

  trusting.trusted_proxies = {"127.0.0.1", "198.51.100.7"};
  running_server far_behind(trusting);
  EXPECT_EQ(raw_client(far_behind.port()).exchange(get("/units/1", fields)).header("x-remote"),
            "203.0.113.9");
}

TEST(Metrics, CountRequestsByRouteAndStatus) {
  running_server server;
  raw_client client(server.port());
  client.exchange(get("/units/1"));
  client.exchange(get("/units/2"));
  client.exchange(get("/nope"));
  client.exchange(get("/hello")); // its response is sent after the others were counted
  const auto text = server.metrics().scrape();
  EXPECT_NE(text.find("roost_http_requests_total{listener=\"public\",method=\"GET\",route=\"/units/{id}\","
                      "status=\"200\"} 2"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("route=\"unmatched\",status=\"404\"} 1"), std::string::npos);
  EXPECT_NE(text.find("roost_http_open_connections{listener=\"public\"} 1"), std::string::npos);
}

TEST(Metrics, HaveTheRefusalsOfPartnersFromTheStart) {
  entry_rule credential;
  credential.of_partners = true;
  const immediate_handler handle = [](request&) { return json(200, "[]"); };
  router routes;
  routes.mount("", {{"GET", "/list", body_policy::none, credential, handle},
                    {"GET", "/open", body_policy::none, {}, handle}});
  running_server server({}, std::move(routes));
  const auto text = server.metrics().scrape();
  EXPECT_NE(text.find("route=\"/list\",status=\"401\"} 0"), std::string::npos) << text;
  EXPECT_EQ(text.find("/open"), std::string::npos) << text;
}

TEST(Metrics, CountTheFailuresOfAllRoutes) {
  running_server server;
  raw_client(server.port()).exchange(get("/throws"));
  EXPECT_TRUE(roost::testing::eventually([&] {
    const auto text = server.metrics().scrape();
    return text.find("roost_http_responses_total{listener=\"public\",status=\"500\"} 1\n") !=
           std::string::npos;
  }));
}

} // namespace roost::http::testing::connection_test
