#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

/// The log: one line per event, with request ids and without secrets.
namespace roost::testing::logging_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

ROOST_FOR_SQLITE(Logging);

TEST_P(Logging, NamesTheRequestIdOfAResponse) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  struct expectation {
    raw_response received;
    std::string line;
  };
  std::set<std::string> ids;
  for (const auto& [received, line] : std::vector<expectation>{
           {partner.post("/bookings", booking("u1", 30, 60)),
            " method=POST route=/marketplace-a/bookings status=201 us="},
           {partner.post("/bookings", "{}"), " method=POST route=/marketplace-a/bookings status=400 us="},
           {partner.get("/listings/none"),
            " method=GET route=/marketplace-a/listings/{externalId} status=404 us="},
           {send_request(server.port(), "GET", "/marketplace-a/listings"),
            " method=GET route=/marketplace-a/listings status=401 us="},
           {send_request(server.port(), "GET", "/some/other/path"),
            " method=GET route=unmatched status=404 us="},
           {server.ops("/nope"), " listener=ops method=GET route=unmatched status=404 us="},
       }) {
    const auto id = received.header("x-request-id");
    EXPECT_THAT(id, MatchesRegex("[0-9a-f]{16}"));
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_THAT(server.wait_for_log({" request_id=" + id}),
                AllOf(HasSubstr(" info request "), HasSubstr(line), HasSubstr(" remote=127.0.0.1")));
  }
  // Successful reads are counted, not logged.
  const auto id = partner.get("/listings").header("x-request-id");
  EXPECT_THAT(id, MatchesRegex("[0-9a-f]{16}"));
  EXPECT_EQ(server.stop(), 0);
  EXPECT_THAT(server.log(), Not(HasSubstr(id)));
}

TEST_P(Logging, StartsWithTheVersionAndTheConfiguration) {
  workplace place(GetParam());
  running_roost server(place);
  const auto line = server.wait_for_log({" info starting "});
  EXPECT_THAT(line, AllOf(HasSubstr(" version="), HasSubstr(" schema="), HasSubstr(" policy=asio"),
                          HasSubstr(" io_threads="), HasSubstr(" store=")));
}

TEST(LoggingAtStartup, MasksThePasswordOfTheStore) {
  workplace place(store_kind::postgresql);
  auto url = place.store().url();
  place.set("store.url", '"' + url.replace(url.find('@'), 1, ":the-password@") + '"');
  running_roost server(place);
  EXPECT_THAT(server.wait_for_log({" info starting "}), HasSubstr(":***@"));
  EXPECT_EQ(server.stop(), 0);
  EXPECT_THAT(server.log(), Not(HasSubstr("the-password")));
}

TEST_P(Logging, IsJsonIfConfigured) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  running_roost server(place);
  place.set("log.format", "\"json\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_log({R"("event":"configuration_reloaded")"});
  const auto partner = server.partner_of("marketplace-a");
  partner.post("/bookings", "{}");
  const auto line = server.wait_for_log({R"("event":"request")", R"("status":400)"});
  EXPECT_EQ(json_at(line, "/level"), R"("info")");
  EXPECT_EQ(json_at(line, "/status"), "400");
  EXPECT_EQ(json_at(line, "/method"), R"("POST")");
  EXPECT_THAT(json_at(line, "/time"), MatchesRegex(R"("[-0-9]+T[:.0-9]+Z")"));
  EXPECT_EQ(server.stop(), 0);
  const auto log = server.log();
  std::istringstream lines{log.substr(log.find("\n{") + 1)}; // starting with the line about the change
  for (std::string text; std::getline(lines, text);) EXPECT_NE(json_at(text, "/event"), "") << text;
}

TEST_P(Logging, OmitsRequestsThatAStandbyRefuses) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost writer(place);
  running_roost second(place, started::listening);
  second.wait_for_event("standing_by");
  const auto partner = second.partner_of("marketplace-a");
  EXPECT_EQ(partner.get("/listings").status, 503U);
  EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 503U);
  EXPECT_EQ(second.ops("/readyz").status, 503U);
  EXPECT_EQ(send_request(second.port(), "GET", "/some/other/path").status, 404U); // still logged
  second.wait_for_log({" info request ", " status=404 "});
  EXPECT_EQ(second.stop(), 0);
  EXPECT_THAT(second.log(), Not(HasSubstr("status=503")));
}

TEST_P(Logging, ContainsNeitherSecretsNorPersonalData) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const auto key = place.run_or_throw({"webhook-key", "issue"});
  const std::string path = "/marketplace-a/bookings";
  partner.post("/bookings", booking("u1", 30, 60));
  server.wait_for_event("booking_created");
  partner.post("/bookings", booking("u1", 30, 60));
  server.wait_for_event("mail_sent");
  partner.post("/bookings", booking("u1", 30, 60, {{"/tenant/email", "7"}}));
  partner.post("/bookings", booking("u1", 30, 60) + "x");
  send_request(server.port(), "POST", path,
               {{"x-api-key", key.substr(0, key.size() - 1)}, {"Content-Type", "text/plain"}},
               booking("u1", 30, 60));
  send_request(server.port(), "GET", "/marketplace-a/listings?token=" + partner.token());
  send_request(server.port(), "GET", "/nope/eva@tenant.example",
               {{"Authorization", "Bearer " + partner.token() + "x"}});
  send_request(server.port(), "GET", "/marketplace-a/listings", {{"Authorization", partner.token()}});
  place.run_or_throw({"user", "password", "ana@casaverde.example"}, "a-new-password\n");
  EXPECT_EQ(server.stop(), 0);
  const auto log = server.log();
  for (const auto& secret : {partner.token(), key.substr(0, 12), std::string("Bearer"), std::string("Eva"),
                             std::string("Lindqvist"), std::string("eva@"), std::string("ana@casaverde"),
                             std::string("ana-only"), std::string("a-new-password")})
    EXPECT_THAT(log, Not(HasSubstr(secret)));
  EXPECT_THAT(server.process().output(), ::testing::IsEmpty());
}

TEST_P(Logging, WritesOneLinePerEvent) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  partner.get("/listings/%0Ainfo%20forged%20line");
  send_request(server.port(), "GET", "/nope\x7f");
  partner.post("/bookings", booking("u1", 30, 60));
  EXPECT_EQ(server.stop(), 0);
  for (const auto& line : server.process().lines())
    EXPECT_THAT(line, MatchesRegex("[0-9-]{10}T[0-9:.]{12}Z (debug|info|warn|error) [a-z_]+"
                                   "( [a-z_]+=([^ \"]+|\"[^\"]*\"))*"));
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(LogEvents, AreAllInTheOperationsManual) {
  const std::filesystem::path project{ROOST_SOURCE_DIR};
  const auto manual = text_of(project / "docs/operations.md");
  const std::regex event{R"re(log::(?:info|warn|error|debug)\(\s*"(\w+)")re"};
  std::set<std::string> names;
  for (const auto& file : std::filesystem::recursive_directory_iterator(project / "src")) {
    if (file.path().extension() != ".cpp") continue;
    const auto source = text_of(file.path());
    for (std::sregex_iterator each{source.begin(), source.end(), event}, none; each != none; ++each)
      names.insert((*each)[1]);
  }
  EXPECT_GT(names.size(), 50U);
  for (const auto& name : names) EXPECT_THAT(manual, HasSubstr("`" + name + "`"));
}

} // namespace roost::testing::logging_test
