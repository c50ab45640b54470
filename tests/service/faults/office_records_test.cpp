#include "service/office_support/office_records.hpp"
#include "service/support/portfolio.hpp"

#include <gmock/gmock.h>

/// The comparisons of the office's acknowledged writes with the store find differences.
namespace roost::testing::office_records_test {
using ::testing::IsEmpty;
using ::testing::SizeIs;

domain::date day(const char* text) { return domain::parse_date(text).value(); }

const std::string block_id = "d0000000-0000-4000-8000-000000000001",
                  booking_id = "b0000000-0000-4000-8000-000000000001";

class OfficeRecords : public ::testing::Test {
protected:
  OfficeRecords() {
    known_.id = block_id;
    known_.unit = booked_.place.unit = 1;
    known_.nights = {day("2027-02-01"), day("2027-02-10")};
    booked_.id = booking_id;
    booked_.place.check_in = day("2027-03-01");
    booked_.place.check_out = day("2027-03-10");
    blocks_[block_id] = {uuid(block_id), uuid(unit_id(1)), known_.nights};
    bookings_[booking_id] = stored_booking(booking_id, "2027-03-01", "2027-03-10");
  }

  static domain::uuid uuid(const std::string& text) { return domain::parse_uuid(text).value(); }

  static store::booking_record stored_booking(const std::string& id, const char* check_in,
                                              const char* check_out) {
    store::booking_record record;
    record.booking.id = uuid(id);
    record.booking.unit_id = uuid(unit_id(1));
    record.booking.check_in = day(check_in);
    record.booking.check_out = day(check_out);
    record.booking.status = domain::booking_status::confirmed;
    return record;
  }

  void expect_difference(const std::string& block, const std::string& booking) const {
    EXPECT_EQ(difference_of(known_, blocks_).value_or(""), block);
    EXPECT_EQ(difference_of(booked_, bookings_).value_or(""), booking);
  }

  known_block known_;
  manual_booking booked_;
  block_records blocks_;
  booking_records bookings_;
};

TEST_F(OfficeRecords, EqualWhatWasAcknowledged) {
  expect_difference("", "");
  EXPECT_THAT(nights_sold_twice(bookings_, blocks_), IsEmpty());
}

TEST_F(OfficeRecords, LackAnAcknowledgedRow) {
  blocks_.clear();
  bookings_.clear();
  expect_difference("the block " + block_id + " is not in the store",
                    "the booking " + booking_id + " is lost");
}

TEST_F(OfficeRecords, LackAnAcknowledgedMove) {
  known_.nights.last += domain::days{1};
  booked_.place.unit = 2;
  expect_difference("the block " + block_id + " has other nights in the store",
                    "the booking " + booking_id +
                        " is in another place than unit 2 from 2027-03-01 to 2027-03-10");
}

TEST_F(OfficeRecords, LackAnAcknowledgedDeletionAndCancellation) {
  known_.is_deleted = booked_.is_cancelled = true;
  expect_difference("the block " + block_id + " was deleted and is in the store",
                    "the booking " + booking_id + " is not cancelled");
}

TEST_F(OfficeRecords, MayHaveTheEffectOfARequestWithoutAnOutcome) {
  known_.is_certain = false;
  booked_.targets.push_back(booked_.place);
  booked_.place.unit = 2;
  booked_.may_be_cancelled = true;
  blocks_.clear();
  bookings_[booking_id].booking.status = domain::booking_status::cancelled;
  expect_difference("", "");
}

TEST_F(OfficeRecords, HaveANightOfTwoBookings) {
  const std::string other = "b0000000-0000-4000-8000-000000000002";
  bookings_[other] = stored_booking(other, "2027-03-09", "2027-03-12");
  EXPECT_THAT(nights_sold_twice(bookings_, blocks_), SizeIs(1));
  bookings_[other] = stored_booking(other, "2027-03-10", "2027-03-12");
  EXPECT_THAT(nights_sold_twice(bookings_, blocks_), IsEmpty());
}

TEST_F(OfficeRecords, HaveABookedNightOfABlock) {
  blocks_[block_id].nights.last = day("2027-03-01");
  EXPECT_THAT(nights_sold_twice(bookings_, blocks_), SizeIs(1));
  bookings_[booking_id].booking.status = domain::booking_status::cancelled;
  EXPECT_THAT(nights_sold_twice(bookings_, blocks_), IsEmpty());
}

} // namespace roost::testing::office_records_test
