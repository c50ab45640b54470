#include "http/partner/partner_bodies.hpp"
#include "http/support/refusal.hpp"
#include "support/edited_json.hpp"

#include <gmock/gmock.h>

/// PUT /<engine-prefix>/listing: the fields of a body, and the messages of refusals.
namespace roost::http::testing::listing_update_test {
using support::edit;
using support::edited;

constexpr std::string_view good =
    R"({"externalId":"L1","isRentFixed":true,"rent":900,"rentsPerMonth":[],"minStayPeriod":1,"maxStayPeriod":12,)"
    R"("extraPricePerTenant":0,"availableFrom":"2026-03-01","capacity":1,"cleaningFeeValue":0,)"
    R"("billsIncludedMaxValue":0,"adminFeeValue":0,"depositValue":0,"landlordEmail":"a@b.co","unavailabilities":[]})";

listing_update read(const std::vector<edit>& edits) {
  auto body = edited(good, edits);
  return parse_listing_update(body);
}

std::string refusal(std::string body) { return refusal_of(parse_listing_update, std::move(body)); }
std::string refusal(const std::vector<edit>& edits) { return refusal(edited(good, edits)); }

const std::string number = " must be a number conforming to the specified constraints",
                  too_small = " must not be less than 0", out_of_range = "A numeric value is out of range.";

TEST(ListingUpdate, ReadsTheSavedFields) {
  const auto update = read({{"/isRentFixed", "false"},
                            {"/rent", "900.505"},
                            {"/rentsPerMonth", R"([{"month":12,"rent":1000},{"month":1,"rent":0}])"},
                            {"/minStayPeriod", "2.0"},
                            {"/extraPricePerTenant", "99999999.994"}});
  EXPECT_EQ(update.external_id, "L1");
  EXPECT_FALSE(update.edit.rent_fixed);
  EXPECT_EQ(update.edit.rent.cents, 900'51);
  EXPECT_EQ(update.edit.per_month, (std::map<unsigned, domain::money>{{1, {0}}, {12, {1000'00}}}));
  EXPECT_EQ(update.edit.min_stay_months, 2);
  EXPECT_EQ(update.edit.max_stay_months, 12);
  EXPECT_EQ(update.edit.extra_price_per_tenant.cents, 99'999'999'99);
}

TEST(ListingUpdate, AcceptsUnusualValues) {
  EXPECT_EQ(refusal({{"/rentsPerMonth", "[[]]"}}), "");
  EXPECT_EQ(read({{"/rentsPerMonth", R"([[{"month":3,"rent":5}]])"}}).edit.per_month.size(), 1U);
  EXPECT_EQ(read({{"/rent", "-0.0"}}).edit.rent.cents, 0);
  EXPECT_EQ(read({{"/rent", "0.00000000000000000001"}}).edit.rent.cents, 0);
  EXPECT_EQ(read({{"/rent", "1e2"}}).edit.rent.cents, 100'00);
  EXPECT_EQ(read({{"/minStayPeriod", "13"}, {"/maxStayPeriod", "0"}}).edit.max_stay_months, 0); // no maximum
  EXPECT_EQ(refusal({{"/unavailabilities", R"([{"from":"2027-01-01","to":"2026-01-01","reason":""}])"}}), "");
  EXPECT_EQ(refusal({{"/capacity", "-1.5"}, {"/landlordEmail", R"("line\nbreak")"}}), ""); // not saved
  EXPECT_EQ(read({{"/externalId", R"("/%2F_é")"}}).external_id, "/%2F_é");
}

TEST(ListingUpdate, RequiresEveryField) {
  const std::vector<std::pair<std::string, std::string>> fields{
      {"externalId", " must be a string"},
      {"isRentFixed", " must be a boolean value"},
      {"rent", too_small + ", rent" + number},
      {"rentsPerMonth", " must be an array"},
      {"minStayPeriod", number},
      {"maxStayPeriod", number},
      {"extraPricePerTenant", too_small + ", extraPricePerTenant" + number},
      {"availableFrom", " must be a valid ISO 8601 date string"},
      {"capacity", number},
      {"cleaningFeeValue", number},
      {"billsIncludedMaxValue", number},
      {"adminFeeValue", number},
      {"depositValue", number},
      {"landlordEmail", " must be a string"},
      {"unavailabilities", " must be an array"}};
  std::string all;
  for (const auto& [name, rule] : fields) {
    EXPECT_EQ(refusal({{"/" + name, ""}}), name + rule);
    EXPECT_EQ(refusal({{"/" + name, "null"}}), name + rule);
    EXPECT_EQ(refusal({{"/" + name, "{}"}}), name + rule);
    all += (all.empty() ? "" : ", ") + name + rule;
  }
  EXPECT_EQ(refusal("{}"), all);
}

TEST(ListingUpdate, RefusesOtherTypesAndValues) {
  const std::vector<std::pair<edit, std::string>> rules{
      {{"/externalId", "5"}, "externalId must be a string"},
      {{"/externalId", R"("")"}, "externalId must be a string"},
      {{"/externalId", '"' + std::string(257, 'x') + '"'}, "A value is too long for its field."},
      {{"/externalId", R"("a\u0000b")"}, "A value has an invalid format."},
      {{"/isRentFixed", R"("true")"}, "isRentFixed must be a boolean value"},
      {{"/isRentFixed", "1"}, "isRentFixed must be a boolean value"},
      {{"/rent", "-0.001"}, "rent must not be less than 0"},
      {{"/rent", R"("900")"}, "rent must not be less than 0, rent" + number},
      {{"/rent", "100000000"}, out_of_range},
      {{"/rent", "99999999.995"}, out_of_range},
      {{"/rent", "1e308"}, out_of_range},
      {{"/extraPricePerTenant", "-1"}, "extraPricePerTenant must not be less than 0"},
      {{"/minStayPeriod", "-1"}, "Min stay period must be a non-negative integer"},
      {{"/minStayPeriod", "1.5"}, "Min stay period must be a non-negative integer"},
      {{"/maxStayPeriod", "-0.5"}, "Max stay period must be a non-negative integer"},
      {{"/maxStayPeriod", "1201"}, out_of_range},
      {{"/maxStayPeriod", "1e300"}, out_of_range},
      {{"/minStayPeriod", "13"}, "Min stay period cannot be greater than max stay period (unless max is 0)"},
      {{"/availableFrom", R"("2026-02-30")"}, "availableFrom must be a valid ISO 8601 date string"},
      {{"/capacity", R"("1")"}, "capacity" + number},
      {{"/unavailabilities", R"([{}])"},
       "unavailabilities.0.from must be a valid ISO 8601 date string, unavailabilities.0.to must be a valid "
       "ISO "
       "8601 date string, unavailabilities.0.reason must be a string"},
      {{"/foo", "1"}, "property foo should not exist"}};
  for (const auto& [change, message] : rules)
    EXPECT_EQ(refusal({change}), message) << change.pointer << " = " << change.json.substr(0, 60);
}

TEST(ListingUpdate, RefusesMonthsWithTheirPosition) {
  const std::vector<std::pair<std::string, std::string>> rules{
      {R"([{"month":13,"rent":5}])", "rentsPerMonth.0.month must not be greater than 12"},
      {R"([{"month":0,"rent":5}])", "rentsPerMonth.0.month must not be less than 1"},
      {R"([{"month":1.5,"rent":5}])", "rentsPerMonth.0.month must be an integer number"},
      {R"([{"month":1,"rent":5,"foo":1}])", "rentsPerMonth.0.property foo should not exist"},
      {R"([{"month":1,"rent":5},{"month":2,"rent":-5}])", "rentsPerMonth.1.rent must not be less than 0"},
      {R"([{"rent":5}])",
       "rentsPerMonth.0.month must not be greater than 12, rentsPerMonth.0.month must not be less "
       "than 1, rentsPerMonth.0.month must be an integer number"},
      {R"([{"month":1}])", "rentsPerMonth.0.rent must not be less than 0, rentsPerMonth.0.rent" + number},
      {R"([{"month":1,"rent":100000000}])", out_of_range},
      {R"([{"month":7,"rent":5},{"month":7,"rent":5}])", "rentsPerMonth.1.month must be unique"},
      {R"(["x"])",
       "rentsPerMonth.each value in nested property rentsPerMonth must be either object or array"},
      {R"([5,null])",
       "rentsPerMonth.each value in nested property rentsPerMonth must be either object or array"},
      {R"([[{"month":13,"rent":5}]])", "rentsPerMonth.0.0.month must not be greater than 12"},
      {R"("x")", "rentsPerMonth must be an array"}};
  for (const auto& [json, message] : rules) EXPECT_EQ(refusal({{"/rentsPerMonth", json}}), message) << json;
}

TEST(ListingUpdate, RefusesMoreThanTwelveMonths) {
  std::string rents;
  for (int month = 1; month <= 13; ++month)
    rents +=
        (rents.empty() ? "[" : ",") + (R"({"month":)" + std::to_string(month % 12 + 1)) + R"(,"rent":5})";
  EXPECT_EQ(refusal({{"/rentsPerMonth", rents + "]"}}),
            "rentsPerMonth.12.month must be unique, rentsPerMonth must contain no more than 12 elements");
}

TEST(ListingUpdate, ReportsUnknownKeysFirstAndThenTheFieldsInOrder) {
  EXPECT_EQ(refusal({{"/externalId", "5"},
                     {"/rentsPerMonth", R"([{"month":13,"rent":1}])"},
                     {"/foo", "1"},
                     {"/bar", "2"}}),
            "property foo should not exist, property bar should not exist, externalId must be a string, "
            "rentsPerMonth.0.month must not be greater than 12");
  EXPECT_EQ(refusal({{"/maxStayPeriod", "-1"}, {"/minStayPeriod", "-1"}, {"/rent", "1e308"}}),
            "Min stay period must be a non-negative integer, Max stay period must be a non-negative integer");
}

TEST(ListingUpdate, ReportsTheFirstOfManyProblems) {
  std::string items = "[{}";
  for (int i = 0; i < 1'000; ++i) items += ",{}";
  const auto message = refusal({{"/unavailabilities", items + "]"}});
  EXPECT_LT(message.size(), 10'000U);
  EXPECT_THAT(message, ::testing::EndsWith(", and 2903 more"));
}

TEST(ListingUpdate, UsesTheLastOfARepeatedKey) {
  std::string body{good};
  body.insert(1, R"("rent":-1,)");
  EXPECT_EQ(refusal(body), "");
}

} // namespace roost::http::testing::listing_update_test
