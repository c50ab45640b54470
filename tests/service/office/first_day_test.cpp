#include "service/support/office.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

/// The commands of "A first day" in docs/office-api.md, as they are written there.
namespace roost::testing::office_first_day_test {
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Returns the commands of the shell block below a heading, without comments, each on one or several lines.
std::vector<std::string> commands_of(const std::string& file, const std::string& heading) {
  std::ifstream manual{ROOST_SOURCE_DIR "/" + file};
  std::stringstream text;
  text << manual.rdbuf();
  const auto all = text.str();
  const auto begin = all.find("```sh\n", all.find("\n" + heading + "\n")) + 6;
  std::istringstream block{all.substr(begin, all.find("```\n", begin) - begin)};
  std::vector<std::string> commands;
  bool is_continued = false;
  for (std::string line; std::getline(block, line);) {
    if (!is_continued && (line.empty() || line.starts_with('#'))) continue;
    if (!is_continued) commands.emplace_back();
    auto& command = commands.back();
    is_continued = line.ends_with('\\');
    command += (is_continued ? line.substr(0, line.size() - 1) : line + "\n");
    is_continued |= std::ranges::count(command, '\'') % 2 != 0;
  }
  return commands;
}

/// Moves the dates of the guide, which are in one year, to the next one.
std::string in_the_next_year(const std::string& command) {
  const auto year = day_from_now(366).substr(0, 4);
  return std::regex_replace(command, std::regex{"\\b2027-"}, year + "-");
}

/// One request of the guide, as curl sends it.
struct guide_request {
  std::string method = "GET", path, body, variable, pointer;
  header_fields fields;
  bool is_of_office = false; ///< sent with the function `api`
};

/// Returns the words of a command: without quotes, and variables not in single quotes with their values.
std::vector<std::string> words_of(const std::string& command,
                                  const std::function<std::string(const std::string&)>& value_of) {
  std::vector<std::string> words;
  char quote = 0;
  bool is_open = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && (c == ' ' || c == '\n')) {
      is_open = false;
      continue;
    }
    if (!std::exchange(is_open, true)) words.emplace_back();
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '$' && quote != '\'') {
      std::string name;
      while (i + 1 < command.size() && std::isalnum(static_cast<unsigned char>(command[i + 1])) != 0)
        name += command[++i];
      words.back() += value_of(name);
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// Parses `api …`, `curl …` and `variable=$(api … | jq -r .member)`.
guide_request request_of(std::string command,
                         const std::function<std::string(const std::string&)>& value_of) {
  guide_request request;
  static const std::regex assignment{R"re(^(\w+)=\$\(([\s\S]*)\)\n$)re"};
  if (std::smatch parts; std::regex_match(command, parts, assignment)) {
    request.variable = parts[1];
    command = std::string(parts[2]);
  }
  const auto words = words_of(command, value_of);
  request.is_of_office = words.at(0) == "api";
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "|") {
      static const std::regex index{R"re(\[(\d+)\])re"};
      request.pointer = std::regex_replace(words.back(), index, ".$1");
      std::ranges::replace(request.pointer, '.', '/');
      break;
    }
    if (word == "-X") {
      request.method = words.at(++i);
    } else if (word == "-H") {
      const auto& field = words.at(++i);
      const auto colon = field.find(": ");
      request.fields.emplace_back(field.substr(0, colon), field.substr(colon + 2));
    } else if (word == "-d") {
      request.body = words.at(++i);
      if (request.method == "GET") request.method = "POST";
    } else if (word != "-s") {
      request.path = word;
    }
  }
  return request;
}

/// Runs the commands of the guide against a server.
class guide {
public:
  explicit guide(office_fixture& office) : office_(office) {
    values_["site"] = "";
    values_["PARTNER"] = office.place.issue_token("marketplace-a");
    for (const auto& each : commands_of("docs/office-api.md", "## A first day"))
      if (!each.starts_with("api()") && !each.starts_with("site="))
        commands_.push_back(in_the_next_year(each));
  }

  /// Runs the next command, and returns its response.
  raw_response run_next() {
    auto response = run(next_);
    ++next_;
    return response;
  }

  /// Runs the last command that ran once more.
  raw_response run_again() { return run(next_ - 1); }

  /// Whether all commands have run.
  bool is_finished() const { return next_ == commands_.size(); }

  /// The commands that ran, as `POST /api/properties 201`.
  std::vector<std::string> log;

  std::string value_of(const std::string& name) const { return values_.at(name); }

private:
  raw_response run(std::size_t index) {
    const auto& command = commands_.at(index);
    const auto request = request_of(command, [this](const std::string& name) { return values_.at(name); });
    const auto shown = request_of(command, [](const auto& name) { return name == "site" ? "" : "$" + name; });
    auto response = request.is_of_office
                        ? office_.send(request.method, request.path, request.body, request.fields)
                        : send_request(office_.server->port(), request.method, request.path, request.fields,
                                       request.body);
    log.push_back(request.method + ' ' + shown.path + ' ' + std::to_string(response.status));
    if (!request.variable.empty()) values_[request.variable] = string_at(response, request.pointer);
    return response;
  }

  office_fixture& office_;
  std::map<std::string, std::string> values_;
  std::vector<std::string> commands_;
  std::size_t next_ = 0;
};

class FirstDay : public ::testing::TestWithParam<store_kind> {};
ROOST_ON_EACH_STORE(FirstDay);

TEST_P(FirstDay, LeadsFromAnEmptyAccountToABookedRoom) {
  office_fixture office(
      GetParam(), {{"bookings.cycle", "\"1s\""}},
      {{account_pointer + "/properties", "[]"}, {account_pointer + "/platformCards", "[]"}});
  ASSERT_EQ(json_at(office.send("GET", "/api/units").body, "/total"), "0");
  guide day(office);
  for (int i = 0; i < 3; ++i) day.run_next();
  const auto unlinked = office.send("GET", "/api/units/" + day.value_of("unit") + "/preview/marketplace-a");
  EXPECT_EQ(string_at(unlinked, "/reasons/0/code"), "not_linked");
  day.run_next();
  EXPECT_EQ(json_at(day.run_next().body, "/published"), "true");
  EXPECT_THAT(day.run_next().body, HasSubstr(R"("rent":683,)"));
  for (int i = 0; i < 2; ++i) day.run_next();
  day.run_next();
  EXPECT_TRUE(day.is_finished());
  EXPECT_THAT(day.log,
              ElementsAre("PUT /api/platforms/marketplace-a/card 201", "POST /api/properties 201",
                          "GET /api/units?property=$property 200",
                          "PUT /api/units/$unit/links/marketplace-a 200",
                          "GET /api/units/$unit/preview/marketplace-a 200",
                          "GET /marketplace-a/listings/rua-1-a 200", "POST /api/units/$unit/blocks 201",
                          "POST /marketplace-a/bookings 201", "GET /api/bookings?unit=$unit 200"));
  EXPECT_TRUE(eventually([&] { return json_at(day.run_again().body, "/total") == "1"; }));
  EXPECT_EQ(office.decisions(), std::vector<std::string>{"Success"});
  EXPECT_EQ(office.place.run({"export"}).status, 0);
  office.place.run_or_throw({"export", "--out", (office.place.folder() / "exported.json").string()});
  office.place.run_or_throw({"import", (office.place.folder() / "exported.json").string()});
  EXPECT_THAT(office.partner_of("marketplace-a").get("/listings/rua-1-a").body, HasSubstr(R"("rent":683,)"))
      << "exports import back";
}

} // namespace roost::testing::office_first_day_test
