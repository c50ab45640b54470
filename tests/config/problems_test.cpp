#include "config/loading.hpp"
#include "domain/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::config::problems_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// An invalid value of the right type, and a part of its error text.
struct invalid_value {
  std::string assignment;
  std::string text;
};

const std::vector<invalid_value> invalid_values = {
    {"server.listen=8080", "is not an IP address and a port"},
    {"server.listen=localhost:8080", "is not an IP address and a port"},
    {"server.listen=127.0.0.1:65536", "is not an IP address and a port"},
    {"server.listen=::1:8080", "is not an IP address and a port"},
    {"server.listen=[127.0.0.1]:80", "is not an IP address and a port"},
    {"server.base_url=ftp://roost.example", "is not an http or https URL"},
    {"server.base_url=roost.example", "is not an http or https URL"},
    {"server.base_url=https://", "is not an http or https URL"},
    {"server.base_url=https://m\u00fcnchen.example",
     "is not an http or https URL in ASCII; write its host as xn--mnchen-3ya.example"},
    {"server.base_url=https://x/m\u00fcnchen", "percent-encode the letters beyond ASCII"},
    {"connector.tool_server=https://m\u00fcnchen.example/mcp", "write its host as xn--mnchen-3ya.example"},
    {"connector.prefixes=[\"https://m\u00fcnchen.example/\"]", "write its host as xn--mnchen-3ya.example"},
    {"server.base_url=http://127.0.0.1:0", "is not an http or https URL"},
    {"server.base_url=https:///path", "is not an http or https URL"},
    {"server.base_url=https://x/?a=b", "is not an http or https URL"},
    {"server.base_url=https://x/#a", "is not an http or https URL"},
    {"server.base_url=https://:8443", "is not an http or https URL"},
    {"server.base_url=https://:8443/path", "is not an http or https URL"},
    {"server.max_bodies_per_platform=0", "is too small: at least 1"},
    {"server.max_waiting=0", "is too small: at least 1"},
    {"server.max_bodies_per_address=0", "is too small: at least 1"},
    {"server.tls_certificate=cert.pem", "needs server.tls_key as well"},
    {"server.tls_key=key.pem", "needs server.tls_certificate as well"},
    {"server.io_threads=-1", "is too small: at least 0"},
    {"server.io_threads=100000", "is too large: at most 1024"},
    {"server.trusted_proxies=[\"10.0.0.0/33\"]", "is not an IP address or a network"},
    {"server.trusted_proxies=[\"proxy\"]", "is not an IP address or a network"},
    {"server.trusted_proxies=[7]", "7 in the list is not a text"},
    {"server.max_connections=0", "is too small: at least 1"},
    {"server.header_timeout=0s", "is too short: at least \"1ms\""},
    {"server.header_timeout=500us", "is finer than a millisecond"},
    {"server.header_timeout=36501d", "is not a duration"},
    {"server.header_timeout=10.5", "10.5 is not a duration"},
    {"ops.listen=127.0.0.1:8080", "must differ from the public listener"},
    {"ops.hosts=[\"Roost\"]", "is not a domain in lower case"},
    {"ops.hosts=[\"roost:9090\"]", "is not a domain in lower case without a port"},
    {"ops.hosts=[\"_.\"]", "is not a domain in lower case"},
    {"store.url=var/roost.db", "is not a store"},
    {"store.url=sqlite3://", "is not a store"},
    {"store.url=postgresql://", "is not a store"},
    {"store.url=postgresql://:5432/roost", "is not a store"},
    {"store.url=postgresql://roost@/roost", "is not a store"},
    {"store.url=postgresql://roost:secret@:5432/roost", "is not a store"},
    {"store.url=postgresql://roost:secret@[]:5432/roost", "is not a store"},
    {"store.url=postgresql://roost:secret@host:99999/roost", "port is not a number from 1 to 65535"},
    {"store.sessions=1.5", "is not a whole number"},
    {"secrets.file=", "is not a path"},
    {"secrets.file=\"a\\nb\"", "contains a control character"},
    {"mail.transport=var/outbox", "is not a mail transport"},
    {"mail.transport=file:", "is not a mail transport"},
    {"mail.transport=smtp://host", "is not a mail transport"},
    {"mail.transport=smtp://host:0", "is not a mail transport"},
    {"mail.transport=smtp://:25", "is not a mail transport"},
    {"mail.transport=smtps://user:password@:465", "is not a mail transport"},
    {"privacy.keep=1s",
     "\"1s\" is too short: at least \"1d\" (m means minutes), or \"0s\" to keep data forever"},
    {"privacy.keep=1m", "\"1m\" is too short: at least \"1d\""},
    {"privacy.keep=23h", "\"23h\" is too short: at least \"1d\""},
    {"privacy.keep=1095", "1095 is not a duration"},
    {"feeds.rebuild=1ms", "is too short: at least \"100ms\""},
    {"feeds.rebuild=99ms", "is too short: at least \"100ms\""},
    {"mail.transport=smtp://host:25/path", "is not a mail transport"},
    {"mail.transport=http://host:25", "is not a mail transport"},
    {"mail.from=roost", "is not a mail address"},
    {"mail.from=a@b@c", "is not a mail address"},
    {"mail.from=Roost <roost>", "is not a mail address"},
    {"mail.from=josé@roost.example", "is not a mail address"},
    {"mail.starttls=never", "is not a use of STARTTLS (required or opportunistic)"},
    {"sessions.access_token=10ms", "is too short: at least \"1s\""},
    {"sessions.code_tries=0", "is too small: at least 1"},
    {"connector.callbacks=[\"http://assistant.example/\"]", "is not an https URL"},
    {"connector.callbacks=[\"https://assistant.example/a/..;/b\"]", "without dot segments"},
    {"connector.prefixes=[\"https://assistant.example\"]", "at least to the slash after the host"},
    {"connector.prefixes=[\"https://assistant.example/ä/\"]", "percent-encode the letters beyond ASCII"},
    {"connector.tool_server=https://tools.münchen.example/mcp", "is not an http or https URL in ASCII"},
    {"connector.tool_server=https://tools.example/a%2Fb", "without dot segments and encoded slashes"},
    {"connector.tool_server=https://tools.example/a/../mcp", "without dot segments"},
    {"connector.tool_server=https://tools.example/{x}", "is not an http or https URL"},
    {"connector.tool_server=https://tools.example:0/mcp", "is not an http or https URL"},
    {"connector.client_documents=[\"https://assistant.example\"]", "is not a domain in lower case"},
    {"connector.client_documents=[\"assistant.example:443\"]", "with its port unless it is 443"},
    {"connector.client_documents=[\"*.example\"]", "or \"*\""},
    {"rate_limits.login=-1", "is too small: at least 0"},
    {"roles.Viewer=[\"bookings view\"]", "is not a permission"},
    {"scheduler.policy=fair", "is not a scheduler (asio, stealing or sharing)"},
    {"scheduler.relaxed_sleep_duration=0s", "is too short: at least \"1us\""},
};

