#include "service/support/portfolio.hpp"
#include "service/support/postgresql_cluster.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/store_faults.hpp"
#include "store/database/connection.hpp"
#include "store/database/lease.hpp"
#include "support/certificate.hpp"
#include "support/identity_issuer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

/// roost doctor: problems of an installation, with advice.
namespace roost::testing::doctor_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ROOST_FOR_EACH_STORE(Doctor);

TEST_P(Doctor, FindsNoProblemWithARunningServer) {
  const workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  server.partner_of("marketplace-a");
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("ok       configuration"), HasSubstr("ok       schema"),
                    HasSubstr("ok       clock"), HasSubstr("ok       tokens"), HasSubstr("ok       secrets"),
                    HasSubstr(" serves until "), HasSubstr("enough open files for server.max_connections")));
  if (GetParam() == store_kind::sqlite) {
    EXPECT_THAT(result.output, HasSubstr(" are free on its disk"));
  }
  EXPECT_THAT(result.output, Not(HasSubstr("wrong ")));
}

TEST_P(Doctor, WarnsOfAMissingServerAndExpiringTokens) {
  const workplace place(GetParam());
  place.issue_token("marketplace-a", {"--ttl", "5d"});
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr("warning  server         no server serves this store.  Start one"));
  EXPECT_THAT(result.output,
              HasSubstr("warning  tokens         1 of 1 expire within 21 days.  See `roost token list`"));
}

TEST_P(Doctor, ReportsAMissingSchema) {
  const workplace place(GetParam(), false);
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, HasSubstr("wrong "));
  EXPECT_THAT(result.output, HasSubstr("`roost migrate`"));
}

TEST_P(Doctor, SupportsJsonAndCsv) {
  const workplace place(GetParam());
  EXPECT_THAT(place.run_or_throw({"doctor", "--json"}), HasSubstr(R"({"state":"ok","subject":"schema",)"));
  EXPECT_THAT(place.run_or_throw({"doctor", "--csv"}),
              StartsWith("\xef\xbb\xbfstate,subject,finding,advice\r\nok,configuration,"));
}

TEST_P(Doctor, WarnsWhenConnectionsNeedMoreOpenFiles) {
  workplace place(GetParam());
  place.set("server.max_connections", "200");
  child_process limited({.program = "/bin/sh",
                         .arguments = {"-c", "ulimit -n 150 && exec \"$0\" \"$@\"", ROOST_PROGRAM, "doctor",
                                       "--config", place.config_file()},
                         .folder = place.folder().path()});
  EXPECT_EQ(limited.wait_for_end(workplace::command_timeout), 0);
  EXPECT_THAT(
      limited.output(),
      HasSubstr("warning  limits         a process may open 150 files, but server.max_connections is 200.  "
                "Raise LimitNOFILE"));
}

TEST(DoctorOfAConfiguration, ReportsEachProblem) {
  workplace place(store_kind::sqlite);
  place.set("bookings.cycle", "\"soon\"");
  place.set("server.max_connections", "0");
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, AllOf(HasSubstr("bookings.cycle"), HasSubstr("server.max_connections")));
}

/// Returns the output of `doctor` with this certificate.
std::string report_on(workplace& place, const certificate& configured) {
  place.set("server.tls_certificate", '"' + configured.certificate_file + '"');
  place.set("server.tls_key", '"' + configured.key_file + '"');
  return place.run({"doctor"}).output;
}

