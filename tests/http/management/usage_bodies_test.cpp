#include "http/management/usage_bodies.hpp"
#include "http/support/refusal.hpp"

#include <gmock/gmock.h>

namespace roost::http::usage_bodies_test {

std::string page_refusal(const std::string& query) {
  return testing::refusal_of([](const std::string& text) { parse_usage_page_query(text); }, query);
}
std::string summary_refusal(const std::string& query) {
  return testing::refusal_of([](const std::string& text) { parse_usage_summary_query(text); }, query);
}

TEST(UsagePageQuery, HasDefaults) {
  for (const auto* query : {"", "&&", "__proto__=1", "constructor=1"}) {
    const auto request = parse_usage_page_query(query);
    EXPECT_EQ(request.page, 1);
    EXPECT_EQ(request.limit, 50);
    EXPECT_FALSE(request.filter.from || request.filter.to || request.filter.feature);
  }
}

TEST(UsagePageQuery, ReadsNumbersAsJavaScriptDoes) {
  EXPECT_EQ(parse_usage_page_query("page=0x10").page, 16);
  EXPECT_EQ(parse_usage_page_query("page=1e3").page, 1000);
  EXPECT_EQ(parse_usage_page_query("page=1e21").page, 1e21);
  EXPECT_EQ(parse_usage_page_query("page=+2").page, 2);
  EXPECT_EQ(parse_usage_page_query("limit=200&page=1.0").limit, 200);
  EXPECT_EQ(parse_usage_page_query("limit=1").limit, 1);
}

TEST(UsagePageQuery, RefusesOtherNumbers) {
  const std::string too_small = "page must not be less than 1", no_integer = "page must be an integer number";
  for (const auto* query : {"page=0", "page=", "page", "page=-1", "page=%20"})
    EXPECT_EQ(page_refusal(query), too_small);
  for (const auto* query : {"page=1.5", "page=1e400"}) EXPECT_EQ(page_refusal(query), no_integer);
  for (const auto* query : {"page=x", "page=1&page=2"})
    EXPECT_EQ(page_refusal(query), too_small + ", " + no_integer);
  EXPECT_EQ(page_refusal("page=0.5"), too_small + ", " + no_integer);
  EXPECT_EQ(page_refusal("limit=0"), "limit must not be less than 1");
  EXPECT_EQ(page_refusal("limit=201"), "limit must not be greater than 200");
  EXPECT_EQ(page_refusal("limit=Infinity"),
            "limit must not be greater than 200, limit must be an integer number");
  EXPECT_EQ(page_refusal("limit=x"), "limit must not be greater than 200, limit must not be less than 1, "
                                     "limit must be an integer number");
}

TEST(UsagePageQuery, ReadsMomentsAndAFeature) {
  const auto request =
      parse_usage_page_query("from=2026-11-01&to=2026-11-30T23:59:59.999%2B01:00&feature=faq_generation");
  EXPECT_EQ(request.filter.from, domain::parse_timestamp("2026-11-01T00:00:00.000Z"));
  EXPECT_EQ(request.filter.to, domain::parse_timestamp("2026-11-30T22:59:59.999Z"));
  EXPECT_EQ(request.filter.feature, domain::ai_feature::faq_generation);
  EXPECT_EQ(page_refusal("from=2026-02-30&to=2026-01-01"), "");
}

TEST(UsagePageQuery, RefusesOtherMomentsAndFeatures) {
  for (const auto* query : {"from=garbage", "from=", "from=2026-01-01&from=2026-01-02"})
    EXPECT_EQ(page_refusal(query), "from must be a valid ISO 8601 date string");
  EXPECT_EQ(page_refusal("to=1763632800000"), "to must be a valid ISO 8601 date string");
  for (const auto* query : {"feature=", "feature=chat", "feature=landlord_chat&feature=faq_generation"})
    EXPECT_EQ(
        page_refusal(query),
        "feature must be one of the following values: landlord_chat, utility_bill_extraction, "
        "booking_communication_summary, faq_generation, ticket_priority_analysis, cashflow_invoice_analysis");
}

TEST(UsagePageQuery, ReportsUnknownFieldsFirst) {
  EXPECT_EQ(page_refusal("foo=1"), "property foo should not exist");
  EXPECT_EQ(page_refusal("a%20b=1"), "property a b should not exist");
  EXPECT_EQ(page_refusal("page[]=1"), "property page[] should not exist");
  EXPECT_EQ(page_refusal("page%5Bgt%5D=1"), "property page[gt] should not exist");
  EXPECT_EQ(
      page_refusal("limit=0&z=1&to=x&page=0&a=2&from=y"),
      "property z should not exist, property a should not exist, from must be a valid ISO 8601 date string, "
      "to must be a valid ISO 8601 date string, page must not be less than 1, limit must not be less than 1");
}

TEST(UsageSummaryQuery, HasNoPages) {
  EXPECT_EQ(parse_usage_summary_query("feature=faq_generation").filter.feature,
            domain::ai_feature::faq_generation);
  EXPECT_EQ(summary_refusal("page=1&limit=2"),
            "property page should not exist, property limit should not exist");
  EXPECT_EQ(summary_refusal("to=x"), "to must be a valid ISO 8601 date string");
}

TEST(UsageSummaryQuery, MayAskForGroups) {
  EXPECT_EQ(parse_usage_summary_query("").group_by, std::nullopt);
  EXPECT_EQ(parse_usage_summary_query("groupBy=user").group_by, domain::ai_usage_grouping::user);
  EXPECT_EQ(parse_usage_summary_query("groupBy=day&feature=faq_generation").group_by,
            domain::ai_usage_grouping::day);
  for (const auto* query : {"groupBy=", "groupBy=month", "groupBy=Day", "groupBy=user&groupBy=day"})
    EXPECT_EQ(summary_refusal(query), "groupBy must be one of the following values: user, day");
  EXPECT_EQ(
      summary_refusal("groupBy=x&to=x"),
      "to must be a valid ISO 8601 date string, groupBy must be one of the following values: user, day");
  EXPECT_EQ(page_refusal("groupBy=day"), "property groupBy should not exist");
}

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
std::string submission_refusal(const std::string& body) { return testing::refusal_of(parse, body); }

TEST(UsageSubmission, IsARecordOrAnArrayOfThem) {
  EXPECT_EQ(parse(record()).size(), 1U);
  EXPECT_EQ(parse(record()).at(0).created_at, now);
  EXPECT_EQ(parse(" [" + record() + "," + record() + "]").size(), 2U);
  EXPECT_EQ(parse("[]").size(), 0U);
  EXPECT_EQ(submission_refusal("7"), "The body must be an object");
}

TEST(UsageSubmission, NamesTheInvalidRecord) {
  EXPECT_EQ(submission_refusal(record(R"(,"cost":-1)")), "cost must not be less than 0");
  EXPECT_EQ(
      submission_refusal("[" + record() + "," + record(R"(,"cost":-1)") + R"(,{"id":7}])"),
      "1.cost must not be less than 0, 2.id must be a UUID, 2.accountId is required, 2.feature is required, "
      "2.provider is required, 2.model is required");
  EXPECT_EQ(submission_refusal(record(R"(,"a/b~c":1)")), "a/b~c is not a known field");
}

TEST(UsageSubmission, RefusesUnknownAccounts) {
  const std::string unknown = "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0009";
  EXPECT_EQ(submission_refusal(record("", unknown)), "accountId is not the id of an account");
  EXPECT_EQ(submission_refusal("[" + record() + "," + record("", unknown) + "]"),
            "1.accountId is not the id of an account");
}

TEST(UsageSubmission, AcceptsSystemWideCalls) {
  const auto records = parse(R"({"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006","accountId":null,)"
                             R"("feature":"landlord_chat","provider":"vendor","model":"model"})");
  EXPECT_FALSE(records.at(0).account_id);
}

TEST(UsageSubmission, IsLimitedToAThousandRecords) {
  std::string body = "[" + record();
  for (int i = 1; i < 1000; ++i) body += "," + record();
  EXPECT_EQ(parse(body + "]").size(), 1000U);
  EXPECT_EQ(submission_refusal(body + "," + record() + "]"), "The body must not hold more than 1000 records");
}

TEST(UsageSubmission, ReportsThePositionOfAJsonError) {
  EXPECT_EQ(submission_refusal("[\n{]"),
            "Body is not valid JSON but content-type is set to 'application/json': "
            "Missing a name for object member, at line 2, column 2");
  EXPECT_THAT(submission_refusal(std::string(70, '[')), ::testing::HasSubstr("Nested too deep"));
}

domain::decimal number(std::string_view text) { return domain::parse_decimal(text).value(); }

domain::ai_usage_record minimal_record() {
  domain::ai_usage_record record;
  record.id = domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006").value();
  record.account_id = domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  record.provider = "vendor";
  record.model = "model";
  record.created_at = domain::parse_timestamp("2026-11-20T09:30:00.000Z").value();
  return record;
}

TEST(UsagePage, HasEveryFieldInTheOrderOfTheSpecification) {
  auto record = minimal_record();
  record.feature = domain::ai_feature::utility_bill_extraction;
  record.tokens = {1840, 512, 2100, 7};
  record.cost = number("0.021075");
  record.pricing_snapshot = R"({"currency": "USD", "perMTok": {"input": 0.30, "output": 15}})";
  record.user_id = "user";
  record.source = "web";
  record.conversation_id = "c1";
  record.reference_id = "bill";
  record.metadata = R"({"pages":2})";
  EXPECT_EQ(
      usage_page_json({{}, 2, 10}, {{record}, 11}),
      R"({"items":[{"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006",)"
      R"("accountId":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","feature":"utility_bill_extraction",)"
      R"("provider":"vendor","model":"model","inputTokens":1840,"outputTokens":512,)"
      R"("cacheCreationInputTokens":2100,"cacheReadInputTokens":7,"totalTokens":4459,"cost":0.021075,)"
      R"("currency":"USD","pricingSnapshot":{"currency": "USD", "perMTok": {"input": 0.30, "output": 15}},)"
      R"("userId":"user","source":"web","conversationId":"c1","referenceId":"bill","metadata":{"pages":2},)"
      R"("createdAt":"2026-11-20T09:30:00.000Z"}],"total":11,"page":2,"limit":10})");
}

