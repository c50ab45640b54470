#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/store_faults.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The sources of settings, the output of `roost config`, and errors that prevent a start.
namespace roost::testing::configuration_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using words = std::vector<std::string>;
using variables = std::map<std::string, std::string>;

/// Returns the problems of a configuration file, one per line, with `F` for its path.
std::string problems_of(const std::string& toml, const words& command = {"config"}) {
  const workplace place(store_kind::sqlite);
  const auto file = place.folder().write("own.toml", toml).string();
  auto arguments = command;
  arguments.insert(arguments.end(), {"--config", file});
  const auto result = place.run_without_config(arguments);
  EXPECT_EQ(result.status, 2) << result.output;
  EXPECT_THAT(result.output, IsEmpty());
  auto errors = result.errors;
  for (auto at = errors.find(file); at != std::string::npos; at = errors.find(file))
    errors.replace(at, file.size(), "F");
  return errors;
}

TEST(Configuration, DefaultsToTheShippedFile) {
  const workplace place(store_kind::sqlite);
  const auto shipped =
      place.run_without_config({"config", "--config", std::string(ROOST_SOURCE_DIR) + "/config/roost.toml"});
  const auto none = place.run_without_config({"config"}); // the folder has no config/roost.toml
  EXPECT_EQ(none.status, 0) << none.errors;
  EXPECT_THAT(none.output, AllOf(HasSubstr("\nlisten = \"127.0.0.1:8080\"  # from default\n"),
                                 HasSubstr("\ncycle = \"30s\"  # from default\n"),
                                 HasSubstr("\nrebuild = \"10m\"  # from default\n"),
                                 HasSubstr("\nprefix = \"landlord-four\"  # from default\n")));
  EXPECT_THAT(shipped.output, HasSubstr("config/roost.toml:"));
  const auto values = [](std::string text) { // without their sources
    std::string kept;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) kept += line.substr(0, line.find("  # from ")) + "\n";
    return kept;
  };
  EXPECT_EQ(values(shipped.output), values(none.output));
}

TEST(Configuration, IsReadFromTheWorkingFolder) {
  const workplace place(store_kind::sqlite);
  std::filesystem::create_directory(place.folder() / "config");
  place.folder().write("config/roost.toml", "[bookings]\ncycle = \"7s\"\n");
  EXPECT_THAT(place.run_without_config({"config"}).output,
              HasSubstr("\ncycle = \"7s\"  # from config/roost.toml:2\n"));
}

TEST(Configuration, IsOverriddenByTheEnvironmentAndTheCommandLine) {
  workplace place(store_kind::sqlite);
  place.set("bookings.cycle", "\"7s\"");
  place.set("feeds.rebuild", "\"7m\"");
  place.set("server.max_in_flight", "7");
  const auto result =
      place.run_without_config({"config", "--config", place.config_file(), "--set", "server.max_in_flight=9",
                                "--set", "server.trusted_proxies=[\"10.0.0.0/8\"]"},
                               {{"ROOST_FEEDS_REBUILD", "8m"}, {"ROOST_SERVER_MAX_IN_FLIGHT", "8"}});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("\ncycle = \"7s\"  # from " + place.config_file() + ":"),
                                   HasSubstr("\nrebuild = \"8m\"  # from environment\n"),
                                   HasSubstr("\nmax_in_flight = 9  # from --set\n"),
                                   HasSubstr("\ntrusted_proxies = [\"10.0.0.0/8\"]  # from --set\n"),
                                   HasSubstr("\nidle_timeout = \"75s\"  # from default\n")));
}

TEST(Configuration, ShowsNoSecret) {
  const workplace place(store_kind::sqlite);
  const auto result = place.run_without_config(
      {"config"}, {{"ROOST_STORE_URL", "postgresql://roost:s3cret@127.0.0.1:1/roost"},
                   {"ROOST_MAIL_TRANSPORT", "smtps://mailer:s3cret@mail.example:465"}});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("\"postgresql://roost:***@127.0.0.1:1/roost\"  # from environment"),
                    HasSubstr("\"smtps://mailer:***@mail.example:465\""), Not(HasSubstr("s3cret"))));
  const auto refused =
      place.run_without_config({"config"}, {{"ROOST_STORE_URL", "mysql://roost:s3cret@127.0.0.1/roost"}});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("store.url"), Not(HasSubstr("s3cret"))));
}

