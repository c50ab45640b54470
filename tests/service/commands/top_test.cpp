#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

/// roost top: a view of a running server.
namespace roost::testing::top_test {
using ::testing::HasSubstr;

ROOST_FOR_SQLITE(Top);

/// Returns the arguments of `roost top` for the port of a server's operations listener.
std::vector<std::string> top_arguments(const running_roost& server, std::vector<std::string> options) {
  options.insert(options.begin(),
                 {"top", "--set", "ops.listen=127.0.0.1:" + std::to_string(server.ops_port())});
  return options;
}

TEST_P(Top, ShowsARunningServerOnceIn80Columns) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  const running_roost server(place);
  const auto text = place.run_or_throw(top_arguments(server, {"--once"}));
  EXPECT_THAT(text, HasSubstr("writer, ready"));
  EXPECT_THAT(text, HasSubstr("units 3 "));
  for (const auto* part :
       {"LATENCY", "decisions", "THREAD", "io-0", "STORE LANE", "acknowledgements", "ACTOR", "unit_calendar"})
    EXPECT_THAT(text, HasSubstr(part));
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_EQ(text.find('\033'), std::string::npos); // standard output is not a terminal here
}

TEST_P(Top, ShowsItAsJson) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  for (int i = 0; i < 32; ++i) partner.get("/listings/u1");
  const auto json = place.run_or_throw(top_arguments(server, {"--once", "--json"}));
  EXPECT_EQ(json_at(json, "/units"), "3.0");
  EXPECT_EQ(json_at(json, "/ready"), "true");
  EXPECT_EQ(json_at(json, "/latencies/2/of"), R"("decisions")");
  EXPECT_NE(json_at(json, "/busiest_units/0/name"), "");
}

TEST_P(Top, ReportsAMissingServerInOneLine) {
  workplace place(GetParam());
  for (const auto& options : {std::vector<std::string>{"--once"}, std::vector<std::string>{}}) {
    auto call = options;
    call.insert(call.begin(), {"top", "--set", "ops.listen=127.0.0.1:1"});
    const auto result = place.run(call);
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, "roost: no server answers at 127.0.0.1:1 (ops.listen): Connection refused\n");
  }
}

TEST_P(Top, ReportsThatTheListenerIsNotAnOperationsListener) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto result =
      place.run({"top", "--once", "--set", "ops.listen=127.0.0.1:" + std::to_string(server.port())});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.errors, HasSubstr("is not a Roost operations listener"));
}

TEST_P(Top, SupportsJsonOnlyWithOnce) {
  workplace place(GetParam());
  const auto result = place.run({"top", "--json"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.errors, "roost: --json requires --once\n");
}

/// Runs in a terminal created by util-linux's `script`.
TEST_P(Top, RestoresTheTerminalAfterQ) {
  if (std::system("command -v script > /dev/null") != 0)
    GTEST_SKIP() << "util-linux's script is not installed";
  workplace place(GetParam());
  const running_roost server(place);
  child_process terminal({.program = "/usr/bin/env",
                          .arguments = {"script", "-qefc",
                                        std::string{ROOST_PROGRAM} + " top --config " + place.config_file() +
                                            " --set ops.listen=127.0.0.1:" +
                                            std::to_string(server.ops_port()) + "; echo ended with $?",
                                        "/dev/null"},
                          .folder = place.folder().path(),
                          .input = "q"});
  ASSERT_TRUE(terminal.wait_for_end(running_roost::stop_timeout));
  const auto text = terminal.output();
  EXPECT_THAT(text, HasSubstr("\033[?1049h"));
  EXPECT_THAT(text, HasSubstr("\033[?25h\033[?1049l"));
  EXPECT_THAT(text, HasSubstr("ended with 0"));
}

} // namespace roost::testing::top_test