TEST(UsagePage, HasNullForMissingValues) {
  EXPECT_EQ(
      usage_page_json({}, {{minimal_record()}, 1}),
      R"({"items":[{"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006",)"
      R"("accountId":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","feature":"landlord_chat","provider":"vendor",)"
      R"("model":"model","inputTokens":0,"outputTokens":0,"cacheCreationInputTokens":0,)"
      R"("cacheReadInputTokens":0,"totalTokens":0,"cost":0,"currency":"USD","pricingSnapshot":{},)"
      R"("userId":null,"source":null,"conversationId":null,"referenceId":null,"metadata":null,)"
      R"("createdAt":"2026-11-20T09:30:00.000Z"}],"total":1,"page":1,"limit":50})");
}

TEST(UsagePage, WritesThePageNumberAsJavaScriptDoes) {
  EXPECT_EQ(usage_page_json({{}, 1e15, 50}, {}),
            R"({"items":[],"total":0,"page":1000000000000000,"limit":50})");
  EXPECT_EQ(usage_page_json({{}, 1e21, 50}, {}), R"({"items":[],"total":0,"page":1e+21,"limit":50})");
}

TEST(UsageSummary, IsZerosWithoutRecords) {
  EXPECT_EQ(
      usage_summary_json({}),
      R"({"currency":"USD","totals":{"calls":0,"inputTokens":0,"outputTokens":0,"cacheCreationInputTokens":0,)"
      R"("cacheReadInputTokens":0,"totalTokens":0,"cost":0},"breakdown":[]})");
}