TEST(DoctorOfACertificate, ReportsItsValidityAndItsNames) {
  workplace place(store_kind::sqlite);
  const auto days = [](int count) { return std::chrono::hours{24 * count}; };
  place.set("server.base_url", R"("https://rent.example")");
  EXPECT_THAT(report_on(place, certificate(place.folder().path(), days(30))),
              AllOf(HasSubstr("ok       certificate    "), HasSubstr(" is valid until "),
                    HasSubstr("but server.base_url names rent.example")));
  place.set("server.base_url", R"("https://localhost:8443")");
  EXPECT_THAT(report_on(place, certificate(place.folder().path(), days(20))),
              AllOf(HasSubstr("warning  certificate    "), HasSubstr(" expires at "),
                    Not(HasSubstr("server.base_url names"))));
  EXPECT_THAT(report_on(place, certificate(place.folder().path(), days(-1) / 2)),
              AllOf(HasSubstr("wrong    certificate    "), HasSubstr(" expired at ")));
  EXPECT_THAT(report_on(place, certificate(place.folder().path(), days(90), days(-1))),
              AllOf(HasSubstr("wrong    certificate    "), HasSubstr(" is not valid before ")));
}

TEST(DoctorOfACertificate, ReportsAnUnusableKey) {
  workplace place(store_kind::sqlite);
  const certificate broken(place.folder().path());
  std::ofstream(broken.key_file, std::ios::trunc) << "no key";
  EXPECT_THAT(report_on(place, broken),
              AllOf(HasSubstr("wrong    certificate    "), HasSubstr(broken.key_file)));
  EXPECT_EQ(place.run({"doctor"}).status, 1);
}

TEST(DoctorOfAFile, ReportsCorruptionAndLoosePermissions) {
  workplace place(store_kind::sqlite);
  auto session = place.store().open();
  const auto file = place.store().url().substr(std::string("sqlite3://").size());
  std::filesystem::permissions(file, std::filesystem::perms{0644});
  EXPECT_THAT(place.run({"doctor"}).output, HasSubstr(file + " is readable by users other than its owner"));
  session.internals().script("all_in_the_file", "pragma wal_checkpoint(truncate)");
  session = store::session("sqlite3://" + file + ".other");
  const auto middle = std::filesystem::file_size(file) / 2;
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary)
          .seekp(static_cast<std::streamoff>(middle))
      << std::string(8'192, 'x');
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, HasSubstr("restore a backup"));
}

TEST(DoctorOfAFile, WarnsOfANearlyFullDisk) {
  if (!small_disk::is_supported()) GTEST_SKIP() << "only root can mount a file system";
  workplace place(store_kind::sqlite, false);
  const std::filesystem::path file = place.store().url().substr(std::string("sqlite3://").size());
  const small_disk disk(file.parent_path(), 150 << 20);
  place.run_or_throw({"migrate"});
  EXPECT_THAT(place.run({"doctor"}).output,
              HasSubstr("warning  store          only 0.1 GiB are free on its disk.  Free some space"));
}

TEST(DoctorOfAFile, WarnsOfTimesInTheFuture) {
  workplace place(store_kind::sqlite);
  place.import(portfolio_of(1));
  const auto shift = [&](const char* sql) { place.store().open().internals().script("shift", sql); };
  EXPECT_THAT(place.run_or_throw({"doctor"}),
              HasSubstr("ok       clock          SQLite has none to compare"));
  shift("update audit set made_at = '2099-01-02T03:04:05.678Z'");
  EXPECT_THAT(
      place.run_or_throw({"doctor"}),
      HasSubstr("warning  clock          the store's newest entry is from 2099-01-02T03:04:05.678Z, which "
                "is in the future.  Check this machine's clock"));
  {
    running_roost server(place);
    EXPECT_EQ(server.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
  }
  shift("update audit set made_at = '2020-01-02T03:04:05.678Z'");
  EXPECT_THAT(place.run_or_throw({"doctor"}), HasSubstr("ok       clock "));
  shift("update booking_requests set received_at = '2098-01-02T03:04:05.678Z'");
  EXPECT_THAT(place.run_or_throw({"doctor"}), HasSubstr("newest entry is from 2098-01-02T03:04:05.678Z"));
}

/// The database's clock, as seen by its statements, is an hour behind.
TEST(DoctorOfADatabase, ReportsADifferentClock) {
  workplace place(store_kind::postgresql);
  place.store().open().internals().script(
      "slow", "create function public.clock_timestamp() returns timestamptz language sql as"
              " 'select pg_catalog.clock_timestamp() - interval ''1 hour''';"
              " do $$ begin execute format('alter database %I set search_path = public, pg_catalog',"
              " current_database()); end $$");
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output,
              ::testing::ContainsRegex("wrong    clock          this machine's is 36[0-9]{5} ms ahead of the "
                                       "database's\\.  Synchronize both with the same time servers"));
}

TEST(DoctorOfADatabase, ReportsThatItIsUnsuitable) {
  workplace place(store_kind::postgresql);
  place.store().open().internals().script(
      "no_schema", "do $$ begin execute format('alter database %I set search_path = missing',"
                   " current_database()); end $$");
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("wrong    store          the database is unsuitable: the role's search_path names "
                      "no schema that exists"),
            HasSubstr(".  No server starts with this database until that is changed")));
}

TEST(DoctorOfADatabase, ReportsUnsafeCommitSettings) {
  const postgresql_cluster cluster;
  const workplace place(cluster.url());
  const auto set = [&](const std::string& change) { // takes effect a moment later
    store::session administration(cluster.url() + "postgres");
    administration.internals().script("set", "alter system " + change);
    administration.internals().script("reload", "select pg_reload_conf()");
  };
  constexpr auto lossy = "wrong    store          commits may be lost: fsync or synchronous_commit is off";
  EXPECT_THAT(place.run_or_throw({"doctor"}), Not(HasSubstr(lossy)));
  for (const std::string setting : {"fsync", "synchronous_commit"}) {
    set("set " + setting + " = off");
    EXPECT_TRUE(eventually([&] {
      const auto result = place.run({"doctor"});
      return result.status == 1 && result.output.find(lossy) != std::string::npos;
    })) << setting;
    set("reset " + setting);
    EXPECT_TRUE(eventually([&] { return place.run({"doctor"}).status == 0; })) << setting;
  }
}

