#include "actors/connector/client_documents.hpp"
#include "actors/runtime/ask.hpp"
#include "support/eventually.hpp"
#include "support/tls_server.hpp"
#include "temporary_folder.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>

namespace roost::actors::client_documents_test {

using namespace std::chrono_literals;
using enum client_document_refusal;
using fetch::fetch_failed;
using fetch::fetch_failure;
using roost::testing::http_response;
using roost::testing::tls_server;
using ::testing::HasSubstr;

std::string document_of(const std::string& url, const std::string& name = "Assistant") {
  return R"({"client_id":")" + url + R"(","client_name":")" + name +
         R"(","redirect_uris":["http://localhost/cb"]})";
}

/// A fake host whose documents the test controls and whose fetches it counts.
class ClientDocuments : public ::testing::Test {
protected:
  client_documents_setup default_setup() {
    client_documents_setup setup;
    setup.policy = policy_of("claude.example");
    setup.fetch = [this](const std::string& url) { return fetch(url); };
    setup.elapsed = [this] { return deadline::clock::time_point{elapsed.load()}; };
    setup.registry = &registry;
    return setup;
  }
  static client_document_policy policy_of(const std::string& host) {
    return {{host}, oauth::redirect_policy({}, {})};
  }

  void start(client_documents_setup setup) { documents = spawn_client_documents(rt, std::move(setup)); }

  void TearDown() override {
    release();
    rt.close_ports();
    caf::anon_send_exit(documents, caf::exit_reason::user_shutdown);
    documents = nullptr;
  }

  fetch::fetched fetch(const std::string& url) {
    ++fetches;
    std::unique_lock lock{mutex};
    changed.wait(lock, [this] { return !held; });
    if (failing) throw fetch_failed(*failing, "cannot read it");
    return {published.empty() ? document_of(url) : published, header_max_age};
  }

  /// Blocks fetches until release().
  void hold() {
    const std::lock_guard lock{mutex};
    held = true;
  }
  void release() {
    const std::lock_guard lock{mutex};
    held = false;
    changed.notify_all();
  }
  void publish(std::string document, std::chrono::seconds max_age = 0s) {
    const std::lock_guard lock{mutex};
    published = std::move(document);
    header_max_age = max_age;
    failing.reset();
  }
  void fail(fetch_failure kind) {
    const std::lock_guard lock{mutex};
    failing = kind;
  }
  void pass(std::chrono::seconds time) { elapsed = elapsed.load() + time; }

  std::future<fetched_client> begin(const std::string& url, deadline until = {}) {
    fetch_client message{url, until};
    return asio::co_spawn(rt.io_contexts().front().get(), ask(documents, std::move(message)),
                          asio::use_future);
  }
  std::string name_of(const std::string& url) {
    return std::get<store::oauth_client>(begin(url).get().result).name.value_or("");
  }
  client_document_refusal refusal(const std::string& url) {
    return std::get<client_document_refusal>(begin(url).get().result);
  }
  static caf::error error_of(std::future<fetched_client> response) {
    try {
      response.get();
      ADD_FAILURE() << "there was no error";
      return {};
    } catch (const ask_error& error) {
      EXPECT_EQ(error.kind(), ask_failure::refused);
      return error.reason();
    }
  }
  bool is_unavailable(const std::string& url) {
    return error_of(begin(url)) == make_error(client_documents_error::unavailable);
  }
  void expect_count(const std::string& outcome, int count) {
    EXPECT_THAT(registry.scrape(), HasSubstr("roost_client_documents_total{outcome=\"" + outcome + "\"} " +
                                             std::to_string(count) + "\n"));
  }

  const std::string url = "https://claude.example/client.json";
  std::atomic<deadline::clock::duration> elapsed{1h};
  std::atomic<int> fetches = 0;
  std::mutex mutex;
  std::condition_variable changed;
  bool held = false;
  std::string published;
  std::chrono::seconds header_max_age{};
  std::optional<fetch_failure> failing;
  metrics::registry registry;
  runtime rt{{}};
  client_documents documents;
};

TEST_F(ClientDocuments, AreFetchedWhenFirstNeededAndThenCached) {
  start(default_setup());
  EXPECT_EQ(name_of(url), "Assistant");
  pass(5min - 1s);
  EXPECT_EQ(name_of(url), "Assistant");
  EXPECT_EQ(fetches, 1);
  expect_count("fetched", 1);
  expect_count("kept", 1);
}

