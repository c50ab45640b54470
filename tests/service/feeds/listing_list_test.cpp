#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// GET /<prefix>/listings.
namespace roost::testing::listing_list_test {
using namespace std::chrono_literals;
using ::testing::ElementsAre;

ROOST_FOR_EACH_STORE(ListingList);
ROOST_FOR_SQLITE(ListingListOverHttp);

/// Returns the IDs of a list in its order.
std::vector<std::string> ids_in(const std::string& list) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < array_size(list); ++i)
    ids.push_back(json_at(list, "/" + std::to_string(i) + "/externalId"));
  return ids;
}

/// Returns edits that give a unit every kind of price, fee, stay rule and block.
std::vector<edit> rich_unit() {
  const auto unit = unit_pointer(0);
  return {
      {account_pointer + "/advanceNoticeDays", "2"},
      {account_pointer + "/platformCards/0/markup", R"({"mode":"percentage","value":5})"},
      {property_pointer + "/cleaningFee", R"({"enabled":true,"value":45.5,"frequency":"monthly"})"},
      {unit + "/rent/amount", "650.5"},
      {unit + "/minStayMonths", "1"},
      {unit + "/maxStayMonths", "11"},
      {unit + "/extraPricePerTenant", "120"},
      {unit + "/extraDepositPerTenant", "100"},
      {unit + "/bills", R"({"included":true,"maxValue":0})"},
      {unit + "/adminFee",
       R"({"enabled":true,"mode":"tiered","tiers":[{"fromDays":1,"value":99.5},{"fromDays":180,"value":150}]})"},
      {unit + "/deposit", R"({"mode":"rentMultiple","value":1.5})"},
      {unit + "/exitFee", "35"},
      {unit + "/localRentCap", "700"},
      {unit + "/bookingWindows",
       R"([{"minStartDate":"2099-01-01","maxStartDate":"2099-02-01","minEndDate":"2099-06-01","maxEndDate":"2099-07-31"}])"},
      {unit + "/blocks",
       R"([{"from":")" + day_from_now(10) + R"(","to":")" + day_from_now(20) +
           R"(","source":"manual"},{"from":"2001-01-01","to":"2001-01-31","source":"manual"}])"},
  };
}

TEST_P(ListingList, ShowsEveryFieldOfTheListingObject) {
  workplace place(GetParam());
  place.import(portfolio_of(1, rich_unit()));
  const running_roost server(place);
  // 650.5 plus 5 % is 683.025, rounded up. A stay of one month does not fit before the block. The block that
  // ended in 2001 is omitted.
  EXPECT_EQ(
      without_times_and_ids(server.partner_of("marketplace-a").get("/listings").body),
      R"([{"externalId":"u1","availableFrom":")" + day_from_now(21) +
          R"(","minStayPeriod":1,"maxStayPeriod":11,"isRentFixed":true,"rent":684,"rentsPerMonth":[],)"
          R"("capacity":2,"extraPricePerTenant":120,"cleaningFeeValue":45.5,"billsIncluded":true,)"
          R"("billsIncludedMaxValue":0,"adminFeeValue":0,"adminFeeMode":"tiered",)"
          R"("adminFeeTiers":[{"fromDays":1,"value":99.5},{"fromDays":180,"value":150}],)"
          R"("depositValue":975.75,"landlordEmail":"feeds@casaverde.example","unavailabilities":[{"from":")" +
          day_from_now(10) + R"(","to":")" + day_from_now(20) +
          R"(","reason":"Unavailable","createdAt":"<time>","updatedAt":"<time>"}],)"
          R"("bookingWindows":[{"minStartDate":"2099-01-01","maxStartDate":"2099-02-01",)"
          R"("minEndDate":"2099-06-01","maxEndDate":"2099-07-31"}],"createdAt":"<time>","updatedAt":"<time>"}])");
}

TEST_P(ListingList, ShowsThePriceOfEveryMonthWithItsMarkup) {
  workplace place(GetParam());
  place.import(
      portfolio_of(1, {{unit_pointer(0) + "/rent",
                        R"({"fixed":false,"perMonth":[{"month":7,"rent":900.2},{"month":1,"rent":600}]})"},
                       {account_pointer + "/platformCards/0/markup", R"({"mode":"fixed","value":10.5})"},
                       {unit_pointer(0) + "/capacity", "1"},
                       {unit_pointer(0) + "/extraPricePerTenant", "120"}}));
  const running_roost server(place);
  const auto list = server.partner_of("marketplace-a").get("/listings").body;
  EXPECT_EQ(json_at(list, "/0/isRentFixed"), "false");
  EXPECT_EQ(json_at(list, "/0/rent"), "911"); // the highest month
  EXPECT_EQ(without_times_and_ids(json_at(list, "/0/rentsPerMonth")),
            R"([{"month":1,"rent":611,"createdAt":"<time>","updatedAt":"<time>"},)"
            R"({"month":7,"rent":911,"createdAt":"<time>","updatedAt":"<time>"}])");
  EXPECT_EQ(json_at(list, "/0/extraPricePerTenant"), "0"); // the unit has room for one person
}

