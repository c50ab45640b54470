#include "config/load.hpp"
#include "config/loading.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace roost::config::sources_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Layers, LetTheFileOverrideTheDefaults) {
  const tests::temporary_folder folder;
  const auto file = folder.write("my.toml", "[store]\nsessions = 9\n");
  const auto loaded = load(with_file(file));
  EXPECT_EQ(loaded.values.store.sessions, 9U);
  EXPECT_EQ(loaded.values.store.url, "sqlite3://var/roost.db");
  EXPECT_EQ(effective(loaded, "store", "sessions").origin, file.string() + ":2");
  EXPECT_EQ(effective(loaded, "store", "url").origin, "default");
}

TEST(Layers, ReadFilesWithAByteOrderMarkAndCarriageReturns) {
  const tests::temporary_folder folder;
  const auto file =
      folder.write("my.toml", "\xef\xbb\xbf[store]\r\nsessions = 9\r\nurl = \"sqlite3://my.db\"\r\n");
  const auto loaded = load(with_file(file));
  EXPECT_EQ(loaded.values.store.sessions, 9U);
  EXPECT_EQ(loaded.values.store.url, "sqlite3://my.db");
}

TEST(Layers, LetTheEnvironmentOverrideTheFileAndSetOverrideAll) {
  const tests::temporary_folder folder;
  auto options = with_file(folder.write("my.toml", "[store]\nsessions = 9\n"));
  options.environment = {{"ROOST_STORE_SESSIONS", "10"}};
  EXPECT_EQ(load(options).values.store.sessions, 10U);
  options.set = {"store.sessions=11", "store.sessions=12"};
  const auto loaded = load(options);
  EXPECT_EQ(loaded.values.store.sessions, 12U);
  EXPECT_EQ(effective(loaded, "store", "sessions").origin, "--set");
}

TEST(Layers, CheckOverriddenValues) {
  auto options = with_set({"store.sessions=3"});
  options.environment = {{"ROOST_STORE_SESSIONS", "none"}};
  ASSERT_EQ(problems_of(options).size(), 1U);
}

TEST(BareWords, AreStrings) {
  const auto values = load(with_set({"server.listen=[::1]:0", "server.header_timeout=250ms",
                                     "store.url=postgresql://me:secret@host:5432/roost", "server.tls_key="}))
                          .values;
  EXPECT_EQ(values.server.listen, (endpoint{"::1", 0}));
  EXPECT_EQ(to_string(values.server.listen), "[::1]:0");
  EXPECT_EQ(values.server.header_timeout, 250ms);
  EXPECT_EQ(values.store.url, "postgresql://me:secret@host:5432/roost");
  EXPECT_TRUE(values.server.tls_key.empty());
}

TEST(BareWords, LoseTheBlanksAndLineEndsAroundThem) {
  const auto values = load(with_set({"store.url= sqlite3://x.db \r\n", "secrets.file='a b'\n"})).values;
  EXPECT_EQ(values.store.url, "sqlite3://x.db");
  EXPECT_EQ(values.secrets.file, "a b");
}

TEST(BareWords, CannotInjectAnotherKey) {
  EXPECT_THAT(problems_of(with_set({"store.sessions=1\nvalue2 = 2"})),
              ElementsAre(::testing::Field(&problem::key, "store.sessions")));
}

TEST(SetOption, AcceptsTomlValues) {
  const auto values =
      load(with_set({"server.trusted_proxies=[\"10.0.0.0/8\", \"::1\"]", "store.url='sqlite3://x'"})).values;
  EXPECT_THAT(values.server.trusted_proxies, ElementsAre("10.0.0.0/8", "::1"));
  EXPECT_EQ(values.store.url, "sqlite3://x");
}

TEST(SetOption, RequiresSectionKeyAndValue) {
  for (const auto* text : {"", "store", "store.sessions", "sessions=3", ".sessions=3", "store.=3", "=3"}) {
    const auto problems = problems_of(with_set({text}));
    ASSERT_EQ(problems.size(), 1U) << text;
    EXPECT_THAT(problems[0].text, HasSubstr("section.key=value")) << text;
  }
}

TEST(SetOption, ReportsABrokenQuote) {
  const auto problems = problems_of(with_set({"secrets.file=\"var/secrets"}));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].key, "secrets.file");
  EXPECT_THAT(problems[0].text, HasSubstr("quotes"));
}

TEST(EnvironmentVariables, SetKeysAndRolesWithSpaces) {
  auto options = nothing_but_defaults();
  options.environment = {{"ROOST_SCHEDULER_MAX_THREADS", "2"},
                         {"ROOST_ROLES_SUPER_ADMIN", "[\"bookings.view\"]"}};
  const auto values = load(options).values;
  EXPECT_EQ(values.scheduler.max_threads, 2U);
  EXPECT_THAT(values.roles.at("Super Admin"), ElementsAre("bookings.view"));
}

TEST(EnvironmentVariables, MustNameAKnownKeyInAKnownSection) {
  auto options = nothing_but_defaults();
  options.environment = {
      {"ROOST_SERVER_HEADER_TIMEOT", "1s"}, {"ROOST_PLATFORMS_NAME", "x"}, {"ROOST_ROLES_JANITOR", "[]"}};
  const auto problems = problems_of(options);
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(to_string(problems[0]),
            "environment: ROOST_SERVER_HEADER_TIMEOT: no setting has this name; did you "
            "mean ROOST_SERVER_HEADER_TIMEOUT?");
}

