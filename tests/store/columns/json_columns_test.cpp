#include "store/columns/json_columns.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_portfolio.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <gtest/gtest.h>

namespace roost::testing::json_columns_test {
using enum domain::payment_kind;
using domain::payment_party;

template <typename Value>
std::string written(const Value& value) {
  std::string text;
  EXPECT_TRUE(store::column_format<Value>::write(text, value));
  return text;
}

template <typename Value>
Value read(const std::string& text) {
  Value value{};
  EXPECT_TRUE((store::column_format<Value>::read(&text, value)));
  return value;
}

template <typename Value>
void expect_json(const Value& value) {
  EXPECT_STREQ(store::column_format<Value>::type, "jsonb");
  EXPECT_EQ(read<Value>(written(value)), value);
  EXPECT_THROW(read<Value>("17"), store::failure);
  EXPECT_THROW(read<Value>("{"), store::failure);
  Value none;
  EXPECT_FALSE((store::column_format<Value>::read(nullptr, none)));
}

TEST(JsonColumns, RoundTripListsAndPaymentTerms) {
  expect_json(std::vector<std::string>{"wifi", "a \"quoted\" one"});
  expect_json(std::map<std::string, std::string>{{"en", "Sunny"}, {"pl", "Łódź"}});
  expect_json(std::vector<domain::image>{{"https://pictures.example/1.jpg", false}, {"stock", true}});
  expect_json(std::vector<domain::tenant_category>{{"Student", true}, {"Worker", false}});
  expect_json(domain::payment_terms{
      {domain::due_item::first_rent, domain::due_item::deposit}, {domain::due_item::last_rent}, 28});
}

TEST(JsonColumns, StoreTheTermsOfABookingUnparsed) {
  using shared_terms = std::shared_ptr<const domain::booking_terms>;
  domain::booking_terms terms;
  terms.contract_type = "Traditional rental";
  terms.check_in_time = "15:00";
  EXPECT_STREQ(store::column_format<shared_terms>::type, "json");
  const auto text = written(std::make_shared<const domain::booking_terms>(terms));
  EXPECT_EQ(*read<shared_terms>(text), terms);
  shared_terms none;
  EXPECT_FALSE(store::column_format<shared_terms>::read(nullptr, none));
}

domain::booking_terms terms_with_every_kind_of_line() {
  domain::booking_terms terms;
  terms.contract_type = "Traditional rental";
  terms.check_in_time = "15:00";
  terms.check_out_time = "11:00";
  terms.payment_terms = {{domain::due_item::first_rent}, {domain::due_item::deposit}, 5};
  terms.bills = {true, domain::money{60'00}};
  terms.cleaning_frequency = "monthly";
  terms.plan = {{.kind = rent,
                 .amount = {650'00},
                 .due = day("2027-04-20"),
                 .period = domain::nights{day("2027-05-01"), day("2027-05-31")}},
                {.kind = deposit, .amount = {1}, .due = day("2027-05-01"), .payee = payment_party::platform},
                {.kind = provider_platform_payment,
                 .amount = {9'999'999'999},
                 .due = day("2027-05-02"),
                 .payer = payment_party::platform}};
  return terms;
}

const std::string json =
    R"({"contract_type":"Traditional rental","check_in_time":"15:00","check_out_time":"11:00",)"
    R"("payment_terms":{"confirmation":["first_rent"],"check_in":["deposit"],"monthly_due_day":5},)"
    R"("bills_included":true,"bills_max_cents":6000,"cleaning_frequency":"monthly","plan":[)"
    R"({"kind":"rent","cents":65000,"due":"2027-04-20","nights":["2027-05-01","2027-05-31"]},)"
    R"({"kind":"deposit","cents":1,"due":"2027-05-01","payee":"platform"},)"
    R"({"kind":"provider_platform_payment","cents":9999999999,"due":"2027-05-02","payer":"platform"}]})";

domain::booking_terms read_terms(const std::string& text) {
  domain::booking_terms terms;
  store::read_json(text, terms);
  return terms;
}

TEST(JsonColumns, OmitDefaultPayersAndPayeesOfAPlan) {
  EXPECT_EQ(store::json_of(terms_with_every_kind_of_line()), json);
}

TEST(JsonColumns, RoundTripTerms) { EXPECT_EQ(read_terms(json), terms_with_every_kind_of_line()); }

TEST(JsonColumns, RoundTripTermsWithoutACapOrAPlan) {
  const domain::booking_terms empty;
  EXPECT_EQ(read_terms(store::json_of(empty)), empty);
}

TEST(JsonColumns, RejectMalformedTerms) {
  const std::pair<const char*, const char*> edits[] = {
      {R"("kind":"rent",)", ""},
      {R"("rent")", R"("rant")"},
      {R"("cents":65000)", R"("cents":"65000")"},
      {R"("due":"2027-04-20")", R"("due":"2027-02-30")"},
      {R"(["2027-05-01","2027-05-31"])", R"(["2027-05-01"])"},
      {R"(["2027-05-01","2027-05-31"])", R"(["2027-05-01","2027-05-31","2027-06-01"])"},
      {R"("payee":"platform")", R"("payee":null)"},
      {R"("payer":"platform")", R"("payer":"stranger")"},
      {R"("bills_included":true)", R"("bills_included":1)"},
      {R"("check_out_time":"11:00",)", ""},
      {R"("plan":[)", R"("plan":[1,)"},
      {"}]}", "}]"},
  };
  for (const auto& [from, to] : edits) {
    const auto edited = boost::replace_first_copy(json, from, to);
    ASSERT_NE(edited, json) << from;
    EXPECT_THROW(read_terms(edited), store::failure) << edited;
  }
}

} // namespace roost::testing::json_columns_test