/// The end of such a password is unknown, so no part of the URL may be repeated.
TEST(Configuration, RefusesAPasswordWithoutPercentEncodingAndHidesIt) {
  const workplace place(store_kind::sqlite);
  for (const std::string password : {"p@ssS3CRET", "S3CR%ET", "S3CR/ET", "S3CR?ET", "S3CRET@["})
    for (const std::string command : {"serve", "config", "migrate", "doctor"}) {
      const auto refused = place.run_without_config(
          {command}, {{"ROOST_STORE_URL", "postgresql://roost:" + password + "@127.0.0.1:1/roost"}});
      EXPECT_EQ(refused.status, command == "doctor" ? 1 : 2) << command << ' ' << password;
      EXPECT_THAT(refused.output + refused.errors,
                  AllOf(HasSubstr("store.url: is not a store: "),
                        HasSubstr("@ : / ? # % of a password percent-encoded"), Not(HasSubstr("S3CR")),
                        Not(HasSubstr("ET"))));
    }
}

TEST(Configuration, ReportsEveryErrorWithItsLineItsKeyAndARemedy) {
  const std::string invalid_text = "[server]\n"
                                   "listen = 8080\n"
                                   "lisen = \"127.0.0.1:80\"\n"
                                   "max_in_flight = -1\n"
                                   "[bookings]\n"
                                   "cycle = \"fast\"\n"
                                   "[mail]\n"
                                   "from = \"nobody\"\n"
                                   "transport = \"pigeon:loft\"\n"
                                   "[scheduler]\n"
                                   "policy = \"fair\"\n"
                                   "[sever]\n"
                                   "listen = \"127.0.0.1:80\"\n";
  const auto errors = problems_of(invalid_text);
  for (const auto* line :
       {"roost: F:2: server.listen: 8080 is not an IP address and a port; write for example "
        "\"127.0.0.1:8080\"\n",
        "roost: F:3: server.lisen: unknown key; did you mean server.listen?\n",
        "roost: F:4: server.max_in_flight: -1 ",
        "roost: F:6: bookings.cycle: \"fast\" is not a duration; write for example \"10s\"\n",
        "roost: F:8: mail.from: \"nobody\" is not a mail address; write for example "
        "\"no-reply@roost.example\" or \"Roost <no-reply@roost.example>\"\n",
        "roost: F:9: mail.transport: \"pigeon:loft\" is not a mail transport; write for example "
        "\"file:var/outbox\", ",
        "roost: F:11: scheduler.policy: \"fair\" ",
        "roost: F:13: sever.listen: unknown key; did you mean server.listen?\n"})
    EXPECT_THAT(errors, HasSubstr(line));
  EXPECT_EQ(std::ranges::count(errors, '\n'), 8) << errors;
  // Every command refuses the file.
  for (const words& command : std::vector<words>{{"serve"},
                                                 {"migrate"},
                                                 {"import", "x.json"},
                                                 {"token", "list"},
                                                 {"key", "list"},
                                                 {"webhook-key", "issue"}})
    EXPECT_EQ(problems_of(invalid_text, command), errors) << command[0];
}

TEST(Configuration, ValidatesPlatformsAndRelatedKeys) {
  EXPECT_THAT(problems_of("[server]\nlisten = \"127.0.0.1:81\"\n[ops]\nlisten = \"127.0.0.1:81\"\n"),
              HasSubstr("F:4: ops.listen: must differ from the public listener, 127.0.0.1:81"));
  EXPECT_THAT(problems_of("[server]\ntls_key = \"key.pem\"\n"),
              HasSubstr("F:2: server.tls_key: needs server.tls_certificate as well"));
  const std::string platform = "[[platforms]]\nname = \"a\"\nkind = \"channel-manager\"\nprefix = \"a\"\n"
                               "domains = [\"a.example\"]\n";
  EXPECT_THAT(problems_of(platform + platform),
              AllOf(HasSubstr("platforms[1].name: \"a\" is already used at F:"),
                    HasSubstr("platforms[1].prefix: \"a\" is already used")));
  EXPECT_THAT(problems_of("[[platforms]]\nname = \"X\"\nkind = \"nope\"\n"),
              AllOf(HasSubstr("platforms[0].name: \"X\" is not"),
                    HasSubstr("platforms[0].kind: \"nope\" is not"),
                    HasSubstr("platforms[0].prefix: is missing")));
}

TEST(Configuration, ReportsThePositionOfASyntaxError) {
  EXPECT_THAT(problems_of("[server]\nlisten = \n"), HasSubstr("roost: F:2: "));
  EXPECT_THAT(problems_of("[server\n"), HasSubstr("roost: F:1: "));
  const workplace place(store_kind::sqlite);
  EXPECT_EQ(place.run_without_config({"config", "--config", "none.toml"}).errors,
            "roost: none.toml: there is no such file\n");
  EXPECT_EQ(place.run_without_config({"config", "--config", "."}).errors,
            "roost: .: the file cannot be read: it is a folder\n");
}

