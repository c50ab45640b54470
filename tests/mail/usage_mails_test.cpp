#include "mail/usage_mails.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::mail::usage_mails_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const domain::uuid an_id = *domain::parse_uuid("5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a10");
const domain::timestamp now = *domain::parse_timestamp("2026-11-20T09:30:00.000Z");

domain::outgoing_mail mail_about(const char* cost, int threshold, std::string_view company = "Casa Verde") {
  const domain::ai_budget budget{{50'50}};
  const auto spent = domain::parse_decimal(cost).value();
  const reached_budget reached{company, *domain::parse_date("2026-11-01"), budget, spent, threshold};
  return budget_mail(an_id, now, {"ana@casaverde.example", "Ana"}, reached, "https://roost.example");
}

TEST(BudgetMail, SaysWhatWasReachedAndWhereToLook) {
  const auto mail = mail_about("40.429999999999999999", 80);
  EXPECT_EQ(mail.id, an_id);
  EXPECT_EQ(mail.created_at, now);
  EXPECT_EQ(mail.to, "ana@casaverde.example");
  EXPECT_EQ(mail.subject, "Casa Verde: AI costs have reached 80% of the budget for November 2026");
  EXPECT_EQ(mail.text,
            "Hello Ana,\n"
            "\n"
            "The AI calls of Casa Verde have cost 40.42 USD in November 2026. This has reached 80% of the "
            "monthly budget of 50.50 USD.\n"
            "\n"
            "Month: November 2026 (UTC)\n"
            "Costs so far: 40.42 USD\n"
            "Budget: 50.50 USD\n"
            "Warning at: 80%\n"
            "\n"
            "What you can do: You can see which features and models caused the costs: "
            "https://roost.example/account/ai-usage. You can change the budget and its warnings in the "
            "office's AI settings.\n"
            "\n"
            "The budget does not stop AI features: they continue, and so do their costs.\n"
            "\n"
            "Roost\n");
  EXPECT_FALSE(mail.confidential);
  EXPECT_FALSE(mail.gathered_for);
}

TEST(BudgetMail, ShowsAmountsWithTwoDecimals) {
  EXPECT_THAT(mail_about("505", 1'000).text, AllOf(HasSubstr("505.00 USD"), HasSubstr("reached 1000% of")));
  EXPECT_THAT(mail_about("0.009", 1).text, HasSubstr("cost 0.00 USD"));
}

TEST(BudgetMail, EscapesTheCompany) {
  const auto mail = mail_about("50", 100, "<b>Casa\nVerde");
  EXPECT_THAT(mail.html, AllOf(HasSubstr("&lt;b&gt;Casa Verde"), Not(HasSubstr("<b>"))));
  EXPECT_THAT(mail.subject, HasSubstr("<b>Casa Verde:"));
}

} // namespace roost::mail::usage_mails_test
