#include "mail/usage_mails.hpp"

#include "domain/ai_usage.hpp"
#include "domain/text.hpp"
#include "mail/mail_pages.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace roost::mail {

namespace {

/// Formats an amount with two decimals and the ledger's currency: `40.50 USD`.
std::string amount_text(std::int64_t cents) {
  const auto fraction = std::to_string(cents % 100);
  return std::to_string(cents / 100) + '.' + std::string(2 - fraction.size(), '0') + fraction + ' ' +
         std::string(domain::ai_usage_currency);
}

} // namespace

domain::outgoing_mail budget_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& user,
                                  const reached_budget& reached, std::string_view base_url) {
  const auto company = domain::one_line(reached.company_name);
  const auto month = domain::month_written_out(reached.month);
  const auto share = std::to_string(reached.threshold) + '%';
  const auto used = amount_text(domain::truncated(reached.cost, 2)),
             budget = amount_text(reached.budget.monthly.cents);
  mail_content content{
      .title = "AI costs have reached " + share + " of the budget",
      .summary = "The AI calls of " + company + " have cost " + used + " in " + month +
                 ". This has reached " + share + " of the monthly budget of " + budget + ".",
      .advice = "You can see which features and models caused the costs: " + std::string(base_url) +
                "/account/ai-usage. You can change the budget and its warnings in the office's AI settings.",
      .reminder = "The budget does not stop AI features: they continue, and so do their costs."};
  content.greet(user.first_name);
  content.add("Month", month + " (UTC)");
  content.add("Costs so far", used);
  content.add("Budget", budget);
  content.add("Warning at", share);
  return render_mail(content, id, now, std::string(user.email),
                     company + ": AI costs have reached " + share + " of the budget for " + month);
}

} // namespace roost::mail
