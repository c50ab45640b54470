#include "service/support/web_browser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The page with an account's use of AI models.
namespace roost::testing::usage_page_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
ROOST_FOR_SQLITE(UsagePage);

std::string record(int number, const std::string& day, const std::string& feature, const std::string& cost,
                   const std::string& model = "model-1") {
  return R"({"id":"44444444-0000-4000-8000-00000000000)" + std::to_string(number) +
         R"(","accountId":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","feature":")" + feature +
         R"(","provider":"vendor","model":")" + model +
         R"(","inputTokens":1200,"outputTokens":34,"cacheCreationInputTokens":0,"cacheReadInputTokens":5,"cost":)" +
         cost +
         R"(,"currency":"USD","pricingSnapshot":{"currency":"USD","perMTok":{"input":3,"output":15}},"createdAt":")" +
         day + "T10:00:00.000Z\"}\n";
}

void import_usage(const workplace& place) {
  place.run_or_throw(
      {"usage", "import",
       place.folder()
           .write("usage.jsonl", record(1, "2026-11-01", "landlord_chat", "0.25") +
                                     record(2, "2026-11-03", "faq_generation", "1.5", R"(=model \"two\")") +
                                     record(3, "2026-11-03", "landlord_chat", "0.000000000000000001"))
           .string()});
}

const std::string november = "from=2026-11-01&to=2026-11-03";

TEST_P(UsagePage, ShowsAPeriodAsAChartAndTables) {
  management_fixture fixture(GetParam());
  import_usage(fixture.place);
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  const auto page = ana.open("/account/ai-usage?" + november);
  ASSERT_EQ(page.status, 200U);
  EXPECT_THAT(page.body,
              AllOf(HasSubstr("3 calls cost 1.750000000000000001 USD."), HasSubstr("<svg class=\"chart\""),
                    HasSubstr("<title>2026-11-03, FAQ generation: 1.5</title>"),
                    HasSubstr("<th scope=\"row\">Landlord chat</th>"), HasSubstr("=model &quot;two&quot;"),
                    HasSubstr(">0.250000000000000001</td>"), HasSubstr(">3 / 15</td>"),
                    HasSubstr("/account/ai-usage.csv?from=2026-11-01&amp;to=2026-11-03")));
  const auto chat = ana.open("/account/ai-usage?feature=landlord_chat&" + november);
  EXPECT_THAT(chat.body, AllOf(HasSubstr("2 calls cost 0.250000000000000001 USD."), HasSubstr("selected")));
  EXPECT_THAT(ana.open("/account/ai-usage?from=2020-01-01&to=2020-01-31").body,
              AllOf(HasSubstr("No AI model was used in this period."), Not(HasSubstr("<table"))));
}

TEST_P(UsagePage, ExportsAPeriodAsCsv) {
  management_fixture fixture(GetParam());
  import_usage(fixture.place);
  page_visit ana(fixture.browser());
  EXPECT_EQ(ana.open("/account/ai-usage.csv").header("location"), "/sign-in");
  ana.sign_in(fixture);
  const auto table = ana.open("/account/ai-usage.csv?" + november);
  EXPECT_EQ(table.status, 200U);
  EXPECT_EQ(table.header("content-type"), "text/csv; charset=utf-8");
  EXPECT_EQ(table.header("content-disposition"),
            "attachment; filename=\"ai-usage-2026-11-01-to-2026-11-03.csv\"");
  EXPECT_EQ(table.body, "\xef\xbb\xbf"
                        "day,feature,model,calls,inputTokens,outputTokens,cacheCreationInputTokens,"
                        "cacheReadInputTokens,totalTokens,cost,currency\r\n"
                        "2026-11-01,landlord_chat,model-1,1,1200,34,0,5,1239,0.25,USD\r\n"
                        "2026-11-03,faq_generation,\"'=model \"\"two\"\"\",1,1200,34,0,5,1239,1.5,USD\r\n"
                        "2026-11-03,landlord_chat,model-1,1,1200,34,0,5,1239,0.000000000000000001,USD\r\n");
}

TEST_P(UsagePage, ReportsAnInvalidPeriod) {
  management_fixture fixture(GetParam());
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  const auto expect_error = [&](const std::string& query, const std::string& text) {
    const auto page = ana.open("/account/ai-usage?" + query);
    EXPECT_EQ(page.status, 400U) << query;
    EXPECT_THAT(page.body, HasSubstr(text)) << query;
    EXPECT_EQ(ana.open("/account/ai-usage.csv?" + query).status, 400U) << query;
  };
  expect_error("from=yesterday", "Please enter dates in the form 2026-11-20.");
  expect_error("from=2026-02-30", "Please enter dates in the form 2026-11-20.");
  expect_error("from=2026-11-04&to=2026-11-03", "The first day must not be after the last day.");
  expect_error("from=2020-01-01&to=2026-11-03", "Please choose a period of at most three years.");
  expect_error("feature=everything", "There is no such feature.");
}

TEST_P(UsagePage, RequiresARoleWithPermission) {
  management_fixture fixture(GetParam());
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  EXPECT_THAT(ana.open("/account").body, HasSubstr("href=\"/account/ai-usage\""));
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users/0/role", "\"Viewer\""}}));
  page_visit viewer(fixture.browser());
  viewer.sign_in(fixture);
  EXPECT_THAT(viewer.open("/account").body, Not(HasSubstr("ai-usage")));
  for (const auto* path : {"/account/ai-usage", "/account/ai-usage.csv"}) {
    const auto refused = viewer.open(path);
    EXPECT_EQ(refused.status, 403U);
    EXPECT_THAT(refused.body, HasSubstr("Your role does not allow you to see AI usage."));
  }
}

} // namespace roost::testing::usage_page_test
