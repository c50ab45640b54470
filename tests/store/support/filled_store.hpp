#pragma once

#include "store/database/connection.hpp"
#include "store/database/session.hpp"

#include <string>

/// Fills a store with rows in every table, including values that are easily corrupted by a copy.
namespace roost::testing {

/// Returns the text of an id that is determined by kind and number.
inline std::string id_text(unsigned kind, unsigned number) {
  char text[40];
  std::snprintf(text, sizeof text, "%08x-0000-4000-8000-%012x", kind, number);
  return text;
}

inline void run_script(store::session& db, const std::string& text) {
  db.internals().script("fill_for_test", text);
}

/// Values are quoted text in both databases, which convert them to the types of the columns.
inline void fill_portfolio(store::session& db) {
  run_script(db, R"(
insert into accounts (id, company_name, logo_url, currency, landlord_key, contract_type, check_in_time, check_out_time,
    advance_notice_days, payment_terms, native_engine, property_creation, tenant_categories, ai_areas, created_at, updated_at,
    ai_budget)
  values ('00000001-0000-4000-8000-00000000000a', 'Çasa "Vërde" \ 家 😀	tab', null, 'EUR', 'casa', '', '00:00', '23:59',
    '0', '{"monthly_due_day": 5, "check_in": ["rent"], "é\u00e9": "\"\\\n", "n": [1.50, -0.0, 12345678901234567890.5, 1e3]}',
    '1', '0', '[]', '{}', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z',
    '{"monthly_cents": 5000, "warn_at": [50, 125]}');
insert into ai_budget_warnings (account_id, month, threshold, warned_at) values
  ('00000001-0000-4000-8000-00000000000a', '2026-11-01', '50', '2026-11-20T00:00:00.001Z'),
  ('00000001-0000-4000-8000-00000000000a', '0001-01-01', '1000', '2026-11-20T00:00:00.001Z');
insert into platform_cards (account_id, platform, integration_email, markup_mode, markup_value, calendar_block_days, updated_at) values
  ('00000001-0000-4000-8000-00000000000a', 'a-platform', null, 'fixed', '-9999999999', null, '2026-11-20T00:00:00.001Z'),
  ('00000001-0000-4000-8000-00000000000a', 'B-platform', '', 'none', '0', '1', '0001-01-01T00:00:00.000Z'),
  ('00000001-0000-4000-8000-00000000000a', 'a_platform', '', 'none', '0', '2147483647', '2026-11-20T00:00:00.001Z'),
  ('00000001-0000-4000-8000-00000000000a', 'ä-platform', '', 'none', '0', '2', '9999-12-31T23:59:59.999Z');
insert into users (id, account_id, email, password_hash, first_name, last_name, role, ai_access, deactivated, created_at,
    updated_at, folded_email, session_epoch, identity_issuer, identity_subject, owner_id, language)
  values ('00000002-0000-4000-8000-00000000000a', '00000001-0000-4000-8000-00000000000a', 'ANA@x.example', '$argon2id$v=19',
    '', 'Ω', 'Admin', '1', '0', '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.010Z', 'ana@x.example', '9223372036854775807',
    'issuer', 'subject', '00000003-0000-4000-8000-00000000000a', 'es');
insert into properties (id, account_id, internal_name, type, street, house_number, floor, postal_code, city, region,
    neighborhood, country_code, latitude, longitude, partner_currency, cleaning_fee_enabled, cleaning_fee_cents,
    cleaning_fee_frequency, monthly_bills_cents, wifi_password, features, rules, description, images, archived, payment_terms,
    origin_platform, origin_id, created_at, updated_at)
  values ('00000004-0000-4000-8000-00000000000a', '00000001-0000-4000-8000-00000000000a', 'One', 'house', '', '', '', '', '', '',
    '', 'ES', '-0.5', '-3.7037901999999998', 'USD', '0', '9999999999', '', null, '\N', '["a", "b"]', '[]', '{"b":"1","aa":"2"}',
    '[{"url":"https://x.example/ä?a=1&b=2"}]', '0', null, 'p', 'o', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'),
  ('00000004-0000-4000-8000-00000000000b', '00000001-0000-4000-8000-00000000000a', 'Two', 'studio', '', '', '', '', '', '',
    '', 'ES', '89.999999999999986', '1e-7', null, '1', '0', '', '1', null, '[]', '[]', '{}', '[]', '1', '{}',
    null, null, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
)");
}

inline void fill_units(store::session& db, unsigned units = 7) {
  for (unsigned i = 1; i <= units; ++i) {
    const auto number = std::to_string(i), unit = "'" + id_text(5, i) + "'";
    run_script(
        db,
        "insert into units (id, account_id, property_id, internal_name, kind, room_label, capacity, "
        "rent_fixed,"
        " rent_cents, extra_price_per_tenant_cents, extra_deposit_per_tenant_cents, bills_included,"
        " admin_fee_enabled, admin_fee_mode, admin_fee_cents, admin_fee_tiers, deposit_mode, deposit_value,"
        " exit_fee_cents, preparation_days, short_term_ical_max_date, export_address, features, title, "
        "description, images,"
        " archived, created_at, updated_at) values (" +
            unit + ", '" + id_text(1, 10) + "', '" + id_text(4, 10) + "', 'Room " + number +
            "', 'room', '', '1', '1', '65000', '0', '0', '1', '0', 'fixed', '0', '[]', 'fixed', '0', '0', "
            "'0',"
            " '9999-12-31', '" +
            id_text(9, i) +
            "', '[]', '{}', '{}', '[]', '0', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z');"
            "insert into links (unit_id, account_id, platform, external_id, url) values (" +
            unit + ", '" + id_text(1, 10) + "', 'a', 'u" + number + "', null);");
  }
  const auto unit = "'" + id_text(5, 1) + "'", account = "'" + id_text(1, 10) + "'";
  for (const auto* month : {"1", "2", "10", "12"})
    run_script(db, "insert into unit_month_rents values (" + unit + ", '" + month +
                       "', '1', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')");
  run_script(
      db,
      "insert into booking_windows values (" + unit +
          ", '0', '0001-01-01', '2027-01-01', '2027-02-01', '9999-12-31');"
          "insert into exclusions values (" +
          unit +
          ", 'b');"
          "insert into changelog values ('" +
          id_text(6, 1) + "', '1', " + account + ", " + unit +
          ", '2026-01-01T00:00:00Z', 'engine', '[{\"field\":\"rent\",\"to\":1.5}]', '" + id_text(7, 1) +
          "');"
          "insert into unit_calendars values ('" +
          id_text(8, 1) + "', " + unit +
          ", 'Host', 'https://host.example/1.ics', 'a host', '3', '300', '\"1\"', '', "
          "'2026-01-01T00:00:00Z', "
          "null,"
          " '2', 'no connection', '1', '2026-01-01T00:05:00Z', null, '2026-01-01T00:00:00Z',"
          " '2026-01-01T00:00:00Z');"
          "insert into calendar_events values ('" +
          id_text(8, 1) +
          "', '2028-01-01', '2028-01-02');"
          "insert into blocks values ('" +
          id_text(7, 1) + "', " + unit +
          ", '2030-01-01', null, 'manual', '', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'Paint', '1',"
          " null);"
          "insert into replaced_blocks values ('" +
          id_text(7, 2) + "', " + unit +
          ", '2029-01-01', null, 'channel', 'a host', '1');"
          "insert into office_creations values ('" +
          id_text(7, 1) + "', " + account +
          ", 'hash');"
          "insert into office_changes values (" +
          account + ", 'unit', " + unit +
          ", '', 'changed', '1', 'ana@a.example', '2026-01-01T00:00:00Z');"
          "insert into former_users values ('" +
          id_text(3, 9) +
          "', '7', '2');"
          "insert into former_links values ('Old', 'a', " +
          account +
          ", '2026-01-01T00:00:00.123Z', '3'),"
          "('old', 'a', " +
          account +
          ", '2026-01-01T00:00:00.120Z', '0'),"
          "('älter', 'a', " +
          account + ", '2026-01-01T00:00:00Z', '0');");
}

/// Like the requests, their order of arrival differs from that of the ids.
inline void fill_stay_changes(store::session& db) {
  run_script(db,
             "update platform_cards set allow_changes = '0' where platform in ('a-platform', 'a_platform')");
  run_script(
      db,
      "insert into stay_changes (platform, reference, id, after_seq, check_in, check_out, occupants,"
      " provider_payment_cents, requested_by, received_at, state, refusal, taken_nights, decided_at) values"
      " ('a', 'ref', '" +
          id_text(17, 3) +
          "', '5', '2027-01-01', '2027-03-01', null, null, 'token 1', '2026-01-01T00:00:00.999Z', 'pending',"
          " null, null, null), ('ä', 'ref\t\\', '" +
          id_text(17, 2) +
          "', '0', '0001-01-01', '9999-12-31', '2147483647', '9999999999', '', '0001-01-01T00:00:00.000Z',"
          " 'refused', 'overlapping_nights', '2027-02-01/2027-02-02 2027-02-05/2027-02-05',"
          " '9999-12-31T23:59:59.999Z'), ('A', 'Ref', '" +
          id_text(17, 1) +
          "', '9007199254740993', '2027-01-01', '2027-01-01', '1', '0', 'token 2', "
          "'2026-01-01T00:00:00.001Z',"
          " 'applied', null, null, '2026-01-01T00:00:01Z')");
}

/// One hold that has not ended, one that a request has claimed, and one that has ended; none on nights of the
/// stay and the block of the first unit.
inline void fill_holds(store::session& db) {
  run_script(db,
             "update platform_cards set allow_holds = '0' where platform in ('B-platform', 'ä-platform')");
  run_script(
      db, "insert into holds (platform, id, block_id, unit_id, external_id, check_in, check_out, last_night,"
          " minutes, created_at, expires_at, request_id, ended_at) values ('a', '" +
              id_text(18, 2) + "', '" + id_text(19, 1) + "', '" + id_text(5, 1) +
              "', 'u1', '2027-06-01', '2027-06-10', '2027-06-09', '30', '2026-01-01T00:00:00.999Z',"
              " '2026-01-01T00:30:00.999Z', null, null), ('a', '" +
              id_text(18, 1) + "', '" + id_text(19, 3) + "', '" + id_text(5, 2) +
              "', 'u2\t\\', '0001-01-01', '9999-12-30', '9999-12-31', '1', '0001-01-01T00:00:00.000Z',"
              " '0001-01-01T00:01:00.000Z', '" +
              id_text(9, 4) + "', null), ('ä', 'Hold \"1\"', '" + id_text(19, 2) + "', '" + id_text(5, 1) +
              "', '', '2027-01-01', '2027-01-02', '2027-01-05', '15', '2026-01-01T00:00:00Z',"
              " '2026-01-01T00:15:00Z', null, '9999-12-31T23:59:59.999Z')");
}

inline void fill_bookings(store::session& db) {
  const auto account = "'" + id_text(1, 10) + "'", unit = "'" + id_text(5, 1) + "'";
  run_script(db, "insert into tenants (id, account_id, first_name, last_name, email, created_at) values ('" +
                     id_text(8, 1) + "', " + account + ", 'Zoë', null, '', '1970-01-01T00:00:00Z');" +
                     " insert into former_addresses (account_id, tenant_id, email) values (" + account +
                     ", '" + id_text(8, 1) + "', 'Zoë@x.example'), (" + account + ", '" + id_text(8, 1) +
                     "', 'zoë@x.example');");
  for (unsigned i = 5; i >= 1; --i) // the order of arrival differs from the order of ids
    run_script(
        db,
        "insert into booking_requests (id, state, platform, external_id, check_in, check_out, occupants,"
        " first_name, email, received_at, decided_at) values ('" +
            id_text(9, i) +
            "', 'Success', 'a', 'u1', '2027-01-01', '2027-02-01', '1', '', '', '2026-01-01T00:00:00.999Z',"
            " '2026-01-01T00:00:01Z')");
  run_script(
      db,
      "update booking_requests set account_id = " + account + ", unit_id = " + unit + " where id = '" +
          id_text(9, 2) +
          "';"
          "update booking_requests set reference = 'ref', digest = '01234567:ab', is_put = '1',"
          " taken_nights = '2027-01-01/2027-01-02' where id = '" +
          id_text(9, 3) +
          "';"
          "update request_totals set total = 5 where state = 'Success';"
          "insert into outcome_numbers values ('a', '9007199254740993');"
          "insert into outcome_changes values ('a', '9007199254740993', '9007199254740992', '" +
          id_text(9, 2) + " " + id_text(9, 3) +
          "', '00c0ffee');"
          "insert into bookings (id, request_id, account_id, unit_id, tenant_id, platform, reference, "
          "check_in, "
          "check_out,"
          " last_night, occupants, status, provider_payment_cents, ota_commission_cents, terms, cancelled_by,"
          " cancelled_at, created_at, updated_at, platform_changed_at, platform_changed_check_in,"
          " platform_changed_check_out) values ('" +
          id_text(10, 1) + "', '" + id_text(9, 1) + "', " + account + ", " + unit + ", '" + id_text(8, 1) +
          "', 'a', null, '2027-01-01', '2027-02-01', '2027-01-31', '1', 'cancelled', '9999999999', null,"
          " '{ \"b\":1.50,\"a\" : \"\\u00e9\" }', 'landlord', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z',"
          " '2026-01-01T00:00:00Z', null, null, null), ('" +
          id_text(10, 2) + "', '" + id_text(9, 2) + "', " + account + ", " + unit + ", '" + id_text(8, 1) +
          "', 'a', 'ref', '2027-01-01', '2027-02-01', '2027-01-31', '1', 'confirmed', '0', '1', '{}', null, "
          "null,"
          " '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z', '0001-01-01',"
          " '9999-12-31');"
          "insert into notifications values ('" +
          id_text(11, 1) + "', " + account + ", 'k', '', 'line\nline', null, '" + id_text(9, 1) +
          "', '2026-01-01T00:00:00Z', '" + id_text(4, 1) +
          "');"
          "insert into received_payments values ('" +
          id_text(16, 1) + "', " + account + ", '" + id_text(10, 2) +
          "', 'rent', 'tenant', '2027-01-01', '2027-01-31', '2027-01-05', '9999999999', '2027-01-04', '1',"
          " 'In cash\nat the door', 'ana@x.example', '2027-01-04T00:00:00.001Z'), ('" +
          id_text(16, 2) + "', " + account + ", '" + id_text(10, 2) +
          "', 'deposit', 'tenant', null, null, '2027-01-05', '0', '2027-01-04', '2', '', 'ana@x.example',"
          " '2027-01-04T00:00:00Z');"
          "insert into notification_reads values ('" +
          id_text(2, 10) + "', '" + id_text(11, 1) +
          "');"
          "insert into outgoing_mail (id, recipient, subject, text_body, html_body, created_at, attempts,"
          " next_attempt_at, confidential) values ('" +
          id_text(12, 1) +
          "', 'x', 'a\tb', 'c\\d\r\n', '<p>&amp;</p>', '2026-01-01T00:00:00Z', '3', '2026-01-02T00:00:00Z', "
          "'1');");
}

inline void fill_ledger(store::session& db) {
  const auto* const costs = "0.021075 123456789012345678.000000000000000001 0 7.10";
  std::string text = costs;
  for (unsigned i = 1; i <= 4; ++i) {
    const auto cost = text.substr(0, text.find(' '));
    text.erase(0, cost.size() + 1);
    run_script(
        db,
        "insert into ai_usage (id, account_id, feature, provider, model, input_tokens, output_tokens,"
        " cache_creation_input_tokens, cache_read_input_tokens, cost, currency, pricing_snapshot, metadata,"
        " created_at) values ('" +
            id_text(13, i) + "', '" + id_text(1, 10) +
            "', 'f', 'v', 'm', '9007199254740993', '0', '1', '2', '" + cost +
            "', 'USD', '{\"perMTok\": {\"input\": 3.0}}', null, '2026-01-0" + std::to_string(i % 2 + 1) +
            "T00:00:00.500Z')");
  }
}

inline void fill_credentials(store::session& db) {
  const std::string id = "00000014-0000-4000-8000-000000000001", user = id_text(2, 10);
  const std::string at = "2026-01-01T00:00:00Z", later = "2027-01-01T00:00:00.001Z";
  const auto row = [&](const std::string& table, const std::string& values) {
    run_script(db, "insert into " + table + " values (" + values + ")");
  };
  row("partner_tokens", "'" + id + "', 'a', '" + at + "', '" + later + "', null, 'Ana''s ü'");
  row("account_keys", "'" + id + "', '" + id_text(1, 10) + "', 'h', '1234', '" + at + "', null, 'Ana''s ü'");
  row("webhook_keys", "'" + id + "', 'h', '1234', '" + at + "', '" + later + "', 'Ana''s ü'");
  row("usage_keys", "'" + id + "', 'h', '1234', '" + at + "', null, 'Ana''s ü'");
  row("tool_server_keys", "'" + id + "', 'https://x.example', 'h', '1234', '" + at + "', null, 'Ana''s ü'");
  row("api_keys", "'" + id + "', '" + user + "', 'n', 'h', '1234', '" + at + "', null, 'https://x.example'");
  row("credential_uses", "'" + id + "', '" + at + "'");
  row("sessions", "'" + id + "', '" + user + "', '1', '1', '" + at + "', '" + at + "', '" + later +
                      "', null, null, 'Firefox', '::1', '1767225600000'");
  row("sign_in_challenges",
      "'" + id + "', 'h', '" + user + "', '1', 'pending', 's', '0', '0', '" + at + "', '" + later + "'");
  row("sign_in_codes", "'" + id + "', '" + user + "', '" + at + "'");
  row("identity_token_uses", "'h', '" + later + "'");
  row("wrong_passwords", "'" + id + "', 'h', '" + at + "'");
  row("remembered_browsers",
      "'" + id + "', 'h', '" + user + "', '1', '" + at + "', '" + later + "', 'Firefox'");
  row("known_browsers", "'" + user + "', 'h', '" + at + "'");
  row("password_resets", "'" + id + "', 'h', '" + user + "', '1', '" + at + "', '" + later + "', null");
  row("connector_clients",
      "'https://client.example/a', 'ünï', '[\"https://x.example\"]', '[]', 'none', null, null, 'f', '" + at +
          "', null");
  row("connector_codes", "'" + id + "', 'h', 'c', null, 'r', 'ch', '" + user + "', 'res', '" + at + "', '" +
                             later + "', null, '3'");
  row("connections", "'" + id + "', 'c', null, '" + user + "', 'res', '9', '" + at + "', '" + at + "', '" +
                         later + "', null, null, '1767225600000 1767225600001', '3'");
  row("signing_keys", "'1', 'abcdef'");
  row("audit",
      "'" + id + "', '" + at + "', 'me@host', 'booking cancel', '', 'd''oh', '" + id_text(1, 10) + "'");
}

inline void fill_store(store::session& db) {
  fill_portfolio(db);
  fill_units(db);
  fill_bookings(db);
  fill_stay_changes(db);
  fill_holds(db);
  fill_ledger(db);
  fill_credentials(db);
}

} // namespace roost::testing
