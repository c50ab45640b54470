#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "support/certificate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

/// The dashboard, the alerts and the documentation, compared with the metrics of a running server.
namespace roost::testing::metric_names_test {

std::string read_file(const std::string& path) {
  std::ifstream file{ROOST_SOURCE_DIR "/" + path};
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

using labels = std::map<std::string, std::string>;

/// A condition on one label in an expression. Patterns match the whole value; a missing label is empty.
struct matcher {
  std::string label, op, value;

  bool matches(const std::string& text) const {
    const bool is_pattern = op.back() == '~';
    const bool same = is_pattern ? std::regex_match(text, std::regex{value}) : text == value;
    return same == (op.front() == '=');
  }
};

/// A metric with conditions on its labels.
struct selection {
  std::string name;
  std::vector<matcher> matchers;

  bool matches(const labels& series) const {
    return std::ranges::all_of(matchers, [&](const matcher& each) {
      const auto label = series.find(each.label);
      return each.matches(label == series.end() ? "" : label->second);
    });
  }
  std::string text() const {
    std::string line = name;
    for (const auto& [label, op, value] : matchers) line += " " + label + op + value;
    return line;
  }
};

/// Parses the matchers of a selection, except those of the scrape job. A pattern of plain alternatives
/// becomes one selection per alternative.
std::vector<selection> selections_of(const std::string& name, const std::string& matchers) {
  static const std::regex label{R"re(([a-z_]+)(=~|!~|!=|=)"([^"]*)")re"}, plain{R"([a-zA-Z0-9_|]+)"};
  std::vector<selection> selections{{name, {}}};
  for (std::sregex_iterator pair{matchers.begin(), matchers.end(), label}, end; pair != end; ++pair) {
    const std::string key = (*pair)[1], op = (*pair)[2], values = (*pair)[3];
    if (key == "job" || key == "instance") continue;
    const bool is_alternatives = op == "=~" && std::regex_match(values, plain);
    std::vector<selection> more;
    std::istringstream alternatives{is_alternatives ? values : "all"};
    for (std::string value; std::getline(alternatives, value, '|');)
      for (auto one : selections) {
        one.matchers.push_back(is_alternatives ? matcher{key, "=", value} : matcher{key, op, values});
        more.push_back(std::move(one));
      }
    selections = std::move(more);
  }
  return selections;
}

std::vector<selection> selections_in(std::string text) {
  text = std::regex_replace(text, std::regex{R"(\\")"}, "\""); // unescapes JSON
  std::vector<selection> selections;
  const std::regex metric{R"(((?:roost|process)_[a-z_]+)(\{([^}]*)\})?)"};
  for (std::sregex_iterator each{text.begin(), text.end(), metric}, end; each != end; ++each)
    std::ranges::move(selections_of((*each)[1], (*each)[3]), std::back_inserter(selections));
  return selections;
}

/// Parses the series of a scrape, by metric name.
std::map<std::string, std::vector<labels>> series_in(const std::string& scrape) {
  static const std::regex label{R"re(([a-z_]+)="([^"]*)")re"};
  std::map<std::string, std::vector<labels>> series;
  std::istringstream lines{scrape};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    labels parsed;
    for (std::sregex_iterator pair{line.begin(), line.end(), label}, end; pair != end; ++pair)
      parsed[(*pair)[1]] = (*pair)[2];
    series[line.substr(0, line.find_first_of("{ "))].push_back(std::move(parsed));
  }
  return series;
}

/// Whether this is a series of a histogram, which appears with its first value. Documents mark histograms.
bool is_of_histogram(const std::string& name) {
  static const std::string manual = read_file("docs/operations.md");
  static const std::regex suffix{"_(bucket|sum|count)$"};
  const auto base = std::regex_replace(name, suffix, "");
  return base != name && std::regex_search(manual, std::regex{"\\| `" + base + "` \\|[^|]*\\| Histogram: "});
}

/// Whether the counters of this selection appear with their first value. The alerts treat an appearance as an
/// increase.
bool appears_later(const selection& wanted) {
  return wanted.name == "roost_http_requests_total" &&
         std::ranges::any_of(wanted.matchers, [](const matcher& each) {
           return each.label == "status" && each.value != "401";
         });
}

/// The platforms and lanes of a server, and the routes that require a partner's credential, as labels; each
/// must have its own series.
struct subjects {
  std::vector<labels> routes, platforms, lanes;

  /// Returns the subjects that the series of a metric distinguish.
  std::vector<labels> of(const std::string& metric, const std::vector<labels>& series) const {
    const auto has = [&](const char* label) { return series.front().contains(label); };
    if (has("route")) return routes;
    if (has("lane")) return lanes;
    if (!has("platform")) return {};
    if (metric.starts_with("roost_full_feed")) return {platforms.begin(), platforms.begin() + 4}; // A to D
    return platforms;
  }
};

/// Returns the selections of a file without series in a fresh scrape, although they should exist from the
/// start: at all, or for a route, platform or lane.
std::set<std::string> missing_in(const std::string& scrape, const std::string& file, const subjects& known) {
  const auto selections = selections_in(read_file(file));
  const auto series = series_in(scrape);
  EXPECT_GT(selections.size(), 20U) << file;
  std::set<std::string> missing;
  for (const auto& each : selections) {
    if (is_of_histogram(each.name) || appears_later(each)) continue;
    const auto metric = series.find(each.name);
    std::vector<labels> selected;
    if (metric != series.end())
      std::ranges::copy_if(metric->second, std::back_inserter(selected),
                           [&](const labels& one) { return each.matches(one); });
    if (selected.empty()) {
      missing.insert(each.text());
      continue;
    }
    for (const auto& subject : known.of(each.name, metric->second)) {
      const auto is_selected = std::ranges::all_of(each.matchers, [&](const matcher& one) {
        const auto value = subject.find(one.label);
        return value == subject.end() || one.matches(value->second);
      });
      const auto is_of_subject = [&](const labels& one) {
        return std::ranges::all_of(subject,
                                   [&](const auto& label) { return one.at(label.first) == label.second; });
      };
      if (is_selected && std::ranges::none_of(selected, is_of_subject))
        missing.insert(each.text() + " of " +
                       std::accumulate(subject.begin(), subject.end(), std::string{},
                                       [](const std::string& line, const auto& label) {
                                         return line + " " + label.second;
                                       }));
    }
  }
  return missing;
}

/// Whether a route is an extension of the specification: the other routes of its prefix take the same token,
/// and their counters show that it is refused.
bool is_extension(const std::string& method, const std::string& path) {
  return path.ends_with("/quote") || path.ends_with("/bookings/{bookingId}") ||
         path.ends_with("/changes/{changeId}") || path.ends_with("/holds/{holdId}") ||
         (method == "GET" && path.ends_with("/bookings"));
}

class MetricNames : public ::testing::TestWithParam<store_kind> {
protected:
  /// Returns the first scrape of a server with all optional features enabled.
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

  /// Returns the subjects as listed by the program's commands.
  subjects subjects_of_server() const {
    subjects all;
    rapidjson::Document list;
    list.Parse(place_.run_or_throw({"routes", "--json"}).c_str());
    for (const auto& route : list.GetArray()) {
      const std::string needs = route["needs"].GetString();
      if (!needs.starts_with("a token of ") && needs != "a usage key") continue;
      const std::string method = route["method"].GetString(), path = route["path"].GetString();
      if (is_extension(method, path)) continue;
      all.routes.push_back({{"listener", "public"}, {"method", method}, {"route", path}});
    }
    const auto configuration = place_.run_or_throw({"config"});
    const std::regex platform{R"re(\[\[platforms\]\]\nname = "([^"]+)")re"};
    for (std::sregex_iterator each{configuration.begin(), configuration.end(), platform}, end; each != end;
         ++each)
      all.platforms.push_back({{"platform", (*each)[1]}});
    for (const auto* lane :
         {"acknowledgements", "decisions", "reads_and_mail", "management", "ledger", "office"})
      all.lanes.push_back({{"lane", lane}});
    if (GetParam() == store_kind::postgresql) all.lanes.push_back({{"lane", "more_acknowledgements"}});
    EXPECT_GT(all.routes.size(), 30U);
    EXPECT_EQ(all.platforms.size(), 12U);
    return all;
  }

  workplace place_{GetParam()};
  certificate certificate_{place_.folder().path()};
};

INSTANTIATE_TEST_SUITE_P(Stores, MetricNames, ::testing::Values(store_kind::sqlite, store_kind::postgresql),
                         [](const auto& kind) { return to_string(kind.param); });

TEST_P(MetricNames, ExistFromTheStartIfTheDashboardOrAnAlertUsesThem) {
  const auto scrape = fresh_scrape();
  const auto known = subjects_of_server();
  EXPECT_THAT(missing_in(scrape, "config/grafana-dashboard.json", known), ::testing::IsEmpty());
  EXPECT_THAT(missing_in(scrape, "config/prometheus-rules.yml", known), ::testing::IsEmpty());
}

TEST_P(MetricNames, AreInTheOperationsManualAndOnTheDashboard) {
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

TEST(KindsOfStorageJobs, AreAllInTheOperationsManual) {
  const auto manual = read_file("docs/operations.md");
  const auto begin = manual.find("Kinds of storage jobs: ");
  ASSERT_NE(begin, std::string::npos);
  const auto documented = manual.substr(begin, manual.find("\n\n", begin) - begin);
  const std::regex kind{R"re(\b(?:in_storage|in_store)\([^"\[]*"(\w+)"|\bkind = "(\w+)")re"};
  std::set<std::string> kinds;
  for (const auto& file : std::filesystem::recursive_directory_iterator(ROOST_SOURCE_DIR "/src/actors")) {
    if (!file.is_regular_file()) continue;
    const auto source = read_file(std::filesystem::relative(file.path(), ROOST_SOURCE_DIR).string());
    for (std::sregex_iterator each{source.begin(), source.end(), kind}, end; each != end; ++each)
      kinds.insert((*each)[1].matched ? (*each)[1] : (*each)[2]);
  }
  EXPECT_GT(kinds.size(), 30U);
  for (const auto& each : kinds)
    EXPECT_NE(documented.find("`" + each + "`"), std::string::npos)
        << each << " is not in docs/operations.md";
}

TEST(MetricNamesOfHistograms, AreOnTheDashboard) {
  const auto manual = read_file("docs/operations.md"), dashboard = read_file("config/grafana-dashboard.json");
  const std::regex histogram{R"(\n\| `(roost_[a-z_]+)` \|[^|]*\| Histogram: )"};
  const std::sregex_iterator first{manual.begin(), manual.end(), histogram}, end;
  EXPECT_GE(std::distance(first, end), 13);
  for (auto each = first; each != end; ++each)
    EXPECT_NE(dashboard.find((*each)[1].str() + "_bucket"), std::string::npos) << (*each)[1];
}

TEST(AlertRules, PassPromtool) {
  if (std::system("command -v promtool > /dev/null") != 0)
    GTEST_SKIP() << "promtool is not installed (Debian's package prometheus)";
  EXPECT_EQ(std::system("promtool check rules " ROOST_SOURCE_DIR "/config/prometheus-rules.yml"), 0);
  EXPECT_EQ(std::system("cd " ROOST_SOURCE_DIR "/tests/service/alerts && promtool test rules rules_test.yml"),
            0);
}

TEST(AlertRules, HavePromtoolTests) {
  const auto rules = read_file("config/prometheus-rules.yml"),
             tests = read_file("tests/service/alerts/rules_test.yml");
  const std::regex alert{R"(- alert: (\w+))"};
  for (std::sregex_iterator each{rules.begin(), rules.end(), alert}, end; each != end; ++each)
    EXPECT_NE(tests.find("alertname: " + std::string{(*each)[1]} + "\n        exp_alerts:"),
              std::string::npos)
        << (*each)[1];
}

TEST(AlertRules, AreInTheOperationsManual) {
  const auto rules = read_file("config/prometheus-rules.yml"), manual = read_file("docs/operations.md");
  const std::regex alert{R"(- alert: (\w+))"};
  for (std::sregex_iterator each{rules.begin(), rules.end(), alert}, end; each != end; ++each)
    EXPECT_NE(manual.find((*each)[1]), std::string::npos) << (*each)[1];
}

} // namespace roost::testing::metric_names_test
