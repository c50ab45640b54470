#include "config/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::config::text_test {

TEST(QuotedText, IsOneLineOfToml) {
  EXPECT_EQ(in_quotes("plain é"), "\"plain é\"");
  EXPECT_EQ(in_quotes("a\"b\\c\nd"), "\"a\\\"b\\\\c\\u000Ad\"");
}

TEST(MaskedText, HidesThePasswordOfAUrl) {
  EXPECT_EQ(masked("postgresql://me:secret@host:5432/roost"), "postgresql://me:***@host:5432/roost");
  EXPECT_EQ(masked("smtps://me:p@ss:w/rd@host:465"), "smtps://me:***@host:465");
  EXPECT_EQ(masked("postgresql:///roost?user=me&password=secret&host=x"),
            "postgresql:///roost?user=me&password=***&host=x");
  EXPECT_EQ(masked("postgresql:///roost?password=secret"), "postgresql:///roost?password=***");
}

TEST(MaskedText, HidesEveryPasswordParameter) {
  EXPECT_EQ(masked("postgresql://host:5432/roost?password=se@cret"),
            "postgresql://host:5432/roost?password=***");
  EXPECT_EQ(masked("postgresql:///roost?sslpassword=one&password=two"),
            "postgresql:///roost?sslpassword=***&password=***");
}

TEST(MaskedText, HidesThePasswordOfAMistypedUrl) {
  const auto text = masked("smtp:me:secret@host");
  EXPECT_EQ(text.find("secret"), std::string::npos) << text;
}

TEST(MaskedText, KeepsOtherText) {
  for (const auto* text : {"sqlite3://var/roost.db", "postgresql://me@host:5432/roost", "file:var/outbox",
                           "127.0.0.1:8080", "no-reply@roost.example", ""})
    EXPECT_EQ(masked(text), text);
}

TEST(NearestName, IsAFewEditsAway) {
  const std::vector<std::string> names = {"server.listen", "server.header_timeout", "ops.listen"};
  EXPECT_EQ(nearest("server.header_timeot", names), "server.header_timeout");
  EXPECT_EQ(nearest("serverlisten", names), "server.listen");
}

TEST(NearestName, IsNulloptWhenNoCandidateIsClose) {
  const std::vector<std::string> names = {"server.listen"};
  EXPECT_EQ(nearest("platforms.colour", names), std::nullopt);
  EXPECT_EQ(nearest("x", {}), std::nullopt);
}

using namespace std::chrono_literals;

TEST(Durations, ParseAWholeNumberWithItsUnit) {
  EXPECT_EQ(parse_duration("50us"), 50us);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("30s"), 30s);
  EXPECT_EQ(parse_duration("10m"), 10min);
  EXPECT_EQ(parse_duration("24h"), 24h);
  EXPECT_EQ(parse_duration("365d"), 365 * 24h);
  EXPECT_EQ(parse_duration("0s"), 0s);
}

TEST(Durations, RequireNumberAndUnit) {
  for (const auto* text :
       {"", "10", "s", "ten", "10 s", " 10s", "10s ", "1.5s", "-1s", "-0s", "+1s", "10sec", "10S"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Durations, AreAtMostAHundredYears) {
  EXPECT_EQ(parse_duration("36500d"), max_duration);
  EXPECT_EQ(parse_duration("36501d"), std::nullopt);
  EXPECT_EQ(parse_duration("9223372036854775807d"), std::nullopt);
  EXPECT_EQ(parse_duration("99999999999999999999s"), std::nullopt);
}

TEST(Durations, AreFormattedInTheLargestWholeUnit) {
  EXPECT_EQ(duration_text(0s), "0s");
  EXPECT_EQ(duration_text(50us), "50us");
  EXPECT_EQ(duration_text(1500ms), "1500ms");
  EXPECT_EQ(duration_text(90min), "90m");
  EXPECT_EQ(duration_text(48h), "2d");
}

} // namespace roost::config::text_test
