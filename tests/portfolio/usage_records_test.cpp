#include "portfolio/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::portfolio::usage_records_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view record =
    R"({"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006", "accountId": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
        "feature": "landlord_chat", "provider": "larkspur", "model": "larkspur-2",
        "createdAt": "2026-11-16T08:12:44.310Z"})";

std::string without(std::string_view member) {
  std::string text(record);
  const auto start = text.find("\"" + std::string(member) + "\"");
  const auto end = text.find_first_of(",}", start);
  if (text[end] == '}') return text.replace(text.rfind(',', start), end - text.rfind(',', start), "");
  return text.erase(start, end + 1 - start);
}

std::vector<std::string> problems_of(const usage_records& read) {
  std::vector<std::string> texts;
  for (const auto& each : read.problems) texts.push_back(to_string(each));
  return texts;
}

TEST(LoneUsageRecord, SaysWhoseItIs) {
  const auto read = parse_usage_records(record);
  ASSERT_EQ(read.records.size(), 1u);
  EXPECT_THAT(problems_of(read), IsEmpty());
  EXPECT_EQ(read.records[0].account_id, domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001"));
  EXPECT_THAT(problems_of(parse_usage_records(without("accountId"))), ElementsAre("/accountId: is required"));
}

TEST(LoneUsageRecord, MayBeOfASystemWideCall) {
  auto text = without("accountId");
  text.insert(1, "\"accountId\": null,");
  const auto read = parse_usage_records(text);
  EXPECT_THAT(problems_of(read), IsEmpty());
  EXPECT_EQ(read.records.at(0).account_id, std::nullopt);
}

TEST(LoneUsageRecord, WasMadeNowOnlyWhereNowIsKnown) {
  const auto now = domain::parse_timestamp("2026-11-20T09:30:00.000Z").value();
  EXPECT_THAT(problems_of(parse_usage_records(without("createdAt"))), ElementsAre("/createdAt: is required"));
  EXPECT_EQ(parse_usage_records(without("createdAt"), 2, now).records.at(0).created_at, now);
  EXPECT_NE(parse_usage_records(record, 2, now).records.at(0).created_at, now);
}

TEST(UsageRecordArray, IsTakenWhereThereMayBeSeveral) {
  const auto two = "[" + std::string(record) + "," + std::string(record) + "]";
  EXPECT_EQ(parse_usage_records(two, 2).records.size(), 2u);
  EXPECT_EQ(parse_usage_records(record, 2).records.size(), 1u);
  EXPECT_THAT(problems_of(parse_usage_records("[]", 2)), IsEmpty());
  EXPECT_THAT(problems_of(parse_usage_records(two, 1)), ElementsAre("must be an object"));
  const auto three = "[" + std::string(record) + "," + two.substr(1);
  EXPECT_THAT(problems_of(parse_usage_records(three, 2)), ElementsAre("must not hold more than 2 records"));
}

TEST(UsageRecordArray, TellsWhichRecordIsWrong) {
  const auto mixed = "[" + std::string(record) + ", 7, [], " + without("model") + R"(, {"": []}])";
  EXPECT_THAT(problems_of(parse_usage_records(mixed, 10)),
              ::testing::IsSupersetOf({"/1: must be an object", "/2: must be an object",
                                       "/3/model: is required", "/4/: is not a known field"}));
}

TEST(UsageRecordText, ThatIsNoJsonSaysWhereItBreaks) {
  const auto read = parse_usage_records(R"({"id": )");
  ASSERT_TRUE(read.broken);
  EXPECT_EQ(to_string(*read.broken), "line 1, column 8: is not JSON: Invalid value");
  EXPECT_THAT(read.records, IsEmpty());
}

} // namespace roost::portfolio::usage_records_test