TEST(Problems, AreOneLineEach) {
  EXPECT_THAT(lines_about("[server]\nheader_timeout = \"ten\"\n"),
              ElementsAre("2: server.header_timeout: \"ten\" is not a duration; write for example \"10s\""));
}

TEST(Problems, AreReportedTogetherInTheOrderOfTheFile) {
  EXPECT_THAT(
      lines_about(R"([store]
url = "mysql://host/roost"
sessions = 0
[server]
max_in_flight = -1
listn = "127.0.0.1:1"
[[platforms]]
name = "a"
kind = "marketplace-x"
prefix = "auth"
)"),
      ElementsAre(HasSubstr("2: store.url: \"mysql://host/roost\" is not a store"),
                  HasSubstr("3: store.sessions: 0 is too small: at least 1"),
                  HasSubstr("5: server.max_in_flight: -1 is too small: at least 1"),
                  HasSubstr("6: server.listn: unknown key; did you mean server.listen?"),
                  HasSubstr("9: platforms[0].kind: \"marketplace-x\" is not a kind of platform; did you"),
                  HasSubstr("10: platforms[0].prefix: \"auth\" is reserved for the service's own routes")));
}

TEST(Problems, AreOneLineEachInTheExceptionText) {
  try {
    load(with_set({"store.sessions=0", "feeds.rebuild=0s"}));
    FAIL() << "load() accepted invalid values";
  } catch (const invalid& error) {
    EXPECT_STREQ(error.what(), "--set: store.sessions: 0 is too small: at least 1\n"
                               "--set: feeds.rebuild: \"0s\" is too short: at least \"100ms\"");
  }
}

