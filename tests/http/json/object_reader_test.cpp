#include "http/json/object_reader.hpp"
#include "http/support/refusal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <vector>

/// Reading a body's fields, independent of the route.
namespace roost::http::testing::object_reader_test {
using enum presence;

/// Returns the message of the refusal; empty if nothing was refused.
template <typename Read>
std::string refusal(std::string text, const std::vector<std::string_view>& known, Read read) {
  return refusal_of(
      [&](std::string& input) {
        json_body body{input};
        object_reader fields{body, known};
        read(fields);
        body.throw_if_any();
      },
      std::move(text));
}

template <typename Read>
auto value(std::string text, const std::vector<std::string_view>& known, Read read) {
  json_body body{text};
  object_reader fields{body, known};
  auto result = read(fields);
  body.throw_if_any();
  return result;
}

TEST(JsonBody, IsAnObject) {
  const auto nothing = [](object_reader&) {};
  EXPECT_EQ(refusal("[]", {}, nothing), "Request body must be a JSON object");
  EXPECT_EQ(refusal("7", {}, nothing), "Request body must be a JSON object");
  EXPECT_TRUE(refusal("{\"a\":", {}, nothing).starts_with("Body is not valid JSON"));
  EXPECT_EQ(refusal("{}", {}, nothing), "");
}

TEST(JsonBody, MayHaveAByteOrderMark) {
  const auto text = [](object_reader& fields) { return fields.text("a", required); };
  EXPECT_EQ(value("\xef\xbb\xbf{\"a\":\"x\"}\r\n", {"a"}, text), "x");
  EXPECT_TRUE(refusal("\xef\xbb\xbf{,", {"a"}, text).ends_with(", at line 1, column 2"));
}

TEST(JsonBody, KeepsTheFirstHundredMessages) {
  std::string text = "{";
  for (int i = 0; i < 103; ++i) text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  const auto message = refusal(text + "}", {}, [](object_reader&) {});
  EXPECT_NE(message.find("property k99 should not exist, and 3 more"), std::string::npos);
  EXPECT_EQ(message.find("property k100 "), std::string::npos);
}

TEST(ObjectReader, RefusesEachUnknownKeyOnceInOrder) {
  EXPECT_EQ(refusal(R"({"z":1,"a":"x","y":2,"z":3})", {"a"}, [](object_reader&) {}),
            "property z should not exist, property y should not exist");
}

TEST(ObjectReader, UsesTheLastValueOfARepeatedKey) {
  const auto text = [](object_reader& fields) { return fields.text("a", required); };
  EXPECT_EQ(value(R"({"a":"first","a":"last"})", {"a"}, text), "last");
  EXPECT_EQ(value(R"({"a":7,"a":"last"})", {"a"}, text), "last");
  EXPECT_EQ(refusal(R"({"a":"first","a":7})", {"a"}, text), "a must be a string");
  EXPECT_EQ(refusal(R"({"a":"first","a":null})", {"a"}, text), "a must be a string");
}

TEST(ObjectReader, UsesTheLastValueOfARepeatedKeyInAnInnerObject) {
  std::optional<std::string> result;
  const auto read = [&](object_reader& fields) {
    fields.object("in", std::array<std::string_view, 1>{"a"}, unknown_keys::refused,
                  [&](object_reader& inner) { result = inner.text("a", required); });
  };
  EXPECT_EQ(refusal(R"({"in":{"a":"first","a":"last"}})", {"in"}, read), "");
  EXPECT_EQ(result, "last");
}

TEST(ObjectReader, TreatsNullAsAbsent) {
  const auto text = [](object_reader& fields) { return fields.text("a", optional); };
  EXPECT_FALSE(value(R"({"a":null})", {"a"}, text));
  EXPECT_FALSE(value("{}", {"a"}, text));
}

TEST(ObjectReader, RefusesAMissingFieldLikeOneOfAnotherType) {
  const auto all = [](object_reader& fields) {
    fields.text("t", required);
    fields.identifier("i", required);
    fields.flag("f", required);
    fields.number("n", required);
    fields.day("d", required);
    fields.objects("o", required, {}, unknown_keys::refused, [](object_reader&) {});
  };
  const std::string message =
      "t must be a string, i must be a string or a number, f must be a boolean value, "
      "n must be a number conforming to the specified constraints, "
      "d must be a valid ISO 8601 date string, o must be an array";
  EXPECT_EQ(refusal("{}", {"t", "i", "f", "n", "d", "o"}, all), message);
  EXPECT_EQ(refusal(R"({"t":1,"i":true,"f":"true","n":"1","d":20260101,"o":{}})",
                    {"t", "i", "f", "n", "d", "o"}, all),
            message);
}

TEST(ObjectReader, ChecksTheBoundsOfANumber) {
  const auto month = [](object_reader& fields) {
    return fields.number("m", required, {.min = 1, .max = 12, .whole = true});
  };
  EXPECT_EQ(value(R"({"m":1})", {"m"}, month), 1.0);
  EXPECT_EQ(value(R"({"m":12.0})", {"m"}, month), 12.0);
  EXPECT_EQ(refusal(R"({"m":0})", {"m"}, month), "m must not be less than 1");
  EXPECT_EQ(refusal(R"({"m":12.5})", {"m"}, month),
            "m must not be greater than 12, m must be an integer number");
}

TEST(ObjectReader, RoundsAmountsBelowTheLimitToTheCent) {
  const auto amount = [](object_reader& fields) { return fields.amount("a", optional); };
  EXPECT_EQ(value(R"({"a":99999999.994})", {"a"}, amount)->cents, 99'999'999'99);
  EXPECT_EQ(value(R"({"a":0.005})", {"a"}, amount)->cents, 1);
  EXPECT_EQ(refusal(R"({"a":99999999.995})", {"a"}, amount), "A numeric value is out of range.");
  EXPECT_EQ(refusal(R"({"a":-0.01})", {"a"}, amount), "a must not be less than 0");
}

TEST(ObjectReader, ReadsAnIdentifierThatIsAStringOrANumber) {
  const auto id = [](object_reader& fields) { return fields.identifier("i", optional, 5); };
  EXPECT_EQ(value(R"({"i":"x7"})", {"i"}, id), "x7");
  EXPECT_EQ(value(R"({"i":7.0})", {"i"}, id), "7");
  EXPECT_EQ(value(R"({"i":18446744073709551615})", {"i"}, id), "18446744073709551615");
  EXPECT_EQ(refusal(R"({"i":"123456"})", {"i"}, id), "A value is too long for its field.");
}

TEST(ObjectReader, ReadsANumericIdentifierAsTheShortestPlainDecimal) {
  const auto id = [](object_reader& fields) { return fields.identifier("i", required); };
  constexpr std::array<std::pair<std::string_view, std::string_view>, 14> expected{{
      {"100000.0", "100000"},
      {"1e5", "100000"},
      {"1E+5", "100000"},
      {"10.50", "10.5"},
      {"1e-7", "0.0000001"},
      {"-0.0", "0"},
      {"123456789012345678901234", "123456789012345678901234"},
      {"123456789012345678901235", "123456789012345678901235"},
      {"9223372036854775808", "9223372036854775808"},
      {"-9223372036854775809", "-9223372036854775809"},
      {"12345678901234567.0", "12345678901234567"},
      {"12345678901234567890.5", "12345678901234567890.5"},
      {"0.1e+001", "1"},
      {"1e24", "1000000000000000000000000"},
  }};
  for (const auto& [sent, kept] : expected)
    EXPECT_EQ(value("{\"i\":" + std::string(sent) + "}", {"i"}, id), kept) << sent;
  EXPECT_EQ(value(R"({"i":"100000.0"})", {"i"}, id), "100000.0") << "a string stays as it is";
  EXPECT_GT(value(R"({"i":1e999999999})", {"i"}, id)->size(), 4'000U) << "too long for every field";
}

TEST(ObjectReader, ReadsNumbersOfAnySize) {
  const auto all = [](object_reader& fields) {
    fields.amount("a", optional);
    fields.count("c", optional, 0, 9);
    fields.number("m", optional, {.max = 12});
    fields.number_text("n", optional);
    fields.text("t", optional);
  };
  const std::vector<std::string_view> known{"a", "c", "m", "n", "t"};
  const std::string_view out_of_range = "A numeric value is out of range.";
  for (const std::string number :
       {"123456789012345678901234567890", "1e400", "1e999999999", "123456789012345678901.5"}) {
    EXPECT_EQ(refusal("{\"a\":" + number + "}", known, all), out_of_range) << number;
    EXPECT_EQ(refusal("{\"c\":" + number + "}", known, all), out_of_range) << number;
    EXPECT_EQ(refusal("{\"m\":" + number + "}", known, all), "m must not be greater than 12") << number;
    EXPECT_EQ(refusal("{\"t\":" + number + "}", known, all), "t must be a string") << number;
    EXPECT_EQ(refusal("{\"x\":" + number + "}", known, all), "property x should not exist") << number;
    EXPECT_EQ(refusal("{\"a\":-" + number + "}", known, all), "a must not be less than 0") << number;
  }
  EXPECT_EQ(refusal(R"({"n":1e400})", known, all), out_of_range);
  EXPECT_EQ(refusal(R"({"a":1e-400,"c":0.0000000000000000,"m":-1e400})", known, all), "");
  EXPECT_EQ(refusal(R"({"a":[01234567890123456789]})", known, all).substr(0, 22), "Body is not valid JSON");
}

TEST(ObjectReader, DiscardsNumbersOfAnySize) {
  const auto read = [](object_reader& fields) {
    fields.object(
        "in", std::array<std::string_view, 1>{"a"}, unknown_keys::discarded,
        [](object_reader& inner) { EXPECT_EQ(inner.text("a", required), "\"12345678901234567890"); });
  };
  EXPECT_EQ(refusal(R"({"in":{"x":-123456789012345678901,"a":"\"12345678901234567890","y":[1e400]}})", {"in"},
                    read),
            "");
}

