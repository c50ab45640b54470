#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/store_rows.hpp"

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

/// A server of three units, to which marketplace A submits stays.
struct office {
  explicit office(store_kind kind) : place(kind) { place.import(portfolio_of(3)); }

  void serve() {
    server.emplace(place);
    partner = server->partner_of("marketplace-a");
  }
  void stop() {
    server->stop();
    server.reset();
  }

  /// Waits until the request is in this state, and gives its id.
  std::string ask_for(const std::string& unit, int from, int to, const std::string& address,
                      const std::string& state) {
    const auto receipt = partner->post("/bookings", booking(unit, from, to,
                                                            {{"/tenant/email", quoted(address)},
                                                             {"/tenant/lastName", R"("Lindqvist")"},
                                                             {"/tenant/fiscalId", quoted("X-" + address)},
                                                             {"/tenant/phone", R"("+46 70 1")"}}));
    EXPECT_EQ(receipt.status, 201U) << receipt.body;
    auto id = json_at(receipt.body, "/raw/0/id").substr(1, 36);
    EXPECT_TRUE(eventually([&] {
      return place.run_well({"request", "show", id}).find("Status         " + state) != std::string::npos;
    })) << place.run_well({"request", "show", id});
    return id;
  }

  std::vector<std::string> rows(const std::string& query, int columns = 1) {
    return store_rows(place.store().open(), query, columns);
  }
  std::vector<std::string> addresses() {
    return rows("select email from tenants where email <> '' union all select email from booking_requests"
                " where email <> '' order by 1");
  }
  /// What the tables hold of a guest beside the outbox.
  std::vector<std::string> texts() {
    return rows("select first_name || coalesce(last_name, '') || email || coalesce(fiscal_id, '') ||"
                " coalesce(phone, '') from tenants union all select first_name || coalesce(last_name, '') ||"
                " email || coalesce(fiscal_id, '') || coalesce(phone, '') from booking_requests");
  }
  std::string audit() const { return place.run_well({"audit", "list"}); }

  command_result erase(const std::string& whom, bool confirmed = true) const {
    std::vector<std::string> words{"tenant", "erase", whom};
    if (confirmed) words.emplace_back("--confirm");
    return place.run(words);
  }
  void refuses(const std::string& whom, bool confirmed, int status, const std::string& why) const {
    const auto run = erase(whom, confirmed);
    EXPECT_EQ(run.status, status) << why;
    EXPECT_EQ(run.errors, "roost: " + why + "\n");
    EXPECT_THAT(run.output, IsEmpty());
    EXPECT_THAT(audit(), Not(HasSubstr("tenant erase")));
  }

  workplace place;
  std::optional<running_roost> server;
  std::optional<testing::partner> partner;
};

const std::string mail_stays = "mails that name the guest stay in the outbox for mail.keep (30d)\n";

TEST_P(Erasure, ByAnAddressInAnotherCaseTakesAllButWhatAccountsNeed) {
  office there(GetParam());
  there.serve();
  there.ask_for("u1", -90, -60, "Müller@Straße.example", "Success");
  there.ask_for("u1", -80, -70, "MÜLLER@straße.example", "Failed");
  there.ask_for("nowhere", -80, -70, "müller@STRASSE.example", "Failed");
  there.ask_for("u2", -90, -60, "eva@tenant.example", "Success");
  const auto stays = there.rows("select cast(check_in as text), cast(terms as text),"
                                " cast(provider_payment_cents as text) from bookings order by 1, 2",
                                3);
  there.refuses("MÜLLER@STRASSE.example", false, 2,
                "this permanently erases name, address, phone, fiscal ID and nationality of 1 tenant and in "
                "3 requests, including "
                "their notifications; pass --confirm to do it");
  EXPECT_THAT(there.addresses(), SizeIs(6));

  const auto done = there.erase("MÜLLER@STRASSE.example");
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(done.output, "erased 1 tenant, 3 requests and 2 notifications\n" + mail_stays);
  EXPECT_THAT(there.addresses(), Each("eva@tenant.example"));
  EXPECT_THAT(there.texts(), SizeIs(6));
  EXPECT_EQ(std::ranges::count(there.texts(), "Erased"), 4);
  EXPECT_THAT(there.rows("select body from notifications where body like '%Lindqvist%'"), SizeIs(1));
  EXPECT_EQ(there.rows("select cast(check_in as text), cast(terms as text),"
                       " cast(provider_payment_cents as text) from bookings order by 1, 2",
                       3),
            stays);
  EXPECT_THAT(there.audit(), AllOf(HasSubstr("tenant erase"), HasSubstr("an address"),
                                   HasSubstr("1 tenant, 3 requests"), Not(HasSubstr("example"))));
}

