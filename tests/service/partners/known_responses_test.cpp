#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <map>
#include <sstream>

/// Requests of every kind, most of them invalid, with the exact status and text of their responses:
/// tests/golden/responses.json. Placeholders in braces are filled in; `differs` says why a response deviates
/// from that of the usual framework for such services.
namespace roost::testing::known_responses_test {
ROOST_FOR_SQLITE(KnownResponses);

/// Returns the landlord LK1 with the unit L1, and one who has moved to the native engine.
std::string two_landlords() {
  auto unit = unit_json(1);
  boost::replace_all(unit, R"("u1")", R"("L1")");
  auto first = edited(empty_portfolio, {{account_pointer + "/landlordKey", R"("LK1")"},
                                        {property_pointer + "/units", "[" + unit + "]"}});
  const auto moved =
      edited(empty_portfolio, {{account_pointer + "/id", R"("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002")"},
                               {account_pointer + "/landlordKey", R"("LK2")"},
                               {account_pointer + "/users", "[]"},
                               {account_pointer + "/properties", "[]"},
                               {account_pointer + "/bookingEngine", R"({"native":true})"}});
  return edited(first, {{"/accounts/1", json_at(moved, "/accounts/0")}});
}

std::string first_line_of(const workplace& place, const std::vector<std::string>& command) {
  const auto output = place.run_or_throw(command);
  return output.substr(0, output.find('\n'));
}

/// Returns the values of the placeholders.
std::map<std::string, std::string> placeholder_values(const workplace& place) {
  std::map<std::string, std::string> values{
      {"{account key}", first_line_of(place, {"key", "issue", "--account", account_id})},
      {"{moved key}",
       first_line_of(place, {"key", "issue", "--account", "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002"})},
      {"{webhook key}", first_line_of(place, {"webhook-key", "issue"})},
      {"{unit}", unit_id(1)}};
  for (const auto* platform : {"channel-manager", "marketplace-a", "marketplace-b", "booking-engine"})
    values["{token " + std::string{platform} + "}"] = place.issue_token(platform);
  return values;
}

rapidjson::Document cases() {
  std::ifstream file{std::string{ROOST_SOURCE_DIR} + "/tests/golden/responses.json"};
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

  void run(const rapidjson::Value& expected) const {
    const auto request = filled(expected["request"].GetString());
    const auto space = request.find(' ');
    header_fields fields;
    if (expected.HasMember("headers"))
      for (const auto& field : expected["headers"].GetObject())
        fields.emplace_back(field.name.GetString(), filled(field.value.GetString()));
    const std::string body = expected.HasMember("body") ? std::string{expected["body"].GetString(),
                                                                      expected["body"].GetStringLength()}
                                                        : "";
    SCOPED_TRACE(request + " " + body);
    expect(expected,
           send_request(server_.port(), request.substr(0, space), request.substr(space + 1), fields, body));
  }

private:
  std::string filled(std::string text) const {
    for (const auto& [place, value] : values_) boost::replace_all(text, place, value);
    return text;
  }

  void expect(const rapidjson::Value& expected, const raw_response& response) const {
    EXPECT_EQ(response.status, expected["status"].GetUint()) << response.body;
    if (expected.HasMember("answer")) {
      EXPECT_EQ(response.body, json_text(expected["answer"]));
    }
    if (!expected.HasMember("message") || response.body.empty()) return;
    rapidjson::Document body;
    body.Parse(response.body.c_str());
    ASSERT_TRUE(body.IsObject() && body.HasMember("message")) << response.body;
    EXPECT_EQ(std::string(body["message"].GetString(), body["message"].GetStringLength()),
              filled({expected["message"].GetString(), expected["message"].GetStringLength()}));
    EXPECT_EQ(body["statusCode"].GetUint(), response.status);
    if (expected.HasMember("error")) {
      EXPECT_STREQ(body["error"].GetString(), expected["error"].GetString());
    }
  }

  static std::string json_text(const rapidjson::Value& value) {
    rapidjson::StringBuffer text;
    rapidjson::Writer<rapidjson::StringBuffer> writer{text};
    value.Accept(writer);
    return text.GetString();
  }

  const running_roost& server_;
  std::map<std::string, std::string> values_;
};

TEST_P(KnownResponses, AreReturnedToEveryRequest) {
  workplace place(GetParam());
  place.set("bookings.cycle", "\"1h\""); // the queue decides nothing during the test
  for (const auto* limit : {"login", "verify_otp", "resend_otp"})
    place.set(std::string("rate_limits.") + limit, "0");
  place.import(two_landlords());
  const running_roost server(place);
  const replay replayed(server, placeholder_values(place));
  const auto all = cases();
  ASSERT_GT(all.Size(), 250U);
  for (const auto& each : all.GetArray()) replayed.run(each);
}

} // namespace roost::testing::known_responses_test
