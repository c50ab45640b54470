#include "actors/usage/budget_watch.hpp"
#include "metrics/registry.hpp"
#include "store/support/sample_booking.hpp"
#include "store/support/sample_usage.hpp"
#include "store/support/stored_rows.hpp"
#include "store/usage/usage.hpp"
#include "support/eventually.hpp"
#include "support/metric_value.hpp"
#include "support/store.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>

namespace roost::testing::budget_watch_test {

/// Counts the requests to send mail.
actors::mailer::behavior_type mailer_behavior(actors::mailer::pointer, std::atomic<int>* requests) {
  return {[requests](const actors::send_due_mail&) { ++*requests; },
          [](const actors::outbox_interval_over&) {}, [](const actors::delivery_is_slow&) {},
          [](const actors::stop_mailer&) {}};
}

class BudgetWatch : public on_each_store {
protected:
  void SetUp() override {
    auto file = sample_portfolio(1);
    file.accounts[0].details.ai_budget = {{50'00}};
    import_sample(session(), file);
    lease_ = take_lease(session());
    hold_lease();
    pool_.emplace(runtime_, store().url(), 1, registry_);
    mailer_ = runtime_.system().spawn(mailer_behavior, &mail_requests);
  }

  void TearDown() override {
    for (const auto& each : watches_) caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(mailer_, caf::exit_reason::user_shutdown);
    watches_.clear();
    mailer_ = nullptr;
    runtime_.close_ports();
    pool_->stop();
  }

  void hold_lease() { held->hold(lease_, actors::held_lease::clock::now() + std::chrono::hours{1}); }

  void watch(bool on_hold = false) {
    actors::budget_watch_setup setup;
    setup.storage = pool_->at(actors::storage_pool::side_lane::ledger);
    setup.lease = held;
    setup.mailer = mailer_;
    setup.now = [] { return moment("2026-11-21T09:00:00.000Z"); };
    setup.roles = {"Admin"};
    setup.mail = [](const store::budget_warning&, const store::warned_user& user, domain::timestamp now) {
      return domain::outgoing_mail{.id = fresh_id(), .to = user.email, .created_at = now};
    };
    setup.on_hold = on_hold;
    setup.interval = std::chrono::milliseconds{20};
    watches_.push_back(actors::spawn_budget_watch(runtime_, std::move(setup)));
  }

  void use(unsigned long n, const char* cost) {
    const std::vector records{sample_usage(n, "2026-11-20T10:00:00.000Z", cost)};
    store::import_usage(session(), records, {}); // as a command does
  }

  std::int64_t mails() { return count_rows(session(), "outgoing_mail"); }

  unsigned long checks(const std::string& outcome = "done") {
    return static_cast<unsigned long>(
        metric_value(registry_.scrape(),
                     R"(roost_store_jobs_total{kind="warn_of_budgets",outcome=")" + outcome + R"("})"));
  }
  void wait_for_checks() {
    const auto before = checks();
    ASSERT_TRUE(eventually([&] { return checks() > before + 2; }));
  }

  std::shared_ptr<actors::held_lease> held = std::make_shared<actors::held_lease>();
  std::atomic<int> mail_requests = 0;

private:
  store::lease lease_;
  metrics::registry registry_;
  actors::runtime runtime_{actors::scheduler_knobs{},
                           [](auto, auto) { ADD_FAILURE() << "an actor has failed"; }};
  std::optional<actors::storage_pool> pool_;
  actors::mailer mailer_;
  std::vector<actors::budget_watch> watches_;
};
ROOST_ON_EACH_STORE(BudgetWatch);

TEST_P(BudgetWatch, MailsOnceWhenAThresholdIsReached) {
  watch();
  wait_for_checks();
  EXPECT_EQ(mails(), 0);
  use(1, "30");
  ASSERT_TRUE(eventually([&] { return mail_requests == 1; }));
  wait_for_checks();
  EXPECT_EQ(mails(), 1);
  use(2, "30");
  ASSERT_TRUE(eventually([&] { return mail_requests == 2; }));
  EXPECT_EQ(mails(), 2);
}

TEST_P(BudgetWatch, MailsOnceNextToAnotherOneAndAfterARestart) {
  use(1, "30");
  watch();
  watch();
  ASSERT_TRUE(eventually([&] { return mail_requests > 0; }));
  wait_for_checks();
  watch();
  wait_for_checks();
  EXPECT_EQ(mails(), 1);
}

TEST_P(BudgetWatch, MailsOnlyAsTheHolderOfTheLease) {
  held->give_up();
  use(1, "30");
  watch();
  std::this_thread::sleep_for(std::chrono::milliseconds{100}); // several intervals
  EXPECT_EQ(checks(), 0U);
  hold_lease();
  ASSERT_TRUE(eventually([&] { return mail_requests == 1; }));
}

TEST_P(BudgetWatch, MailsNothingOnHold) {
  use(1, "30");
  watch(true);
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  EXPECT_EQ(checks(), 0U);
}

} // namespace roost::testing::budget_watch_test
