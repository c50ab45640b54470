#include "domain/account.hpp"
#include "domain/ai_usage.hpp"
#include "domain/booking.hpp"
#include "domain/unit.hpp"
#include "store/database/cell.hpp"

#include <gtest/gtest.h>

namespace roost::testing::enum_text_test {

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
  Enum value{};
  const std::string unknown = "no such word";
  EXPECT_FALSE((store::column_format<Enum>::read(&unknown, value)));
  EXPECT_FALSE((store::column_format<Enum>::read(nullptr, value)));
}

TEST(EnumText, UsesTheWordsOfTheSchema) {
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

} // namespace roost::testing::enum_text_test