TEST(Problems, NeverQuoteAPassword) {
  for (const auto* text :
       {"store.url=mysql://me:hunter2@host/roost", "store.url=postgresql://me:hunter2",
        "store.url=postgresql://me:p@hunter2@host/roost", "store.url=postgresql://me:p/hunter2@host/roost",
        "store.url=postgresql://me:p%hunter2@host/roost", "store.url=postgresql://me:p?hunter2@host/roost",
        "mail.transport=smtp://me:hunter2@host", "server.base_url=https://me:hunter2@host"}) {
    const auto problems = problems_of(with_set({text}));
    ASSERT_EQ(problems.size(), 1U) << text;
    EXPECT_THAT(problems[0].text, ::testing::Not(HasSubstr("hunter2")));
  }
}

TEST(UnknownKeys, ComeWithTheSimilarKey) {
  EXPECT_THAT(lines_about("[server]\nlisten_on = \"x\"\n[sever]\nlisten = \"x\"\n"),
              ElementsAre("2: server.listen_on: unknown key; did you mean server.listen?",
                          "4: sever.listen: unknown key; did you mean server.listen?"));
}

TEST(UnknownKeys, AreFoundInAnotherSection) {
  EXPECT_THAT(lines_about("[server]\nwrong_passwords_per_15m = 3\n"),
              ElementsAre(HasSubstr("did you mean sessions.wrong_passwords_per_15m?")));
  EXPECT_THAT(lines_about("base_url = \"http://x\"\n"),
              ElementsAre("1: base_url: unknown key; did you mean server.base_url?"));
}

TEST(UnknownKeys, ComeWithoutASuggestionWhenNoKeyIsSimilar) {
  EXPECT_THAT(lines_about("[colours]\nbackground = \"red\"\n"),
              ElementsAre("2: colours.background: unknown key"));
}

TEST(Sections, AreTables) {
  EXPECT_THAT(lines_about("server = 5\n"), ElementsAre(HasSubstr("1: server: is a section; write [server]")));
  EXPECT_THAT(lines_about("roles = []\n"), ElementsAre(HasSubstr("1: roles: is a section")));
  EXPECT_THAT(lines_about("[platforms]\nname = \"a\"\n"),
              ElementsAre(HasSubstr("start each entry with [[platforms]]")));
  EXPECT_THAT(lines_about("platforms = [1]\n"), ElementsAre(HasSubstr("platforms[0]: 1 is not a table")));
}

TEST(GuestData, IsKeptForeverOrForAtLeastADay) {
  const auto kept = [](const char* text) {
    return load(with_set({std::string("privacy.keep=") + text})).values.privacy.keep;
  };
  EXPECT_EQ(kept("0s"), std::chrono::milliseconds{0});
  EXPECT_EQ(kept("1d"), std::chrono::hours{24});
  EXPECT_EQ(kept("24h"), std::chrono::hours{24});
}

TEST(InvalidValues, AreRejected) {
  for (const auto& value : invalid_values) {
    SCOPED_TRACE(value.assignment);
    const auto problems = problems_of(with_set({value.assignment}));
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems[0].text, HasSubstr(value.text));
  }
}

