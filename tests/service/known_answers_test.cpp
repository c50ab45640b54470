#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <map>
#include <sstream>

/// Requests of every kind, most of them wrong in some way, with the exact status and text that partners are
/// answered: tests/golden/answers.json. What stands there in braces is filled in; `differs` says why an
/// answer is not what the usual framework of such services would say.
namespace roost::testing::known_answers_test {
ROOST_FOR_EACH_STORE(KnownAnswers);

/// The landlord LK1 with the unit L1, and one who has moved to the native engine.
std::string two_landlords() {
  auto unit = unit_json(1);
  boost::replace_all(unit, R"("u1")", R"("L1")");
  auto first = edited(empty_portfolio, {{the_account + "/landlordKey", R"("LK1")"},
                                        {the_property + "/units", "[" + unit + "]"}});
  const auto moved =
      edited(empty_portfolio, {{the_account + "/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002")"},
                               {the_account + "/landlordKey", R"("LK2")"},
                               {the_account + "/users", "[]"},
                               {the_account + "/properties", "[]"},
                               {the_account + "/bookingEngine", R"({"native":true})"}});
  return edited(first, {{"/accounts/1", json_at(moved, "/accounts/0")}});
}

std::string one_line_of(const workplace& at, const std::vector<std::string>& command) {
  const auto output = at.run_well(command);
  return output.substr(0, output.find('\n'));
}

/// What the cases leave open.
std::map<std::string, std::string> filled_in(const workplace& at) {
  std::map<std::string, std::string> values{
      {"{account key}", one_line_of(at, {"key", "issue", "--account", account_id})},
      {"{moved key}", one_line_of(at, {"key", "issue", "--account", "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002"})},
      {"{webhook key}", one_line_of(at, {"webhook-key", "issue"})},
      {"{unit}", unit_id(1)}};
  for (const auto* platform : {"channel-manager", "marketplace-a", "marketplace-b", "booking-engine"})
    values["{token " + std::string{platform} + "}"] = at.issue_token(platform);
  return values;
}

rapidjson::Document cases() {
  std::ifstream file{std::string{ROOST_SOURCE_DIR} + "/tests/golden/answers.json"};
  std::stringstream text;
  text << file.rdbuf();
  rapidjson::Document parsed;
  parsed.Parse(text.str().c_str());
  return parsed;
}

class replay {
public:
  replay(const running_roost& server, std::map<std::string, std::string> values)
      : server_(server), values_(std::move(values)) {}

  void run(const rapidjson::Value& wanted) const {
    const auto request = filled(wanted["request"].GetString());
    const auto space = request.find(' ');
    header_fields fields;
    if (wanted.HasMember("headers"))
      for (const auto& field : wanted["headers"].GetObject())
        fields.emplace_back(field.name.GetString(), filled(field.value.GetString()));
    const std::string body = wanted.HasMember("body")
                                 ? std::string{wanted["body"].GetString(), wanted["body"].GetStringLength()}
                                 : "";
    SCOPED_TRACE(request + " " + body);
    expect(wanted, ask(server_.port(), request.substr(0, space), request.substr(space + 1), fields, body));
  }

private:
  std::string filled(std::string text) const {
    for (const auto& [place, value] : values_) boost::replace_all(text, place, value);
    return text;
  }

  void expect(const rapidjson::Value& wanted, const raw_response& got) const {
    EXPECT_EQ(got.status, wanted["status"].GetUint()) << got.body;
    if (wanted.HasMember("answer")) {
      EXPECT_EQ(got.body, written(wanted["answer"]));
    }
    if (!wanted.HasMember("message") || got.body.empty()) return;
    rapidjson::Document body;
    body.Parse(got.body.c_str());
    ASSERT_TRUE(body.IsObject() && body.HasMember("message")) << got.body;
    EXPECT_EQ(std::string(body["message"].GetString(), body["message"].GetStringLength()),
              filled({wanted["message"].GetString(), wanted["message"].GetStringLength()}));
    EXPECT_EQ(body["statusCode"].GetUint(), got.status);
    if (wanted.HasMember("error")) {
      EXPECT_STREQ(body["error"].GetString(), wanted["error"].GetString());
    }
  }

  static std::string written(const rapidjson::Value& value) {
    rapidjson::StringBuffer text;
    rapidjson::Writer<rapidjson::StringBuffer> writer{text};
    value.Accept(writer);
    return text.GetString();
  }

  const running_roost& server_;
  std::map<std::string, std::string> values_;
};

TEST_P(KnownAnswers, AreGivenToEveryRequest) {
  workplace place(GetParam());
  place.set("bookings.cycle", "\"1h\""); // what is asked for here is never decided
  for (const auto* each : {"login", "verify_otp", "resend_otp"})
    place.set(std::string("rate_limits.") + each, "0");
  place.import(two_landlords());
  const running_roost server(place);
  const replay replayed(server, filled_in(place));
  const auto all = cases();
  ASSERT_GT(all.Size(), 250U);
  for (const auto& each : all.GetArray()) replayed.run(each);
}

} // namespace roost::testing::known_answers_test
