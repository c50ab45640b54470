#include "store/database/old_store.hpp"
#include "store/support/stored_rows.hpp"

#include <string>
#include <vector>

/// What migrations make of existing users, their sessions and their connections.
namespace roost::testing::migrated_users_test {
class MigrationsOfUsers : public old_store {};
ROOST_ON_EACH_STORE(MigrationsOfUsers);

TEST_P(MigrationsOfUsers, FoldExistingAddresses) {
  EXPECT_EQ(store::migrate_to(session, 1), std::vector<std::string>{"initial"});
  insert_landlord();
  EXPECT_EQ(store::migrate(session).front(), "folded_emails");
  EXPECT_EQ(count_rows(session, "users where folded_email = 'ana@landlord.example'"), 1);
  EXPECT_EQ(count_rows(session, "users where email = 'Ana@Landlord.example'"), 1);
}

TEST_P(MigrationsOfUsers, FillTheKeysOfExistingAddresses) {
  migrate_second_version("update users set email = 'Rene\u0301@xn--mnchen-3ya.example',"
                         " folded_email = 'rene\u0301@xn--mnchen-3ya.example'");
  EXPECT_EQ(count_rows(session, "users where folded_email = 'ren\u00e9@münchen.example'"), 1);
  EXPECT_EQ(count_rows(session, "users where email = 'Rene\u0301@xn--mnchen-3ya.example'"), 1);
}

TEST_P(MigrationsOfUsers, LeaveAUserWhoseAddressIsThatOfAnother) {
  migrate_second_version(
      "update users set email = 'max@münchen.example', folded_email = 'max@münchen.example';"
      "insert into users (id, account_id, email, folded_email, first_name, last_name, role, ai_access,"
      " deactivated, created_at, updated_at) select '00000000-0000-4000-8000-000000000002', account_id,"
      " 'max@xn--mnchen-3ya.example', 'max@xn--mnchen-3ya.example', '', '', role, ai_access, deactivated,"
      " created_at, updated_at from users");
  EXPECT_EQ(count_rows(session, "users where folded_email = 'max@münchen.example'"), 1);
  EXPECT_EQ(count_rows(session, "users where folded_email = 'max@xn--mnchen-3ya.example'"), 1);
}

TEST_P(MigrationsOfUsers, NameRememberedBrowsersAfterTheirSessions) {
  store::migrate_to(session, 19);
  session.internals().script(
      "test_browsers",
      "insert into sessions (id, user_id, epoch, generation, created_at, rotated_at, expires_at, browser, "
      "address) values"
      " ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000009', 1, 1,"
      " '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', 'Firefox/140', "
      "'');"
      "insert into remembered_browsers (id, token_hash, user_id, epoch, created_at, expires_at) values"
      " ('00000000-0000-4000-8000-000000000001', 'a', '00000000-0000-4000-8000-000000000009', 1,"
      " '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'),"
      " ('00000000-0000-4000-8000-000000000002', 'b', '00000000-0000-4000-8000-000000000009', 1,"
      " '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z')");
  store::migrate(session);
  EXPECT_EQ(count_rows(session, "remembered_browsers where token_hash = 'a' and browser = 'Firefox/140'"), 1);
  EXPECT_EQ(count_rows(session, "remembered_browsers where token_hash = 'b' and browser = ''"), 1);
}

/// Inserts a deactivated user, number 2, into the account of insert_landlord(), and a connection and an API
/// key for each of an active user (1), this one, and a removed one (3).
void insert_assistants(store::session& session) {
  const std::string id = "'00000000-0000-4000-8000-00000000000", now = "'2026-11-20T09:30:00.000Z'";
  session.internals().script(
      "test_deactivated",
      "insert into users (id, account_id, email, folded_email, first_name, last_name, role, ai_access,"
      " deactivated, created_at, updated_at) values (" +
          id + "2', " + id +
          "1', 'eva@landlord.example', 'eva@landlord.example', '', '', 'Admin', '0', '1', " + now + ", " +
          now + ")");
  for (const std::string number : {"1", "2", "3"}) {
    const auto key = id + number + "'";
    session.internals().script(
        "test_connection",
        "insert into connections (id, client_id, user_id, resource, generation, created_at, used_at,"
        " expires_at) values (" +
            key + ", 'mcp-1', " + key + ", 'https://tools.example/mcp', 1, " + now + ", " + now +
            ", '2027-01-20T09:30:00.000Z'); insert into api_keys (id, user_id, name, hash, last4, created_at)"
            " values (" +
            key + ", " + key + ", '', 'hash " + number + "', 'last', " + now + ")");
  }
}

TEST_P(MigrationsOfUsers, EndTheConnectionsOfRemovedAndDeactivatedUsers) {
  store::migrate_to(session, 8);
  insert_landlord();
  insert_assistants(session);
  store::migrate(session);
  const std::string active = "user_id = '00000000-0000-4000-8000-000000000001'";
  EXPECT_EQ(count_rows(session, "connections where ended_at is null and " + active), 1);
  EXPECT_EQ(count_rows(session, "connections where ended_at is not null and ended_by = 'operator'"), 2);
  EXPECT_EQ(count_rows(session, "api_keys where ended_at is null and " + active), 1);
  EXPECT_EQ(count_rows(session, "api_keys where ended_at is not null"), 2);
  EXPECT_EQ(count_rows(session, "users where connection_epoch = 0 and email = 'Ana@Landlord.example'"), 1);
  EXPECT_EQ(count_rows(session, "users where connection_epoch = 1 and email = 'eva@landlord.example'"), 1)
      << "for codes that are not exchanged yet";
}

} // namespace roost::testing::migrated_users_test
