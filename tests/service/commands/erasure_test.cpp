#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

/// roost tenant erase and `[privacy] keep`, with a running server.
namespace roost::testing::erasure_test {
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

ROOST_FOR_EACH_STORE(Erasure);

std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// A server with three units, to which marketplace A submits stays.
struct erasure_fixture {
  explicit erasure_fixture(store_kind kind) : place(kind) { place.import(portfolio_of(3)); }

  void serve() {
    server.emplace(place);
    partner = server->partner_of("marketplace-a");
  }
  void stop() {
    server->stop();
    server.reset();
  }

  /// Submits a stay, waits until the request is in this state, and returns its id.
  std::string submit(const std::string& unit, int from, int to, const std::string& address,
                     const std::string& state) {
    const auto receipt = partner->post("/bookings", booking(unit, from, to,
                                                            {{"/tenant/email", quoted(address)},
                                                             {"/tenant/lastName", R"("Lindqvist")"},
                                                             {"/tenant/fiscalId", quoted("X-" + address)},
                                                             {"/tenant/phone", R"("+46 70 1")"}}));
    EXPECT_EQ(receipt.status, 201U) << receipt.body;
    auto id = json_at(receipt.body, "/raw/0/id").substr(1, 36);
    EXPECT_TRUE(eventually([&] {
      return place.run_or_throw({"request", "show", id}).find("Status         " + state) != std::string::npos;
    })) << place.run_or_throw({"request", "show", id});
    return id;
  }

  std::vector<std::string> rows(const std::string& query, int columns = 1) {
    return store_rows(place.store().open(), query, columns);
  }
  std::vector<std::string> addresses() {
    return rows("select email from tenants where email <> '' union all select email from booking_requests"
                " where email <> '' order by 1");
  }
  /// Returns the personal data in all tables except the outbox.
  std::vector<std::string> texts() {
    return rows("select first_name || coalesce(last_name, '') || email || coalesce(fiscal_id, '') ||"
                " coalesce(phone, '') from tenants union all select first_name || coalesce(last_name, '') ||"
                " email || coalesce(fiscal_id, '') || coalesce(phone, '') from booking_requests");
  }
  std::string audit() const { return place.run_or_throw({"audit", "list"}); }

