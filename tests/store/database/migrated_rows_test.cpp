#include "store/database/change_stream.hpp"
#include "store/database/old_store.hpp"
#include "store/support/stored_rows.hpp"

#include <string>
#include <vector>

/// What migrations make of existing bookings, units, mails and the change stream.
namespace roost::testing::migrated_rows_test {
class MigrationsOfRows : public old_store {};
ROOST_ON_EACH_STORE(MigrationsOfRows);

TEST_P(MigrationsOfRows, KeepAndCountExistingUsageRecords) {
  store::migrate_to(session, 4);
  insert_landlord();
  for (const auto* id : {"1", "2"})
    session.internals().script(
        "test_usage",
        "insert into ai_usage (id, account_id, feature, provider, model, input_tokens, output_tokens,"
        " cache_creation_input_tokens, cache_read_input_tokens, cost, currency, pricing_snapshot,"
        " source, metadata, created_at) values ('00000000-0000-4000-8000-00000000000" +
            std::string(id) +
            "', '00000000-0000-4000-8000-000000000001', 'faq_generation', 'vendor', 'model', 1, 2, 3,"
            " 4, '0.1', 'USD', '{}', 'web', '{\"a\": 1}', '2026-11-20T09:30:00.000Z')");
  store::migrate(session);
  EXPECT_EQ(count_rows(session, "ai_usage where source = 'web' and metadata is not null"), 2);
  EXPECT_EQ(count_rows(session, "ai_usage_days where calls = 2 and cache_read_input_tokens = 8"), 1);
  EXPECT_EQ(count_rows(session, "ai_usage_newest where model = 'model'"), 1);
}

/// Inserts a unit with a booking whose external ID is no longer linked to it.
void insert_stay_of_a_former_link(store::session& session) {
  const std::string id = "'00000000-0000-4000-8000-000000000001'", now = "'2026-11-20T09:30:00.000Z'",
                    times = now + ", " + now;
  session.internals().script(
      "test_stay",
      "insert into properties (id, account_id, internal_name, type, street, house_number, floor, postal_code,"
      " city, region, neighborhood, country_code, cleaning_fee_enabled, cleaning_fee_cents,"
      " cleaning_fee_frequency, features, rules, description, images, archived, created_at, updated_at)"
      " values (" +
          id + ", " + id +
          ", 'House', 'house', '', '', '', '', '', '', '', '', '0', 0, 'monthly', '[]', '[]'," +
          " '{}', '[]', '0', " + times +
          "); insert into units (id, account_id, property_id, internal_name, kind, room_label, capacity,"
          " rent_fixed, rent_cents, extra_price_per_tenant_cents, extra_deposit_per_tenant_cents, "
          "bills_included, admin_fee_enabled,"
          " admin_fee_mode, admin_fee_cents, admin_fee_tiers, deposit_mode, deposit_value, exit_fee_cents,"
          " preparation_days, features, title, description, images, archived, created_at, updated_at) values "
          "(" +
          id + ", " + id + ", " + id + ", 'Room', 'room', '', 1, '1', 0, 0, 0, '0', '0', 'fixed', 0, '[]'," +
          " 'fixed', 0, 0, 0, '[]', '{}', '{}', '[]', '0', " + times +
          "); insert into tenants (id, account_id, first_name, email, created_at) values (" + id + ", " + id +
          ", 'Eva', 'eva@tenant.example', " + now +
          "); insert into booking_requests (id, state, platform, external_id, check_in, check_out, occupants,"
          " first_name, email, received_at, decided_at) values (" +
          id + ", 'Success', 'shop', 'old-1', '2026-12-01', '2027-01-01', 1, 'Eva', 'eva@tenant.example', " +
          times +
          "); insert into bookings (id, request_id, account_id, unit_id, tenant_id, platform, check_in,"
          " check_out, last_night, occupants, status, provider_payment_cents, terms, created_at, updated_at)"
          " values (" +
          id + ", " + id + ", " + id + ", " + id + ", " + id + ", 'shop', '2026-12-01', '2027-01-01'," +
          " '2026-12-31', 1, 'confirmed', 65000, '{}', " + times + ")");
}

TEST_P(MigrationsOfRows, RestoreFormerLinksFromBookings) {
  store::migrate_to(session, 8);
  insert_landlord();
  insert_stay_of_a_former_link(session);
  store::migrate(session);
  EXPECT_EQ(count_rows(session, "former_links where platform = 'shop' and external_id = 'old-1'"), 1);
}

TEST_P(MigrationsOfRows, KeepBookingsAndTheirConstraintsWhenRequestsBecomeOptional) {
  store::migrate_to(session, 8);
  insert_landlord();
  insert_stay_of_a_former_link(session);
  store::migrate(session);
  EXPECT_EQ(count_rows(session, "bookings where platform = 'shop' and revision = 0"), 1);
  const auto copy = [&](const std::string& id, const std::string& check_in, const std::string& check_out) {
    session.internals().script(
        "test_copy",
        "insert into bookings (id, account_id, unit_id, tenant_id, check_in, check_out, last_night,"
        " occupants, status, provider_payment_cents, terms, created_at, updated_at) select '" +
            id + "', account_id, unit_id, tenant_id, '" + check_in + "', '" + check_out + "', '" + check_out +
            "', 1, 'confirmed', 0, terms, created_at, updated_at from bookings"
            " where request_id is not null");
  };
  const std::string first = "00000000-0000-4000-8000-000000000008",
                    second = "00000000-0000-4000-8000-000000000009";
  EXPECT_THROW(copy(first, "2026-12-31", "2027-01-05"), store::constraint_violated);
  EXPECT_NO_THROW(copy(first, "2027-01-01", "2027-01-05"));
  EXPECT_NO_THROW(copy(second, "2027-01-05", "2027-01-06")) << "several bookings have no request";
  EXPECT_THROW(session.internals().script("test_block",
                                          "insert into blocks (id, unit_id, first_night, last_night, source,"
                                          " host, created_at, updated_at, by_office) select id, unit_id,"
                                          " '2027-01-02', '2027-01-02', 'manual', '', created_at, updated_at,"
                                          " '1' from bookings where id = '" +
                                              first + "'"),
               store::constraint_violated);
}

TEST_P(MigrationsOfRows, KeepChangelogsAndAllowSeveralEntriesOfOneEdit) {
  store::migrate_to(session, 8);
  insert_landlord();
  insert_stay_of_a_former_link(session);
  const auto insert_entry = [&](const std::string& number) {
    const std::string id = "'00000000-0000-4000-8000-000000000001'";
    session.internals().script(
        "test_entry",
        "insert into changelog (id, edit, account_id, unit_id, changed_at, changed_by, changes) values"
        " ('00000000-0000-4000-8000-00000000000" +
            number + "', 7, " + id + ", " + id + ", '2026-11-20T09:30:00.000Z', 'engine', '[]')");
  };
  insert_entry("1");
  store::migrate(session);
  insert_entry("2");
  EXPECT_EQ(count_rows(session, "changelog where edit = 7 and changed_by = 'engine'"), 2);
  EXPECT_EQ(count_rows(session, "users where language = 'en'"), 1);
}

TEST_P(MigrationsOfRows, MarkExistingCalendarsAsThoseOfTheOffice) {
  store::migrate_to(session, 8);
  insert_landlord();
  insert_stay_of_a_former_link(session);
  store::migrate_to(session, 38);
  const std::string id = "'00000000-0000-4000-8000-000000000001'", now = "'2026-11-20T09:30:00.000Z'";
  session.internals().script(
      "test_calendar",
      "insert into unit_calendars (id, unit_id, name, url, host, created_at, updated_at) values"
      " ('00000000-0000-4000-8000-000000000002', " +
          id + ", 'Host one', 'https://host.example/1.ics', '', " + now + ", " + now +
          "); insert into office_changes (account_id, part, id, platform, state, position, changed_by,"
          " changed_at) values (" +
          id + ", 'unit', " + id + ", '', 'changed', 7, 'ana@landlord.example', " + now + ")");
  store::migrate(session);
  EXPECT_EQ(count_rows(session, "office_changes where part = 'calendar' and state = 'created'"
                                " and id = '00000000-0000-4000-8000-000000000002' and account_id = " +
                                    id),
            1);
  EXPECT_EQ(count_rows(session, "office_changes where part = 'unit' and position = 7"), 1);
}

TEST_P(MigrationsOfRows, ContinueTheChangeStreamFromTheOldCounters) {
  store::migrate_to(session, 8);
  session.internals().script("test_counters", "update portfolio_state set version = 7, edits = 3");
  store::migrate(session);
  EXPECT_EQ(store::newest_point(session).position, 11);
  EXPECT_EQ(store::applied_position(session), 11) << "a starting server loads everything";
  EXPECT_EQ(store::record_change(session, {}).position, 12);
}

TEST_P(MigrationsOfRows, ClearTheFixedAmountOfVaryingRents) {
  store::migrate_to(session, 8);
  insert_landlord();
  insert_stay_of_a_former_link(session);
  session.internals().script("test_rent", "update units set rent_fixed = '0', rent_cents = 65500");
  store::migrate(session);
  EXPECT_EQ(count_rows(session, "units where rent_cents = 0"), 1);
}

TEST_P(MigrationsOfRows, DateExistingGivenUpMails) {
  store::migrate_to(session, 16);
  session.internals().script(
      "test_mails",
      "insert into outgoing_mail (id, recipient, subject, text_body, html_body, created_at, next_attempt_at,"
      " sent_at) values"
      " ('00000000-0000-4000-8000-000000000001', 'waits', '', '', '', '2020-01-01T00:00:00.000Z',"
      " '2020-01-02T00:00:00.000Z', null),"
      " ('00000000-0000-4000-8000-000000000002', 'sent', '', '', '', '2020-01-01T00:00:00.000Z', null,"
      " '2020-01-02T00:00:00.000Z'),"
      " ('00000000-0000-4000-8000-000000000003', 'given up', '', '', '', '2020-01-01T00:00:00.000Z', null, "
      "null)");
  store::migrate(session);
  EXPECT_EQ(count_rows(session, "outgoing_mail where given_up_at > '2026-01-01T00:00:00.000Z'"), 1);
  EXPECT_EQ(count_rows(session, "outgoing_mail where given_up_at is not null and recipient = 'given up'"), 1);
}

TEST_P(MigrationsOfRows, KeepMailsTogetherThatAnAttemptWasMadeFor) {
  store::migrate_to(session, 23);
  const auto row = [](const char* number, const char* recipient, const char* attempts) {
    return std::string("('00000000-0000-4000-8000-00000000000") + number + "', '" + recipient +
           "', '', '', '', '2020-01-01T00:00:0" + number + ".000Z', '2020-01-02T00:00:00.000Z', 'Casa', " +
           attempts + ")";
  };
  session.internals().script(
      "test_mails", "insert into outgoing_mail (id, recipient, subject, text_body, html_body, created_at,"
                    " next_attempt_at, gathered_for, attempts) values " +
                        row("1", "ana", "0") + ", " + row("2", "ana", "3") + ", " + row("3", "ana", "3") +
                        ", " + row("4", "eva", "1"));
  store::migrate(session);
  const auto of_email = [this](const char* number) {
    return count_rows(session, std::string("outgoing_mail where email_id = "
                                           "'00000000-0000-4000-8000-00000000000") +
                                   number + "'");
  };
  EXPECT_EQ(of_email("2"), 2);
  EXPECT_EQ(of_email("4"), 1);
  EXPECT_EQ(count_rows(session, "outgoing_mail where email_id is null and attempts = 0"), 1);
}

/// Inserts a booked, a refused, a repeated and a New request of marketplace A, numbers 1 to 4, and a refused
/// one without a landlord.
void insert_requests_without_account(store::session& session) {
  const std::string id = "'00000000-0000-4000-8000-00000000000", account = id + "1'",
                    now = "'2026-11-20T09:30:00.000Z'";
  const auto request = [&](const std::string& number, const std::string& state,
                           const std::string& reference) {
    session.internals().script(
        "test_request",
        "insert into booking_requests (id, state, platform, external_id, reference, check_in, check_out,"
        " occupants, first_name, email, received_at, decided_at) values (" +
            id + number + "', '" + state + "', 'a', 'u1', " + reference +
            ", '2027-01-01', '2027-02-01', 1, 'Eva', 'eva@tenant.example', " + now + ", " +
            (state == "New" ? std::string("null") : now) + ")");
  };
  request("1", "Success", "'ref'");
  request("2", "Failed", "null");
  request("3", "Dropped", "'ref'");
  request("4", "New", "null");
  request("5", "Failed", "null");
  session.internals().script(
      "test_booking",
      "insert into properties (id, account_id, internal_name, type, features, rules, description, images,"
      " archived, cleaning_fee_enabled, cleaning_fee_cents, cleaning_fee_frequency, street, house_number,"
      " floor, postal_code, city, region, neighborhood, country_code, created_at, updated_at) values (" +
          id + "1', " + account +
          ", 'House', 'house', '[]', '[]', '{}', '[]', '0', '0', 0, 'monthly', '', '', '', '',"
          " '', '', '', 'ES', " +
          now + ", " + now +
          "); insert into units (id, account_id, property_id, internal_name, kind, room_label, capacity,"
          " rent_fixed, rent_cents, extra_price_per_tenant_cents, extra_deposit_per_tenant_cents,"
          " bills_included, admin_fee_enabled, admin_fee_mode, admin_fee_cents, admin_fee_tiers, "
          "deposit_mode,"
          " deposit_value, exit_fee_cents, preparation_days, export_address, features, title, description,"
          " images, archived, created_at, updated_at) values (" +
          id + "1', " + account + ", " + id +
          "1', 'Room', 'room', '', 1, '1', 65000, 0, 0, '0', '0', 'fixed', 0, '[]', 'fixed', 0, 0, 0, " + id +
          "9', '[]', '{}', '{}', '[]', '0', " + now + ", " + now +
          "); insert into tenants (id, account_id, first_name, email, created_at) values (" + id + "1', " +
          account + ", 'Eva', 'eva@tenant.example', " + now +
          "); insert into bookings (id, request_id, account_id, unit_id, tenant_id, platform, reference,"
          " check_in, check_out, last_night, occupants, status, provider_payment_cents, terms, created_at,"
          " updated_at) values (" +
          id + "1', " + id + "1', " + account + ", " + id + "1', " + id +
          "1', 'a', 'ref', '2027-01-01', '2027-02-01', '2027-01-31', 1, 'confirmed', 0, '{}', " + now + ", " +
          now +
          "); insert into notifications (id, account_id, kind, title, body, request_id, created_at)"
          " values (" +
          id + "1', " + account + ", 'booking_refused', '', '', " + id + "2', " + now + ")");
}

TEST_P(MigrationsOfRows, FindTheAccountsOfRequests) {
  store::migrate_to(session, 43);
  session.internals().script("account",
                             "insert into accounts (id, company_name, currency, landlord_key, contract_type,"
                             " check_in_time, check_out_time, advance_notice_days, payment_terms,"
                             " native_engine, property_creation, tenant_categories, ai_areas, created_at,"
                             " updated_at) values ('00000000-0000-4000-8000-000000000001', 'Casa', 'EUR',"
                             " 'casa', 'x', '15:00', '11:00', 0, '{}', '0', '0', '[]', '{}',"
                             " '2026-11-20T09:30:00.000Z', '2026-11-20T09:30:00.000Z')");
  insert_requests_without_account(session);
  const auto position = store::newest_point(session);
  store::migrate(session);
  EXPECT_EQ(count_rows(session, "booking_requests where account_id = '00000000-0000-4000-8000-000000000001'"
                                " and state in ('Success', 'Failed', 'Dropped')"),
            3);
  EXPECT_EQ(count_rows(session, "booking_requests where account_id is null"), 2)
      << "the New one, and one without a known landlord";
  EXPECT_EQ(store::newest_point(session), position) << "the change stream continues";
  EXPECT_EQ(store::record_change(session, {store::change_kind::tenant, {}, {}, {}}).position,
            position.position + 1);
}

TEST_P(MigrationsOfRows, IndexTheBookingsOfTenants) {
  store::migrate(session);
  EXPECT_EQ(count_rows(session, session.is_sqlite()
                                    ? "pragma_index_info('bookings_of_tenant') where name = 'tenant_id'"
                                    : "pg_indexes where indexname = 'bookings_of_tenant'"
                                      " and indexdef like '%.bookings USING btree (tenant_id, account_id)'"),
            1);
}

TEST_P(MigrationsOfRows, FindTheUnitsOfNotificationsUnlessTheirBookingsWereMoved) {
  store::migrate_to(session, 8);
  insert_landlord();
  insert_stay_of_a_former_link(session);
  store::migrate_to(session, 52);
  const std::string id = "'00000000-0000-4000-8000-00000000000", unit = id + "1'",
                    now = "'2026-11-20T09:30:00.000Z'";
  // Further stays: 2 was sold in another unit, 3 was made by hand in another one.
  for (const std::string number : {"2", "3"})
    session.internals().script(
        "test_moved",
        "insert into bookings (id, account_id, unit_id, tenant_id, check_in, check_out, last_night, "
        "occupants,"
        " status, provider_payment_cents, terms, created_at, updated_at, sold_unit_id) select " +
            id + number + "', account_id, unit_id, tenant_id, '202" + number + "-02-01', '202" + number +
            "-03-01', '202" + number + "-02-28', 1, status, 0, terms, created_at, updated_at, " +
            (number == "2" ? id + "8'" : "null") + " from bookings where id = " + unit);
  session.internals().script("test_other_unit",
                             "create table other as select * from units; update other set id = " + id +
                                 "9', internal_name = 'Other', export_address = " + id +
                                 "9'; insert into units select * from other; drop table other");
  for (const std::string number : {"1", "3"})
    session.internals().script(
        "test_changelog",
        "insert into changelog (id, edit, account_id, unit_id, changed_at, changed_by, changes, subject_id)"
        " select id, 7, account_id, " +
            (number == "3" ? id + "9'" : unit) +
            ", created_at, 'ana', '[]', id from bookings where id = " + id + number + "'");
  session.internals().script("test_refused",
                             "update booking_requests set unit_id = " + unit + " where id = " + unit);
  const auto notify = [&](const std::string& number, const std::string& booking, const std::string& request) {
    session.internals().script("test_notification",
                               "insert into notifications (id, account_id, kind, title, body, booking_id,"
                               " request_id, created_at) values (" +
                                   id + number + "', " + unit + ", 'k', '', '', " + booking + ", " + request +
                                   ", " + now + ")");
  };
  notify("1", unit, unit);
  notify("2", id + "2'", "null");
  notify("3", id + "3'", "null");
  notify("4", "null", unit);
  notify("5", "null", "null");
  store::migrate(session);
  EXPECT_EQ(count_rows(session,
                       "notifications where unit_id = " + unit + " and id in (" + unit + ", " + id + "4')"),
            2);
  EXPECT_EQ(count_rows(session, "notifications where unit_id is null"), 3);
}

} // namespace roost::testing::migrated_rows_test
