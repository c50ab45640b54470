#pragma once

#include "store/office/booking_scene.hpp"
#include "store/support/stored_rows.hpp"
#include "support/eventually.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace roost::testing {

/// Transactions of the office next to those of other processes. SQLite has one writer at a time.
class race_scene : public booking_scene {
protected:
  /// Waits until this many transactions wait for others.
  void wait_until_waiting(std::int64_t transactions) {
    EXPECT_TRUE(eventually([&] {
      return count_rows(observer_, "pg_stat_activity where wait_event_type = 'Lock'"
                                   " and datname = current_database()") >= transactions;
    }));
  }

  /// Adds a stay from 2027-06-05 to 2027-06-20 as another process does, in the current transaction of the
  /// test's session. There must be a booking of the first unit.
  void insert_rival() {
    session().internals().script(
        "insert", "insert into bookings (id, account_id, unit_id, tenant_id, check_in, check_out, last_night,"
                  " occupants, status, provider_payment_cents, terms, created_at, updated_at)"
                  " select '" +
                      domain::to_string(fresh_id()) +
                      "', account_id, unit_id, tenant_id, '2027-06-05', '2027-06-20', '2027-06-19',"
                      " occupants, 'confirmed', provider_payment_cents, terms, created_at, updated_at"
                      " from bookings where unit_id = '" +
                      domain::to_string(unit_id(1)) + "' limit 1");
  }

  store::session other_ = store().open(), observer_ = store().open();
};

} // namespace roost::testing
