#include "fetch/https_get.hpp"
#include "support/tls_server.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace roost::fetch::https_get_test {

using namespace std::chrono_literals;
using roost::testing::http_response;
using roost::testing::tls_server;
using ::testing::HasSubstr;

class HttpsGet : public ::testing::Test {
protected:
  /// Limits that trust the test servers and allow private addresses.
  fetch_limits trusting() const {
    fetch_limits limits;
    limits.trusted_certificates = own.certificate_file;
    limits.private_addresses = true;
    limits.time = 30s; // slow machines
    return limits;
  }
  fetch_limits guarded() const {
    auto limits = trusting();
    limits.private_addresses = false;
    return limits;
  }

  static std::string redirect_to(const std::string& place, const std::string& body = "") {
    return http_response(body, "302 Found", "Location: " + place + "\r\n");
  }

  static void expect_failure(const std::string& url, const fetch_limits& limits, fetch_failure kind,
                             const std::string& reason) {
    try {
      https_get(url, limits);
      ADD_FAILURE() << url << " was read";
    } catch (const fetch_failed& failed) {
      EXPECT_EQ(failed.kind(), kind) << url;
      EXPECT_THAT(failed.what(), HasSubstr(reason)) << url;
    }
  }
  static void expect_private(const std::string& url, const fetch_limits& limits) {
    expect_failure(url, limits, fetch_failure::private_address, "its address is not on the internet");
  }

  tests::temporary_folder folder;
  roost::testing::certificate own{folder.path()};
};

