#include "json/writer.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <limits>
#include <string>

namespace roost::json::writer_test {

using domain::between, domain::date, domain::for_random_cases, domain::operator""_at,
    domain::operator""_cents, domain::operator""_date, domain::timestamp;

template <typename T>
std::string text_of_value(const T& content) {
  writer json;
  json.value(content);
  return std::string{json.text()};
}

TEST(JsonWriter, SeparatesElementsWithCommas) {
  writer json;
  json.begin_object();
  json.key("empty");
  json.begin_array();
  json.end_array();
  json.field("one", 1);
  json.key("rows");
  json.begin_array();
  for (int row = 0; row < 2; ++row) {
    json.begin_object();
    json.field("row", row);
    json.end_object();
  }
  json.value("last");
  json.raw(R"({"raw":[]})");
  json.number("1.50");
  json.null();
  json.end_array();
  json.data_key("a \"name\"");
  json.begin_object();
  json.end_object();
  json.field("end", true);
  json.end_object();
  EXPECT_EQ(json.text(), R"({"empty":[],"one":1,"rows":[{"row":0},{"row":1},"last",{"raw":[]},1.50,null],)"
                         R"("a \"name\"":{},"end":true})");
}

TEST(JsonWriter, WritesDomainValues) {
  EXPECT_EQ(text_of_value(99'50_cents), "99.5");
  EXPECT_EQ(text_of_value("2026-11-20"_date), R"("2026-11-20")");
  EXPECT_EQ(text_of_value("2026-11-20T09:30:00.000Z"_at), R"("2026-11-20T09:30:00.000Z")");
  EXPECT_EQ(text_of_value(std::optional<int>{}), "null");
  EXPECT_EQ(text_of_value(std::optional<date>{"2026-11-20"_date}), R"("2026-11-20")");
  EXPECT_EQ(text_of_value(false), "false");
  EXPECT_EQ(text_of_value(plain_text{"move-in"}), R"("move-in")");
}

TEST(JsonWriter, WritesAlternatingTimestamps) {
  writer json;
  json.begin_array();
  for (const auto moment : {timestamp{}, timestamp{}, "2026-11-20T09:30:00.001Z"_at, timestamp{}})
    json.value(moment);
  json.end_array();
  EXPECT_EQ(json.text(), R"(["1970-01-01T00:00:00.000Z","1970-01-01T00:00:00.000Z",)"
                         R"("2026-11-20T09:30:00.001Z","1970-01-01T00:00:00.000Z"])");
}

TEST(JsonWriter, WritesTheShortestFormOfNumbers) {
  EXPECT_EQ(text_of_value(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(text_of_value(12U), "12");
  EXPECT_EQ(text_of_value(40.4168), "40.4168");
  EXPECT_EQ(text_of_value(-3.0), "-3.0");
  EXPECT_EQ(text_of_value(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(text_of_value(std::numeric_limits<double>::quiet_NaN()), "null");
}

TEST(JsonWriter, EscapesStrings) {
  EXPECT_EQ(text_of_value(std::string("a\"b\\c/\b\f\n\r\t\x1f\0\x7f é", 17)),
            "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u001F\\u0000\x7f é\"");
  EXPECT_EQ(text_of_value(std::string{}), R"("")");
}

TEST(JsonWriter, KeepsNoTextAfterClear) {
  writer json;
  json.begin_array();
  json.value(std::string(10'000, 'x'));
  json.clear();
  EXPECT_EQ(json.text(), "");
  json.begin_array();
  json.end_array();
  EXPECT_EQ(json.text(), "[]");
}

TEST(JsonWriter, RoundTripsThroughAParser) {
  for_random_cases(500, [](std::mt19937& random) {
    writer json;
    json.begin_array();
    std::vector<std::string> texts;
    for (auto left = between(random, 0, 40); left > 0; --left) {
      std::string text;
      for (auto length = between(random, 0, 300); length > 0; --length)
        text += static_cast<char>(between(random, 0, 127));
      json.value(text);
      texts.push_back(std::move(text));
    }
    json.end_array();
    rapidjson::Document parsed;
    ASSERT_FALSE(parsed.Parse(json.text().data(), json.text().size()).HasParseError());
    ASSERT_EQ(parsed.Size(), texts.size());
    for (rapidjson::SizeType i = 0; i < parsed.Size(); ++i)
      EXPECT_EQ((std::string{parsed[i].GetString(), parsed[i].GetStringLength()}), texts[i]);
  });
}

} // namespace roost::json::writer_test