TEST(BaseUrl, HasNoTrailingSlashes) {
  for (const auto* text : {"https://roost.example", "https://roost.example/", "https://roost.example///"})
    EXPECT_EQ(load(with_set({std::string("server.base_url=") + text})).values.server.base_url,
              "https://roost.example");
  EXPECT_EQ(load(with_set({"server.base_url=https://roost.example/a//"})).values.server.base_url,
            "https://roost.example/a");
}

TEST(Problems, AreOneLineWhateverKeysContain) {
  EXPECT_THAT(lines_about("[server]\n\"a\\nb\" = 1\n"), ElementsAre(HasSubstr("2: server.a b: unknown key")));
  for (const std::string text : {"server.a\nb=1", "a\x1b[2Jb", "server.\xff=1"})
    for (const auto& problem : problems_of(with_set({text})))
      EXPECT_EQ(to_string(problem), domain::one_line(to_string(problem)));
}

TEST(ValidValues, AreRead) {
  const auto values =
      load(with_set({"server.base_url=https://roost.example/", "server.tls_certificate=c.pem",
                     "server.tls_key=k.pem", "ops.listen=127.0.0.1:0", "server.listen=127.0.0.1:0",
                     "mail.transport=smtps://me%40x:p%3Aw@mail.example:465", "server.drain_timeout=0s",
                     "mail.from=Casa Verde <max@münchen.example>", "mail.starttls=opportunistic",
                     "connector.callbacks=[\"https://assistant.example/callback\"]",
                     "connector.prefixes=[\"https://assistant.example/\"]",
                     "connector.client_documents=[\"one.example\", \"two.example:8443\", \"*\"]",
                     "ops.hosts=[\"metrics_1\", \"roost.internal\"]", "rate_limits.login=0",
                     "scheduler.policy=stealing", "scheduler.moderate_sleep_duration=70us"}))
          .values;
  EXPECT_EQ(values.server.base_url, "https://roost.example");
  EXPECT_EQ(values.mail.transport,
            (mail_transport{mail_transport::protocol::smtps, "", "mail.example", 465, "me@x", "p:w"}));
  EXPECT_EQ(values.mail.from, "Casa Verde <max@münchen.example>");
  EXPECT_TRUE(values.mail.opportunistic_tls);
  EXPECT_EQ(values.ops.hosts, (std::vector<std::string>{"metrics_1", "roost.internal"}));
  EXPECT_EQ(values.rate_limits.login, 0U);
  EXPECT_EQ(values.scheduler.policy, scheduler_policy::stealing);
  EXPECT_EQ(values.scheduler.moderate_sleep_duration, std::chrono::microseconds(70));
}

TEST(ThirdPartySignIn, RequiresKeysIssuerAndAudience) {
  EXPECT_EQ(problems_of(with_set({"sessions.identity_jwks=keys.json"})).size(), 2U);
  EXPECT_EQ(problems_of(with_set({"sessions.identity_jwks=http://id.example/keys"})).size(), 1U);
  EXPECT_TRUE(problems_of(with_set({"sessions.identity_jwks=https://id.example/keys",
                                    "sessions.identity_issuer=https://id.example",
                                    "sessions.identity_audience=roost"}))
                  .empty());
}

TEST(StoreUrl, MayUseASocketInsteadOfAHost) {
  for (const std::string url :
       {"postgresql:///roost", "postgresql:///roost?user=me",
        "postgresql://roost@/roost?host=/run/postgresql", "postgresql://roost@[::1]:5432/roost",
        "postgresql://host/roost?connect_timeout=5"})
    EXPECT_TRUE(problems_of(with_set({"store.url=" + url})).empty()) << url;
}

TEST(StoreUrl, IsRejectedWithAnEmptyHost) {
  for (const std::string url :
       {"postgresql://roost@/roost", "postgresql://:5432/roost", "postgresql://roost@/roost?host=",
        "postgresql://?host=", "postgresql:///roost?connect_timeout=5&host=&user=me"})
    EXPECT_EQ(problems_of(with_set({"store.url=" + url})).size(), 1U) << url;
}

} // namespace roost::config::problems_test