TEST(DoctorOfADatabase, WarnsOfTooFewConnections) {
  workplace place(store_kind::postgresql);
  place.set("store.sessions", "1000");
  EXPECT_THAT(
      place.run({"doctor"}).output,
      ::testing::ContainsRegex("warning  store          PostgreSQL has [0-9]+ free connections, but a "
                               "server needs 1005\\.  Raise PostgreSQL's max_connections"));
}

TEST(DoctorOfADatabase, ReportsThatItIsUnreachable) {
  workplace place(store_kind::sqlite);
  place.set("store.url", "\"postgresql://nobody@127.0.0.1:1/roost\"");
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, HasSubstr("wrong    store          cannot connect to the store"));
}

TEST_P(Doctor, ContinuesWithUnreadableSecrets) {
  const workplace place(GetParam());
  place.issue_token("marketplace-a");
  std::filesystem::permissions(place.folder() / "secrets.toml", std::filesystem::perms{0644});
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("wrong    secrets"), HasSubstr("chmod 600"), HasSubstr("ok       clock"),
                    HasSubstr("ok       tokens         1 live"), HasSubstr("ok       requests")));
}

TEST_P(Doctor, ReportsOverdueRequestsAndACopyThatHoldsTheLease) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.set("bookings.cycle", "\"1h\"");
  {
    running_roost server(place);
    EXPECT_EQ(server.partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60)).status, 201U);
    EXPECT_EQ(server.stop(), 0);
  }
  EXPECT_THAT(place.run({"doctor"}).output, HasSubstr("ok       requests       the oldest undecided one"));
  auto session = place.store().open();
  session.internals().script(
      "age", session.is_sqlite() ? "update booking_requests set received_at = '2026-01-01T00:00:00.000Z'"
                                 : "update booking_requests set received_at = '2026-01-01T00:00:00Z'");
  ASSERT_TRUE(store::try_acquire(session, "copy/host/1", std::chrono::seconds{10}));
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output, AllOf(HasSubstr("wrong    requests       the oldest undecided one"),
                                   HasSubstr("no server serves this store while it is being copied")));
}

TEST_P(Doctor, ReportsUsersWithInvalidAddresses) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  EXPECT_THAT(place.run_or_throw({"doctor"}), HasSubstr("ok       users          1 with valid"));
  place.store().open().internals().script(
      "older_version", "update users set email = 'ana@casa_verde.example', folded_email = 'ana'");
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("wrong    users          user "),
                    HasSubstr(" has an invalid email address (ana@casa_verde.example) and cannot sign in.  "
                              "Correct it in the portfolio file")));
  place.store().open().internals().script("older_version",
                                          "update users set email = 'max@münchen.example', folded_email ="
                                          " 'max@xn--mnchen-3ya.example'"); // a key of earlier versions
  EXPECT_THAT(place.run({"doctor"}).output,
              HasSubstr(" has the address of another user in another spelling (max@münchen.example) and"));
  place.store().open().internals().script(
      "migrated",
      "update users set email = 'rene\u0301@casaverde.example', folded_email = 'rené@casaverde.example'");
  EXPECT_THAT(place.run_or_throw({"doctor"}), HasSubstr("ok       users          1 with valid"));
}

TEST_P(Doctor, WarnsOfFailingAndAbandonedMail) {
  workplace place(GetParam());
  const auto insert_mail = [&](const std::string& id, const std::string& columns, const std::string& values) {
    place.store().open().internals().script(
        "mail", "insert into outgoing_mail (id, recipient, subject, text_body, html_body, created_at, " +
                    columns + ") values ('" + id +
                    "', 'ana@casaverde.example', 'A', 'b', 'c', '2026-01-01T00:00:00.000Z', " + values + ")");
  };
  EXPECT_THAT(place.run_or_throw({"doctor"}), HasSubstr("ok       mail           0 waiting"));
  insert_mail(unit_id(1), "attempts, next_attempt_at", "0, '2099-01-01T00:00:00.000Z'");
  EXPECT_THAT(place.run_or_throw({"doctor"}), HasSubstr("ok       mail           1 waiting"));
  insert_mail(unit_id(2), "attempts, last_error, next_attempt_at",
              "3, 'authentication', '2099-01-01T00:00:00.000Z'");
  insert_mail(unit_id(3), "attempts, last_error, given_up_at",
              "9, 'unreachable', '2026-01-04T00:00:00.000Z'");
  EXPECT_THAT(
      place.run_or_throw({"doctor"}),
      AllOf(HasSubstr("warning  mail           2 waiting, some after failed attempts: authentication.  "),
            HasSubstr("warning  mail           1 could not be sent and were given up.  See `roost mail list "
                      "--state given-up` for the reasons, then run `roost mail retry`"),
            Not(HasSubstr("ok       mail           2"))));
}