TEST_P(ListingListOverHttp, UsesTheCardOfEachPlatform) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{account_pointer + "/platformCards/-",
                                 R"({"platform":"channel-manager","markup":{"mode":"fixed","value":30}})"}}));
  const running_roost server(place);
  for (const auto& [platform, rent] : std::map<std::string, std::string>{{"marketplace-a", "650"},
                                                                         {"marketplace-b", "650"},
                                                                         {"marketplace-c", "650"},
                                                                         {"marketplace-d", "650"},
                                                                         {"booking-engine", "650"},
                                                                         {"channel-manager", "680"},
                                                                         {"room-sharing", "650"},
                                                                         {"student-housing", "650"}}) {
    const auto response = server.partner_of(platform).get("/listings");
    EXPECT_EQ(response.status, 200U) << platform;
    EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
    EXPECT_THAT(ids_in(response.body), ElementsAre("\"u1\"")) << platform;
    EXPECT_EQ(json_at(response.body, "/0/rent"), rent) << platform;
    EXPECT_EQ(json_at(response.body, "/0/landlordEmail"),
              platform == "marketplace-a" ? R"("feeds@casaverde.example")" : "null")
        << platform;
    EXPECT_EQ(json_at(response.body, "/0/listingInternalName"), "") << platform;
  }
}

TEST_P(ListingList, ContainsTheQualifyingUnitsInTheOrderOfTheirCreation) {
  workplace place(GetParam());
  const auto units = portfolio_of(8, {{unit_pointer(1) + "/excludedFrom", R"(["marketplace-a"])"},
                                      {unit_pointer(2) + "/archived", "true"},
                                      {unit_pointer(3) + "/rent/amount", "0"},
                                      {unit_pointer(4) + "/links", "[]"},
                                      {unit_pointer(5) + "/rent", R"({"fixed":false,"perMonth":[]})"},
                                      {unit_pointer(6) + "/excludedFrom", R"(["marketplace-b"])"}});
  place.import(units);
  const running_roost server(place);
  const auto a = server.partner_of("marketplace-a"), b = server.partner_of("marketplace-b");
  EXPECT_THAT(ids_in(a.get("/listings").body), ElementsAre("\"u1\"", "\"u7\"", "\"u8\""));
  EXPECT_THAT(ids_in(b.get("/listings").body), ElementsAre("\"u1\"", "\"u2\"", "\"u8\""));

  place.import(edited(units, {{property_pointer + "/archived", "true"}}));
  EXPECT_TRUE(eventually([&] { return a.get("/listings").body == "[]"; }, 1s));
}

TEST_P(ListingListOverHttp, IsEmptyForAPlatformWithoutUnits) {
  workplace place(GetParam());
  place.import(portfolio_of(0));
  const running_roost server(place);
  for (const auto* platform : {"marketplace-a", "booking-engine", "landlord-one"}) {
    const auto response = server.partner_of(platform).get("/listings");
    EXPECT_EQ(response.status, 200U);
    EXPECT_EQ(response.body, "[]");
  }
}

TEST_P(ListingListOverHttp, IgnoresTheQuery) {
  workplace place(GetParam());
  place.import(portfolio_of(3));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  EXPECT_EQ(partner.get("/listings?page=2&limit=1&%zz").body, partner.get("/listings").body);
}

TEST_P(ListingListOverHttp, RevealsNoPrivateData) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {{property_pointer + "/wifiPassword", R"("mayor-doce")"},
                                {unit_pointer(0) + "/exitFee", "31337"},
                                {unit_pointer(0) + "/localRentCap", "41337"},
                                {unit_pointer(0) + "/extraDepositPerTenant", "51337"}}));
  const running_roost server(place);
  for (const auto* platform : {"marketplace-a", "booking-engine", "landlord-one"}) {
    const auto body = server.partner_of(platform).get("/listings").body;
    for (const auto* secret : {"mayor-doce", "31337", "41337", "51337", "ana@casaverde.example"})
      EXPECT_EQ(body.find(secret), std::string::npos) << platform << " " << secret;
  }
}

} // namespace roost::testing::listing_list_test