TEST(Configuration, ReportsErrorsOfTheEnvironment) {
  const workplace place(store_kind::sqlite);
  const auto misspelled = place.run_without_config({"config"}, {{"ROOST_SERVER_LISTN", "127.0.0.1:80"}});
  EXPECT_EQ(misspelled.status, 2);
  EXPECT_EQ(misspelled.errors,
            "roost: environment: ROOST_SERVER_LISTN: no setting has this name; did you mean "
            "ROOST_SERVER_LISTEN?\n");
  EXPECT_THAT(place.run_without_config({"config"}, {{"ROOST_SERVER_LISTEN", "x"}}).errors,
              HasSubstr("environment: server.listen: \"x\" is not an IP address and a port"));
  EXPECT_EQ(place.run_without_config({"config", "--set", "server.listen"}).errors,
            "roost: --set: \"server.listen\" is not of the form section.key=value\n");
}

ROOST_FOR_SQLITE(ConfiguredServer);

TEST_P(ConfiguredServer, ServesTheConfiguredPlatforms) {
  workplace place(GetParam());
  place.set_tables("[[platforms]]\nname = \"one\"\nkind = \"channel-manager\"\nprefix = \"partner-one-7f\"\n"
                   "domains = [\"one.example\"]\n");
  place.import(portfolio_of(
      1, {{account_pointer + "/platformCards", "[]"},
          {unit_pointer(0) + "/links", R"([{"platform":"one","url":"https://one.example/rooms/u1"}])"}}));
  const running_roost server(place);
  const partner one(server.port(), "partner-one-7f", place.issue_token("one"));
  EXPECT_EQ(one.get("/listings/u1").status, 200U);
  EXPECT_THAT(one.get("/listings/u2").body, HasSubstr("Listing not found for one with externalId u2"));
  EXPECT_EQ(send_request(server.port(), "GET", "/marketplace-a/listings").status,
            404U); // the file replaces the default platforms
}

TEST_P(ConfiguredServer, EnforcesItsLimits) {
  workplace place(GetParam());
  place.set("server.max_connections", "2");
  place.set("server.header_timeout", "\"200ms\"");
  place.set("server.idle_timeout", "\"300ms\"");
  const running_roost server(place);
  raw_client first(server.port()), second(server.port());
  EXPECT_EQ(first.exchange(to_request("GET", "/nope")).status, 404U);
  EXPECT_EQ(second.exchange(to_request("GET", "/nope")).status, 404U);
  raw_client third(server.port());
  const auto refused = third.exchange(to_request("GET", "/nope"));
  EXPECT_EQ(refused.status, 503U);
  EXPECT_EQ(refused.header("retry-after"), "5");
  EXPECT_TRUE(third.is_closed_within(std::chrono::seconds(2)));
  EXPECT_TRUE(first.is_closed_within(std::chrono::seconds(2))); // idle
  raw_client slow(server.port());
  slow.send("GET /nope HTTP/1.1\r\n");
  EXPECT_EQ(slow.receive()->status, 408U);
}

TEST_P(ConfiguredServer, IsBusyWithTooManyRequestsInFlight) {
  workplace place(GetParam());
  place.set("server.max_in_flight", "1");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  raw_client slow(server.port());
  std::optional<write_block> block(place.store());
  slow.send(partner.post_text("/bookings", booking("u1", 30, 60)));
  EXPECT_TRUE(
      eventually([&] { return server.metric(R"(roost_http_requests_in_flight{listener="public"})") == 1; }));
  for (const auto& response : {partner.get("/listings"), partner.get("/listings/u1"),
                               partner.post("/bookings", booking("u1", 30, 60))}) {
    EXPECT_EQ(response.status, 503U);
    EXPECT_EQ(response.body,
              R"({"statusCode":503,"message":"The service is busy. Please try again in a moment.",)"
              R"("error":"ServiceUnavailableException"})");
    EXPECT_EQ(response.header("retry-after"), "5");
  }
  EXPECT_EQ(server.ops("/readyz").status, 200U); // the operations listener is not limited
  block.reset();
  EXPECT_EQ(slow.receive()->status, 201U);
  EXPECT_EQ(partner.get("/listings").status, 200U);
}

TEST_P(ConfiguredServer, TrustsOnlyConfiguredProxies) {
  const header_fields forwarded{{"X-Forwarded-For", "198.51.100.1, 203.0.113.7"}};
  for (const auto& [proxies, remote] :
       std::map<std::string, std::string>{{"[]", "127.0.0.1"}, {"[\"127.0.0.0/8\"]", "203.0.113.7"}}) {
    workplace place(GetParam());
    place.set("server.trusted_proxies", proxies);
    running_roost server(place);
    const auto id = send_request(server.port(), "GET", "/nope", forwarded).header("x-request-id");
    EXPECT_EQ(server.wait_for_event("request", {{"request_id", id}}).at("remote"), remote) << proxies;
  }
}

} // namespace roost::testing::configuration_test
