#include "store/columns/json_columns.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/error.hpp"

#include <gtest/gtest.h>

namespace roost::testing::column_formats_test {

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

template <typename Enum>
void expect_words(std::initializer_list<std::pair<Enum, const char*>> words) {
  for (const auto& [value, word] : words) {
    EXPECT_EQ(written(value), word);
    EXPECT_EQ(read<Enum>(word), value);
  }
  EXPECT_THROW(read<Enum>("no such word"), store::failure);
  Enum value{};
  EXPECT_FALSE((store::column_format<Enum>::read(nullptr, value)));
}

TEST(ColumnFormats, OfEnumerationsAreTheWordsOfTheSchema) {
  expect_words<domain::markup_mode>({{domain::markup_mode::none, "none"},
                                     {domain::markup_mode::percentage, "percentage"},
                                     {domain::markup_mode::fixed, "fixed"}});
  expect_words<domain::property_type>({{domain::property_type::apartment, "apartment"},
                                       {domain::property_type::house, "house"},
                                       {domain::property_type::studio, "studio"},
                                       {domain::property_type::residence, "residence"}});
  expect_words<domain::unit_kind>({{domain::unit_kind::property, "property"},
                                   {domain::unit_kind::room, "room"},
                                   {domain::unit_kind::bed, "bed"}});
  expect_words<domain::part_month>({{domain::part_month::daily, "daily"},
                                    {domain::part_month::fortnightly, "fortnightly"},
                                    {domain::part_month::monthly, "monthly"}});
  expect_words<domain::fee_mode>({{domain::fee_mode::fixed, "fixed"}, {domain::fee_mode::tiered, "tiered"}});
  expect_words<domain::deposit_mode>(
      {{domain::deposit_mode::fixed, "fixed"}, {domain::deposit_mode::rent_multiple, "rent_multiple"}});
  expect_words<domain::block_source>({{domain::block_source::manual, "manual"},
                                      {domain::block_source::channel, "channel"},
                                      {domain::block_source::booking, "booking"}});
  expect_words<domain::request_state>({{domain::request_state::pending, "New"},
                                       {domain::request_state::success, "Success"},
                                       {domain::request_state::failed, "Failed"},
                                       {domain::request_state::dropped, "Dropped"}});
  expect_words<domain::booking_status>({{domain::booking_status::confirmed, "confirmed"},
                                        {domain::booking_status::checked_in, "checked_in"},
                                        {domain::booking_status::checked_out, "checked_out"},
                                        {domain::booking_status::cancelled, "cancelled"}});
  expect_words<domain::cancelled_by>(
      {{domain::cancelled_by::platform, "platform"}, {domain::cancelled_by::landlord, "landlord"}});
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

TEST(ColumnFormats, OfListsAreJson) {
  expect_json(std::vector<std::string>{"wifi", "a \"quoted\" one"});
  expect_json(std::map<std::string, std::string>{{"en", "Sunny"}, {"pl", "Łódź"}});
  expect_json(std::vector<domain::image>{{"https://pictures.example/1.jpg", false}, {"stock", true}});
  expect_json(std::vector<domain::tenant_category>{{"Student", true}, {"Worker", false}});
  expect_json(domain::payment_terms{
      {domain::due_item::first_rent, domain::due_item::deposit}, {domain::due_item::last_rent}, 28});
}

TEST(ColumnFormats, OfABookingsTermsAreJsonThatTheDatabaseDoesNotParse) {
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

} // namespace roost::testing::column_formats_test