TEST_F(HttpsGet, ReadsADocument) {
  std::string request;
  const tls_server server(own, [&](const std::string& received) {
    request = received;
    return http_response("text");
  });
  EXPECT_EQ(https_get(server.url("localhost", "/a/b?c=d"), trusting()).body, "text");
  EXPECT_THAT(request, ::testing::StartsWith("GET /a/b?c=d HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("User-Agent: roost\r\n"));
}

TEST_F(HttpsGet, RefusesAnUntrustedCertificate) {
  const tls_server server(own, http_response("text"));
  auto limits = trusting();
  limits.trusted_certificates.clear();
  expect_failure(server.url(), limits, fetch_failure::unavailable, "");
}

TEST_F(HttpsGet, RefusesACertificateForAnotherHost) {
  const tls_server server(own, http_response("text"));
  expect_failure(server.url("127.0.0.1"), trusting(), fetch_failure::unavailable, "");
}

TEST_F(HttpsGet, RefusesUrlsWithoutTls) {
  const tls_server server(own, http_response("text"));
  const auto rest = server.url().substr(std::string("https").size());
  for (const auto* scheme : {"http", "ftp"})
    expect_failure(scheme + rest, trusting(), fetch_failure::unavailable, "");
  expect_failure("file:///etc/hostname", trusting(), fetch_failure::unavailable, "");
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(HttpsGet, RefusesUrlsWithAUserName) {
  const tls_server server(own, http_response("text"));
  for (const auto* user : {"user:secret@", "secret@", ":secret@", "user:secret%40@", "user:se@cret@"}) {
    const auto url = server.url(user + std::string("localhost"));
    expect_failure(url, trusting(), fetch_failure::unavailable, "");
    try {
      https_get(url, trusting());
    } catch (const fetch_failed& failed) {
      EXPECT_THAT(failed.what(), ::testing::Not(HasSubstr("secret"))) << url;
    }
  }
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(HttpsGet, ReportsAReasonWithoutTheUrl) {
  const tls_server server(own, http_response("", "404 Not Found"));
  try {
    https_get(server.url("localhost", "/secret"), trusting());
    ADD_FAILURE();
  } catch (const fetch_failed& failed) {
    EXPECT_EQ(failed.reason(), "the response status is 404");
    EXPECT_EQ(failed.what(), "cannot read " + server.url("localhost", "/secret") + ": " + failed.reason());
  }
}

TEST_F(HttpsGet, DistinguishesBusyServersFromRefusals) {
  for (const auto* status : {"429 Too Many Requests", "500 Internal Server Error", "503 Service Unavailable"})
    expect_failure(tls_server(own, http_response("text", status)).url(), trusting(),
                   fetch_failure::unavailable, "");
  for (const auto* status : {"201 Created", "204 No Content", "404 Not Found", "410 Gone"}) {
    const tls_server server(own, http_response("", status));
    expect_failure(server.url(), trusting(), fetch_failure::bad_response,
                   "the response status is " + std::string(status).substr(0, 3));
  }
}

TEST_F(HttpsGet, DoesNotFollowRedirects) {
  const tls_server target(own, http_response("text"));
  for (const auto& place : {target.url(), std::string("file:///etc/passwd"), std::string("/other")}) {
    const tls_server here(own, http_response("", "302 Found", "Location: " + place + "\r\n"));
    expect_failure(here.url(), trusting(), fetch_failure::bad_response, "the response status is 302");
    EXPECT_EQ(here.connections(), 1);
  }
  EXPECT_EQ(target.connections(), 0);
}

TEST_F(HttpsGet, FollowsRedirectsUpToALimit) {
  auto limits = trusting();
  limits.max_redirects = 2;
  const tls_server target(own, http_response("text")), second(own, redirect_to(target.url())),
      first(own, redirect_to(second.url(), "a page")), start(own, redirect_to(first.url()));
  EXPECT_EQ(https_get(first.url(), limits).body, "text");
  expect_failure(start.url(), limits, fetch_failure::bad_response, "it redirects more than 2 times");
  EXPECT_EQ(target.connections(), 1);
}

TEST_F(HttpsGet, FollowsRelativeRedirects) {
  auto limits = trusting();
  limits.max_redirects = 1;
  const tls_server server(own, [](const std::string& request) {
    return request.starts_with("GET /other ") ? http_response("text") : redirect_to("/other");
  });
  EXPECT_EQ(https_get(server.url(), limits).body, "text");
}

TEST_F(HttpsGet, EndsALoopOfRedirects) {
  auto limits = trusting();
  limits.max_redirects = 5;
  const tls_server server(own, redirect_to("/document"));
  expect_failure(server.url(), limits, fetch_failure::bad_response, "it redirects more than 5 times");
  EXPECT_EQ(server.connections(), 6);
}

TEST_F(HttpsGet, RefusesRedirectsWithoutTls) {
  auto limits = trusting();
  limits.max_redirects = 5;
  const tls_server target(own, http_response("text"));
  for (const auto& place : {"http" + target.url().substr(std::string("https").size()),
                            std::string("file:///etc/hostname"), std::string("ftp://localhost/")}) {
    const tls_server here(own, redirect_to(place));
    expect_failure(here.url(), limits, fetch_failure::bad_response,
                   "it redirects to an address without https");
  }
  EXPECT_EQ(target.connections(), 0);
}

TEST_F(HttpsGet, RefusesRedirectsWithAUserName) {
  auto limits = trusting();
  limits.max_redirects = 5;
  const tls_server target(own, http_response("text"));
  const tls_server here(own, redirect_to("https://user:secret@" + target.url().substr(8)));
  expect_failure(here.url(), limits, fetch_failure::unavailable, "user name");
  EXPECT_EQ(target.connections(), 0);
}

TEST_F(HttpsGet, ChecksTheAddressOfEachRedirect) {
  auto limits = guarded();
  limits.max_redirects = 5;
  limits.public_address = "127.0.0.1";
  const tls_server target(own, http_response("text"));
  const auto port = std::to_string(target.port());
  limits.names = {"inside.example:" + port + ":[::1]", "mixed.example:" + port + ":10.0.0.1,[::1]"};
  EXPECT_EQ(https_get(target.url(), limits).body, "text");
  for (const auto& place : {target.url("10.0.0.1"), target.url("[::1]"), target.url("0x7f000002"),
                            std::string("https://169.254.169.254/latest"), target.url("inside.example"),
                            target.url("mixed.example")}) {
    const tls_server here(own, redirect_to(place));
    expect_private(here.url(), limits);
    EXPECT_EQ(here.connections(), 1) << place;
    const tls_server before(own, redirect_to(here.url()));
    expect_private(before.url(), limits);
  }
  EXPECT_EQ(target.connections(), 1);
}

TEST_F(HttpsGet, FollowsARedirectToAPublicName) {
  auto limits = guarded();
  limits.max_redirects = 5;
  limits.public_address = "127.0.0.1";
  const tls_server target(own, http_response("text")), here(own, redirect_to(target.url()));
  limits.names = {"localhost:" + std::to_string(target.port()) + ":127.0.0.1"};
  EXPECT_EQ(https_get(here.url(), limits).body, "text");
}

TEST_F(HttpsGet, AppliesTheLimitOfTimeToAllRedirectsTogether) {
  const tls_server silent(own, ""), here(own, redirect_to(silent.url()));
  auto limits = trusting();
  limits.max_redirects = 5;
  limits.time = 500ms;
  const auto start = std::chrono::steady_clock::now();
  expect_failure(here.url(), limits, fetch_failure::unavailable, "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST_F(HttpsGet, AsksOnlyForADocumentThatHasChanged) {
  const validators first{"W/\"1, 2\"", "Sat, 28 Nov 2026 10:00:00 GMT"};
  std::string request;
  const tls_server server(own, [&](const std::string& received) {
    request = received;
    return received.find("If-None-Match: W/\"1, 2\"\r\n") != std::string::npos
               ? http_response("", "304 Not Modified", "Cache-Control: max-age=60\r\n")
               : http_response("text", "200 OK",
                               "ETag: W/\"1, 2\"\r\nLast-Modified: Sat, 28 Nov 2026 10:00:00 GMT\r\n");
  });
  const auto read = https_get(server.url(), trusting());
  EXPECT_FALSE(read.not_modified);
  EXPECT_EQ(read.current, first);
  EXPECT_THAT(request, ::testing::Not(HasSubstr("If-")));
  const auto again = https_get(server.url(), trusting(), read.current);
  EXPECT_TRUE(again.not_modified);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(again.fresh, 60s);
  EXPECT_EQ(again.current, first);
  EXPECT_THAT(request, HasSubstr("If-Modified-Since: Sat, 28 Nov 2026 10:00:00 GMT\r\n"));
  EXPECT_FALSE(https_get(server.url(), trusting(), {"\"0\"", {}}).not_modified);
}

TEST_F(HttpsGet, KeepsTheConditionOnRedirects) {
  const tls_server target(own, [](const std::string& request) {
    return request.find("If-None-Match: \"1\"\r\n") != std::string::npos
               ? http_response("", "304 Not Modified", "ETag: \"2\"\r\n")
               : http_response("text");
  });
  const tls_server here(own, redirect_to(target.url()));
  auto limits = trusting();
  limits.max_redirects = 1;
  limits.content_type = "text/calendar"; // a 304 has none
  const auto read = https_get(here.url(), limits, {"\"1\"", {}});
  EXPECT_TRUE(read.not_modified);
  EXPECT_EQ(read.current, (validators{"\"2\"", ""}));
}

TEST_F(HttpsGet, RefusesA304ThatItDidNotAskFor) {
  const tls_server server(own, http_response("", "304 Not Modified"));
  expect_failure(server.url(), trusting(), fetch_failure::bad_response, "the response status is 304");
}

TEST_F(HttpsGet, SendsNoValidatorsThatAreNoFieldValues) {
  std::string request;
  const tls_server server(own, [&](const std::string& received) {
    request = received;
    return http_response("text", "200 OK", "ETag: \"" + std::string(2000, 'x') + "\"\r\n");
  });
  EXPECT_EQ(https_get(server.url(), trusting(), {"\"1\"\r\nX-Other: 1", "a\nb"}).current, validators{});
  EXPECT_THAT(request, ::testing::Not(HasSubstr("If-")));
  EXPECT_THAT(request, ::testing::Not(HasSubstr("X-Other")));
}

TEST_F(HttpsGet, LimitsTheLengthOfADocument) {
  auto limits = trusting();
  limits.bytes = 1000;
  const tls_server enough(own, http_response(std::string(1000, 'x'))),
      more(own, http_response(std::string(1001, 'x'))),
      endless(own, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + std::string(100'000, 'x'));
  EXPECT_EQ(https_get(enough.url(), limits).body.size(), 1000U);
  expect_failure(more.url(), limits, fetch_failure::bad_response, "it is too long");
  expect_failure(endless.url(), limits, fetch_failure::bad_response, "it is too long");
}

TEST_F(HttpsGet, LimitsTheLengthOfTheHeader) {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += "X-Line: " + std::string(1000, 'x') + "\r\n";
  const tls_server server(own, http_response("text", "200 OK", lines));
  expect_failure(server.url(), trusting(), fetch_failure::bad_response, "it is too long");
}

TEST_F(HttpsGet, AcceptsTheExpectedTypeOnly) {
  auto limits = trusting();
  limits.content_type = "application/json";
  for (const auto* type : {"application/json", "Application/JSON", "application/json; charset=utf-8"}) {
    const tls_server server(own,
                            http_response("{}", "200 OK", "Content-Type: " + std::string(type) + "\r\n"));
    EXPECT_EQ(https_get(server.url(), limits).body, "{}") << type;
  }
  for (const auto* line : {"", "Content-Type: text/html\r\n", "Content-Type: application/jsonp\r\n",
                           "Content-Type: application/json\r\nContent-Type: text/html\r\n"}) {
    const tls_server server(own, http_response("{}", "200 OK", line));
    expect_failure(server.url(), limits, fetch_failure::bad_response, "its type is not application/json");
  }
}

TEST_F(HttpsGet, TimesOut) {
  const tls_server silent(own, "");
  auto limits = trusting();
  limits.time = 200ms;
  const auto start = std::chrono::steady_clock::now();
  expect_failure(silent.url(), limits, fetch_failure::unavailable, "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST_F(HttpsGet, ReportsHowLongADocumentMayBeCached) {
  const auto kept = [this](const std::string& lines) {
    const tls_server server(own, http_response("text", "200 OK", lines));
    return https_get(server.url(), trusting()).fresh;
  };
  EXPECT_EQ(kept(""), 0s);
  EXPECT_EQ(kept("Cache-Control: public\r\ncache-control: max-age=900\r\nAge: 100\r\n"), 800s);
  EXPECT_EQ(kept("Cache-Control: max-age=900\r\nCache-Control: no-store\r\n"), 0s);
}

TEST_F(HttpsGet, DoesNotConnectToPrivateAddresses) {
  const tls_server server(own, http_response("text"));
  for (const auto* host :
       {"localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1",
        "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::127.0.0.1]",
        "[0:0:0:0:0:0:0:1]", "%6c%6f%63%61%6c%68%6f%73%74", "127%2e0%2e0%2e1"})
    expect_private(server.url(host), guarded());
  for (const auto* host :
       {"127.0.0.1.", "localhost.", "localhost%2e", "0x7f000001.", "127.0.0.1%00.client.example"})
    EXPECT_THROW(https_get(server.url(host), guarded()), fetch_failed) << host;
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(HttpsGet, DoesNotConnectToANameWithAPrivateAddress) {
  const tls_server server(own, http_response("text"));
  const auto port = std::to_string(server.port());
  for (const auto* address :
       {"127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "[fd00:ec2::254]", "127.0.0.1,[::1],10.0.0.1"}) {
    auto limits = guarded();
    limits.names = {"client.example:" + port + ":" + address};
    expect_private(server.url("client.example"), limits);
  }
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(HttpsGet, ChecksTheAddressOfEachConnection) {
  const tls_server server(own, http_response("text"));
  auto limits = trusting();
  limits.names = {"localhost:" + std::to_string(server.port()) + ":127.0.0.1"};
  EXPECT_EQ(https_get(server.url(), limits).body, "text");
  limits.private_addresses = false; // the same address is no longer allowed
  expect_private(server.url(), limits);
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(HttpsGet, IgnoresProxiesForPublicAddresses) {
  ::setenv("https_proxy", "http://proxy.invalid:3128", 1);
  expect_private("https://10.0.0.1/", guarded());
  ::unsetenv("https_proxy");
}

TEST_F(HttpsGet, RefusesInvalidUrls) {
  for (const auto* url : {"", "https://", "https:///path", "https://exa mple/", "https://a\nb/"})
    expect_failure(url, guarded(), fetch_failure::unavailable, "");
}

TEST(Freshness, IsMaxAge) {
  EXPECT_EQ(freshness_of("max-age=600", ""), 600s);
  EXPECT_EQ(freshness_of("public, MAX-AGE = 600 ,must-revalidate", ""), 600s);
  EXPECT_EQ(freshness_of("max-age=\"600\"", ""), 600s);
}

TEST(Freshness, IsReducedByTheAge) {
  EXPECT_EQ(freshness_of("max-age=600", "599"), 1s);
  EXPECT_EQ(freshness_of("max-age=600", "601"), 0s);
  EXPECT_EQ(freshness_of("max-age=600", "-1"), 600s); // not an age
}

TEST(Freshness, IsZeroByDefault) {
  for (const auto* each : {"", "public", "max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=soon",
                           "s-maxage=600", "x-max-age=600"})
    EXPECT_EQ(freshness_of(each, ""), 0s) << each;
}

TEST(Freshness, IsZeroForUncacheableResponses) {
  EXPECT_EQ(freshness_of("no-store, max-age=600", ""), 0s);
  EXPECT_EQ(freshness_of("max-age=600,No-Cache", ""), 0s);
}

TEST(Freshness, IsCapped) {
  EXPECT_EQ(freshness_of("max-age=99999999999999999999999", ""), 2'147'483'648s);
  EXPECT_EQ(freshness_of("max-age=99999999999999999999999", "99999999999999999999999"), 0s);
}

} // namespace roost::fetch::https_get_test