TEST(UsageSummary, HasARowForEachFeatureAndModelWithItsPrice) {
  domain::ai_usage_summary summary;
  const domain::ai_usage_totals used{3, {1, 2, 3, 4}, number("123456789012345678901234567890.5")};
  summary.totals = used;
  summary.breakdown = {{domain::ai_feature::faq_generation, "model", used, {number("2.5"), std::nullopt}}};
  EXPECT_EQ(
      usage_summary_json(summary),
      R"({"currency":"USD","totals":{"calls":3,"inputTokens":1,"outputTokens":2,"cacheCreationInputTokens":3,)"
      R"("cacheReadInputTokens":4,"totalTokens":10,"cost":123456789012345678901234567890.5},"breakdown":[)"
      R"({"feature":"faq_generation","model":"model","calls":3,"inputTokens":1,"outputTokens":2,)"
      R"("cacheCreationInputTokens":3,"cacheReadInputTokens":4,"totalTokens":10,)"
      R"("cost":123456789012345678901234567890.5,"pricePerMTok":{"input":2.5,"output":null}}]})");
}

TEST(UsageSummary, HasGroupsOnlyIfTheyAreRequested) {
  using enum domain::ai_usage_grouping;
  const std::string totals = R"("calls":3,"inputTokens":1,"outputTokens":2,"cacheCreationInputTokens":3,)"
                             R"("cacheReadInputTokens":4,"totalTokens":10,"cost":0.5})";
  const domain::ai_usage_totals used{3, {1, 2, 3, 4}, number("0.5")};
  domain::ai_usage_summary summary;
  const auto without = usage_summary_json(summary);
  const auto common = without.substr(0, without.size() - 1);
  summary.grouped_by = day;
  EXPECT_EQ(usage_summary_json(summary), common + R"(,"groups":[]})");
  summary.groups = {{day, domain::parse_date("2026-11-20").value(), {}, used}};
  EXPECT_EQ(usage_summary_json(summary), common + R"(,"groups":[{"day":"2026-11-20",)" + totals + "]}");
  summary.groups = {{user, {}, "u1", used}, {user, {}, {}, used}};
  EXPECT_EQ(usage_summary_json(summary),
            common + R"(,"groups":[{"userId":"u1",)" + totals + R"(,{"userId":null,)" + totals + "]}");
}

} // namespace roost::http::usage_bodies_test