TEST(EnvironmentVariables, AreRefusedForAnUnknownSection) {
  auto options = nothing_but_defaults();
  options.environment = {{"ROOST_STORES_URL", "sqlite3://x.db"},
                         {"ROOST_HOME", "/srv"},
                         {"ROOST_", ""},
                         {"ROOST_SERVER", "x"},
                         {"ROOST_TESTS", "x"}};
  const auto problems = problems_of(options);
  ASSERT_EQ(problems.size(), 5U);
  EXPECT_EQ(to_string(problems[0]),
            "environment: ROOST_STORES_URL: no setting has this name; did you mean ROOST_STORE_URL?");
  for (const auto& problem : problems) EXPECT_THAT(problem.text, HasSubstr("no setting has this name"));
}

TEST(EnvironmentVariables, WithoutThePrefixAreIgnored) {
  auto options = nothing_but_defaults();
  options.environment = {{"PATH", "/bin"}, {"ROOSTER_STORE", "x"}, {"roost_store_url", "x"}};
  EXPECT_TRUE(problems_of(options).empty());
}

TEST(ProcessEnvironment, ContainsOurVariables) {
  ASSERT_EQ(::setenv("ROOST_STORE_URL", "sqlite3://a=b", 1), 0);
  EXPECT_THAT(process_environment(),
              ::testing::Contains(::testing::Pair("ROOST_STORE_URL", "sqlite3://a=b")));
  ::unsetenv("ROOST_STORE_URL");
}

TEST(ConfigurationFile, MustExistWhenItIsNamed) {
  const tests::temporary_folder folder;
  const auto missing = folder / "missing.toml";
  EXPECT_THAT(problems_of(with_file(missing)),
              ElementsAre(problem{missing.string(), "", "there is no such file"}));
}

TEST(ConfigurationFile, IsTheFirstOfTheUsualPlacesThatExists) {
  const tests::temporary_folder folder;
  auto options = nothing_but_defaults();
  options.search = {folder / "missing.toml", folder.write("first.toml", "[store]\nsessions = 5\n"),
                    folder.write("second.toml", "[store]\nsessions = 6\n")};
  EXPECT_EQ(load(options).values.store.sessions, 5U);
}

TEST(ConfigurationFile, MayBeEmpty) {
  const tests::temporary_folder folder;
  EXPECT_TRUE(problems_of(with_file(folder.write("empty.toml", ""))).empty());
  EXPECT_TRUE(problems_of(with_file(folder.write("sections.toml", "[store]\n[roles]\n"))).empty());
}

TEST(ConfigurationFile, MustBeAFile) {
  const tests::temporary_folder folder;
  EXPECT_THAT(problems_of(with_file(folder.path())),
              ElementsAre(::testing::Field(&problem::text, "the file cannot be read: it is a folder")));
}

TEST(ConfigurationFile, ReportsTheLineOfASyntaxError) {
  const tests::temporary_folder folder;
  const auto file = folder.write("my.toml", "[store]\nsessions = = 3\n");
  EXPECT_THAT(problems_of(with_file(file)),
              ElementsAre(::testing::Field(&problem::where, file.string() + ":2")));
}

TEST(ConfigurationFile, ReplacesSingleRolesButWholeListsOfTables) {
  const tests::temporary_folder folder;
  const auto values = load(with_file(folder.write("my.toml", R"(
[roles]
Viewer = ["bookings.view"]
"Night Porter" = []
[[platforms]]
name = "only"
kind = "room-sharing"
prefix = "only-one"
)")))
                          .values;
  EXPECT_EQ(values.roles.size(), 7U);
  EXPECT_THAT(values.roles.at("Viewer"), ElementsAre("bookings.view"));
  ASSERT_EQ(values.platforms.size(), 1U);
  EXPECT_EQ(values.platforms[0].prefix, "only-one");
  EXPECT_TRUE(values.platforms[0].domains.empty());
  EXPECT_EQ(values.short_term_hosts.size(), 2U);
}

TEST(EffectiveConfiguration, ShowsTheOriginOfEachValue) {
  const tests::temporary_folder folder;
  const auto file = folder.write("my.toml", "[feeds]\nrebuild = \"5m\"\n\n[[platforms]]\nname = \"only\"\n"
                                            "kind = \"room-sharing\"\nprefix = \"only\"\n");
  auto options = with_file(file);
  options.environment = {{"ROOST_BOOKINGS_CYCLE", "1s"}};
  options.set = {"store.sessions=2"};
  const auto text = describe(load(options));
  EXPECT_THAT(text, HasSubstr("rebuild = \"5m\"  # from " + file.string() + ":2\n"));
  EXPECT_THAT(text, HasSubstr("cycle = \"1s\"  # from environment\n"));
  EXPECT_THAT(text, HasSubstr("sessions = 2  # from --set\n"));
  EXPECT_THAT(text, HasSubstr("idle_timeout = \"75s\"  # from default\n"));
  EXPECT_THAT(text, HasSubstr("[[platforms]]\nname = \"only\"  # from " + file.string() + ":5\n"));
}

TEST(EffectiveConfiguration, MasksPasswords) {
  const auto text = describe(load(with_set(
      {"store.url=postgresql://me:hunter2@host:5432/roost", "mail.transport=smtps://me:hunter3@host:465"})));
  EXPECT_THAT(text, HasSubstr("url = \"postgresql://me:***@host:5432/roost\""));
  EXPECT_THAT(text, HasSubstr("transport = \"smtps://me:***@host:465\""));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("hunter")));
}

} // namespace roost::config::sources_test
