#include "store/copy/value_form.hpp"
#include "store/database/error.hpp"

#include <gtest/gtest.h>

namespace roost::testing::value_form_test {
using store::canonical_text;
using store::dialect;
using store::text_for_target;
using store::value_form;

TEST(ValueForm, ConvertsToTheTextThatRoostWritesToSqlite) {
  const auto text = [](value_form form, std::string_view value) {
    return text_for_target(form, dialect::postgresql, dialect::sqlite, value);
  };
  EXPECT_EQ(text(value_form::boolean, "t"), "1");
  EXPECT_EQ(text(value_form::boolean, "f"), "0");
  EXPECT_EQ(text(value_form::moment, "2026-11-20 09:30:00.1234+00"), "2026-11-20T09:30:00.123Z");
  EXPECT_EQ(text(value_form::jsonb, R"({"a": [1.50, "x\u00e9"], "b": null})"),
            R"({"a":[1.50,"xé"],"b":null})");
  EXPECT_EQ(text(value_form::text, " { } "), " { } ");
  EXPECT_THROW(text(value_form::boolean, "maybe"), store::failure);
}

TEST(ValueForm, HasOneTextForEqualNumbers) {
  EXPECT_EQ(canonical_text(value_form::real, "-0.0"), canonical_text(value_form::real, "0"));
  EXPECT_EQ(canonical_text(value_form::real, "1e-07"), canonical_text(value_form::real, "1.0e-7"));
  EXPECT_EQ(canonical_text(value_form::real, "40.416789012345678"),
            canonical_text(value_form::real, "40.4167890123457"));
  EXPECT_NE(canonical_text(value_form::real, "-0.5"), canonical_text(value_form::real, "0.5"));
  EXPECT_EQ(canonical_text(value_form::decimal, "7.10"), canonical_text(value_form::decimal, "7.1"));
  EXPECT_EQ(canonical_text(value_form::decimal, "0 7 100000000 0"),
            canonical_text(value_form::decimal, "7.1"));
}

TEST(ValueForm, HasOneTextForEqualJson) {
  const auto canonical_json = [](std::string_view text) { return canonical_text(value_form::jsonb, text); };
  EXPECT_EQ(canonical_json(R"({"bb":1,"a":[1.50,1e3,-0]})"),
            canonical_json(R"({ "a" : [1.5, 1000, 0.0], "bb" : 1 })"));
  EXPECT_EQ(canonical_json(R"({"a":1,"a":2})"), canonical_json(R"({"a":2})"));
  EXPECT_EQ(canonical_json(R"("\u00e9\/")"), canonical_json("\"é/\""));
  EXPECT_NE(canonical_json(R"({"a":"1"})"), canonical_json(R"({"a":1})"));
  EXPECT_NE(canonical_json("[1,2]"), canonical_json("[2,1]"));
  EXPECT_NE(canonical_json("[0.1]"), canonical_json("[0.10000000000000001]"));
  EXPECT_EQ(canonical_json(R"({"":{"":[[]]}})"), R"({"":{"":[[]]}})");
  EXPECT_THROW(canonical_json("{"), store::failure);
}

} // namespace roost::testing::value_form_test