TEST(DoctorOfTheMail, ReportsAnUnreachableServer) {
  workplace place(store_kind::sqlite);
  place.set("mail.transport", "\"smtp://127.0.0.1:1\"");
  const auto result = place.run({"doctor"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.output,
              HasSubstr("wrong    mail           127.0.0.1:1 cannot be reached: Connection refused"));
}

TEST(DoctorOfTheMail, WarnsOfOpportunisticTlsToAnotherHost) {
  workplace place(store_kind::sqlite);
  const auto report = [&](const char* transport, const char* starttls) {
    place.set("mail.transport", '"' + std::string(transport) + '"');
    place.set("mail.starttls", '"' + std::string(starttls) + '"');
    return place.run({"doctor"}).output;
  };
  const auto warning =
      HasSubstr("warning  mail           mail.starttls is opportunistic, so mail to 0.0.0.0 may be read");
  // 0.0.0.0 is this machine, which refuses the connection immediately.
  EXPECT_THAT(report("smtp://0.0.0.0:1", "opportunistic"), warning);
  EXPECT_THAT(report("smtp://0.0.0.0:1", "required"), Not(warning));
  EXPECT_THAT(report("smtp://127.0.0.1:1", "opportunistic"),
              Not(HasSubstr("mail.starttls is opportunistic")));
}

TEST(DoctorOfThirdPartySignIn, ReportsWhetherTheKeysAreReadable) {
  workplace place(store_kind::sqlite);
  const auto keys = (place.folder() / "keys.json").string();
  place.set("sessions.identity_jwks", '"' + keys + '"');
  place.set("sessions.identity_issuer", R"("https://id.example")");
  place.set("sessions.identity_audience", R"("roost-web")");
  const auto missing = place.run({"doctor"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.output, HasSubstr("wrong    identity       sessions.identity_jwks: cannot read " +
                                        keys + ": No such file or directory"));
  place.folder().write("keys.json", "{}");
  EXPECT_THAT(place.run({"doctor"}).output, HasSubstr("sessions.identity_jwks: it is not a JWK Set"));
  place.folder().write("keys.json", jwk_set({identity_issuer_key::ec("first").jwk()}));
  EXPECT_THAT(place.run({"doctor"}).output, HasSubstr("ok       identity       the keys of "));
}

TEST(DoctorOfTheAddress, WarnsOfAnHttpBaseUrlBehindProxies) {
  workplace place(store_kind::sqlite);
  place.set("server.trusted_proxies", "[\"10.0.0.1\"]");
  place.set("server.base_url", "\"http://roost.example\"");
  EXPECT_THAT(
      place.run({"doctor"}).output,
      HasSubstr("warning  server         server.base_url is http://roost.example behind the proxies"));
  place.set("server.base_url", "\"https://roost.example\"");
  EXPECT_THAT(place.run({"doctor"}).output, Not(HasSubstr("behind the proxies")));
}

TEST(DoctorOfTheAddress, WarnsOfAnHttpBaseUrlWithACertificate) {
  workplace place(store_kind::sqlite);
  const certificate configured(place.folder().path());
  place.set("server.base_url", "\"http://roost.example\"");
  EXPECT_THAT(
      report_on(place, configured),
      HasSubstr(
          "warning  server         server.base_url is http://roost.example with server.tls_certificate"));
  place.set("server.base_url", "\"https://roost.example\"");
  EXPECT_THAT(report_on(place, configured), Not(HasSubstr("with server.tls_certificate")));
}

TEST(DoctorOfTheAddress, WarnsOfAPublicOperationsListener) {
  workplace place(store_kind::sqlite);
  for (const auto* address : {"0.0.0.0:9090", "[::]:9090", "9.9.9.9:9090"}) {
    place.set("ops.listen", '"' + std::string(address) + '"');
    EXPECT_THAT(
        place.run({"doctor"}).output,
        HasSubstr("warning  server         the operations listener is reachable at " + std::string(address)));
  }
  place.set("ops.listen", "\"10.1.2.3:9090\"");
  EXPECT_THAT(place.run({"doctor"}).output, Not(HasSubstr("operations listener")));
}

TEST(DoctorOfTheAddress, WarnsOfALoopbackBaseUrl) {
  workplace place(store_kind::sqlite);
  place.set("server.listen", "\"0.0.0.0:8080\"");
  EXPECT_THAT(place.run({"doctor"}).output, AllOf(HasSubstr("without TLS and without a proxy"),
                                                  HasSubstr("warning  server         server.base_url is ")));
}

} // namespace roost::testing::doctor_test
