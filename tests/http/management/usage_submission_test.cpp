#include "http/management/usage_bodies.hpp"
#include "http/support/refusal.hpp"

#include <gmock/gmock.h>

namespace roost::http::usage_submission_test {

const auto now = domain::parse_timestamp("2026-11-20T09:30:00.000Z").value();
const auto known_account = domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001").value();

std::string record(const std::string& more = "",
                   const std::string& account = "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001") {
  return R"({"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006","accountId":")" + account +
         R"(","feature":"landlord_chat","provider":"vendor","model":"model")" + more + "}";
}

std::vector<domain::ai_usage_record> parse(const std::string& body) {
  return parse_usage_submission(body, now, [](const domain::uuid& id) { return id == known_account; });
}
std::string refusal(const std::string& body) { return testing::refusal_of(parse, body); }

TEST(UsageSubmission, IsARecordOrAnArrayOfThem) {
  EXPECT_EQ(parse(record()).size(), 1U);
  EXPECT_EQ(parse(record()).at(0).created_at, now);
  EXPECT_EQ(parse(" [" + record() + "," + record() + "]").size(), 2U);
  EXPECT_EQ(parse("[]").size(), 0U);
  EXPECT_EQ(refusal("7"), "The body must be an object");
}

TEST(UsageSubmission, TellsTheRecordThatIsWrong) {
  EXPECT_EQ(refusal(record(R"(,"cost":-1)")), "cost must not be less than 0");
  EXPECT_EQ(
      refusal("[" + record() + "," + record(R"(,"cost":-1)") + R"(,{"id":7}])"),
      "1.cost must not be less than 0, 2.id must be a UUID, 2.accountId is required, 2.feature is required, "
      "2.provider is required, 2.model is required");
  EXPECT_EQ(refusal(record(R"(,"a/b~c":1)")), "a/b~c is not a known field");
}

TEST(UsageSubmission, NamesAccountsThatExist) {
  const std::string stranger = "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0009";
  EXPECT_EQ(refusal(record("", stranger)), "accountId is not the id of an account");
  EXPECT_EQ(refusal("[" + record() + "," + record("", stranger) + "]"),
            "1.accountId is not the id of an account");
}

TEST(UsageSubmission, MayBeOfSystemWideCalls) {
  const auto records = parse(R"({"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006","accountId":null,)"
                             R"("feature":"landlord_chat","provider":"vendor","model":"model"})");
  EXPECT_FALSE(records.at(0).account_id);
}

TEST(UsageSubmission, HoldsAThousandRecordsAtMost) {
  std::string body = "[" + record();
  for (int i = 1; i < 1000; ++i) body += "," + record();
  EXPECT_EQ(parse(body + "]").size(), 1000U);
  EXPECT_EQ(refusal(body + "," + record() + "]"), "The body must not hold more than 1000 records");
}

TEST(UsageSubmission, ThatIsNoJsonSaysWhereItBreaks) {
  EXPECT_EQ(refusal("[\n{]"), "Body is not valid JSON but content-type is set to 'application/json': "
                              "Missing a name for object member, at line 2, column 2");
  EXPECT_THAT(refusal(std::string(70, '[')), ::testing::HasSubstr("Nested too deep"));
}

} // namespace roost::http::usage_submission_test
