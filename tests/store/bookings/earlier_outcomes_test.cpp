#include "store/bookings/outcomes.hpp"
#include "store/database/migrations.hpp"
#include "store/support/filled_store.hpp"
#include "store/support/sample_portfolio.hpp"
#include "store/support/stored_rows.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace roost::testing::earlier_outcomes_test {

/// A store of the version before outcomes were recorded.
class OutcomesOfEarlierVersions : public ::testing::TestWithParam<store_kind> {
protected:
  void SetUp() override {
    store::migrate_to(session, 53);
    fill_portfolio(session);
    fill_units(session);
    run_script(session, "insert into tenants (id, account_id, first_name, email, created_at) values ('" +
                            id_text(8, 1) + "', '" + id_text(1, 10) +
                            "', 'Zoe', '', '2026-01-01T00:00:00Z')");
  }

  void add_request(unsigned n, const std::string& reference, const std::string& state,
                   const std::string& decided_at) {
    run_script(session,
               "insert into booking_requests (id, state, platform, external_id, reference, check_in,"
               " check_out, occupants, first_name, email, received_at, decided_at, refusal) values ('" +
                   id_text(9, n) + "', '" + state + "', 'a', 'u1', " + reference +
                   ", '2027-01-01', '2027-02-01', '1', '', '', '2026-01-01T00:00:00Z', " + decided_at + ", " +
                   (state == "Failed" ? "'overlapping_nights'" : "null") + ")");
  }

  /// `more`: its check-out, status, who cancelled it, and when it was cancelled and updated.
  void add_booking(unsigned n, const std::string& reference, unsigned unit, const std::string& more) {
    run_script(session, "insert into bookings (id, request_id, account_id, unit_id, tenant_id, platform,"
                        " reference, check_in, last_night, occupants, provider_payment_cents, terms,"
                        " created_at, check_out, status, cancelled_by, cancelled_at, updated_at) values ('" +
                            id_text(10, n) + "', '" + id_text(9, n) + "', '" + id_text(1, 10) + "', '" +
                            id_text(5, unit) + "', '" + id_text(8, 1) + "', 'a', " + reference +
                            ", '2027-01-01', '2027-03-31', '1', '1', '{}', '2026-01-01T10:00:00Z', " + more +
                            ")");
  }

  test_store store{GetParam(), false};
  store::session session = store.open();
};
ROOST_ON_EACH_STORE(OutcomesOfEarlierVersions);

TEST_P(OutcomesOfEarlierVersions, AreListedInTheOrderOfTheirLastChange) {
  add_request(1, "'reference-1'", "Success", "'2026-01-01T10:00:00Z'");
  add_booking(1, "'reference-1'", 1,
              "'2027-02-01', 'cancelled', 'landlord', '2026-01-01T13:00:00Z', '2026-01-01T13:00:00Z'");
  add_request(2, "'reference-2'", "Failed", "'2026-01-01T11:00:00Z'");
  add_request(3, "'reference-3'", "Success", "'2026-01-01T10:30:00Z'");
  add_booking(3, "'reference-3'", 2, "'2027-03-01', 'confirmed', null, null, '2026-01-01T12:00:00Z'");
  add_request(4, "null", "Failed", "'2026-01-01T11:00:00Z'");
  add_request(5, "'reference-5'", "New", "null");
  add_request(6, "'reference-6'", "Success", "'2026-01-01T09:00:00Z'");
  add_booking(6, "'reference-6'", 3, "'2027-03-01', 'checked_in', null, null, '2026-01-01T14:00:00Z'");
  store::migrate(session);
  const auto page = store::outcomes_after(session, "a", 0, 10);
  ASSERT_EQ(page.outcomes.size(), 4U);
  EXPECT_EQ(page.outcomes[0].reference, "reference-6") << "changed before its guest checked in";
  EXPECT_EQ(page.outcomes[0].changed_at, moment("2026-01-01T09:00:00Z"));
  EXPECT_EQ(page.outcomes[1].reference, "reference-2");
  EXPECT_EQ(page.outcomes[2].reference, "reference-3");
  EXPECT_EQ(page.outcomes[3].reference, "reference-1");
  EXPECT_EQ(page.cursor, 4);
  EXPECT_EQ(page.outcomes[1].changed_at, moment("2026-01-01T11:00:00Z"));
  EXPECT_EQ(page.outcomes[2].changed_at, moment("2026-01-01T12:00:00Z"));
  EXPECT_EQ(page.outcomes[2].check_out, day("2027-03-01"));
  EXPECT_EQ(page.outcomes[3].changed_at, moment("2026-01-01T13:00:00Z"));
  EXPECT_EQ(store::newest_outcome(session, "a"), 4);
}

} // namespace roost::testing::earlier_outcomes_test
