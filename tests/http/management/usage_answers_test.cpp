#include "http/management/usage_bodies.hpp"

#include <gtest/gtest.h>

namespace roost::http::usage_answers_test {

domain::decimal number(std::string_view text) { return domain::parse_decimal(text).value(); }

domain::ai_usage_record least_record() {
  domain::ai_usage_record record;
  record.id = domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006").value();
  record.account_id = domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  record.provider = "vendor";
  record.model = "model";
  record.created_at = domain::parse_timestamp("2026-11-20T09:30:00.000Z").value();
  return record;
}

TEST(UsagePageAnswer, HasEveryFieldInTheOrderOfTheSpecification) {
  auto record = least_record();
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

TEST(UsagePageAnswer, HasNullForWhatARecordDoesNotSay) {
  EXPECT_EQ(
      usage_page_json({}, {{least_record()}, 1}),
      R"({"items":[{"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006",)"
      R"("accountId":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","feature":"landlord_chat","provider":"vendor",)"
      R"("model":"model","inputTokens":0,"outputTokens":0,"cacheCreationInputTokens":0,)"
      R"("cacheReadInputTokens":0,"totalTokens":0,"cost":0,"currency":"USD","pricingSnapshot":{},)"
      R"("userId":null,"source":null,"conversationId":null,"referenceId":null,"metadata":null,)"
      R"("createdAt":"2026-11-20T09:30:00.000Z"}],"total":1,"page":1,"limit":50})");
}

TEST(UsagePageAnswer, ShowsThePageAsJavaScriptWritesIt) {
  EXPECT_EQ(usage_page_json({{}, 1e15, 50}, {}),
            R"({"items":[],"total":0,"page":1000000000000000,"limit":50})");
  EXPECT_EQ(usage_page_json({{}, 1e21, 50}, {}), R"({"items":[],"total":0,"page":1e+21,"limit":50})");
}

TEST(UsageSummaryAnswer, OfNothingIsZeros) {
  EXPECT_EQ(
      usage_summary_json({}),
      R"({"currency":"USD","totals":{"calls":0,"inputTokens":0,"outputTokens":0,"cacheCreationInputTokens":0,)"
      R"("cacheReadInputTokens":0,"totalTokens":0,"cost":0},"breakdown":[]})");
}

TEST(UsageSummaryAnswer, HasARowForEachFeatureAndModelWithItsPrice) {
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

} // namespace roost::http::usage_answers_test