  command_result erase(const std::string& guest, bool confirmed = true) const {
    std::vector<std::string> words{"tenant", "erase", guest};
    if (confirmed) words.emplace_back("--confirm");
    return place.run(words);
  }
  void expect_refused(const std::string& guest, bool confirmed, int status, const std::string& error) const {
    const auto run = erase(guest, confirmed);
    EXPECT_EQ(run.status, status) << error;
    EXPECT_EQ(run.errors, "roost: " + error + "\n");
    EXPECT_THAT(run.output, IsEmpty());
    EXPECT_THAT(audit(), Not(HasSubstr("tenant erase")));
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<testing::partner> partner;
};

const std::string mail_stays = "mails that name the guest stay in the outbox for mail.keep (30d)\n";

TEST_P(Erasure, ByAnAddressIgnoresCaseAndKeepsAccountingData) {
  erasure_fixture fixture(GetParam());
  fixture.serve();
  fixture.submit("u1", -90, -60, "Müller@Straße.example", "Success");
  fixture.submit("u1", -80, -70, "MÜLLER@straße.example", "Failed");
  fixture.submit("nowhere", -80, -70, "müller@STRASSE.example", "Failed");
  fixture.submit("u2", -90, -60, "eva@tenant.example", "Success");
  const auto stays = fixture.rows("select cast(check_in as text), cast(terms as text),"
                                  " cast(provider_payment_cents as text) from bookings order by 1, 2",
                                  3);
  fixture.expect_refused("MÜLLER@STRASSE.example", false, 2,
                         "this permanently erases name, address, phone, fiscal ID and nationality of 1 "
                         "tenant and in 3 requests, including "
                         "their notifications; pass --confirm to do it");
  EXPECT_THAT(fixture.addresses(), SizeIs(6));

  const auto done = fixture.erase("MÜLLER@STRASSE.example");
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(done.output, "erased 1 tenant, 3 requests and 2 notifications\n" + mail_stays);
  EXPECT_THAT(fixture.addresses(), Each("eva@tenant.example"));
  EXPECT_THAT(fixture.texts(), SizeIs(6));
  EXPECT_EQ(std::ranges::count(fixture.texts(), "Erased"), 4);
  EXPECT_THAT(fixture.rows("select body from notifications where body like '%Lindqvist%'"), SizeIs(1));
  EXPECT_EQ(fixture.rows("select cast(check_in as text), cast(terms as text),"
                         " cast(provider_payment_cents as text) from bookings order by 1, 2",
                         3),
            stays);
  EXPECT_THAT(fixture.audit(), AllOf(HasSubstr("tenant erase"), HasSubstr("an address"),
                                     HasSubstr("1 tenant, 3 requests"), Not(HasSubstr("example"))));
}

TEST_P(Erasure, ByIdIncludesRefusedRequestsAndHappensOnce) {
  erasure_fixture fixture(GetParam());
  fixture.serve();
  fixture.submit("u1", -90, -60, "dan@tenant.example", "Success");
  fixture.submit("u1", -80, -70, "Dan@tenant.example", "Failed");
  const auto id = fixture.rows("select cast(id as text) from tenants").at(0);
  auto capitals = id;
  std::ranges::transform(capitals, capitals.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto done = fixture.erase(capitals);
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(done.output, "erased 1 tenant, 2 requests and 2 notifications\n" + mail_stays);
  EXPECT_THAT(fixture.addresses(), IsEmpty());
  EXPECT_THAT(fixture.audit(), HasSubstr(id));
  const auto again = fixture.erase(id);
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.errors, "roost: there is no data about " + id + "\n");
}

TEST_P(Erasure, IncludesRequestsOfAGuestWithoutAStay) {
  erasure_fixture fixture(GetParam());
  fixture.serve();
  fixture.submit("nowhere", 10, 20, "dan@tenant.example", "Failed");
  fixture.expect_refused("DAN@tenant.example", false, 2,
                         "this permanently erases name, address, phone, fiscal ID and nationality of 0 "
                         "tenants and in 1 request, including "
                         "their notifications; pass --confirm to do it");
  const auto done = fixture.erase("DAN@tenant.example");
  EXPECT_EQ(done.output, "erased 0 tenants, 1 request and 0 notifications\n" + mail_stays);
  EXPECT_THAT(fixture.addresses(), IsEmpty());
}

TEST_P(Erasure, IsRefusedForAnUnknownGuest) {
  erasure_fixture fixture(GetParam());
  fixture.serve();
  fixture.submit("u1", -90, -60, "eva@tenant.example", "Success");
  for (const auto& guest : {std::string("dan@tenant.example"), unit_id(1), std::string("dan")})
    for (const bool confirmed : {false, true})
      fixture.expect_refused(guest, confirmed, 1, "there is no data about " + guest);
}

TEST_P(Erasure, IsRefusedUntilAFutureStayIsCancelled) {
  erasure_fixture fixture(GetParam());
  fixture.serve();
  fixture.submit("u1", -90, -60, "eva@straße.example", "Success");
  fixture.submit("u2", 10, 40, "eva@straße.example", "Success");
  for (const bool confirmed : {false, true})
    fixture.expect_refused(
        "EVA@STRASSE.example", confirmed, 1,
        "this guest has a current or future stay; cancel it first, or wait until it has ended");
  const auto id =
      fixture.rows("select cast(id as text) from bookings where check_in > '" + day_from_now(0) + "'").at(0);
  fixture.place.run_or_throw({"booking", "cancel", id});
  EXPECT_EQ(fixture.erase("EVA@STRASSE.example").status, 0);
  EXPECT_THAT(fixture.addresses(), IsEmpty());
}

TEST_P(Erasure, IsRefusedWhileARequestIsUndecided) {
  erasure_fixture fixture(GetParam());
  fixture.place.set("bookings.cycle", "\"1h\"");
  fixture.serve();
  fixture.submit("u1", 10, 40, "dan@tenant.example", "New");
  for (const bool confirmed : {false, true})
    fixture.expect_refused(
        "Dan@tenant.example", confirmed, 1,
        "a booking request of this guest is still undecided; try again after its decision");
  EXPECT_THAT(fixture.addresses(), ElementsAre("dan@tenant.example"));
}

TEST_P(Erasure, MakesAReturningGuestANewTenant) {
  erasure_fixture fixture(GetParam());
  fixture.serve();
  fixture.submit("u1", -90, -60, "eva@tenant.example", "Success");
  ASSERT_EQ(fixture.erase("eva@tenant.example").status, 0);
  fixture.submit("u2", 10, 40, "eva@tenant.example", "Success");
  fixture.submit("u3", 10, 40, "Eva@tenant.example", "Success");
  EXPECT_THAT(fixture.rows("select email, first_name from tenants order by email", 2),
              ElementsAre("|Erased", "eva@tenant.example|Eva"));
  EXPECT_THAT(fixture.rows("select distinct cast(tenant_id as text) from bookings"), SizeIs(2));
}

TEST_P(Erasure, HappensAutomaticallyAfterTheRetentionPeriod) {
  erasure_fixture fixture(GetParam());
  fixture.serve();
  fixture.submit("u1", -90, -60, "old@tenant.example", "Success");
  fixture.submit("u1", -80, -70, "old@tenant.example", "Failed");
  fixture.submit("u1", -70, -59, "refused@tenant.example", "Failed");
  fixture.submit("u1", -62, -10, "refused-lately@tenant.example", "Failed");
  fixture.submit("u2", -90, -60, "back@tenant.example", "Success");
  fixture.submit("u3", -40, -10, "back@tenant.example", "Success");
  fixture.stop();
  fixture.place.set("privacy.keep", "\"30d\"");
  fixture.serve();
  fixture.server->wait_for_event("guests_erased", {{"tenants", "1"}, {"requests", "3"}});
  EXPECT_THAT(fixture.addresses(), ElementsAre("back@tenant.example", "back@tenant.example",
                                               "back@tenant.example", "refused-lately@tenant.example"));
  EXPECT_THAT(fixture.audit(), Not(HasSubstr("erase"))) << "automatic erasure is not an operator's action";
  fixture.submit("u1", 10, 40, "old@tenant.example", "Success");
  EXPECT_THAT(fixture.rows("select distinct cast(tenant_id as text) from bookings"), SizeIs(3));
}

} // namespace roost::testing::erasure_test
