#include "config/load.hpp"
#include "config/loading.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace roost::config::defaults_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

/// Returns the headers, keys and values without their origins.
std::vector<std::tuple<std::string, std::string, std::string>> content_of(const loaded& loaded) {
  std::vector<std::tuple<std::string, std::string, std::string>> content;
  for (const auto& section : loaded.sections)
    for (const auto& value : section.values) content.emplace_back(section.header, value.key, value.value);
  return content;
}

TEST(ShippedFile, EqualsTheBuiltInDefaults) {
  const auto shipped = load(with_file(std::filesystem::path(ROOST_SOURCE_DIR) / "config" / "roost.toml"));
  EXPECT_EQ(content_of(shipped), content_of(load(nothing_but_defaults())));
}

TEST(Defaults, ListenOnLocalhostOnly) {
  const auto server = load(nothing_but_defaults()).values.server;
  EXPECT_EQ(to_string(server.listen), "127.0.0.1:8080");
  EXPECT_EQ(server.base_url, "http://127.0.0.1:8080");
  EXPECT_TRUE(server.tls_certificate.empty());
  EXPECT_EQ(server.max_in_flight, 4096U);
  EXPECT_EQ(server.max_bodies_per_platform, 256U);
  EXPECT_EQ(server.max_waiting, 1'000U);
  EXPECT_EQ(server.max_bodies_per_address, 64U);
  EXPECT_EQ(server.max_connections, 10'000U);
  EXPECT_EQ(server.header_timeout, 10s);
  EXPECT_EQ(server.body_timeout, 30s);
  EXPECT_EQ(server.idle_timeout, 75s);
  EXPECT_EQ(server.drain_timeout, 10s);
  EXPECT_EQ(to_string(load(nothing_but_defaults()).values.ops.listen), "127.0.0.1:9090");
}

TEST(Defaults, KeepEverythingBelowVar) {
  const auto values = load(nothing_but_defaults()).values;
  EXPECT_EQ(values.store.url, "sqlite3://var/roost.db");
  EXPECT_EQ(values.store.sessions, 4U);
  EXPECT_EQ(values.secrets.file, "var/secrets.toml");
  EXPECT_EQ(values.mail.transport, (mail_transport{mail_transport::protocol::file, "var/outbox"}));
  EXPECT_FALSE(values.mail.opportunistic_tls) << "mails contain sign-in codes";
  EXPECT_EQ(values.bookings.cycle, 30s);
  EXPECT_EQ(values.feeds.rebuild, 10min);
}

TEST(Defaults, MatchTheLimitsOfTheManagementApi) {
  const auto values = load(nothing_but_defaults()).values;
  EXPECT_EQ(values.sessions.access_token, 15min);
  EXPECT_EQ(values.sessions.session, 30 * 24h);
  EXPECT_EQ(values.sessions.codes_per_15m, 5U);
  EXPECT_EQ(values.sessions.hashing_threads, 0U);
  EXPECT_EQ(values.sessions.hashing_queue, 64U);
  EXPECT_EQ(values.sessions.password_memory, 19'456U);
  EXPECT_EQ(values.sessions.password_passes, 2U);
  EXPECT_EQ(values.sessions.password_lanes, 1U);
  EXPECT_EQ(values.connector.refresh_token, 60 * 24h);
  EXPECT_EQ(values.rate_limits.management, 600U);
  EXPECT_EQ(values.rate_limits.registration, 20U);
}

TEST(Defaults, KeepTheSchedulerDefaultsOfCaf) {
  const auto scheduler = load(nothing_but_defaults()).values.scheduler;
  EXPECT_EQ(scheduler.policy, scheduler_policy::asio);
  EXPECT_EQ(scheduler.aggressive_poll_attempts, 100U);
  EXPECT_EQ(scheduler.aggressive_steal_interval, 10U);
  EXPECT_EQ(scheduler.moderate_poll_attempts, 500U);
  EXPECT_EQ(scheduler.moderate_steal_interval, 5U);
  EXPECT_EQ(scheduler.moderate_sleep_duration, 50us);
  EXPECT_EQ(scheduler.relaxed_steal_interval, 1U);
  EXPECT_EQ(scheduler.relaxed_sleep_duration, 10ms);
}

TEST(Defaults, LetOnlyAdministratorsConnectAnAssistant) {
  const auto roles = load(nothing_but_defaults()).values.roles;
  EXPECT_EQ(roles.size(), 6U);
  EXPECT_THAT(roles.at("Super Admin"), ElementsAre("*"));
  for (const auto& [name, permissions] : roles) {
    const bool administrator = name == "Admin" || name == "Super Admin";
    const bool connects =
        std::ranges::any_of(permissions, [](const auto& text) { return text == "Mcp" || text == "*"; });
    EXPECT_EQ(connects, administrator) << name;
  }
}

TEST(Defaults, ContainOnePlatformOfEachKindAndFourSingleLandlords) {
  using domain::platform_kind;
  const auto platforms = load(nothing_but_defaults()).values.platforms;
  std::vector<platform_kind> kinds;
  for (const auto& platform : platforms) {
    EXPECT_EQ(platform.name, platform.prefix);
    kinds.push_back(platform.kind);
    EXPECT_THAT(platform.may, ElementsAre(domain::platform_right::cancel, domain::platform_right::change,
                                          domain::platform_right::hold))
        << "the demo shows everything";
  }
  EXPECT_THAT(kinds, ElementsAre(platform_kind::marketplace_a, platform_kind::marketplace_b,
                                 platform_kind::marketplace_c, platform_kind::marketplace_d,
                                 platform_kind::booking_engine, platform_kind::channel_manager,
                                 platform_kind::room_sharing, platform_kind::student_housing,
                                 platform_kind::single_landlord, platform_kind::single_landlord,
                                 platform_kind::single_landlord, platform_kind::single_landlord));
  EXPECT_EQ(platforms[8].account, domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001"));
  EXPECT_EQ(platforms[11].account, std::nullopt);
}

TEST(EffectiveConfiguration, ReadsBackAsAnEqualConfiguration) {
  const tests::temporary_folder folder;
  const auto first = load(with_set({"server.io_threads=3", "roles.Night Porter=[\"bookings.view\"]"}));
  const auto again = load(with_file(folder.write("again.toml", describe(first))));
  EXPECT_EQ(content_of(again), content_of(first));
}

} // namespace roost::config::defaults_test