TEST_F(ClientDocuments, AreFetchedAgainAfterFiveMinutes) {
  start(default_setup());
  ASSERT_EQ(name_of(url), "Assistant");
  publish(document_of(url, "Other"));
  pass(5min);
  EXPECT_EQ(name_of(url), "Other");
  EXPECT_EQ(fetches, 2);
}

TEST_F(ClientDocuments, AreCachedAsLongAsTheirHeaderSays) {
  start(default_setup());
  publish(document_of(url), 1h);
  ASSERT_EQ(name_of(url), "Assistant");
  pass(1h - 1s);
  ASSERT_EQ(name_of(url), "Assistant");
  EXPECT_EQ(fetches, 1);
  pass(1s);
  ASSERT_EQ(name_of(url), "Assistant");
  EXPECT_EQ(fetches, 2);
}

TEST_F(ClientDocuments, AreCachedForAtMostADay) {
  start(default_setup());
  publish(document_of(url), 24h * 365);
  ASSERT_EQ(name_of(url), "Assistant");
  pass(24h - 1s);
  ASSERT_EQ(name_of(url), "Assistant");
  EXPECT_EQ(fetches, 1);
  pass(1s);
  ASSERT_EQ(name_of(url), "Assistant");
  EXPECT_EQ(fetches, 2);
}

TEST_F(ClientDocuments, AreNotFetchedFromOtherHosts) {
  start(default_setup());
  EXPECT_EQ(refusal("https://evil.example/client.json"), bad_address);
  EXPECT_EQ(fetches, 0);
  expect_count("bad_address", 1);
}

TEST_F(ClientDocuments, AreCachedForThirtySecondsWhenInvalid) {
  start(default_setup());
  publish(document_of("https://claude.example/other"));
  EXPECT_EQ(refusal(url), other_client);
  publish(document_of(url));
  pass(29s);
  EXPECT_EQ(refusal(url), other_client);
  EXPECT_EQ(fetches, 1);
  pass(1s);
  EXPECT_EQ(name_of(url), "Assistant");
  EXPECT_EQ(fetches, 2);
}

TEST_F(ClientDocuments, AreMissingIfTheFetchIsRefused) {
  start(default_setup());
  fail(fetch_failure::bad_response);
  EXPECT_EQ(refusal(url), no_document);
  pass(30s);
  fail(fetch_failure::private_address);
  EXPECT_EQ(refusal(url), no_document);
  expect_count("no_document", 2);
}

TEST_F(ClientDocuments, AreUnavailableWhileTheirHostIsDown) {
  start(default_setup());
  fail(fetch_failure::unavailable);
  EXPECT_TRUE(is_unavailable(url));
  EXPECT_TRUE(is_unavailable(url));
  EXPECT_EQ(fetches, 1);
  publish(document_of(url));
  pass(30s);
  EXPECT_EQ(name_of(url), "Assistant");
}

TEST_F(ClientDocuments, AreFetchedOnceForManyRequests) {
  start(default_setup());
  hold();
  std::vector<std::future<fetched_client>> responses;
  for (int i = 0; i < 50; ++i) responses.push_back(begin(url));
  release();
  for (auto& response : responses)
    EXPECT_TRUE(std::holds_alternative<store::oauth_client>(response.get().result));
  EXPECT_EQ(fetches, 1);
}

TEST_F(ClientDocuments, DoNotWaitForOthersWhenCached) {
  start(default_setup());
  ASSERT_EQ(name_of(url), "Assistant");
  hold();
  auto slow = begin(url + "?slow");
  EXPECT_EQ(name_of(url), "Assistant");
  release();
  slow.get();
}

TEST_F(ClientDocuments, AreFetchedOnSeveralThreads) {
  auto setup = default_setup();
  setup.threads = 2;
  start(std::move(setup));
  hold();
  auto first = begin(url + "?1"), second = begin(url + "?2"), third = begin(url + "?3");
  EXPECT_TRUE(roost::testing::eventually([this] { return fetches == 2; })) << "neither waits for the other";
  release();
  for (auto* response : {&first, &second, &third})
    EXPECT_TRUE(std::holds_alternative<store::oauth_client>(response->get().result));
  EXPECT_EQ(fetches, 3);
}

TEST_F(ClientDocuments, AreRefusedWhenTooManyWait) {
  auto setup = default_setup();
  setup.max_waiting = 2;
  start(std::move(setup));
  hold();
  auto first = begin(url + "?1"), second = begin(url + "?2");
  EXPECT_EQ(error_of(begin(url + "?3")), make_error(client_documents_error::busy));
  EXPECT_EQ(error_of(begin(url + "?1")), make_error(client_documents_error::busy));
  release();
  first.get();
  second.get();
  EXPECT_EQ(name_of(url + "?3"), "Assistant"); // the queue has room again
  expect_count("busy", 2);
}