TEST_P(Erasure, ByIdTakesRefusedRequestsTooAndIsDoneOnce) {
  office there(GetParam());
  there.serve();
  there.ask_for("u1", -90, -60, "dan@tenant.example", "Success");
  there.ask_for("u1", -80, -70, "Dan@tenant.example", "Failed");
  const auto id = there.rows("select cast(id as text) from tenants").at(0);
  auto capitals = id;
  std::ranges::transform(capitals, capitals.begin(), [](unsigned char c) { return std::toupper(c); });
  const auto done = there.erase(capitals);
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_EQ(done.output, "erased 1 tenant, 2 requests and 2 notifications\n" + mail_stays);
  EXPECT_THAT(there.addresses(), IsEmpty());
  EXPECT_THAT(there.audit(), HasSubstr(id));
  const auto again = there.erase(id);
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(again.errors, "roost: there is no data about " + id + "\n");
}

TEST_P(Erasure, TakesRequestsOfAGuestWhoNeverStayed) {
  office there(GetParam());
  there.serve();
  there.ask_for("nowhere", 10, 20, "dan@tenant.example", "Failed");
  there.refuses("DAN@tenant.example", false, 2,
                "this permanently erases name, address, phone, fiscal ID and nationality of 0 tenants and in "
                "1 request, including "
                "their notifications; pass --confirm to do it");
  const auto done = there.erase("DAN@tenant.example");
  EXPECT_EQ(done.output, "erased 0 tenants, 1 request and 0 notifications\n" + mail_stays);
  EXPECT_THAT(there.addresses(), IsEmpty());
}

TEST_P(Erasure, IsRefusedForAGuestOfWhomNothingIsKnown) {
  office there(GetParam());
  there.serve();
  there.ask_for("u1", -90, -60, "eva@tenant.example", "Success");
  for (const auto& whom : {std::string("dan@tenant.example"), unit_id(1), std::string("dan")})
    for (const bool confirmed : {false, true})
      there.refuses(whom, confirmed, 1, "there is no data about " + whom);
}

TEST_P(Erasure, IsRefusedForAStayToComeUntilThatIsCancelled) {
  office there(GetParam());
  there.serve();
  there.ask_for("u1", -90, -60, "eva@straße.example", "Success");
  there.ask_for("u2", 10, 40, "eva@straße.example", "Success");
  for (const bool confirmed : {false, true})
    there.refuses("EVA@STRASSE.example", confirmed, 1,
                  "this guest has a current or future stay; cancel it first, or wait until it has ended");
  const auto id =
      there.rows("select cast(id as text) from bookings where check_in > '" + day_from_now(0) + "'").at(0);
  there.place.run_well({"booking", "cancel", id});
  EXPECT_EQ(there.erase("EVA@STRASSE.example").status, 0);
  EXPECT_THAT(there.addresses(), IsEmpty());
}

TEST_P(Erasure, IsRefusedWhileARequestWaitsForItsDecision) {
  office there(GetParam());
  there.place.set("bookings.cycle", "\"1h\"");
  there.serve();
  there.ask_for("u1", 10, 40, "dan@tenant.example", "New");
  for (const bool confirmed : {false, true})
    there.refuses("Dan@tenant.example", confirmed, 1,
                  "a booking request of this guest is still undecided; try again after its decision");
  EXPECT_THAT(there.addresses(), ElementsAre("dan@tenant.example"));
}

TEST_P(Erasure, MakesWhoBooksAgainANewGuest) {
  office there(GetParam());
  there.serve();
  there.ask_for("u1", -90, -60, "eva@tenant.example", "Success");
  ASSERT_EQ(there.erase("eva@tenant.example").status, 0);
  there.ask_for("u2", 10, 40, "eva@tenant.example", "Success");
  there.ask_for("u3", 10, 40, "Eva@tenant.example", "Success");
  EXPECT_THAT(there.rows("select email, first_name from tenants order by email", 2),
              ElementsAre("|Erased", "eva@tenant.example|Eva"));
  EXPECT_THAT(there.rows("select distinct cast(tenant_id as text) from bookings"), SizeIs(2));
}

TEST_P(Erasure, IsDoneByTheWriterSomeTimeAfterTheLastStayOrTheRefusedOne) {
  office there(GetParam());
  there.serve();
  there.ask_for("u1", -90, -60, "old@tenant.example", "Success");
  there.ask_for("u1", -80, -70, "old@tenant.example", "Failed");
  there.ask_for("u1", -70, -59, "refused@tenant.example", "Failed");
  there.ask_for("u1", -62, -10, "refused-lately@tenant.example", "Failed");
  there.ask_for("u2", -90, -60, "back@tenant.example", "Success");
  there.ask_for("u3", -40, -10, "back@tenant.example", "Success");
  there.stop();
  there.place.set("privacy.keep", "\"30d\"");
  there.serve();
  there.server->wait_for_log({" info guests_erased tenants=1 requests=3"});
  EXPECT_THAT(there.addresses(), ElementsAre("back@tenant.example", "back@tenant.example",
                                             "back@tenant.example", "refused-lately@tenant.example"));
  EXPECT_THAT(there.audit(), Not(HasSubstr("erase"))) << "nobody has asked for it";
  there.ask_for("u1", 10, 40, "old@tenant.example", "Success");
  EXPECT_THAT(there.rows("select distinct cast(tenant_id as text) from bookings"), SizeIs(3));
}

} // namespace roost::testing::erasure_test
