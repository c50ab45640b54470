#include "service/office_support/office_load.hpp"
#include "service/support/fault_fixture.hpp"
#include "service/support/mixed_load.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/store_faults.hpp"
#include "service/support/web_browser.hpp"
#include "store/messages/messages.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>

/// All writing routes under load, while the server is killed, stopped and cut off from its database.
namespace roost::testing::stress_test {
class StressedServer : public ::testing::TestWithParam<store_kind> {
protected:
  static mixed_settings prepare(const workplace& place, std::uint32_t seed) {
    mixed_settings settings{.tokens = {}, .account_key = {}, .seed = seed};
    place.import(portfolio_of(settings.units));
    for (const auto* platform : {"marketplace-a", "marketplace-b", "marketplace-c", "marketplace-d",
                                 "booking-engine", "channel-manager"})
      settings.tokens[platform] = place.issue_token(platform);
    const auto key = place.run_or_throw({"key", "issue", "--account", account_id});
    settings.account_key = key.substr(0, key.find('\n'));
    return settings;
  }

  /// Signs Ana in. Her token is valid longer than the test lasts.
  static office_settings prepare_office(workplace& place, std::uint32_t seed) {
    place.set("rate_limits.management", "1000000");
    place.set("sessions.access_token", "\"1d\"");
    place.set("sessions.password_memory", "64");
    place.set("sessions.password_passes", "1");
    running_roost server(place);
    web_browser ana(server.port());
    const auto opened = ana.post("/auth/login", login_json("ana@casaverde.example", "ana-only"));
    const auto session =
        ana.post("/auth/verify-otp", code_json(string_at(opened, "/challengeToken"), mailed_code(place, 1)));
    office_settings settings{string_at(session, "/token"), place.issue_token("channel-manager"), seed};
    server.stop();
    return settings;
  }

  int between(int min, int max) { return std::uniform_int_distribution<int>{min, max}(random_); }

  /// Starts a server, and stops or kills it under load, sometimes after an outage of the store.
  void run_and_end() {
    running_roost server(place_, started::listening);
    let_clients_work(server, 5);
    EXPECT_EQ(server.process().wait_for_end(std::chrono::milliseconds{between(0, 150)}), std::nullopt);
    constexpr int outage_percent = 25;
    if (between(0, 99) < outage_percent) restart_store(server);
    EXPECT_EQ(server.process().wait_for_end(std::chrono::milliseconds{between(0, 150)}), std::nullopt);
    constexpr int shutdown_percent = 20;
    if (between(0, 99) < shutdown_percent) {
      EXPECT_EQ(server.stop(), 0);
    } else {
      server.kill();
    }
    load_.set_port(0);
    office_.set_port(0);
  }

  /// Gives the clients the port of a started server, after the office's users have compared what was
  /// acknowledged with the store and the server. Returns after more than `count` further successes of
  /// platforms, and some of the office.
  void let_clients_work(running_roost& server, std::size_t count) {
    load_.set_port(server.port());
    expect_stored_office();
    office_.set_port(server.port());
    const auto before = load_.succeeded(), office_before = office_.acknowledged().all();
    EXPECT_TRUE(eventually(
        [&] {
          return load_.succeeded() > before + count && office_.has_checked() &&
                 office_.acknowledged().all() > office_before;
        },
        running_roost::start_timeout));
  }

  void expect_stored_office() {
    auto session = place_.store().open();
    EXPECT_THAT(office_.differences(session), ::testing::IsEmpty());
  }

  /// Takes the store offline for a moment, under load.
  void restart_store(running_roost& server) {
    store_.take_offline();
    EXPECT_EQ(server.process().wait_for_end(std::chrono::milliseconds{between(0, 100)}), std::nullopt);
    store_.bring_online();
  }

  const int rounds_ = kill_rounds(15);
  const std::uint32_t seed_ = test_seed();
  std::mt19937 random_{seed_};
  removable_store store_{GetParam()};
  workplace& place_ = store_.place();
  mixed_load load_{prepare(place_, seed_)};
  office_load office_{prepare_office(place_, seed_)};
};
ROOST_ON_EACH_STORE(StressedServer);

std::string summary_of(const std::vector<client_event>& events) {
  std::string text;
  for (const auto kind :
       {client_event::type::submission, client_event::type::paid, client_event::type::cancel,
        client_event::type::edit, client_event::type::property}) {
    const auto count = [&](auto condition) {
      return std::to_string(
          std::ranges::count_if(events, [&](const auto& e) { return e.kind == kind && condition(e); }));
    };
    text += (text.empty() ? "" : ", ") + count([](const auto&) { return true; }) + " of type " +
            to_string(kind) + " (" + count([](const auto& event) { return event.succeeded(); }) +
            " successful)";
  }
  return text;
}

TEST_P(StressedServer, KeepsTheGuaranteesOfEveryWritingRoute) {
  SCOPED_TRACE("ROOST_TEST_SEED=" + std::to_string(seed_));
  for (int round = 0; round < rounds_; ++round) run_and_end();
  running_roost last(place_);
  let_clients_work(last, 20);
  const auto events = load_.finish();
  office_.finish();
  std::cout << "seed " << seed_ << ", " << summary_of(events)
            << "; of the office: " << to_string(office_.acknowledged()) << '\n';
  auto session = place_.store().open();
  constexpr std::chrono::seconds drain_timeout{20};
  EXPECT_TRUE(eventually([&] { return undecided_requests(session) == 0; }, drain_timeout));
  EXPECT_TRUE(eventually(
      [&] {
        return store::pending_mail_count(session, std::chrono::floor<std::chrono::milliseconds>(
                                                      std::chrono::system_clock::now())) == 0;
      },
      drain_timeout));
  std::map<std::string, partner> partners;
  const auto read = [&](const std::string& platform, const std::string& path) {
    return partners.try_emplace(platform, last.partner_of(platform)).first->second.get(path);
  };
  EXPECT_THAT(mixed_differences(session, events, read), ::testing::IsEmpty());
  EXPECT_TRUE(office_.check_reads(last.port()));
  expect_stored_office();
  EXPECT_EQ(unsent_mails(session), 0);
  EXPECT_EQ(last.stop(), 0);
}

} // namespace roost::testing::stress_test
