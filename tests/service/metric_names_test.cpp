#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "support/certificate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

/// The dashboard, the alerts and the documentation against the metrics of a running server.
namespace roost::testing::metric_names_test {

std::string read_file(const std::string& path) {
  std::ifstream file{ROOST_SOURCE_DIR "/" + path};
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A metric as an expression selects it: the labels that must have a certain value.
struct selection {
  std::string name;
  std::vector<std::string> labels; ///< `state="New"`
};

/// The one metric of a selection with these labels, in as many as its alternatives of plain values.
std::vector<selection> with_labels(const std::string& name, const std::string& inside) {
  static const std::regex label{R"re(([a-z_]+)(=~?)"([^"]*)")re"}, plain{R"([a-zA-Z0-9_|]+)"};
  std::vector<selection> found{{name, {}}};
  for (std::sregex_iterator pair{inside.begin(), inside.end(), label}, end; pair != end; ++pair) {
    const std::string key = (*pair)[1], values = (*pair)[3];
    if (key == "job" || key == "instance" || !std::regex_match(values, plain)) continue;
    std::vector<selection> more;
    std::istringstream alternatives{values};
    for (std::string value; std::getline(alternatives, value, '|');)
      for (auto one : found) {
        one.labels.push_back(std::string{key}.append("=\"").append(value).append("\""));
        more.push_back(std::move(one));
      }
    found = std::move(more);
  }
  return found;
}

std::vector<selection> selections_in(std::string text) {
  text = std::regex_replace(text, std::regex{R"(\\")"}, "\""); // as JSON writes it
  std::vector<selection> found;
  const std::regex metric{R"(((?:roost|process)_[a-z_]+)(\{([^}]*)\})?)"};
  for (std::sregex_iterator each{text.begin(), text.end(), metric}, end; each != end; ++each)
    std::ranges::move(with_labels((*each)[1], (*each)[3]), std::back_inserter(found));
  return found;
}

/// Whether a line of the scrape is a sample of it.
bool is_there(const selection& wanted, const std::string& scrape) {
  std::istringstream lines{scrape};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(wanted.name) || line.size() == wanted.name.size()) continue;
    if (const char next = line[wanted.name.size()]; next != '{' && next != ' ') continue;
    if (std::ranges::all_of(wanted.labels,
                            [&](const auto& label) { return line.find(label) != std::string::npos; }))
      return true;
  }
  return false;
}

std::set<std::string> missing_in(const std::string& scrape, const std::string& file) {
  const auto wanted = selections_in(read_file(file));
  EXPECT_GT(wanted.size(), 20U) << file;
  std::set<std::string> missing;
  for (const auto& each : wanted)
    if (!is_there(each, scrape)) {
      std::string text = each.name;
      for (const auto& label : each.labels) text += " " + label;
      missing.insert(text);
    }
  return missing;
}

class MetricNames : public ::testing::TestWithParam<store_kind> {
protected:
  /// A server with everything on that has metrics, before anything has happened.
  std::string fresh_scrape() {
    place_.set("sessions.identity_jwks", "\"keys.json\"");
    place_.set("sessions.identity_issuer", "\"https://issuer.example\"");
    place_.set("sessions.identity_audience", "\"roost\"");
    place_.set("connector.client_documents", R"(["assistant.example"])");
    place_.set("server.tls_certificate", '"' + certificate_.certificate_file + '"');
    place_.set("server.tls_key", '"' + certificate_.key_file + '"');
    place_.import(portfolio_of(2));
    const running_roost server(place_);
    std::string scrape;
    eventually([&] { // the writer counts the queue every two seconds
      scrape = server.ops("/metrics").body;
      return scrape.find(R"(roost_store_jobs_total{kind="count_requests",outcome="done"})") !=
             std::string::npos;
    });
    return scrape;
  }

  workplace place_{GetParam()};
  certificate certificate_{place_.folder().path()};
};

INSTANTIATE_TEST_SUITE_P(Stores, MetricNames, ::testing::Values(store_kind::sqlite, store_kind::postgresql),
                         [](const auto& kind) { return to_string(kind.param); });

TEST_P(MetricNames, OfTheDashboardAndTheAlertsExistFromTheStart) {
  const auto scrape = fresh_scrape();
  EXPECT_THAT(missing_in(scrape, "config/grafana-dashboard.json"), ::testing::IsEmpty());
  EXPECT_THAT(missing_in(scrape, "config/prometheus-rules.yml"), ::testing::IsEmpty());
}

TEST_P(MetricNames, AreAllInTheOperationsManualAndOnTheDashboard) {
  const auto scrape = fresh_scrape();
  const auto manual = read_file("docs/operations.md"), dashboard = read_file("config/grafana-dashboard.json");
  std::istringstream lines{scrape};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# TYPE ")) continue;
    const auto name = line.substr(7, line.find(' ', 7) - 7);
    EXPECT_NE(manual.find("`" + name + "`"), std::string::npos) << name << " is not in docs/operations.md";
    EXPECT_NE(dashboard.find(name), std::string::npos) << name << " is not on the dashboard";
  }
}

TEST(AlertRules, AreInOrderForPromtool) {
  if (std::system("command -v promtool > /dev/null") != 0)
    GTEST_SKIP()
        << "promtool is not installed (Debian's package prometheus): the rules are not checked with it";
  EXPECT_EQ(std::system("promtool check rules " ROOST_SOURCE_DIR "/config/prometheus-rules.yml"), 0);
  EXPECT_EQ(std::system("cd " ROOST_SOURCE_DIR "/tests/service/alerts && promtool test rules rules_test.yml"),
            0);
}

TEST(AlertRules, AllHaveATestForPromtool) {
  const auto rules = read_file("config/prometheus-rules.yml"),
             tests = read_file("tests/service/alerts/rules_test.yml");
  const std::regex alert{R"(- alert: (\w+))"};
  for (std::sregex_iterator each{rules.begin(), rules.end(), alert}, end; each != end; ++each)
    EXPECT_NE(tests.find("alertname: " + std::string{(*each)[1]} + "\n        exp_alerts:"),
              std::string::npos)
        << (*each)[1];
}

TEST(AlertRules, AreAllInTheOperationsManual) {
  const auto rules = read_file("config/prometheus-rules.yml"), manual = read_file("docs/operations.md");
  const std::regex alert{R"(- alert: (\w+))"};
  for (std::sregex_iterator each{rules.begin(), rules.end(), alert}, end; each != end; ++each)
    EXPECT_NE(manual.find((*each)[1]), std::string::npos) << (*each)[1];
}

} // namespace roost::testing::metric_names_test
