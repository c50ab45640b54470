#include "actors/support/booking_world.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace roost::testing::mailer_test {
class Mailer : public booking_world {
protected:
  /// A refused request's mail to the landlord.
  void put_a_mail_into_the_outbox() {
    const auto first = request(1, 1, "2027-02-01", "2027-03-01");
    const auto second = request(2, 1, "2027-02-01", "2027-03-01");
    enqueue({first, second});
    decide({first, second});
  }

  unsigned long looks_at_the_outbox() {
    return metric(R"(roost_store_jobs_total\{kind="due_mails",outcome="done"\} (\d+))");
  }

  unsigned long attempts_that(const std::string& outcome) {
    return metric(R"(roost_mails_total\{outcome=")" + outcome + R"("\} (\d+))");
  }
};

ROOST_ON_EACH_STORE(Mailer);

TEST_P(Mailer, SendsWhatTheOutboxHoldsOnce) {
  put_a_mail_into_the_outbox();
  ASSERT_TRUE(eventually([&] { return mails->count() == 1; }));
  const auto looks = looks_at_the_outbox();
  ASSERT_TRUE(eventually([&] { return looks_at_the_outbox() > looks + 2; }));
  EXPECT_EQ(mails->count(), 1U);
}

TEST_P(Mailer, SendsAgainWhatCouldNotBeSettled) {
  mails->losing = true;
  put_a_mail_into_the_outbox();
  ASSERT_TRUE(eventually([&] { return attempts_that("failed") == 1; }));
  EXPECT_EQ(attempts_that("sent"), 0U);
  mails->losing = false;
  days_passed = domain::days{1};
  ASSERT_TRUE(eventually([&] { return attempts_that("sent") == 1; }));
  EXPECT_EQ(mails->count(), 2U);
  EXPECT_EQ(attempts_that("failed"), 1U);
}

TEST_P(Mailer, LooksOnceAnIntervalHoweverOftenItIsTold) {
  constexpr int told = 30;
  constexpr auto interval = 20ms; // of this world's mailer
  constexpr unsigned intervals = 20;
  for (int i = 0; i < told; ++i) caf::anon_send(mailer, actors::send_due_mail{});
  const auto before = looks_at_the_outbox();
  const auto began = std::chrono::steady_clock::now();
  ASSERT_TRUE(eventually([&] { return looks_at_the_outbox() >= before + told + intervals; }));
  EXPECT_GE(std::chrono::steady_clock::now() - began, interval * (intervals / 2));
}

} // namespace roost::testing::mailer_test
