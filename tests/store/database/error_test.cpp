#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

namespace roost::testing::error_test {

template <typename Run>
store::constraint_violated violation_of(Run run) {
  try {
    run();
  } catch (const store::constraint_violated& rejection) {
    return rejection;
  }
  ADD_FAILURE() << "no row was rejected";
  return {store::violation::conflicting_row, "none"};
}

ROOST_FOR_EACH_STORE(RejectedRow);

TEST_P(RejectedRow, HasAnInvalidValueIfItViolatesACheck) {
  writer node(session());
  auto request = sample_request(1);
  request.occupants = 0;
  EXPECT_EQ(violation_of([&] { node.insert({request}); }).kind(), store::violation::invalid_value);
}

TEST_P(RejectedRow, HasAnInvalidValueIfATriggerRejectsIt) {
  writer node(session());
  reject_rows(session(), "booking_requests", "new.first_name = 'Eva'");
  EXPECT_EQ(violation_of([&] { node.insert({sample_request(1)}); }).kind(), store::violation::invalid_value);
}

TEST_P(RejectedRow, ConflictsIfItsKeyExists) {
  writer node(session());
  node.insert({sample_request(1), sample_request(2)});
  auto accepted = accept(sample_request(1), unit_id(1)), repeated = accept(sample_request(2), unit_id(2));
  repeated.new_tenant->id = repeated.booking->tenant_id = accepted.new_tenant->id;
  EXPECT_EQ(violation_of([&] {
              node.decide({accepted, repeated});
            }).kind(),
            store::violation::conflicting_row);
}

TEST_P(RejectedRow, ConflictsIfItRefersToAMissingRow) {
  writer node(session());
  node.insert({sample_request(1)});
  EXPECT_EQ(violation_of([&] { node.decide({accept(sample_request(1), fresh_id())}); }).kind(),
            store::violation::conflicting_row);
}

/// Throws PostgreSQL's error with this SQLSTATE.
void throw_state(const std::string& sqlstate) {
  store::throw_postgresql_error({sqlstate, ""}, "insert", false, false);
}

TEST(PostgresqlError, IsARejectedRowIfATriggerRaisesItWithAnySqlstate) {
  for (const char* state : {"45000", "P0001", "P0002", "P0004", "RB001", "ZZ999", "U0001", "99000"}) {
    const auto rejection = violation_of([&] { throw_state(state); });
    EXPECT_EQ(rejection.kind(), store::violation::invalid_value) << state;
    EXPECT_EQ(rejection.constraint(), std::string("SQLSTATE ") + state);
  }
}

TEST(PostgresqlError, IsNotARejectedRowIfTheServerRaisesIt) {
  for (const char* state : {"42501", "42P01", "55000", "72000", "HV000", "F0000", "XX000", "P0000", "0A000"})
    EXPECT_THROW(throw_state(state), store::failure) << state;
  for (const char* state : {"40001", "53100", "57P01", "58030"})
    EXPECT_THROW(throw_state(state), store::unavailable) << state;
}

/// A server whose `lc_messages` is German, simulated by a trigger that reports its message.
class GermanServer : public ::testing::Test {
protected:
  void violate(const std::string& sqlstate, const std::string& constraint, const std::string& message) {
    session.internals().script("german_error",
                               "create function violate() returns trigger language plpgsql as $$ begin"
                               " raise exception using errcode = '" +
                                   sqlstate + "', constraint = '" + constraint + "', message = '" + message +
                                   "'; end $$;"
                                   "create trigger violate before insert on bookings for each row"
                                   " execute function violate()");
  }

  store::constraint_violated decide(unsigned long bookings) {
    std::vector<domain::booking_request> requests;
    std::vector<domain::decision> decisions;
    for (unsigned long n = 1; n <= bookings; ++n) {
      requests.push_back(sample_request(n));
      decisions.push_back(accept(requests.back(), unit_id(n)));
    }
    node.insert(requests);
    return violation_of([&] { node.decide(decisions); });
  }

  test_store store{store_kind::postgresql};
  store::session session = store.open();
  writer node{session};
};

TEST_F(GermanServer, ReportsARepeatedReferenceOfOneBooking) {
  violate("23505", "bookings_reference",
          "doppelter Schlüsselwert verletzt Unique-Constraint »bookings_reference«");
  const auto rejection = decide(1);
  EXPECT_EQ(rejection.kind(), store::violation::duplicate_reference);
  EXPECT_EQ(rejection.constraint(), "bookings_reference");
}

TEST_F(GermanServer, ReportsARepeatedReferenceInAGroupOfBookings) {
  violate("23505", "bookings_reference",
          "doppelter Schlüsselwert verletzt Unique-Constraint »bookings_reference«");
  EXPECT_EQ(decide(2).kind(), store::violation::duplicate_reference);
}

TEST_F(GermanServer, ReportsAnOverlap) {
  violate("23P01", "bookings_no_overlap",
          "kollidierender Schlüsselwert verletzt Exclusion-Constraint »bookings_no_overlap«");
  EXPECT_EQ(decide(1).kind(), store::violation::overlapping_stay);
}

/// The text of a message may name another constraint than the violated one.
TEST_F(GermanServer, IsNotReadByTheTextOfItsMessage) {
  violate("23505", "another", "constraint \"bookings_reference\"");
  const auto rejection = decide(1);
  EXPECT_EQ(rejection.kind(), store::violation::conflicting_row);
  EXPECT_EQ(rejection.constraint(), "another");
}

TEST_F(GermanServer, ReportsTextThatIsNotUtf8AsAnInvalidValue) {
  auto request = sample_request(1);
  request.tenant.first_name = "\xff";
  for (const auto& group : {std::vector{request}, std::vector{request, sample_request(2)}}) {
    const auto rejection = violation_of([&] { node.insert(group); });
    EXPECT_EQ(rejection.kind(), store::violation::invalid_value);
    EXPECT_EQ(rejection.constraint(), "SQLSTATE 22021");
  }
}

} // namespace roost::testing::error_test
