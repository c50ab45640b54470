#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"
#include "store/sessions/ai_settings.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_usage.hpp"
#include "store/support/stored_rows.hpp"
#include "store/usage/ai_budgets.hpp"
#include "store/usage/usage.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

namespace roost::testing::ai_budgets_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class AiBudgets : public on_each_store {
protected:
  void SetUp() override {
    file_ = sample_portfolio(2);
    file_.accounts[0].details.ai_budget = {{50'00}};
    domain::portfolio_user second = file_.accounts[0].users[0];
    second.details.id = user_id(70);
    second.details.email = "a-second@landlord.example";
    file_.accounts[0].users.push_back(second);
    import_sample(session(), file_);
    lease_ = take_lease(session());
  }

  /// Imports the first account with this budget at a time.
  void set_budget(std::optional<domain::ai_budget> budget, const char* at = "2026-11-20T12:00:00.000Z") {
    file_.accounts[0].details.ai_budget = std::move(budget);
    import_sample(session(), file_, at);
  }

  void use(unsigned long n, const char* created_at, const char* cost) {
    const std::vector records{sample_usage(n, created_at, cost)};
    ASSERT_EQ(store::record_usage(session(), lease_, records).recorded, 1U);
  }

  /// Returns the warnings of a check as `month: thresholds`.
  std::vector<std::string> check(const char* now = "2026-11-21T09:00:00.000Z") {
    std::vector<std::string> texts;
    for (const auto& each : warnings(now)) {
      auto text = domain::to_string(each.month) + ":";
      for (const auto threshold : each.thresholds) text += ' ' + std::to_string(threshold);
      texts.push_back(text);
    }
    return texts;
  }

  std::vector<store::budget_warning> warnings(const char* now) {
    const auto mail = [this, now](const store::budget_warning& warning, const store::warned_user& user) {
      return domain::outgoing_mail{.id = fresh_id(),
                                   .to = user.email == refused_recipient_ ? "" : user.email,
                                   .subject =
                                       user.first_name + " " + std::to_string(warning.thresholds.back()),
                                   .created_at = moment(now)};
    };
    return store::warn_of_budgets(session(), lease_, {moment(now), roles_, mail});
  }

  /// Returns the mails as `recipient: subject`.
  std::vector<std::string> mails() {
    std::vector<std::string> texts;
    for (const auto& each : store::list_mails(session(), {}, 100))
      texts.push_back(each.mail.to + ": " + each.mail.subject);
    std::ranges::sort(texts);
    return texts;
  }

  std::int64_t marks() { return count_rows(session(), "ai_budget_warnings"); }

  domain::portfolio file_;
  store::lease lease_;
  std::vector<std::string> roles_{"Admin"};
  std::string refused_recipient_; ///< whose mails the database rejects
};
ROOST_ON_EACH_STORE(AiBudgets);

TEST_P(AiBudgets, AreStoredWithTheirThresholds) {
  set_budget({{{12'34}, {1, 1'000}}});
  EXPECT_EQ(store::find_ai_settings(session(), account_id(1))->budget,
            (domain::ai_budget{{12'34}, {1, 1'000}}));
  EXPECT_EQ(store::find_ai_settings(session(), account_id(2))->budget, std::nullopt);
  set_budget(std::nullopt);
  EXPECT_EQ(store::find_ai_settings(session(), account_id(1))->budget, std::nullopt);
}

TEST_P(AiBudgets, WarnEachUserOfTheRolesOnceWhenAThresholdIsReached) {
  use(1, "2026-11-20T10:00:00.000Z", "24.999999999999999999");
  EXPECT_THAT(check(), IsEmpty());
  EXPECT_THAT(mails(), IsEmpty());
  use(2, "2026-11-21T08:00:00.000Z", "0.000000000000000001");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50"));
  EXPECT_THAT(mails(), ElementsAre("a-second@landlord.example: Ana 50", "user1@landlord.example: Ana 50"));
  EXPECT_THAT(check(), IsEmpty());
  use(3, "2026-11-21T08:00:01.000Z", "1");
  EXPECT_THAT(check(), IsEmpty());
  EXPECT_THAT(mails(), SizeIs(2));
}

TEST_P(AiBudgets, WarnOnceOfSeveralThresholdsThatAreReachedTogether) {
  use(1, "2026-11-20T10:00:00.000Z", "45");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50 80"));
  EXPECT_THAT(mails(), ElementsAre("a-second@landlord.example: Ana 80", "user1@landlord.example: Ana 80"));
  EXPECT_EQ(marks(), 2);
  use(2, "2026-11-20T11:00:00.000Z", "5");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 100"));
}

TEST_P(AiBudgets, CountTheAccountsOwnRecordsOfTheMonth) {
  use(1, "2026-10-31T23:59:59.999Z", "100");
  use(2, "2026-12-01T00:00:00.000Z", "100");
  auto other = sample_usage(3, "2026-11-20T10:00:00.000Z", "100");
  other.account_id = account_id(2);
  auto of_system = sample_usage(4, "2026-11-20T10:00:00.000Z", "100");
  of_system.account_id = std::nullopt;
  store::record_usage(session(), lease_, std::vector{other, of_system});
  EXPECT_THAT(check(), IsEmpty());
  use(5, "2026-11-01T00:00:00.000Z", "20");
  use(6, "2026-11-30T23:59:59.999Z", "20");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50 80"));
  EXPECT_EQ(store::month_cost(session(), account_id(1), day("2026-11-01")), number("40"));
  EXPECT_EQ(store::month_cost(session(), account_id(1), day("2026-09-01")), number("0"));
}

TEST_P(AiBudgets, WarnAgainInTheNextMonth) {
  use(1, "2026-11-20T10:00:00.000Z", "30");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50"));
  use(2, "2026-12-20T10:00:00.000Z", "30");
  EXPECT_THAT(check("2026-12-20T11:00:00.000Z"), ElementsAre("2026-12-01: 50"));
}

TEST_P(AiBudgets, AreComparedAgainWhenTheyChange) {
  use(1, "2026-11-20T10:00:00.000Z", "30");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50"));
  set_budget({{{30'00}}}, "2026-11-20T13:00:00.000Z");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 80 100"));
  set_budget({{{30'00}, {10, 50, 100}}}, "2026-11-20T14:00:00.000Z");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 10"));
  set_budget(std::nullopt, "2026-11-20T15:00:00.000Z");
  EXPECT_THAT(check(), IsEmpty());
  set_budget({{{30'00}, {10, 50, 100}}}, "2026-11-20T16:00:00.000Z");
  EXPECT_THAT(check(), IsEmpty()) << "the thresholds were reported this month";
}

TEST_P(AiBudgets, WarnAgainOfThresholdsThatAHigherBudgetHasMovedAway) {
  use(1, "2026-11-20T10:00:00.000Z", "50");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50 80 100"));
  set_budget({{{100'00}}}, "2026-11-20T13:00:00.000Z");
  EXPECT_THAT(check(), IsEmpty()) << "half of it is reached, and was reported";
  use(2, "2026-11-20T14:00:00.000Z", "30");
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 80"));
  EXPECT_EQ(marks(), 2);
}

TEST_P(AiBudgets, WarnOfThePreviousMonthInTheFirstDaysOfTheNext) {
  use(1, "2026-11-30T23:59:59.000Z", "30");
  use(2, "2026-12-01T00:00:00.000Z", "45");
  EXPECT_THAT(check("2026-12-01T00:00:10.000Z"), UnorderedElementsAre("2026-11-01: 50", "2026-12-01: 50 80"));
  EXPECT_THAT(check("2026-12-01T00:00:20.000Z"), IsEmpty());
  use(3, "2026-11-29T10:00:00.000Z", "10");
  EXPECT_THAT(check("2026-12-03T23:59:59.999Z"), ElementsAre("2026-11-01: 80"));
  use(4, "2026-11-29T10:00:00.001Z", "10");
  EXPECT_THAT(check("2026-12-04T00:00:00.000Z"), IsEmpty());
}

TEST_P(AiBudgets, DoNotApplyToAMonthThatWasOverWhenTheyWereSet) {
  use(1, "2026-11-20T10:00:00.000Z", "30");
  set_budget({{{20'00}}}, "2026-12-01T00:00:01.000Z");
  EXPECT_THAT(check("2026-12-01T00:00:10.000Z"), IsEmpty());
}

TEST_P(AiBudgets, WarnOnlyActiveUsersOfTheRoles) {
  file_.accounts[0].users[1].details.deactivated = true;
  set_budget({{{50'00}}});
  use(1, "2026-11-20T10:00:00.000Z", "30");
  roles_ = {"Manager"};
  EXPECT_THAT(check(), IsEmpty());
  EXPECT_EQ(marks(), 0) << "it is still due";
  roles_ = {};
  EXPECT_THAT(check(), IsEmpty());
  roles_ = {"Manager", "Admin"};
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50"));
  EXPECT_THAT(mails(), ElementsAre("user1@landlord.example: Ana 50"));
}

TEST_P(AiBudgets, MailNothingWithoutTheLease) {
  use(1, "2026-11-20T10:00:00.000Z", "30");
  const auto newer = take_lease(session());
  EXPECT_THROW(check(), store::lease_lost);
  EXPECT_THAT(mails(), IsEmpty());
  EXPECT_EQ(marks(), 0);
  lease_ = newer;
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50")) << "the server that took over reports it";
}

TEST_P(AiBudgets, WarnOtherAccountsIfTheDatabaseRejectsOne) {
  file_.accounts[1].details.ai_budget = {{1'00}};
  set_budget({{50'00}});
  auto other = sample_usage(2, "2026-11-20T10:00:00.000Z", "1");
  other.account_id = account_id(2);
  use(1, "2026-11-20T10:00:00.000Z", "30");
  store::record_usage(session(), lease_, std::vector{other});
  refused_recipient_ = "user1@landlord.example";
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50 80 100"));
  EXPECT_THAT(mails(), ElementsAre("user2@landlord.example: Ana 100"));
  EXPECT_THROW(check(), store::constraint_violated);
  refused_recipient_.clear();
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50"));
}

using AiBudgetsOfLockedAccounts = AiBudgets;
ROOST_ON_POSTGRESQL(AiBudgetsOfLockedAccounts); // SQLite has a single writer

TEST_P(AiBudgetsOfLockedAccounts, LetOtherAccountsBeWarned) {
  file_.accounts[1].details.ai_budget = {{1'00}};
  set_budget({{50'00}});
  auto other = sample_usage(2, "2026-11-20T10:00:00.000Z", "1");
  other.account_id = account_id(2);
  use(1, "2026-11-20T10:00:00.000Z", "30");
  store::record_usage(session(), lease_, std::vector{other});
  {
    auto import = store().open();
    const store::transaction txn(import, store::transaction::purpose::write);
    import.internals().script("hold", "select 1 from accounts where id = '" +
                                          domain::to_string(account_id(1)) + "' for update");
    EXPECT_THAT(check(), ElementsAre("2026-11-01: 50 80 100"));
    EXPECT_THROW(check(), store::unavailable) << "only the first one is left";
  }
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50"));
}

TEST_P(AiBudgets, AreMarkedTogetherWithTheirMails) {
  use(1, "2026-11-20T10:00:00.000Z", "30");
  session().internals().script("full", "alter table outgoing_mail rename to moved");
  EXPECT_ANY_THROW(check());
  session().internals().script("free", "alter table moved rename to outgoing_mail");
  EXPECT_EQ(marks(), 0);
  EXPECT_THAT(check(), ElementsAre("2026-11-01: 50"));
}

} // namespace roost::testing::ai_budgets_test
