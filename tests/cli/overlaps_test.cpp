#include "cli/doctor.hpp"
#include "cli/import_plan.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <string>

/// Blocks that cover nights of bookings, in plans and in `roost doctor`.
namespace roost::testing::overlaps_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PrintedOverlaps : public on_each_store {
protected:
  void SetUp() override {
    for (auto& unit : units()) unit.blocks.clear();
    writer desk(session());
    auto request = sample_request(1);
    request.check_in = day("2097-04-01");
    request.check_out = day("2097-06-01");
    const auto decision = accept(request, unit_id(1));
    booking = domain::to_string(decision.booking->id);
    desk.insert({request});
    desk.decide({decision});
    settings.store.url = store().url();
  }

  std::vector<domain::portfolio_unit>& units() { return file.accounts[0].properties[0].units; }

  template <typename Command>
  static std::string output_of(Command run) {
    ::testing::internal::CaptureStdout();
    run();
    std::fflush(stdout);
    return ::testing::internal::GetCapturedStdout();
  }

  std::string plan(cli::list_format format = cli::list_format::text) {
    return output_of(
        [&] { EXPECT_EQ(cli::print_plans({.format = format}, settings, {"file.json"}, {file}), 0); });
  }

  std::string doctor() {
    return output_of([&] {
      cli::findings results(cli::list_format::text);
      cli::examine_store(results, settings, {});
    });
  }

  domain::portfolio file = sample_portfolio();
  config::settings settings;
  std::string booking;
};
ROOST_ON_EACH_STORE(PrintedOverlaps);

TEST_P(PrintedOverlaps, NameTheUnitTheBlockAndTheBooking) {
  EXPECT_THAT(plan(), Not(HasSubstr("overlaps")));
  EXPECT_THAT(doctor(), HasSubstr("ok       blocks         none covers nights of a booking"));
  const auto id = fresh_id();
  units()[0].blocks = {{.id = id, .nights = {day("2097-04-10"), domain::no_end}}};
  const auto overlap = "overlaps  block  Room 1, 2097-04-10 to no end  ";
  const auto stay = "  booking " + booking + ", 2097-04-01 to 2097-06-01\n";
  EXPECT_THAT(plan(), AllOf(HasSubstr(overlap + domain::to_string(unit_id(1)) + stay),
                            HasSubstr("file.json: overlaps of blocks with bookings: 1; both stay: ")));
  import_sample(session(), file);
  EXPECT_THAT(plan(), HasSubstr(overlap + domain::to_string(id) + stay));
  EXPECT_THAT(plan(cli::list_format::json),
              AllOf(HasSubstr(R"("action":"overlaps","part":"block",)"), HasSubstr(domain::to_string(id)),
                    HasSubstr(R"("member":"booking","from":null,"to":")" + booking + "\"}")));
  EXPECT_THAT(doctor(),
              HasSubstr("warning  blocks         block " + domain::to_string(id) +
                        " (2097-04-10 to no end) of the unit Room 1 covers nights of booking " + booking +
                        " (2097-04-01 to 2097-06-01).  Shorten or delete the block, or change or cancel"));
}

TEST_P(PrintedOverlaps, AreLimitedInNumberForPeople) {
  for (int i = 0; i < 21; ++i) {
    const auto night = day("2097-04-01") + domain::days{2 * i};
    units()[0].blocks.push_back({.nights = {night, night}});
  }
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  };
  EXPECT_EQ(count(plan(), "  overlaps  block  "), 20U);
  EXPECT_THAT(plan(), HasSubstr("file.json: overlaps of blocks with bookings: 21; both stay: "));
  EXPECT_EQ(count(plan(cli::list_format::json), R"("action":"overlaps")"), 21U);
  import_sample(session(), file);
  EXPECT_EQ(count(doctor(), "covers nights of booking "), 20U);
  EXPECT_THAT(doctor(), HasSubstr("1 more block covers nights of a booking."));
}

} // namespace roost::testing::overlaps_test
