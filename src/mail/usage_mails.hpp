#pragma once

#include "domain/ai_budget.hpp"
#include "domain/booking.hpp"
#include "domain/date.hpp"
#include "domain/money.hpp"
#include "mail/sign_in_mails.hpp"

#include <string_view>

/// Mails to users about the AI calls of their account.
namespace roost::mail {

/// Costs that have reached a threshold of a budget.
struct reached_budget {
  std::string_view company_name;
  domain::date month{}; ///< its first day
  const domain::ai_budget& budget;
  const domain::decimal& cost; ///< in the month so far
  int threshold = 0;           ///< the highest one that was reached, in hundredths of the budget
};

/// Returns the mail that reports it.
domain::outgoing_mail budget_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& user,
                                  const reached_budget& reached, std::string_view base_url);

} // namespace roost::mail
