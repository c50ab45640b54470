#include "service/office_support/office_records.hpp"

#include "service/support/portfolio.hpp"
#include "store/database/connection.hpp"

#include <algorithm>
#include <utility>

namespace roost::testing {

std::string path_of_blocks(unsigned unit) { return "/api/units/" + unit_id(unit) + "/blocks"; }

std::string json_of(const domain::nights& nights) {
  return R"("from":")" + domain::to_string(nights.first) + R"(","to":")" + domain::to_string(nights.last) +
         '"';
}

block_records read_office_blocks(store::session& db) {
  static const store::selection all{
      "test_blocks", "select {columns} from blocks where by_office",
      store::columns(store::column("id", &stored_block::id), store::column("unit_id", &stored_block::unit_id),
                     store::column("first_night", &stored_block::nights, &domain::nights::first),
                     store::column<store::last_night_format>("last_night", &stored_block::nights,
                                                             &domain::nights::last))};
  block_records stored;
  for (const auto& each : db.internals().read_all(all)) stored.emplace(domain::to_string(each.id), each);
  return stored;
}

std::optional<std::string> difference_of(const known_block& known, const block_records& stored) {
  if (!known.is_certain) return std::nullopt;
  const auto found = stored.find(known.id);
  const auto name = "the block " + known.id;
  if ((found == stored.end()) != known.is_deleted)
    return name + (known.is_deleted ? " was deleted and is in the store" : " is not in the store");
  if (!known.is_deleted && found->second.nights != known.nights)
    return name + " has other nights in the store";
  return std::nullopt;
}

std::vector<std::string> nights_sold_twice(const booking_records& bookings, const block_records& blocks) {
  std::map<domain::uuid, std::vector<std::pair<domain::nights, std::string>>> booked; // by unit
  for (const auto& [id, record] : bookings)
    if (record.booking.status != domain::booking_status::cancelled)
      booked[record.booking.unit_id].emplace_back(
          domain::stay_nights(record.booking.check_in, record.booking.check_out), id);
  std::vector<std::string> errors;
  for (auto& [unit, stays] : booked) {
    std::ranges::sort(stays, {}, [](const auto& each) { return each.first.first; });
    for (std::size_t i = 1; i < stays.size(); ++i)
      if (overlap(stays[i - 1].first, stays[i].first))
        errors.push_back("the bookings " + stays[i - 1].second + " and " + stays[i].second +
                         " share a night");
  }
  for (const auto& [id, block] : blocks)
    for (const auto& [nights, booking] : booked[block.unit_id])
      if (overlap(nights, block.nights))
        errors.push_back("the block " + id + " and the booking " + booking + " share a night");
  return errors;
}

} // namespace roost::testing
