#pragma once

#include "store/database/connection.hpp"
#include "store/database/migrations.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::testing {

/// A store without tables, which tests bring to an old version.
class old_store : public ::testing::TestWithParam<store_kind> {
protected:
  test_store store{GetParam(), false};
  store::session session = store.open();

  /// Inserts an account with a user as SQL, because the program writes the newest schema only.
  void insert_landlord() {
    const std::string id = "'00000000-0000-4000-8000-000000000001'", now = "'2026-11-20T09:30:00.000Z'";
    session.internals().script(
        "test_landlord",
        "insert into accounts (id, company_name, currency, landlord_key, contract_type, check_in_time, "
        "check_out_time,"
        " advance_notice_days, payment_terms, native_engine, property_creation, tenant_categories, ai_areas,"
        " changed_version, created_at, updated_at) values (" +
            id + ", 'Casa', 'EUR', 'casa', 'x', '15:00', '11:00', 0, '{}', '0', '0', '[]', '{}', 0, " + now +
            ", " + now +
            "); insert into users (id, account_id, email, first_name, last_name, role, ai_access, "
            "deactivated,"
            " created_at, updated_at) values (" +
            id + ", " + id + ", 'Ana@Landlord.example', '', '', 'Admin', '0', '0', " + now + ", " + now +
            ")");
  }

  /// Migrates a store of the second version, with a landlord, after this change of it.
  void migrate_second_version(const char* change) {
    store::migrate_to(session, 2);
    insert_landlord();
    session.internals().script("older_version", change);
    store::migrate(session);
  }
};

} // namespace roost::testing
