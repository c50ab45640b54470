#include "log/log.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

namespace roost::log::log_test {
using ::testing::ElementsAre;

std::string written(const field& field) {
  std::string line;
  field.append_to(line);
  return line;
}

std::string text(std::string_view value) { return written({"k", value}); }

TEST(LogField, WritesPlainValuesUnchanged) {
  EXPECT_EQ(text("/p/listings/{externalId}"), " k=/p/listings/{externalId}");
  EXPECT_EQ(written({"k", 401U}), " k=401");
  EXPECT_EQ(written({"k", -1}), " k=-1");
  EXPECT_EQ(written({"k", 18446744073709551615U}), " k=18446744073709551615");
  EXPECT_EQ(written({"k", 0.25}), " k=0.25");
  EXPECT_EQ(written({"k", true}), " k=true");
  EXPECT_EQ(written({"k", "literal"}), " k=literal");
  EXPECT_EQ(written({"k", std::string("owned")}), " k=owned");
}

TEST(LogField, QuotesTextThatCouldLookLikeAnotherField) {
  EXPECT_EQ(text(""), " k=\"\"");
  EXPECT_EQ(text("a b"), " k=\"a b\"");
  EXPECT_EQ(text("a=b"), " k=\"a=b\"");
  EXPECT_EQ(text("a\"b\\c"), " k=\"a\\\"b\\\\c\"");
}

TEST(LogField, EscapesLineBreaks) {
  EXPECT_EQ(text("a\r\n2026 info b\t"), " k=\"a\\r\\n2026 info b\\t\"");
  EXPECT_EQ(text(std::string_view("\0\x1b\x7f", 3)), " k=\"\\x00\\x1b\\x7f\"");
  EXPECT_EQ(text("\xc2\x85"), " k=\"\\xc2\\x85\"");          // next line
  EXPECT_EQ(text("\xe2\x80\xa8"), " k=\"\\xe2\\x80\\xa8\""); // line separator
}

TEST(LogField, KeepsUtf8AndEscapesOtherBytes) {
  EXPECT_EQ(text("caf\xc3\xa9"), " k=\"caf\xc3\xa9\"");
  EXPECT_EQ(text("\xf0\x9f\x8f\xa0"), " k=\"\xf0\x9f\x8f\xa0\"");
  EXPECT_EQ(text("\xff\xc3"), " k=\"\\xff\\xc3\"");
  EXPECT_EQ(text("\xed\xa0\x80"), " k=\"\\xed\\xa0\\x80\"");
  EXPECT_EQ(text("\xf4\x90\x80\x80"), " k=\"\\xf4\\x90\\x80\\x80\"");
}

TEST(Log, WritesOneLinePerEventWithTimeAndLevel) {
  ::testing::internal::CaptureStderr();
  set_level(level::info);
  debug("unseen");
  info("request_refused", {{"status", 401}, {"route", "GET /p"}});
  warn("slow");
  error("broken");
  flush();
  const std::string lines = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(lines,
              ::testing::MatchesRegex("[-0-9]+T[:0-9]+\\.[0-9][0-9][0-9]Z info request_refused status=401 "
                                      "route=\"GET /p\"\n[^ ]+ warn slow\n[^ ]+ error broken\n"));
}

std::string as_json(const field& field) {
  std::string line;
  field.append_json_to(line);
  return line;
}

TEST(LogFieldAsJson, KeepsTheTypeOfItsValue) {
  EXPECT_EQ(as_json({"k", "text"}), R"(,"k":"text")");
  EXPECT_EQ(as_json({"k", ""}), R"(,"k":"")");
  EXPECT_EQ(as_json({"k", -1}), R"(,"k":-1)");
  EXPECT_EQ(as_json({"k", 18446744073709551615U}), R"(,"k":18446744073709551615)");
  EXPECT_EQ(as_json({"k", 0.25}), R"(,"k":0.25)");
  EXPECT_EQ(as_json({"k", std::numeric_limits<double>::infinity()}), R"(,"k":null)");
  EXPECT_EQ(as_json({"k", true}), R"(,"k":true)");
}

TEST(LogFieldAsJson, EscapesControlCharactersAndReplacesInvalidUtf8) {
  EXPECT_EQ(as_json({"k", "a\"b\\c\n\x7f"}), R"(,"k":"a\"b\\c\u000a\u007f")");
  EXPECT_EQ(as_json({"k", "caf\xc3\xa9 \xf0\x9f\x8f\xa0"}), ",\"k\":\"caf\xc3\xa9 \xf0\x9f\x8f\xa0\"");
  EXPECT_EQ(as_json({"k", "\xff\xc3"}), ",\"k\":\"\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(Log, WritesOneJsonObjectPerEvent) {
  ::testing::internal::CaptureStderr();
  set_level(level::info);
  warn("before");
  set_format(format::json);
  info("request_refused", {{"status", 401}, {"route", "GET /p"}});
  error("broken");
  set_format(format::text);
  warn("after");
  flush();
  const std::string time = "[-0-9]+T[:0-9]+\\.[0-9][0-9][0-9]Z";
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              ::testing::MatchesRegex(
                  time + " warn before\n" + R"(\{"time":")" + time +
                  R"(","level":"info","event":"request_refused","status":401,"route":"GET /p"\})" + "\n" +
                  R"(\{"time":")" + time + R"(","level":"error","event":"broken"\})" + "\n" + time +
                  " warn after\n"));
}

