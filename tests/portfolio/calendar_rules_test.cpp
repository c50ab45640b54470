#include "portfolio/write.hpp"
#include "rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Imported calendars in portfolio files.
namespace roost::portfolio::calendar_rules_test {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string calendar = unit + "/calendars/0";

TEST(Calendars, HaveAnIdANameAndAnHttpsUrl) {
  for (const std::string member : {"/id", "/name", "/url"})
    EXPECT_THAT(problems_of(edited(whole_document, {{calendar + member, ""}})),
                ElementsAre(calendar + member + ": is required"));
  const std::string url = "must be an https URL";
  expect_rules({
      {calendar + "/id", "null", "must be a UUID"},
      {calendar + "/name", "\" \"", "must not be blank"},
      {calendar + "/url", "null", url},
      {calendar + "/url", "\"http://host-one.example/1.ics\"", url},
      {calendar + "/url", "\"webcal://host-one.example/1.ics\"", "must be an http or https URL"},
      {calendar + "/url", quoted("https://host-one.example/" + repeated("a", 2'048)),
       "must not be longer than 2048 characters"},
      {calendar + "/ics", "\"BEGIN:VCALENDAR\"", "is not a known field"},
  });
}

TEST(Calendars, MayNameAConfiguredHost) {
  expect_rules({
      {calendar + "/host", "null", ""},
      {calendar + "/host", "", ""},
      {calendar + "/host", "\"host-tow\"", "is not a configured short-term host; did you mean \"host-two\"?"},
  });
}

TEST(Calendars, AreFetchedEveryMinuteToWeek) {
  const std::string interval = "must be a time of 1m to 7d, like 5m, 1h or 1d";
  expect_rules({
      {calendar + "/every", "null", ""},
      {calendar + "/every", "", ""},
      {calendar + "/every", "\"1m\"", ""},
      {calendar + "/every", "\"7d\"", ""},
      {calendar + "/every", "\"8d\"", interval},
      {calendar + "/every", "\"0m\"", interval},
      {calendar + "/every", "\"30s\"", interval},
      {calendar + "/every", "\"5\"", interval},
      {calendar + "/every", "5", interval},
  });
}

TEST(Calendars, AreFewForEachUnit) {
  const auto calendars = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i)
      list.append(i == 0 ? "[" : ", ")
          .append(R"({"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f01)" + std::to_string(10 + i))
          .append(R"(", "name": "A", "url": "https://a.example/a.ics"})");
    return list + "]";
  };
  expect_rules({{unit + "/calendars", calendars(20), ""}});
  EXPECT_THAT(
      problems_of(edited(whole_document, {{unit + "/calendars", calendars(21)}})),
      ElementsAre(unit + "/calendars/20: is one more than the 20 imported calendars that a unit may have"));
}

TEST(Calendars, AreWrittenOnALineWithoutDefaults) {
  auto file = parsed(whole_document);
  EXPECT_THAT(
      written(file),
      HasSubstr(
          R"({"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0008", "name": "Host one", )"
          R"("url": "https://host-one.example/ical/1.ics?s=secret", "host": "host-one", "every": "15m"})"
          "\n"));
  auto& first = file.accounts[0].properties[0].units[0].calendars[0];
  first.host.clear();
  first.every_seconds.reset();
  EXPECT_THAT(written(file), HasSubstr("s=secret\"}\n"));
  file.accounts[0].properties[0].units[0].calendars.clear();
  EXPECT_THAT(written(file), Not(HasSubstr("calendars")));
}

TEST(Calendars, ShowNoUrlInProblems) {
  const auto problems = problems_of(
      edited(whole_document, {{calendar + "/url", "\"http://host-one.example/ical/1.ics?s=secret\""}}));
  EXPECT_THAT(problems, ElementsAre(Not(HasSubstr("secret"))));
}

} // namespace roost::portfolio::calendar_rules_test