TEST_F(ClientDocuments, AreNotFetchedAfterTheDeadline) {
  start(default_setup());
  EXPECT_EQ(error_of(begin(url, deadline::in(-1ms))), make_error(client_documents_error::too_late));
  EXPECT_EQ(fetches, 0);
  EXPECT_EQ(name_of(url), "Assistant");
}

TEST_F(ClientDocuments, AreLimitedInNumberAndNotEvictedByFailures) {
  auto setup = default_setup();
  setup.max_cached = 2;
  start(std::move(setup));
  name_of(url);
  pass(1s);
  name_of(url + "?2");
  publish("nonsense");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(refusal(url + "?bad" + std::to_string(i)), malformed);
  EXPECT_EQ(fetches, 12);
  EXPECT_EQ(name_of(url), "Assistant");
  EXPECT_EQ(fetches, 12);
  publish("");
  name_of(url + "?3"); // evicts the oldest
  EXPECT_EQ(fetches, 13);
  name_of(url + "?2");
  EXPECT_EQ(fetches, 13);
  name_of(url);
  EXPECT_EQ(fetches, 14);
}

/// Uses the real fetcher.
class FetchedClientDocuments : public ClientDocuments {
protected:
  /// `limits` applies to each fetch.
  void start_at(const tls_server& server) {
    limits.trusted_certificates = own.certificate_file;
    limits.private_addresses = true;
    limits.time = 30s; // slow machines
    auto setup = default_setup();
    setup.policy = policy_of("localhost:" + std::to_string(server.port()));
    setup.fetch = [this](const std::string& document_url) { return fetch::https_get(document_url, limits); };
    start(std::move(setup));
  }

  /// Returns a response with a document that describes the requested URL.
  static std::string respond(const tls_server* server, const std::string& request, const std::string& type) {
    const auto path = request.substr(4, request.find(' ', 4) - 4);
    return http_response(document_of(server->url("localhost", path)), "200 OK",
                         "Content-Type: " + type + "\r\n");
  }

  tests::temporary_folder folder;
  roost::testing::certificate own{folder.path()};
  fetch::fetch_limits limits = client_document_limits();
};

TEST_F(FetchedClientDocuments, ComeOverHttps) {
  const tls_server* self = nullptr;
  const tls_server server(
      own, [&](const std::string& request) { return respond(self, request, "application/json"); });
  self = &server;
  start_at(server);
  EXPECT_EQ(name_of(server.url("localhost", "/client.json?v=1")), "Assistant");
  EXPECT_EQ(name_of(server.url("localhost", "/client.json?v=1")), "Assistant");
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(FetchedClientDocuments, MustHaveTheRightTypeAndSize) {
  const tls_server* self = nullptr;
  const tls_server server(own, [&](const std::string& request) {
    if (request.find("/long") != std::string::npos)
      return http_response(std::string(16 * 1024 + 1, ' '), "200 OK", "Content-Type: application/json\r\n");
    return respond(self, request, "text/html");
  });
  self = &server;
  start_at(server);
  EXPECT_EQ(refusal(server.url("localhost", "/client.json")), no_document);
  EXPECT_EQ(refusal(server.url("localhost", "/long")), no_document);
}

TEST_F(FetchedClientDocuments, AreNotFetchedThroughRedirects) {
  const tls_server server(own, http_response("", "302 Found", "Location: /other\r\n"));
  start_at(server);
  EXPECT_EQ(refusal(server.url()), no_document);
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(FetchedClientDocuments, AreNotFetchedFromPrivateAddressesAfterDnsRebinding) {
  const tls_server* self = nullptr;
  const tls_server server(
      own, [&](const std::string& request) { return respond(self, request, "application/json"); });
  self = &server;
  start_at(server);
  ASSERT_EQ(name_of(server.url()), "Assistant");
  limits.private_addresses = false;
  for (const auto* address : {"127.0.0.1", "10.0.0.1", "[::1]", "[::ffff:127.0.0.1]"}) {
    limits.names = {"localhost:" + std::to_string(server.port()) + ":" + address};
    pass(24h);
    EXPECT_EQ(refusal(server.url()), no_document) << address;
  }
  EXPECT_EQ(server.connections(), 1);
}

} // namespace roost::actors::client_documents_test