TEST(Log, WritesEveryLineOfABurstInOrder) {
  constexpr int events = 5'000; // more than fit into one batch, fewer than the queue holds
  ::testing::internal::CaptureStderr();
  set_level(level::info);
  for (int i = 0; i < events; ++i) info("burst", {{"number", i}});
  flush();
  std::istringstream lines(::testing::internal::GetCapturedStderr());
  int seen = 0;
  for (std::string line; std::getline(lines, line); ++seen)
    ASSERT_TRUE(line.ends_with(" info burst number=" + std::to_string(seen))) << line;
  EXPECT_EQ(seen, events);
}

class EventCopy : public ::testing::Test {
protected:
  EventCopy() { copy_events_to(file_.string()); }

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream file(file_);
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }

  tests::temporary_folder folder_;
  std::filesystem::path file_ = folder_ / "events";
};

TEST_F(EventCopy, ContainsEventsBelowTheLevel) {
  set_level(level::off);
  debug("unseen", {{"number", 7}, {"free", true}});
  EXPECT_THAT(lines(), ElementsAre(R"({"level":"debug","event":"unseen","number":7,"free":true})"));
}

TEST_F(EventCopy, IsJsonWhateverTheFormat) {
  set_level(level::off);
  const std::string refused = R"({"level":"info","event":"request_refused","route":"GET /p"})";
  for (const auto chosen : {format::json, format::text}) {
    set_format(chosen);
    info("request_refused", {{"route", "GET /p"}});
  }
  EXPECT_THAT(lines(), ElementsAre(refused, refused));
}

TEST_F(EventCopy, HasCompleteLinesFromSeveralThreads) {
  constexpr int threads = 4, events = 500;
  set_level(level::off);
  const std::string text(300, 'x');
  std::vector<std::thread> writers;
  for (int i = 0; i < threads; ++i)
    writers.emplace_back([&text, i] {
      for (int n = 0; n < events; ++n) info("burst", {{"thread", i}, {"number", n}, {"text", text}});
    });
  for (auto& writer : writers) writer.join();
  std::vector<std::string> expected;
  for (int i = 0; i < threads; ++i)
    for (int n = 0; n < events; ++n)
      expected.push_back(R"({"level":"info","event":"burst","thread":)" + std::to_string(i) +
                         R"(,"number":)" + std::to_string(n) + R"(,"text":")" + text + "\"}");
  auto copied = lines();
  std::ranges::sort(copied);
  std::ranges::sort(expected);
  EXPECT_TRUE(copied == expected);
}

TEST_F(EventCopy, ThrowsWhenTheFileCannotBeOpened) {
  EXPECT_THROW(copy_events_to((folder_ / "missing/events").string()), std::system_error);
}

TEST(Log, KnowsWhetherALevelIsEnabled) {
  set_level(level::warn);
  EXPECT_FALSE(enabled(level::info));
  EXPECT_TRUE(enabled(level::error));
  set_level(level::debug);
  EXPECT_TRUE(enabled(level::debug));
}

} // namespace roost::log::log_test