TEST(ObjectReader, KeepsTheCentsOfALongAmount) {
  const auto amount = [](object_reader& fields) { return fields.amount("a", optional); };
  EXPECT_EQ(value(R"({"a":683.00000000000000000001})", {"a"}, amount)->cents, 68'300);
  EXPECT_EQ(value(R"({"a":99999999.9949999999999999999999})", {"a"}, amount)->cents, 99'999'999'99);
}

TEST(ObjectReader, CountsCharactersNotBytes) {
  const auto text = [](object_reader& fields) { return fields.text("a", required, 3); };
  EXPECT_EQ(value(R"({"a":"äöü"})", {"a"}, text), "äöü");
  EXPECT_EQ(refusal(R"({"a":"äöüß"})", {"a"}, text), "A value is too long for its field.");
  EXPECT_EQ(refusal(R"({"a":"a\nb"})", {"a"}, text), "A value has an invalid format.");
}

TEST(ObjectReader, NamesThePathToAnInnerField) {
  const auto read = [](object_reader& fields) {
    fields.objects("list", required, std::array<std::string_view, 1>{"n"}, unknown_keys::refused,
                   [](object_reader& item) { item.number("n", required, {.min = 1}); });
  };
  EXPECT_EQ(refusal(R"({"list":[{"n":1},{"n":0,"x":1}]})", {"list"}, read),
            "list.1.property x should not exist, list.1.n must not be less than 1");
  EXPECT_EQ(refusal(R"({"list":[7]})", {"list"}, read),
            "list.each value in nested property list must be either object or array");
}

TEST(ObjectReader, CountsTheObjectsOfAnArrayInAnArray) {
  const auto count = [](object_reader& fields) {
    return fields.objects("list", required, {}, unknown_keys::discarded, [](object_reader&) {});
  };
  EXPECT_EQ(value(R"({"list":[{},[{},{}],[]]})", {"list"}, count), 3U);
  EXPECT_EQ(value(R"({"list":[]})", {"list"}, count), 0U);
}

TEST(ObjectReader, DiscardsUnknownKeysWhereTheRouteAllowsThem) {
  const auto read = [](object_reader& fields) {
    fields.object("in", std::array<std::string_view, 1>{"a"}, unknown_keys::discarded,
                  [](object_reader& inner) {
                    EXPECT_FALSE(inner.is_empty());
                    EXPECT_FALSE(inner.has("b"));
                  });
  };
  EXPECT_EQ(refusal(R"({"in":{"b":1}})", {"in"}, read), "");
}

TEST(ObjectReader, ReportsColumnErrorsOnlyWithoutOtherMessages) {
  const auto read = [](object_reader& fields) {
    fields.column_text("a", 3);
    fields.text("b", required);
  };
  EXPECT_EQ(refusal(R"({"a":"long"})", {"a", "b"}, read), "b must be a string");
  EXPECT_EQ(refusal(R"({"a":"long","b":""})", {"a", "b"}, read), "A value is too long for its field.");
  EXPECT_EQ(refusal(R"({"a":7,"b":""})", {"a", "b"}, read), "A value has an invalid format.");
  EXPECT_EQ(refusal("{\"a\":\"\\u0000\",\"b\":\"\"}", {"a", "b"}, read), "A value has an invalid format.");
}

/// Returns the message of the refusal of a body that reports column errors like this.
std::string column_refusal(std::string text, column_errors reported) {
  return refusal_of(
      [reported](std::string& input) {
        json_body body{input, reported};
        object_reader fields{body, std::array<std::string_view, 6>{"a", "b", "c", "d", "e", "f"}};
        fields.text("a", required, 3);
        fields.text("b", required, 3);
        if (!fields.column_text("c", 3)) fields.refuse_missing("c");
        fields.amount("d", required);
        fields.count("e", required, 1, 4);
        fields.count("f", required, 1, 4);
        body.throw_if_any();
      },
      std::move(text));
}

TEST(ObjectReader, ReportsColumnErrorsByMemberOnlyIfTheBodyDoes) {
  const std::string text = R"({"a":"long","b":"\n","c":"","d":100000000,"e":1.5,"f":5})";
  EXPECT_EQ(column_refusal(text, column_errors::shared), "A value has an invalid format.");
  EXPECT_EQ(column_refusal(text, column_errors::named),
            "a must not be longer than 3 characters, b must not hold control characters, c is required, "
            "d must be below 100000000, e must be an integer number, f must not be greater than 4");
}

} // namespace roost::http::testing::object_reader_test
