#include "security/secrets.hpp"
#include "service/support/running_roost.hpp"
#include "store/database/connection.hpp"
#include "support/patterns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

/// roost clock show and trust, and a server whose clock is ahead of the store's trusted time.
namespace roost::testing::clock_commands_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_EACH_STORE(ClockCommands);

/// The store as it is after months without a server, or for a clock that is months ahead.
void age(workplace& place) {
  place.store().open().internals().script("age", "update trusted_time set at = '2026-01-02T03:04:05.678Z', "
                                                 "boot = ''");
}

TEST_P(ClockCommands, ShowTheClockAndTheTrustedTime) {
  workplace place(GetParam());
  EXPECT_THAT(place.run_or_throw({"clock", "show"}),
              AllOf(HasSubstr("clock    "), HasSubstr("trusted  "), Not(HasSubstr("the clock is ahead"))));
  age(place);
  EXPECT_THAT(place.run_or_throw({"clock", "show"}),
              HasSubstr("trusted  2026-01-02T03:04:05.678Z (the clock is ahead: nothing is changed or"));
}

TEST_P(ClockCommands, TrustTheClockOnlyWithConfirmation) {
  workplace place(GetParam());
  age(place);
  const auto refused = place.run({"clock", "trust"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.errors, HasSubstr("--confirm"));
  EXPECT_THAT(place.run_or_throw({"clock", "show"}), HasSubstr("the clock is ahead"));
  EXPECT_THAT(place.run_or_throw({"clock", "trust", "--confirm"}), HasSubstr("the trusted time is "));
  EXPECT_THAT(place.run_or_throw({"clock", "show"}), Not(HasSubstr("the clock is ahead")));
  EXPECT_THAT(place.run_or_throw({"audit", "list"}), HasSubstr("clock trust"));
}

TEST_P(ClockCommands, AreNeededForErasuresAndTheDoctor) {
  workplace place(GetParam());
  age(place);
  const auto erased = place.run({"tenant", "erase", "eva@tenant.example"});
  EXPECT_EQ(erased.status, 1);
  EXPECT_THAT(erased.errors, HasSubstr("`roost clock show`"));
  const auto examined = place.run({"doctor"});
  EXPECT_EQ(examined.status, 1);
  EXPECT_THAT(examined.output,
              AllOf(HasSubstr("wrong    clock"), HasSubstr("trusted time is 2026-01-02T03:04:05.678Z"),
                    HasSubstr("`roost clock trust`")));
}

TEST_P(ClockCommands, ProtectSessionKeysFromAClockThatIsAhead) {
  workplace place(GetParam());
  place.run_or_throw({"secrets", "rotate"});
  place.run_or_throw({"secrets", "rotate"});
  const auto file = (place.folder() / "secrets.toml").string();
  const auto keys = [&] { return security::secrets::load_or_create(file).session_keys.all().size(); };
  const auto made_on = [&](const char* time) {
    std::ifstream current(file);
    const std::string text{std::istreambuf_iterator<char>(current), {}};
    std::ofstream(file) << with_replaced(text, "made_at = [0-9]+", "made_at = " + std::string(time));
  };
  const auto before = keys();
  made_on("1767225600"); // 2026-01-01, a day before the trusted time
  age(place);
  place.run_or_throw({"secrets", "rotate"});
  EXPECT_EQ(keys(), before + 1);
  place.run_or_throw({"clock", "trust", "--confirm"});
  place.run_or_throw({"secrets", "rotate"});
  EXPECT_EQ(keys(), 3U) << "the last two keys were replaced just now, the others long ago";
  made_on("1767225600");
  place.run_or_throw({"secrets", "rotate"});
  EXPECT_EQ(keys(), 2U) << "all but the newest were replaced more than 90 days ago";
}

TEST_P(ClockCommands, LetARunningServerContinue) {
  workplace place(GetParam());
  age(place);
  running_roost server(place);
  ASSERT_TRUE(eventually([&] { return server.metric("roost_time_untrusted") == 1.0; }));
  EXPECT_EQ(server.events("time_not_trusted").size(), 1U);
  place.run_or_throw({"clock", "trust", "--confirm"});
  ASSERT_TRUE(eventually([&] { return server.metric("roost_time_untrusted") == 0.0; }));
  EXPECT_EQ(server.events("time_trusted").size(), 1U);
}

} // namespace roost::testing::clock_commands_test
